import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { all, send } from "../../charts/page/acts.js";
import { Element, document } from "../../charts/page/page.js";
import widget from "../../../nmt/instrument/js/widget.js";

const TEXTS = JSON.parse(readFileSync("nmt/instrument/english.json", "utf-8"));
const EYE = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]];

function recordOf(sentence, text = "c d") {
  const [source, target] = [sentence, text].map((words) => ({ tokens: [...words.split(" "), "</s>"], words: [0, 1, 2] }));
  return {
    format: 1, source: { text: sentence },
    systems: [{ name: "run", kind: "mine", text, source, target, maps: [{ kind: "alpha", weights: EYE }] }],
  };
}

/** A model as anywidget hands it to a view, with what Python is sent. */
function modelOf(record, state = {}) {
  const values = { record, state, host: { texts: TEXTS, styles: {}, changes: ["weights", "blocked"] } };
  const [heard, sent, saved] = [new Map(), [], []];
  const tell = (name, ...given) => (heard.get(name) ?? []).forEach((action) => action(...given));
  return {
    sent, saved, tell, values,
    get: (name) => values[name],
    set: (name, value) => { // as Backbone: equal values change nothing
      const other = JSON.stringify(values[name]) !== JSON.stringify(value);
      values[name] = value;
      if (other) {
        tell(`change:${name}`);
      }
    },
    save_changes: () => saved.push(JSON.parse(JSON.stringify(values.state))),
    send: (message) => sent.push(message),
    on: (name, action) => heard.set(name, [...(heard.get(name) ?? []), action]),
    off: (name, action) => heard.set(name, heard.get(name).filter((each) => each !== action)),
    listeners: () => [...heard.values()].flat().length,
  };
}

/** A view of a model. */
function viewOf(model) {
  const el = new Element("div");
  const end = widget().render({ model, el });
  const find = (selector, k = 0) => all(el, `.jointly >>> ${selector}`)[k];
  return {
    end, find,
    text: () => find("#ribbons >>> .system").getAttribute("aria-label"),
    lit: () => all(el, ".jointly >>> #ribbons >>> .target .word").map((word) => word.classList.contains("lit")),
    pin: (k) => send("click", find("#ribbons >>> .target .word", k), {}),
    drag: (k) => {
      find("#ribbons >>> .grip", k).focus();
      send("keydown", document.activeElement, { key: "ArrowRight" });
      send("keydown", document.activeElement, { key: "Enter" });
    },
    leaveOut: (j) => find("#ribbons >>> .source").children[j].onclick({ detail: 0 }),
    submit: (text) => {
      find("#sentence").value = text;
      find("#form").onsubmit({ preventDefault() {} });
    },
  };
}

test("a pin comes to Python, and one of Python is shown, in every view", () => {
  const model = modelOf(recordOf("a b"));
  const [view, other] = [viewOf(model), viewOf(model)];
  view.pin(1);
  assert.deepEqual(model.saved.at(-1).pin, { name: "run", target: [1], source: [] });
  assert.deepEqual(other.lit(), view.lit());
  assert.equal(model.saved.length, 1);
  model.set("state", { ...model.values.state, pin: { name: "run", target: [0], source: [] } });
  assert.deepEqual([view.lit(), other.lit()], [[true, false], [true, false]]);
  assert.equal(model.saved.length, 1); // no view says it again
  view.end();
  other.end();
  assert.equal(model.listeners(), 0);
});

test("two quick drags give the second's result, and no view takes another's answer", () => {
  const model = modelOf(recordOf("a b"));
  const [view, other] = [viewOf(model), viewOf(model)];
  view.drag(0);
  view.leaveOut(1);
  const [older, newer] = model.sent;
  assert.deepEqual([older.kind, older.changes.length, newer.changes.length], ["change", 1, 2]);
  assert.deepEqual(model.saved.at(-1).changes, newer.changes);
  other.drag(0);
  model.tell("msg:custom", { id: newer.id, record: recordOf("a b", "new text"), done: true });
  model.tell("msg:custom", { id: older.id, record: recordOf("a b", "old text"), done: true });
  assert.equal(view.text(), "run: new text");
  assert.equal(other.text(), "run: c d");
  view.end();
  other.end();
});

test("a sentence is asked for, and what is said of a fault is told", () => {
  const model = modelOf(recordOf("a b"));
  const view = viewOf(model);
  view.submit("x y");
  const [{ id, ...asked }] = model.sent;
  assert.deepEqual(asked, { kind: "translate", sentence: "x y", changes: [] });
  model.tell("msg:custom", { id, said: "a word is too long", done: true });
  assert.equal(view.find("#status").textContent, "a word is too long");
  assert.equal(view.text(), "run: c d");
  view.end();
});

test("a view that is shown again asks for the changes of the state", () => {
  const changes = [{ kind: "blocked", row: 0, text: "a" }];
  const model = modelOf(recordOf("a b"), { sentence: "a b", changes });
  const view = viewOf(model);
  assert.deepEqual(model.sent.map(({ kind, changes: asked }) => [kind, asked]), [["change", changes]]);
  view.end();
});
