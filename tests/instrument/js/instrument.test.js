import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { send } from "../../charts/page/acts.js";
import { Element, document, page, pass } from "../../charts/page/page.js";
import { mount } from "../../../nmt/instrument/js/instrument.js";

const TEXTS = JSON.parse(readFileSync("nmt/instrument/english.json", "utf-8"));
const SIDE = { tokens: ["a", "b", "</s>"] };
const EYE = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const TURNED = [[0, 1, 0], [1, 0, 0], [0, 0, 1]];

/** A record with one system; more of it. */
function recordOf(text, more = {}) {
  const system = { name: "one", kind: "mine", text, source: SIDE, target: SIDE, maps: [{ kind: "alpha", weights: EYE }], ...more };
  return { format: 1, source: { text: "a b" }, systems: [system] };
}

/** An instrument with what its host was asked and what its reader chose. */
function mounted(record, host = {}) {
  const [asked, states] = [[], []];
  const element = new Element("div");
  const instrument = mount(element, record, {
    ask: (request, answer) => void asked.push({ request, answer }), onState: (state) => states.push(state), texts: TEXTS,
    changes: ["weights", "blocked"], ...host,
  });
  const find = (...selectors) => selectors.reduce((place, selector) => (place.shadowRoot ?? place).querySelector(selector), element);
  const submit = (text) => {
    find("#sentence").value = text;
    find("#form").onsubmit({ preventDefault() {} });
  };
  return { asked, states, instrument, find, submit, element };
}

const shown = ({ find }) => find("#ribbons", ".system").getAttribute("aria-label");

/** What happens after all that waits. */
async function settled() {
  await new Promise((resolve) => {
    setImmediate(resolve); // oxlint-disable-line no-undef -- of node
  });
}

test("without somebody to ask nothing can be typed, and a record is shown", () => {
  const view = mounted(recordOf("c d"), { ask: null });
  assert.ok(view.find("#form").hidden);
  assert.equal(shown(view), "one: c d");
});

test("requests are numbered, and only the newest is answered", () => {
  const view = mounted(null);
  view.submit("  one \n sentence ");
  view.submit("another");
  const [older, newer] = view.asked;
  assert.deepEqual([older.request.sentence, newer.request.sentence], ["one sentence", "another"]);
  assert.deepEqual([older, newer].map(({ request }) => [request.kind, request.number]), [["translate", 1], ["translate", 2]]);
  newer.answer({ record: recordOf("new"), done: true });
  older.answer({ record: recordOf("old"), done: true });
  assert.equal(shown(view), "one: new");
});

test("an answer may be a promise, and an error is told", async () => {
  const answers = [() => Promise.resolve(recordOf("c d")), () => Promise.reject(new Error("no power"))];
  const view = mounted(null, { ask: () => answers.shift()() });
  view.submit("x");
  await settled();
  assert.equal(shown(view), "one: c d");
  view.submit("y");
  await settled();
  assert.match(view.find("#status").textContent, /no power/u);
});

test("what nobody answers is asked once more and then told; a word of progress is an answer", () => {
  const view = mounted(null);
  view.submit("x");
  pass(29_000);
  view.asked[0].answer({ said: "working", share: 0.5 });
  pass(29_000);
  assert.equal(view.asked.length, 1);
  pass(1000);
  assert.equal(view.asked.length, 2);
  pass(30_000);
  assert.equal(view.asked.length, 2);
  assert.equal(view.find("#status").textContent, TEXTS.silent);
});

test("texts change without mounting anew, and the state is kept", () => {
  const view = mounted(recordOf("c d"), { state: { sentence: "typed" } });
  const field = view.find("#sentence");
  view.find("#ribbons", ".target").children[1].onclick();
  view.instrument.update({ texts: { ...TEXTS, translate: "Go", log_p: "log {value}", zoom: "Size" } });
  assert.equal(view.find(".go").textContent, "Go");
  assert.equal(view.find("#matrices", ".zoom").getAttribute("aria-label"), "Size");
  assert.equal(view.find("#sentence"), field);
  assert.deepEqual(view.states.at(-1).pin, { name: "one", target: [1], source: [] });
  const ended = view.instrument.end();
  assert.deepEqual([ended.typed, ended.pin], ["typed", { name: "one", target: [1], source: [] }]);
});

test("what was said is said again in other texts", () => {
  const view = mounted(null);
  view.submit("x");
  view.asked[0].answer({ said: { text: "head", head: 3 } });
  const status = () => view.find("#status").textContent;
  assert.equal(status(), "head 3");
  view.instrument.update({ texts: { ...TEXTS, head: "{head}. Kopf" } });
  assert.equal(status(), "3. Kopf");
});

test("two instruments share no texts", () => {
  const [one, other] = ["one", "other"].map((translate) => mounted(recordOf("c d"), { texts: { ...TEXTS, translate } }));
  one.instrument.update({});
  assert.deepEqual([one, other].map(({ find }) => find(".go").textContent), ["one", "other"]);
});

test("a host without texts gets the English ones, unless it brings others first", async () => {
  const asked = [];
  globalThis.fetch = (address) => {
    asked.push(String(address).split("/").slice(-2).join("/"));
    return Promise.resolve({ json: () => TEXTS });
  };
  const [left, brought] = [mounted(recordOf("c d"), { texts: null }), mounted(recordOf("c d"), { texts: null })];
  brought.instrument.update({ texts: { ...TEXTS, translate: "Go" } });
  assert.equal(left.find("#ribbons", ".system"), null);
  await settled();
  assert.deepEqual([left, brought].map(({ find }) => find(".go").textContent), [TEXTS.translate, "Go"]);
  assert.deepEqual([asked, shown(left)], [Array(2).fill("instrument/english.json"), "one: c d"]);
});

test("changes are asked for with all that were made, and undo shows what was there before", () => {
  const view = mounted(recordOf("c d"));
  const press = (j) => view.find("#ribbons", ".source").children[j].onclick({ detail: 0 });
  press(0);
  view.asked.at(-1).answer({ record: recordOf("d"), done: true });
  assert.equal(shown(view), "one: d");
  press(1);
  assert.deepEqual(view.asked.at(-1).request.changes.map(({ kind, row, text }) => [kind, row, text]), [["blocked", 0, "a"], ["blocked", 1, "b"]]);
  press(1);
  press(0);
  assert.equal(view.asked.length, 3);
  view.asked[2].answer({ record: recordOf("late"), done: true });
  assert.equal(shown(view), "one: c d");
});

test("what is changed while another system still translates waits for it, and what is of a former sentence changes nothing", () => {
  const view = mounted({ ...recordOf("former"), source: { text: "x" } });
  const press = (j) => view.find("#ribbons", ".source").children[j].onclick({ detail: 0 });
  view.submit("a  b");
  press(0);
  view.asked[0].answer({ record: recordOf("other") });
  press(1);
  press(1);
  press(1);
  assert.deepEqual(view.asked.map(({ request }) => request.kind), ["translate"]);
  const both = recordOf("c d");
  both.systems.push({ ...both.systems[0], name: "two", text: "e f" });
  view.asked[0].answer({ record: both, done: true });
  assert.deepEqual(view.asked.map(({ request }) => request.kind), ["translate", "change"]);
  assert.deepEqual(view.asked[1].request.changes.map(({ row }) => row), [1]);
  view.asked[1].answer({ record: recordOf("d"), done: true });
  assert.equal(shown(view), "one: d");
  assert.match(view.find("#ribbons", ".systems").textContent, /f/u);
});

test("before the changes, pins are of what was there and nothing is changed; what is changed is shown", () => {
  const changes = [{ kind: "blocked", row: 1, text: "b" }];
  const told = { about_before: { one: { notes: ["of c d"] } }, about: { one: { notes: ["of x"] } }, remarks: { "a b": "A lesson" } };
  const view = mounted(recordOf("c d"), { state: { changes }, ...told });
  const after = { tokens: ["x", "</s>"] };
  view.asked[0].answer({ record: recordOf("x", { target: after, maps: [{ kind: "alpha", weights: EYE.slice(1) }] }), done: true });
  const crosses = () => view.find("#ribbons", ".source").children.filter(({ dataset }) => dataset.word).length;
  const said = () => view.find("#ribbons", ".systems").textContent.match(/A lesson|of (?:c d|x)/gu);
  assert.deepEqual([shown(view), crosses(), said()], ["one: x", 2, ["of x"]]);
  view.instrument.choose({ seen: "before" });
  assert.deepEqual([shown(view), crosses(), said()], ["one: c d", 0, ["A lesson", "of c d"]]);
  view.find("#ribbons", ".target").children[1].onclick();
  assert.deepEqual(view.states.at(-1).pin, { name: "one", target: [1], source: [] });
  view.find("#seen").children[1].onclick(); // all changes are taken back
  assert.deepEqual([view.states.at(-1).seen, shown(view), crosses()], ["after", "one: c d", 2]);
});

test("changes of a state are asked for once their sentence is there", () => {
  const changes = [{ kind: "blocked", row: 1, text: "b" }];
  const view = mounted(null);
  view.instrument.translate({ sentence: "a b", changes });
  view.asked[0].answer({ record: recordOf("c d"), done: true });
  assert.deepEqual(view.asked.map(({ request }) => request.kind), ["translate", "change"]);
  assert.deepEqual(view.asked[1].request.changes, changes);
});

test("a sentence is added behind the one that was typed, and taken away again", () => {
  const view = mounted(recordOf("c d"), { sentences: ["a b", "second", "third"] });
  const press = (key) => view.find("#ribbons", ".handle").onkeydown({ key, preventDefault() {}, stopPropagation() {} });
  press("End");
  assert.deepEqual([view.states.at(-1).sentence, view.states.at(-1).number], ["a b second third", 3]);
  view.asked[0].answer({ record: recordOf("x"), done: true });
  press("Home");
  assert.deepEqual([view.states.at(-1).sentence, view.states.at(-1).number], ["a b", 1]);
});

test("what is left out by the reader is not marked as hardly looked at", () => {
  const blocked = (row, text) => ({ kind: "blocked", row, text });
  for (const [changes, marked] of [[[blocked(0, "a")], false], [[blocked(1, "b")], true], [[blocked(0, "a"), blocked(1, "b")], false]]) {
    const view = mounted(recordOf("c d"), { state: { changes } });
    view.asked[0].answer({ record: recordOf("d", { maps: [{ kind: "alpha", weights: [EYE[1], EYE[1], EYE[2]] }] }), done: true });
    assert.equal(view.find("#matrices", ".signs").textContent.includes(TEXTS.marks.hardly), marked);
  }
});

test("what is pointed at in one view is lit in the other, nobody is asked, and what is pinned goes with the arrow keys", () => {
  const view = mounted(recordOf("c d"));
  const lit = (...names) => names.map((name) => view.find(name[0]).shadowRoot.querySelectorAll(name[1]).filter(({ classList }) => classList.contains("lit")).length);
  const words = () => view.find("#ribbons", ".target").children;
  words()[1].onpointerenter();
  assert.deepEqual(lit(["#matrices", ".label"], ["#matrices", ".band"]), [1, 0]);
  words()[1].onpointerleave();
  const canvas = view.find("#matrices", "canvas");
  const [{ left, top }, cell] = [canvas.getBoundingClientRect(), parseFloat(canvas.style.width) / 3];
  canvas.onpointermove({ clientX: left + 1.5 * cell, clientY: top + 1.5 * cell });
  assert.deepEqual(lit(["#ribbons", ".ribbon"], ["#ribbons", ".word"]), [1, 1]);
  assert.match(view.find("#ribbons", ".readout").textContent, /^b ← b 1\.00/u);
  canvas.onpointerleave();
  assert.deepEqual([...lit(["#ribbons", ".ribbon"], ["#matrices", ".label"]), view.asked.length, view.states.length], [0, 0, 0, 0]);
  words()[0].onclick();
  words()[0].focus();
  send("keydown", words()[0], { key: "ArrowRight" });
  assert.deepEqual(view.states.at(-1).pin, { name: "one", target: [1], source: [] });
  send("keydown", canvas, { key: "ArrowDown" });
  assert.deepEqual(view.states.at(-1).pin, { name: "one", target: [1], source: [0] });
});

test("undo takes changes back, and then the sentences that were added", () => {
  const view = mounted(recordOf("c d"), { sentences: ["second", "third"], state: { number: 3, base: "a b", sentence: "a b second third" } });
  const undo = (element = view.element) => document.dispatchEvent({
    type: "keydown", key: "z", ctrlKey: true, composedPath: () => [element], preventDefault() {},
  });
  view.find("#ribbons", ".source").children[0].onclick({ detail: 0 });
  assert.equal(view.states.at(-1).changes.length, 1);
  view.instrument.update({});
  assert.deepEqual(view.find("#seen").children.slice(0, 3).map(({ textContent, dataset }) => dataset.control ?? textContent), ["undo", "reset", "AfterBeforeAfter − before"]);
  undo(new Element("input")); // of its text alone
  undo();
  assert.deepEqual([view.states.at(-1).changes, view.states.at(-1).number], [[], 3]);
  view.find("#seen").children[0].onclick();
  assert.deepEqual([view.states.at(-1).sentence, view.states.at(-1).number], ["a b second", 2]);
  view.instrument.update({});
  undo();
  undo(); // there is nothing left
  assert.deepEqual(view.states.map(({ number }) => number).at(-1), 1);
  view.instrument.end();
});

test("of several maps one is chosen, with bars where they are wanted", () => {
  const maps = [{ kind: "head", layer: 2, head: 0, weights: EYE }, { kind: "head", layer: 2, head: 1, weights: TURNED }];
  const view = mounted(recordOf("c d", { maps }));
  const label = () => view.find("#matrices", ".panel").getAttribute("aria-label");
  assert.equal(label(), "one: weights of a head, layer 2, head 0");
  assert.equal(view.find("#matrices", ".bars"), null);
  view.instrument.choose({ view: { bars: true } });
  assert.notEqual(view.find("#matrices", ".bars"), null);
  view.find("#maps").value = view.find("#maps").children[1].value;
  view.find("#maps").onchange();
  assert.equal(label(), "one: weights of a head, layer 2, head 1");
  view.instrument.update({ texts: { ...TEXTS, head: "Kopf {head}" } });
  assert.equal(label(), "one: weights of a head, layer 2, Kopf 1");
});

test("a host's offers are buttons, and without a link there is no picture", () => {
  const kinds = [];
  const view = mounted(recordOf("c d"), { sections: ["export"], offers: [{ kind: "scene", text: "Add" }], onOffer: (kind) => kinds.push(kind) });
  const offers = () => view.find("#offers").children;
  offers()[0].onclick();
  assert.deepEqual([offers()[0].textContent, kinds, Boolean(view.find("#copy").hidden)], ["Add", ["scene"], true]);
  offers()[0].focus();
  view.instrument.update({ offers: [{ kind: "scene", text: "Take out" }] });
  assert.deepEqual([offers().map(({ textContent }) => textContent), document.activeElement], [["Take out"], offers()[0]]); // it keeps the keyboard
  view.instrument.update({ offers: [], link: () => "https://here/" });
  assert.deepEqual([offers().length, ...["#copy", "#copied"].map((row) => Boolean(view.find(row).hidden))], [0, true, false]); // it stands with the files
});

test("the hint names each act, whatever was used, until it is closed, and comes back", () => {
  const hint = ({ find }) => find("#ribbons", ".readout").textContent;
  const open = () => mounted(recordOf("c d"), { changes: ["weights", "source", "blocked"] });
  const said = ({ pin, weights, source, blocked }) => `${[pin, weights, source, blocked].join(" ")}×`;
  const view = open();
  [1, 1].forEach((k) => view.find("#ribbons", ".target").children[k].onclick());
  assert.equal(hint(view), said(TEXTS.hints)); // the next reader has used nothing
  page.hover = false; // a finger
  assert.equal(hint(open()), said(TEXTS.tap_hints));
  page.hover = true;
  const press = () => view.find("#ribbons", ".dismiss").onclick();
  press();
  assert.equal(hint(view), "?");
  press();
  assert.equal(hint(view), said(TEXTS.hints));
});

test("what is pinned no more under the pointer is lit in neither view", () => {
  const view = mounted(recordOf("c d"));
  const lit = () => [view.find("#ribbons", ".ribbon-inner").classList.contains("focused"), view.find("#matrices", ".bands").children.length > 0];
  const word = view.find("#ribbons", ".target").children[1];
  const marked = () => [word, view.find("#matrices", ".row-words").children[1]].map(({ classList }) => ["chosen", "pinned"].some((name) => classList.contains(name)));
  send("pointerenter", word, {});
  word.onclick();
  assert.deepEqual([lit(), marked()], [[true, true], [true, true]]); // a pin has one mark in both
  send("keydown", word, { key: "Escape" });
  assert.deepEqual([lit(), marked()], [[false, false], [false, false]]);
});

test("a double-click on a source word offers to replace it", () => {
  const view = mounted(recordOf("c d"), { changes: ["weights", "source", "blocked"] });
  const word = view.find("#ribbons", ".source").children[1];
  send("click", word, { detail: 1 });
  send("click", word, { detail: 2 });
  view.instrument.update({ explanation: { pin: { name: "one", target: [], source: [1] }, notice: "source" } }); // which says nothing of it
  assert.ok(!view.find("#words").hidden);
  const field = view.find("#words", "input");
  assert.deepEqual([field.getAttribute("placeholder"), document.activeElement === field], [TEXTS.explained.replace_with, true]);
  field.value = " x ";
  field.onchange();
  assert.deepEqual(view.states.at(-1).changes, [{ kind: "source", row: 0, text: "a x" }]);
});

test("a source word is pinned like a target word; a finger finds its cross once it is", () => {
  page.hover = false;
  const view = mounted(recordOf("c d"), { changes: ["blocked"] });
  const word = view.find("#ribbons", ".source").children[1];
  const { right, top } = word.getBoundingClientRect();
  const tap = () => word.onclick({ detail: 1, clientX: right - 8, clientY: top });
  tap();
  assert.deepEqual(view.states.at(-1).pin, { name: "one", target: [], source: [1] });
  assert.deepEqual([word.classList.contains("lit"), word.classList.contains("chosen"), view.states.at(-1).changes], [true, true, []]);
  tap();
  const { pin, changes } = view.states.at(-1);
  assert.deepEqual([pin, changes.map(({ kind, row }) => [kind, row])], [null, [["blocked", 1]]]);
  page.hover = true;
});

test("three languages or more stand around their source; a word lights in all of them", () => {
  const languages = (...codes) => {
    const record = recordOf("c d", { language: codes[0], name: codes[0] });
    const [first] = record.systems;
    const turned = [{ kind: "alpha", weights: TURNED }];
    return { ...record, systems: codes.map((language, k) => ({ ...first, language, name: `to ${language}`, maps: k ? turned : first.maps })) };
  };
  for (const few of [["fr", "de"], ["fr", "fr", "de"]]) {
    assert.ok(mounted(languages(...few)).find("#poster").hidden);
  }
  const view = mounted(languages("fr", "de", "ja"));
  assert.deepEqual([view.find("#poster").hidden, view.find("#ribbons").hidden].map(Boolean), [false, true]);
  const lines = view.find("#poster", ".poster").querySelectorAll(".line");
  assert.ok(parseFloat(view.find("#poster", ".poster").style["--gap"]) > 20); // few words use the width
  assert.deepEqual(lines.map((line) => line.classList.contains("source")), [false, false, true, false]);
  const words = lines.map((line) => line.querySelectorAll(".word"));
  const shares = () => words.map((line) => line.map((word) => Number(word.style["--share"])));
  words[2][0].onpointerenter(); // the first word of the source: French keeps the order, the others turn it around
  assert.deepEqual(shares(), [[1, 0], [0, 1], [1, 0], [0, 1]]);
  assert.match(view.find("#poster", ".readout").textContent, /^a · French: a 1\.00 · German: b 1\.00 · Japanese: b 1\.00$/u);
  words[1][0].onpointerenter(); // a German word is about the second word of the source
  assert.deepEqual(shares(), [[0, 1], [1, 0], [0, 1], [1, 0]]);
  words[1][0].onpointerleave();
  assert.deepEqual(shares().flat(), Array(8).fill(0));
  const toggle = view.find("#acts").children[0];
  toggle.onclick();
  assert.deepEqual([view.find("#poster").hidden, view.find("#ribbons").hidden].map(Boolean), [true, false]);
  assert.deepEqual([toggle.getAttribute("aria-pressed"), view.states.at(-1).view.around], ["false", false]);
});

test("what is typed is translated after a pause where that is quick, and not again when it was entered", () => {
  let quick = true;
  const view = mounted(recordOf("c d"), { quick: () => quick });
  const type = (text) => {
    view.find("#sentence").value = text;
    view.find("#sentence").oninput();
  };
  const sentences = () => view.asked.map(({ request }) => request.sentence);
  type("one");
  pass(299);
  type("one t");
  pass(299);
  assert.deepEqual(sentences(), []);
  pass(1);
  assert.deepEqual(sentences(), ["one t"]);
  assert.equal(view.find("#sentence").value, "one t");
  type("one two ");
  view.find("#form").onsubmit({ preventDefault() {} });
  pass(300);
  type(" ");
  pass(300);
  quick = false;
  type("three");
  pass(300);
  assert.deepEqual(sentences(), ["one t", "one two"]);
});

test("a doubted word is underlined, and says why to a pointer, the keyboard and a screen reader, until it is rewritten", () => {
  const about = { one: { judge: "two", doubts: [null, 0.00001] } };
  const { instrument, find } = mounted(recordOf("a b", { maps: [] }), { about });
  const system = find("#ribbons", ".system");
  assert.deepEqual(system.querySelectorAll(".doubted").map(({ textContent }) => textContent), ["b"]);
  assert.equal(system.querySelector(".remark").textContent, TEXTS.doubted[0]);
  const said = "b: two gives it a probability of at most 0.0001";
  send("pointerenter", find("#ribbons", ".doubted"), {});
  assert.equal(system.querySelector(".readout").textContent, said);
  const changes = [{ kind: "source", row: 0, text: "b a" }];
  instrument.take({ record: recordOf("b b", { maps: [] }), plain: recordOf("a b", { maps: [] }) }, { changes });
  assert.equal(find("#ribbons", ".doubted"), null);
  assert.equal(find("#ribbons", ".remark"), null);
});
