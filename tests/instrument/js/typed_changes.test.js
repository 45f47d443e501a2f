import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { send } from "../../charts/page/acts.js";
import { Element } from "../../charts/page/page.js";
import { mount } from "../../../nmt/instrument/js/instrument.js";
import { movedWeight, outcome } from "../../../nmt/instrument/js/typed_changes.js";

const TEXTS = JSON.parse(readFileSync("nmt/instrument/english.json", "utf-8"));
const ALL = ["source", "begin", "without", "word", "weights", "token", "blocked"];
const SIDE = { tokens: ["a", "b", "</s>"] };
const EYE = [[0.75, 0.25, 0], [0, 1, 0], [0, 0, 1]];

function recordOf(target = ["c", "d", "</s>"], more = {}) {
  const maps = [{ kind: "alpha", weights: target.map((_, i) => EYE[i % 3]) }];
  const system = { name: "one", kind: "mine", text: target.slice(0, -1).join(" "), source: SIDE, target: { tokens: target }, maps, ...more };
  return { format: 1, source: { text: "a b" }, systems: [system] };
}

/** An instrument that shows the section, with what it asked. */
function opened(host = {}, record = recordOf()) {
  const [element, asked] = [new Element("div"), []];
  const instrument = mount(element, record, {
    ask: (request, answer) => void asked.push({ request, answer }), texts: TEXTS, changes: ALL, sections: ["explain", "what-if"],
    state: { section: "what-if" }, ...host,
  });
  const find = (selector) => element.shadowRoot.querySelector(selector);
  const type = (name, text) => {
    const input = find(`#typed-${name}`);
    input.value = text;
    send("change", input, {});
  };
  return { asked, find, type, instrument, changes: () => asked.at(-1)?.request.changes };
}

const words = (place) => [...place.querySelectorAll("input")].map(({ value }) => value);

test("what is typed is one more change, and one that changes nothing is none", () => {
  const view = opened();
  view.type("without", "  ");
  assert.equal(view.asked.length, 0);
  view.type("begin", " le \n chat");
  assert.deepEqual(view.changes(), [{ kind: "begin", row: 0, text: "le chat" }]);
  view.type("begin", "le chat");
  assert.equal(view.asked.length, 1);
  view.type("begin", "");
  assert.deepEqual(view.changes()[1], { kind: "begin", row: 0, text: "" });
});

test("a field shows the last change of its kind, and what is half typed stays when an answer comes", () => {
  const view = opened({ state: { section: "what-if", changes: [{ kind: "begin", row: 0, text: "la" }] } });
  assert.deepEqual(words(view.find("#typed")), ["", "la", ""]);
  const field = view.find("#typed-source");
  field.value = "half";
  view.asked[0].answer({ record: recordOf(["d", "</s>"]), done: true });
  assert.equal(view.find("#typed-source"), field);
  assert.equal(field.value, "half");
});

test("the weights of the pinned word are numbers to type over, and those that sum to nothing are not taken", () => {
  const view = opened({ state: { section: "what-if", pin: { name: "one", target: [0], source: [] } } });
  const row = () => [0, 1, 2].map((j) => view.find(`#typed-weight-${j}`).value);
  assert.deepEqual(row(), ["0.75", "0.25", "0"]);
  view.type("weight-0", "-1");
  assert.deepEqual(view.changes(), [{ kind: "weights", system: "one", row: 0, weights: [0, 0.25, 0] }]);
  view.type("weight-1", "x");
  assert.equal(view.asked.length, 1);
  const ofTokens = opened({ state: { section: "what-if", pin: { name: "one", target: [1], source: [] }, view: { pieces: true } } });
  ofTokens.type("weight-0", "1");
  assert.deepEqual(ofTokens.changes(), [{ kind: "weights", system: "one", row: 1, weights: [1, 1, 0], pieces: true }]);
});

test("without a pin, of a file, and before the changes, no weights are offered", () => {
  const pin = { name: "one", target: [0], source: [] };
  const states = [{ pin: null }, { pin, seen: "before", changes: [{ kind: "begin", row: 0, text: "a" }] }, { pin: { ...pin, target: [0, 1] } }];
  for (const [state, about] of [...states.map((each) => [each, {}]), [{ pin }, { one: { movable: false } }]]) {
    const view = opened({ about, state: { section: "what-if", ...state } });
    assert.equal(view.find("#typed-weight-0"), null);
    assert.match(view.find("#typed").textContent, new RegExp(TEXTS.typed.to_move, "u"));
  }
});

test("of a given target only another source can be read", () => {
  const view = opened({ changes: ["source"] });
  assert.equal(words(view.find("#typed")).length, 1);
  assert.match(view.find("#typed").textContent, /only the source can change/u);
});

test("a section is chosen without anybody being asked, and the first one stands in no address", () => {
  const states = [];
  const view = opened({ onState: (state) => states.push(state.section) });
  const press = (k) => send("click", view.find("#sections").querySelectorAll(".switch")[k], {});
  press(0);
  assert.ok(view.find("#typed").hidden);
  press(1);
  assert.ok(!view.find("#typed").hidden);
  assert.deepEqual([states, view.asked.length], [[null, "what-if"], 0]);
});

test("what became of a translation has the words of both, what it cost, and where the weights went", () => {
  const [before, after] = [recordOf(["c", "d", "</s>"], { log_probability: -1 }), recordOf(["c", "e", "</s>"], { log_probability: -2.5 })]
    .map(({ systems }) => systems[0]);
  after.maps = [{ kind: "alpha", weights: [[0.25, 0.75, 0], [0, 1, 0], [0, 0, 1]] }];
  const place = outcome(before, after, TEXTS);
  assert.deepEqual(["del", "ins", "span"].map((tag) => place.querySelector(tag).textContent), ["d", "e", "c"]);
  assert.match(place.textContent, /log p = −2.50 nats \(before: −1.00 nats\); 1 word kept; .* 0.50 in all/u);
  assert.equal(movedWeight({ weights: null }, { weights: EYE }), null);
  assert.doesNotMatch(outcome({ ...before, log_probability: null }, after, TEXTS).textContent, /log p/u);
});
