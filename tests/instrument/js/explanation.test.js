import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { send } from "../../charts/page/acts.js";
import { Element } from "../../charts/page/page.js";
import { mount } from "../../../nmt/instrument/js/instrument.js";

const TEXTS = JSON.parse(readFileSync("nmt/instrument/english.json", "utf-8"));
const SIDE = { tokens: ["a", "b", "</s>"] };
const MAPS = [{ kind: "alpha", weights: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }];
const RECORD = {
  format: 1, source: { text: "a b" }, systems: [{ name: "one", kind: "mine", text: "a b", source: SIDE, target: SIDE, maps: MAPS }],
};
const PIN = { name: "one", target: [0], source: [1] };
const next = (...tokens) => tokens.map(([token, probability]) => ({ token, text: token.replace("▁", ""), probability, without: 0.25 }));
const EXPLAINED = {
  pin: PIN, said: "a looked at b", i: 0, j: 1, token: "a", source: ["a", "b", "</s>"], alpha: [0.7, 0.2, 0.1], energies: [2, 1, -1],
  norms: { state: 1, context: 2, annotation: 3 }, taken: "b", next: next(["a", 0.5], ["▁x", 0.3]), changes: true, weights: [0, 1, 0],
  gates: [{ name: "reset", mean: 0.5, units: [1, 0, 3] }], place: { row: 0, source: "b" }, maps: null,
};
const OTHERS = {
  word: "a", words: ["a", "b"], rows: [[1, 0], [0.2, 0.8], [1, 0]], names: ["alpha", "posterior", "leave-one-out"], scales: [],
  hatched: [2], lacking: false,
};

/** An instrument that shows the section, with its states and what it asked. */
function opened(explanation, { pin = PIN, ...state } = {}) {
  const [element, asked, states] = [new Element("div"), [], []];
  const instrument = mount(element, RECORD, {
    ask: (request) => void asked.push(request), onState: (now) => states.push(now), texts: TEXTS, scales: {},
    changes: ["weights", "token"], sections: ["explain", "what-if"], state: { pin, ...state }, explanation,
  });
  const root = element.shadowRoot;
  const find = (selector) => root.querySelector(selector);
  const press = (control) => send("click", find(`[data-control="${control}"]`), {});
  return { asked, states, find, press, instrument, said: () => find("#explained").textContent };
}

test("of the sections that are offered, Explain is open first", () => {
  const view = opened(null, { pin: null });
  assert.equal(view.find("#sections").querySelector("[aria-pressed=true]").textContent, TEXTS.sections.options.explain);
  assert.deepEqual([view.find("#explained"), view.find("#typed")].map(({ hidden }) => Boolean(hidden)), [false, true]);
});

test("without a pin it says how to pin, and of what has no explanation why", () => {
  assert.equal(opened(null, { pin: null }).said(), TEXTS.explained.pin + TEXTS.explained.alpha);
  const view = opened({ pin: PIN, notice: "no_checkpoint" });
  assert.equal(view.said(), TEXTS.explained.no_checkpoint);
});

test("a pinned cell is explained in a sentence and with its numbers", () => {
  const view = opened(EXPLAINED);
  assert.equal(view.find("#explained [role=status]").textContent, "a looked at b");
  for (const number of ["0.200", "1.00", "−1.00", "0.500", "0.300", "0.250", "‖hⱼ‖3.00"]) {
    assert.match(view.said(), new RegExp(number, "u"));
  }
  assert.match(view.said(), /p without “b”/u);
  assert.doesNotMatch(opened({ ...EXPLAINED, alpha: null, energies: null, taken: "", norms: { ...EXPLAINED.norms, annotation: null } }).said(), /hⱼ|αᵢⱼ|without “/u);
});

test("its sentence can be copied where the page has a clipboard", async () => {
  assert.equal(opened(EXPLAINED).find('[data-control="copy"]'), null);
  const copied = [];
  const clipboard = { writeText: async (text) => copied.push(text) };
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { clipboard } });
  const view = opened(EXPLAINED);
  await view.find('[data-control="copy"]').onclick();
  assert.deepEqual([copied, view.find('[data-control="copy"]').textContent], [["a looked at b"], TEXTS.explained.copied]);
  delete globalThis.navigator;
});

test("an explanation of another pin is not shown as that of this one", () => {
  const view = opened(EXPLAINED);
  view.instrument.choose({ pin: { ...PIN, target: [1] } });
  assert.ok(view.find("#explained").classList.contains("stale"));
  view.instrument.update({ explanation: { ...EXPLAINED, said: "more", pin: { ...PIN, target: [1] } } });
  assert.ok(!view.find("#explained").classList.contains("stale"));
  assert.match(view.said(), /more/u);
  assert.equal(opened({ ...EXPLAINED, pin: { ...PIN, name: "two" } }).said(), "");
});

test("another word is written after the tokens before it, and attention goes to the source word", () => {
  const view = opened(EXPLAINED);
  view.press("word-0"); // which is written there already
  assert.equal(view.asked.length, 0);
  view.press("word-1");
  assert.deepEqual(view.asked.at(-1).changes, [{ kind: "token", row: 0, system: "one", text: "▁x" }]);
  view.press("move");
  assert.deepEqual(view.asked.at(-1).changes[1], { kind: "weights", row: 0, system: "one", weights: [0, 1, 0] });
  for (const given of [{ changes: false }, { weights: null }, { alpha: [0.1, 0.8, 0.1] }]) {
    assert.equal(opened({ ...EXPLAINED, ...given }).find("[data-control=move]"), null);
  }
});

test("the five most probable words stand below the sentence, in every section and also where one is nearly sure", () => {
  const probable = [["y", 0.96], ["</s>", 0.02], ["a", 0.005], ["b", 0.0049], ...[..."cdef"].map((name) => [name, 0])];
  const { find } = opened({ ...EXPLAINED, token: "y", next: next(...probable) }, { section: "what-if" });
  assert.deepEqual(find("#words").querySelectorAll(".switch").map((word) => word.textContent), ["y · 0.96", "a · 0.01", "b · <0.01", "c · <0.01", "d · <0.01"]);
  assert.deepEqual([find("#words .switch").getAttribute("aria-pressed"), find("#words").getAttribute("slot")], ["true", "words-0"]);
});

test("any other word is typed in the place of the pinned one; what is half typed stays until another is pinned", () => {
  const view = opened(null);
  const field = () => view.find("#words input");
  field().value = "half";
  view.instrument.update({ explanation: EXPLAINED });
  assert.equal(field().value, "half");
  field().value = " le \n mot ";
  send("change", field(), {});
  assert.deepEqual(view.asked.at(-1).changes, [{ kind: "word", row: 1, system: "one", text: "le mot" }]);
  view.instrument.choose({ pin: { ...PIN, target: [1] } });
  assert.equal(field().value, "");
});

test("no words are offered where nobody can change them", () => {
  const hidden = (explanation, state) => Boolean(opened(explanation, state).find("#words").hidden);
  const changes = [{ kind: "blocked", row: 1, text: "b" }];
  const states = [{ pin: null }, { pin: { ...PIN, target: [] } }, { pin: { ...PIN, target: [0, 1] } }, { pin: { ...PIN, name: "two" } }, { seen: "before", changes }];
  assert.ok(states.every((state) => hidden(EXPLAINED, state)));
  assert.deepEqual([EXPLAINED, { ...EXPLAINED, changes: false }, { pin: PIN, notice: "no_checkpoint" }].map((each) => hidden(each)), [false, true, true]);
});

test("other maps are told to the host when they are opened, and a ring is where one points elsewhere than the first", () => {
  const view = opened(EXPLAINED);
  const maps = view.find("#maps-of-word");
  maps.open = true;
  maps.ontoggle();
  assert.equal(view.states.at(-1).maps, true);
  view.instrument.update({ explanation: { ...EXPLAINED, maps: OTHERS } });
  assert.match(view.said(), /For “a” the maps disagree: alpha points at “a”, posterior at “b”\./u);
  view.instrument.update({ explanation: { ...EXPLAINED, maps: { ...OTHERS, rows: OTHERS.rows.map(() => [1, 0]), lacking: true } } });
  assert.match(view.said(), /For “a” all maps point at “a”\./u);
  assert.match(view.said(), new RegExp(TEXTS.explained.maps_left_out, "u"));
  view.instrument.update({ explanation: { ...EXPLAINED, maps: {} } });
  assert.match(view.said(), new RegExp(TEXTS.explained.maps_of_typed, "u"));
});
