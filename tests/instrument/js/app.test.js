import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";

import { all, send } from "../../charts/page/acts.js";
import { document, framed, pass } from "../../charts/page/page.js";
import component, { linkOf } from "../../../nmt/instrument/js/app.js";

const EYE = [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]];
const UNCHOSEN = { pin: null, seen: "after", view: {}, sentence: "" };

const TEXTS = JSON.parse(readFileSync("nmt/instrument/english.json", "utf-8"));
globalThis.jointlyStyles = {};

/** A window with its address and history, as a browser has it. */
function opened(address) {
  const heard = new Map();
  const entries = [new URL(address)];
  globalThis.history = {
    state: null,
    pushState: (state, unused, next) => entries.push(new URL(next)),
    replaceState: (state, unused, next) => entries.splice(-1, 1, new URL(next)),
  };
  Object.defineProperty(globalThis, "location", { configurable: true, get: () => entries.at(-1) });
  Object.assign(window, {
    jointlyAddress: undefined, jointlyField: undefined, jointlyLeft: undefined,
    addEventListener: (name, action) => heard.set(name, [...(heard.get(name) ?? []), action]),
    removeEventListener: (name, action) => heard.set(name, heard.get(name).filter((each) => each !== action)),
  });
  const travel = (next) => {
    const ofView = new URL(next).searchParams.get("s") === entries.at(-1).searchParams.get("s");
    entries.splice(0, entries.length, new URL(next));
    (heard.get("jointly-travel") ?? []).forEach((action) => action({ detail: { ofView } }));
  };
  return { entries, travel, listeners: () => [...heard.values()].flat().length };
}

function recordOf(sentence, text = "c d") {
  const [source, target] = [sentence, text].map((words) => ({ tokens: [...words.split(" "), "</s>"] }));
  const weights = target.tokens.map((_, i) => source.tokens.map((__, j) => EYE[i % 3][j % 3]));
  return {
    format: 1, source: { text: sentence },
    systems: [{ name: "run.1", kind: "mine", text, source, target, maps: [{ kind: "alpha", weights }] }],
  };
}

/** Data as nmt/ui/instrument.py sends them, for a page that owns its address. */
function dataOf(record, more = {}) {
  return {
    record, state: UNCHOSEN, told: UNCHOSEN, needs: [], answers: null, ask: true, about: {}, remarks: {}, sentences: [], parts: "both",
    texts: TEXTS, scales: {}, owns: true, changes: ["weights", "blocked"], controls: true, ...more,
  };
}

/** The component with all that it tells the server. */
function shown(data) {
  const root = framed('<div class="instrument"></div>');
  const [asked, told] = [[], []];
  const show = (given) => component({
    data: given, parentElement: root, setTriggerValue: (_, request) => asked.push(request), setStateValue: (_, state) => told.push(state),
  });
  const end = show(data);
  const find = (selector, k = 0) => all(root, `.instrument >>> ${selector}`)[k];
  const view = {
    asked, told, show, end, find,
    text: () => find("#ribbons >>> .system").getAttribute("aria-label"),
    pinned: () => all(root, ".instrument >>> #ribbons >>> .target .word").map((word) => word.classList.contains("lit")),
    pin: (k) => send("click", find("#ribbons >>> .target .word", k), {}),
    drag: (k) => {
      find("#ribbons >>> .grip", k).focus();
      send("keydown", document.activeElement, { key: "ArrowRight" });
      send("keydown", document.activeElement, { key: "Enter" });
    },
    /** Carry a cell of the matrix to another column, by the numbers of the row and of both columns. */
    carry: (i, from, to) => {
      const canvas = view.find("#matrices >>> canvas");
      const [width, height] = [canvas.style.width, canvas.style.height].map((size) => parseFloat(size) / 3);
      [["pointerdown", from], ["pointermove", to], ["pointerup", to]].forEach(([name, j]) => {
        send(name, canvas, { x: (j + 0.5) * width, y: (i + 0.5) * height });
      });
    },
    /** The server's answer to the newest request. */
    answer: (given, request = asked.at(-1)) => show({ ...given, answers: request.id }),
  };
  return view;
}

/** Data after changes that the server was asked for. */
const changed = ({ changes }, text) => ({
  ...dataOf(recordOf("a b", text)), plain: recordOf("a b"), change: changes, about: { "run.1": { changed: "changed" } },
});

let page;
beforeEach(() => {
  page = opened("https://here/look?s=a+b&models=run.1");
});
const asked = () => Object.fromEntries(page.entries.at(-1).searchParams);

test("a pin stands in the address, beside what is not the instrument's, and the server is not told", () => {
  const view = shown(dataOf(recordOf("a b")));
  view.pin(1);
  assert.deepEqual(asked(), { s: "a b", models: "run.1", pin: "run.1.1." });
  assert.equal(page.entries.length, 2);
  assert.equal(view.find("#ribbons >>> .readout").textContent, "d ← b 0.80, a 0.10, </s> 0.10");
  assert.deepEqual([view.told, view.asked], [[], []]);
  view.pin(1);
  assert.deepEqual(asked(), { s: "a b", models: "run.1" });
  assert.deepEqual([view.told, view.asked], [[], []]);
});

test("a pin leaves the address with its sentence, before the server has answered", () => {
  const view = shown(dataOf(recordOf("a b")));
  view.pin(1);
  const written = (address) => Object.keys(window.jointlyAddress.values(new URL(address)));
  assert.deepEqual(written("https://here/look?s=a+b&beam=2"), ["pin"]);
  assert.deepEqual(written("https://here/look"), ["pin"]); // which leaves out the sentence that the page opens with
  assert.deepEqual(written("https://here/look?s=c"), []);
  assert.deepEqual(written("https://here/look?s=a+b"), []); // whatever else this act writes
});

test("a link has no text of another page, and nothing of the sentence before a draft", () => {
  const here = "https://here/look?s=a+b&text=long&pin=run.1.1.&models=run.1";
  assert.equal(linkOf(here, {}), "https://here/look?s=a+b&pin=run.1.1.&models=run.1");
  assert.equal(linkOf(here, { draft: ["pin"], record: recordOf("c d") }), "https://here/look?s=c+d&models=run.1");
});

test("what the server needs it is told once", () => {
  const data = dataOf(recordOf("a b"), { needs: ["pin"] });
  const view = shown(data);
  view.pin(0);
  const expected = { name: "run.1", target: [0], source: [] };
  assert.deepEqual(view.told.map(({ pin, seen, sentence }) => [pin, seen, sentence]), [[expected, "after", "a b"]]);
  view.show(data); // of another reason, while the server has not heard it yet
  view.show({ ...data, told: view.told[0], state: view.told[0] });
  assert.equal(view.told.length, 1);
  assert.deepEqual(view.pinned(), [true, false]);
  send("click", view.find('#controls [data-control="bars"]'), {}); // which it does not need
  assert.equal(view.told.length, 1);
  view.pin(0);
  assert.deepEqual(view.told.map(({ pin }) => pin), [expected, null]);
});

test("a server that begins to need what was chosen before is told it", () => {
  const view = shown(dataOf(recordOf("a b")));
  view.pin(1);
  view.show(dataOf(recordOf("a b"), { needs: ["pin", "view"] }));
  assert.deepEqual(view.told.map(({ pin }) => pin.target), [[1]]);
});

test("two quick drags give the result of the second", () => {
  const view = shown(dataOf(recordOf("a b")));
  view.drag(0);
  view.carry(1, 1, 2);
  const [first, second] = view.asked;
  assert.deepEqual([first, second].map(({ kind }) => kind), ["change", "change"]);
  assert.equal(first.changes.length, 1);
  assert.deepEqual(second.changes.slice(0, 1), first.changes);
  assert.equal(second.changes.length, 2);
  view.answer(changed(first, "old"), first);
  assert.equal(view.text(), "run.1: c d");
  view.answer(changed(second, "new"), second);
  assert.equal(view.text(), "run.1: new");
  view.show({ ...changed(first, "old"), answers: second.id }); // what the server says later holds
  assert.equal(view.text(), "run.1: old");
});

test("requests of another instrument have other numbers", () => {
  const ids = [0, 1].map(() => {
    const view = shown(dataOf(recordOf("a b")));
    view.drag(0);
    view.end();
    return view.asked[0].id;
  });
  assert.notEqual(ids[0], ids[1]);
});

test("a request that nobody answers is asked once more with the same changes", () => {
  const view = shown(dataOf(recordOf("a b")));
  view.drag(0);
  pass(30_000);
  assert.equal(view.asked.length, 2);
  const [first, again] = view.asked;
  assert.deepEqual(again.changes, first.changes);
  assert.notEqual(again.id, first.id);
  pass(30_000);
  assert.equal(view.find("#acts #status").textContent, TEXTS.silent); // with the form, all beside it is hidden
  view.show(changed(again, "late")); // the server goes on, and holds again
  assert.equal(view.text(), "run.1: late");
  assert.equal(view.find("#status").textContent, "");
});

test("what is to be saved stands in the address, and the server's file is given once", () => {
  const given = [];
  URL.createObjectURL = (blob) => `blob:${given.push(blob)}`;
  URL.revokeObjectURL = () => {};
  page = opened("https://here/look?s=a+b&do=export&take-format=CSV");
  const data = dataOf(recordOf("a b"), { sections: ["explain", "export"], forms: { PDF: "figure", CSV: "weights" }, state: { ...UNCHOSEN, section: "export" } });
  const view = shown(data);
  send("click", view.find("#export .go"), {});
  const [{ kind, wanted }] = view.asked;
  assert.deepEqual([kind, wanted.format, wanted.maps, wanted.seen], ["export", "CSV", ["run.1"], "after"]);
  const taken = { name: "a.csv", type: "text/csv", data: btoa("x"), notes: [], codes: [] };
  view.show({ ...data, taken, answers: "another's" });
  assert.equal(given.length, 0);
  view.answer({ ...data, taken });
  view.show({ ...data, taken, answers: view.asked[0].id });
  assert.equal(given.length, 1);
  send("click", view.find("#export .go"), {});
  pass(30_000);
  view.asked.slice(1).forEach((request) => view.answer({ ...data, taken: { ...taken, name: request.id } }, request));
  assert.deepEqual([view.asked.length, given.length], [3, 2]); // asked for once more, given once
  const format = view.find('#export [data-control="format"]');
  format.value = "PDF";
  format.onchange();
  assert.equal(asked()["take-format"], "PDF");
  page.travel("https://here/look?s=a+b&do=export&take-format=CSV");
  assert.equal(view.find("#export .go").textContent, "Save as CSV");
});

test("undo of the last change is asked for, and what was written before is seen at once", () => {
  const view = shown(dataOf(recordOf("a b")));
  view.drag(0);
  view.answer(changed(view.asked[0], "new"));
  send("click", view.find("[data-control=undo]"), {});
  assert.equal(view.text(), "run.1: c d");
  assert.deepEqual(view.asked.at(-1).changes, []);
  assert.equal(view.asked.length, 2);
});

test("another sentence forgets the pin and what was seen of changes, and makes no entry", () => {
  const view = shown(dataOf(recordOf("a b"), { needs: ["pin"] }));
  view.pin(1);
  view.show(dataOf(recordOf("other words"), { needs: ["pin"] }));
  assert.deepEqual(view.pinned(), [false, false]);
  assert.equal(asked().pin, undefined);
  assert.equal(page.entries.length, 2);
  assert.deepEqual(view.told.map(({ pin, sentence }) => [pin?.target ?? null, sentence]), [[[1], "a b"]]);
});

test("the same sentence in other words of the server keeps the pin", () => {
  const view = shown(dataOf(recordOf("a b")));
  view.pin(1);
  view.show(dataOf(recordOf("a b", "x y"), { large: true }));
  assert.deepEqual(view.pinned(), [false, true]);
  assert.equal(asked().pin, "run.1.1.");
});

test("an older request does not hold another sentence back", () => {
  const view = shown(dataOf(recordOf("a b")));
  view.drag(0);
  view.show(dataOf(recordOf("other words", "x")));
  assert.equal(view.text(), "run.1: x");
});

test("the state that the server opens with is shown", () => {
  page.travel("https://here/look?s=a+b&pin=run.1.1.");
  const state = { ...UNCHOSEN, pin: { name: "run.1", target: [1], source: [] } };
  const view = shown(dataOf(recordOf("a b"), { state, told: state, needs: ["pin"] }));
  assert.deepEqual(view.pinned(), [false, true]);
  assert.deepEqual([view.told, view.asked], [[], []]);
  assert.equal(asked().pin, "run.1.1.");
});

test("who travels through the history sees what the address says", () => {
  const view = shown(dataOf(recordOf("a b")));
  view.pin(0);
  page.travel("https://here/look?s=a+b&pin=run.1.1.&bars=true&see=change&least=0.35");
  assert.deepEqual(view.pinned(), [false, true]);
  assert.equal(view.find('#controls [data-control="bars"]').getAttribute("aria-pressed"), "true");
  assert.equal(page.entries.length, 1);
  assert.deepEqual(window.jointlyAddress.values(location), { pin: "run.1.1.", see: "change", bars: "true", least: "0.35" });
  page.travel("https://here/look?s=a+b");
  assert.deepEqual(view.pinned(), [false, false]);
  assert.deepEqual(window.jointlyAddress.values(location), {});
});

test("who travels to another sentence keeps the pin of its address, which the server is not told but reads there", () => {
  const view = shown(dataOf(recordOf("a b"), { needs: ["pin"] }));
  page.travel("https://here/look?s=other+words&pin=run.1.1.");
  assert.deepEqual(view.told, []);
  view.show(dataOf(recordOf("a b"), { needs: ["pin"], about: { "run.1": {} } })); // an answer that was on its way
  view.show(dataOf(recordOf("other words", "x y")));
  assert.deepEqual(view.pinned(), [false, true]);
  assert.equal(asked().pin, "run.1.1.");
  view.show(dataOf(recordOf("a b")));
  assert.deepEqual(view.pinned(), [false, false]);
});

test("what was pinned after a way back that changed nothing else is forgotten with the next sentence", () => {
  const view = shown(dataOf(recordOf("a b"), { needs: ["pin"] }));
  page.travel("https://here/look?s=a++b");
  view.pin(1);
  assert.deepEqual(view.told.map(({ pin }) => pin.target), [[1]]);
  view.show(dataOf(recordOf("other words", "x y")));
  assert.deepEqual(view.pinned(), [false, false]);
});

test("a pin that is not there leaves the address, also where the page was built anew; another one stays", () => {
  for (const [address, data, left] of [
    ["https://here/?s=a+b&pin=other.1.", { gone: "other.1." }, null],
    ["https://here/?s=a+b&pin=run.1.0.", { gone: "other.1." }, "run.1.0."],
    ["https://here/?s=a+b&pin=other.1.", {}, "other.1."],
  ]) {
    page = opened(address);
    shown(dataOf(recordOf("a b"), data));
    assert.equal(location.searchParams.get("pin"), left);
    assert.equal(page.entries.length, 1);
  }
  for (const [name, then, left] of [["run.1", { gone: "run.1.7." }, null], ["other", {}, null], ["run.1", {}, "run.1.7."]]) {
    page = opened(`https://here/?s=a+b&pin=${name}.7.`);
    const there = { ...UNCHOSEN, pin: { name, target: [7], source: [] } };
    const view = shown(dataOf(recordOf("a b"), { state: there, change: ["blocked:0"] }));
    view.show(dataOf(recordOf("a b"), { change: ["blocked:1"] }));
    assert.equal(location.searchParams.get("pin"), `${name}.7.`);
    view.show(dataOf(recordOf("a b"), { change: [], ...then }));
    assert.equal(location.searchParams.get("pin"), left);
  }
});

test("a pin that the server was not told survives a page that is built anew, and so does its removal", () => {
  const view = shown(dataOf(recordOf("a b")));
  view.pin(1);
  view.end();
  const again = shown(dataOf(recordOf("a b"), { change: ["blocked:0"], needs: ["pin"] }));
  assert.deepEqual([again.pinned(), asked().pin, again.told.at(-1).pin.target], [[false, true], "run.1.1.", [1]]);
  again.pin(1);
  again.end();
  page.entries.at(-1).searchParams.set("pin", "run.1.1."); // of a server that brings back what it knew last
  const last = shown(dataOf(recordOf("a b"), { state: { ...UNCHOSEN, pin: { name: "run.1", target: [1], source: [] } } }));
  assert.deepEqual([last.pinned(), asked().pin], [[false, false], undefined]);
  last.pin(0);
  last.end();
  const others = { ...recordOf("a b"), systems: [{ ...recordOf("a b").systems[0], name: "run.2" }] };
  shown(dataOf(others, { change: ["blocked:0"] })).end();
  assert.equal(asked().pin, "run.1.0."); // while there are changes its checkpoint may come again
  shown(dataOf(others)).end();
  assert.equal(asked().pin, undefined);
  last.show(dataOf(recordOf("a b")));
  last.pin(0);
  last.end();
  assert.deepEqual(shown(dataOf(recordOf("other words"))).pinned(), [false, false]);
});

test("arrow keys beside a pin move it within its entry; after any other act they make one of their own", () => {
  const view = shown(dataOf(recordOf("a b"), { sections: ["explain", "what-if"] }));
  const pins = () => page.entries.map(({ searchParams }) => searchParams.get("pin"));
  const word = (k) => view.find("#ribbons >>> .target .word", k);
  const arrow = (k, key) => {
    word(k).focus();
    send("keydown", word(k), { key });
  };
  view.pin(0);
  arrow(0, "ArrowRight");
  arrow(1, "ArrowLeft");
  arrow(0, "ArrowRight");
  assert.deepEqual(pins(), [null, "run.1.1."]);
  view.pin(0);
  assert.deepEqual(pins(), [null, "run.1.1.", "run.1.0."]);
  send("click", view.find("[data-control=section-what-if]"), {});
  arrow(0, "ArrowRight");
  arrow(1, "ArrowLeft");
  assert.deepEqual(pins(), [null, "run.1.1.", "run.1.0.", "run.1.0.", "run.1.0."]);
});

test("an instrument without an address of its own writes none", () => {
  const view = shown(dataOf(recordOf("a b"), { owns: false }));
  view.pin(1);
  assert.deepEqual(view.pinned(), [false, true]);
  assert.equal(page.entries.length, 1);
  assert.equal(window.jointlyAddress, undefined);
  assert.equal(page.listeners(), 0);
});

/** The field of Look, whose sentence is the server's, and how a reader types and enters a sentence. */
function fieldOf(typed, kind = true) {
  const data = { ...dataOf(null, { field: kind, typed, filled: 0, language: "en" }), owns: false };
  const view = shown(data);
  const field = view.find("#sentence");
  const type = (text) => Object.assign(field, { value: text });
  const press = (key, more = {}) => {
    const event = { key, prevented: false, preventDefault() { this.prevented = true; }, stopPropagation() {}, ...more };
    field.onkeydown(event);
    return event.prevented;
  };
  return { view, data, field, type, press, answer: (more) => view.answer({ ...data, ...more }) };
}

test("Enter gives the server what stands in the field, Shift and Enter break the line, and a syllable is not entered", () => {
  const { view, type, press, field, answer } = fieldOf("a b");
  assert.deepEqual([field.value, field.placeholder, field.lang, field.dir], ["a b", "Type one sentence in English …", "en", "auto"]);
  assert.equal(view.find("label").textContent, "Sentence in English");
  type("c d\n e ");
  assert.deepEqual([press("Enter", { shiftKey: true }), press("Enter", { isComposing: true }), view.asked], [false, false, []]);
  assert.equal(press("Enter"), true);
  press("Enter"); // before the answer
  assert.deepEqual(view.asked.map(({ kind, typed, again }) => [kind, typed, again]), [["translate", "c d\n e", false]]);
  answer({ typed: "c d\n e" });
  press("Enter"); // which a notice may wait for
  assert.deepEqual(view.asked.length, 2);
});

test("in the field of a text Enter breaks the line, Control or Command with Enter gives it to the server", () => {
  const { view, type, press, field, answer } = fieldOf("a b", 60);
  assert.deepEqual([field.maxLength, field.wrap, fieldOf("a b").field.maxLength], [60, "soft", undefined]);
  type("c d\n\n e");
  assert.deepEqual([press("Enter"), press("Enter", { ctrlKey: true, isComposing: true }), view.asked], [false, false, []]);
  assert.equal(press("Enter", { ctrlKey: true }), true);
  answer({ typed: "c d\n\n e" });
  type("\n\nc d\n\n e \n"); // the blank lines of a text are part of it
  assert.equal(press("Enter", { metaKey: true }), true);
  answer({ typed: field.value });
  assert.equal(press("Enter", { metaKey: true }), true); // what was stopped goes on
  assert.deepEqual(view.asked.map(({ typed }) => typed), ["c d\n\n e", field.value, field.value]);
});

test("what is typed survives answers, other data and older sentences; what a button or the address fills in comes", () => {
  const { view, data, type, press, field, answer } = fieldOf("a b");
  type("c");
  press("Enter");
  type("c and more");
  view.show(data); // of a run that began before
  answer({ typed: "c" });
  view.show({ ...data, typed: "c", answers: view.asked[0].id, texts: { ...TEXTS, translate: "번역" } });
  assert.deepEqual([field.value, view.find(".go").textContent], ["c and more", "번역"]);
  view.show({ ...data, typed: "c", filled: 1 }); // an example with the very sentence
  assert.equal(field.value, "c");
  type("e");
  view.show({ ...data, typed: "a b", filled: 1 }); // a way back
  assert.equal(field.value, "a b");
  type("f");
  view.show({ ...data, typed: "a b", filled: 0 }); // of a server that was restarted
  assert.equal(field.value, "f");
});

test("what was typed is there again in a field that is made anew for the same sentence", () => {
  const { view, data, type } = fieldOf("a b");
  type("c");
  view.end();
  assert.equal(shown(data).find("#sentence").value, "c");
  assert.equal(shown({ ...data, typed: "d" }).find("#sentence").value, "d");
});

test("what is typed is asked for after a pause where that is quick, entered by Enter alone, and later than what was entered", () => {
  const { view, data, type, press, field, answer } = fieldOf("a b");
  const paused = (text) => {
    type(text);
    field.oninput();
    pass(300);
    return view.asked.slice(asks).map(({ typed, entered }) => [typed, entered]);
  };
  let asks = 0;
  assert.deepEqual(paused("c"), []);
  view.show({ ...data, quick: true });
  assert.deepEqual(paused("c d"), [["c d", false]]);
  answer({ quick: true, draft: "c d" });
  assert.equal(field.value, "c d");
  [asks] = [view.asked.length];
  assert.deepEqual(paused("a b"), [["a b", false]]); // which the address has, and the page does not show
  answer({ quick: true, draft: "" });
  [asks] = [view.asked.length];
  type("c e");
  field.oninput();
  press("Enter");
  assert.deepEqual(view.asked.slice(asks).map(({ entered }) => entered), [true]);
  assert.deepEqual(paused("c e f"), [["c e", true]]); // its answer would be lost
  answer({ quick: true, typed: "c e" });
  pass(300);
  assert.deepEqual([view.asked.at(-1).typed, view.asked.at(-1).entered, field.value], ["c e f", false, "c e f"]);
  pass(60_000); // the next letter asks again
  assert.deepEqual([view.asked.length, view.find("#status").textContent], [asks + 2, ""]);
});

test("a sentence that is being typed leaves the address alone until something on it is touched, which enters it", async () => {
  page.entries[0].searchParams.set("pin", "run.1.1.");
  const [entered, typed] = [dataOf(recordOf("a b")), dataOf(recordOf("c d e"), { draft: ["pin", "change"] })];
  const view = shown({ ...entered, state: { ...UNCHOSEN, pin: { name: "run.1", target: [1], source: [] } } });
  view.show(typed);
  assert.deepEqual([view.pinned(), asked().pin, window.jointlyAddress.drafted()], [[false, false], "run.1.1.", true]);
  view.show(entered);
  assert.deepEqual([view.pinned(), asked().pin, window.jointlyAddress.drafted()], [[false, true], "run.1.1.", false]);
  view.show(typed);
  page.travel("https://here/look?s=a+b&models=run.1&pin=run.1.0."); // which the program hears of
  assert.deepEqual([view.pinned(), view.asked], [[false, false], []]);
  view.show(entered);
  assert.deepEqual(view.pinned(), [true, false]);
  view.show(typed);
  view.pin(1);
  await Promise.resolve();
  assert.deepEqual(view.asked.map(({ kind, sentence }) => [kind, sentence]), [["enter", "c d e"]]);
  assert.deepEqual([view.pinned(), asked().pin], [[false, true], "run.1.0."]);
  const next = new URL("https://here/look?s=c+d+e&models=run.1");
  assert.deepEqual(window.jointlyAddress.values(next), { pin: "run.1.1." }); // in the entry of that sentence
  next.searchParams.set("pin", "run.1.1.");
  history.pushState(null, "", next);
  view.answer(dataOf(recordOf("c d e")));
  assert.deepEqual([view.pinned(), asked().pin], [[false, true], "run.1.1."]);
  view.show(dataOf(recordOf("f g"), { draft: ["pin"] }));
  view.drag(0);
  await Promise.resolve();
  assert.deepEqual(view.asked.slice(1).map(({ kind, sentence }) => [kind, sentence]), [["change", "f g"]]); // and no other
});

test("a sentence that nobody answers is asked for once more, as it was entered, and then that is said", () => {
  const { view, type, press, field } = fieldOf("a b");
  type("c");
  press("Enter");
  type("c and more");
  pass(30_000);
  assert.deepEqual(view.asked.map(({ typed, again }) => [typed, again]), [["c", false], ["c", true]]);
  pass(30_000);
  assert.deepEqual([view.asked.length, view.find("#status").textContent, field.value], [2, TEXTS.silent, "c and more"]);
});

test("nothing can be changed where the server answers nothing", () => {
  const view = shown(dataOf(recordOf("a b"), { ask: false, changes: [] }));
  assert.equal(view.find("#ribbons >>> .grip"), undefined);
});

test("a film moves the records, until its end", () => {
  const steps = ["one", "two"].map((text) => recordOf("a b", text));
  const view = shown(dataOf(recordOf("a b"), { owns: false, ask: false, film: "film", steps }));
  const hear = (film, step) => document.dispatchEvent(new CustomEvent("jointly-step", { detail: { film, step } }));
  hear("other", 0);
  assert.equal(view.text(), "run.1: c d");
  hear("film", 1);
  assert.equal(view.text(), "run.1: two");
  hear("film", 7); // a step that there is none of
  assert.equal(view.text(), "run.1: two");
  view.end();
  hear("film", 0);
  assert.equal(view.text(), "run.1: two");
});

test("it ends cleanly, and may begin again in the same place", () => {
  const view = shown(dataOf(recordOf("a b")));
  view.drag(0);
  assert.equal(page.listeners(), 1);
  view.end();
  assert.equal(page.listeners(), 0);
  assert.equal(window.jointlyAddress, null);
  pass(120_000);
  assert.equal(view.asked.length, 1);
  view.show(dataOf(recordOf("other words", "x y")));
  assert.equal(view.text(), "run.1: x y");
  assert.equal(page.listeners(), 1);
});

test("a script of another version takes the place over, and the end of the first one leaves it alone", async () => {
  const { default: updated } = await import("../../../nmt/instrument/js/app.js?updated");
  const root = framed('<div class="instrument"></div>');
  const [first, second] = [component, updated].map((show) => show({
    data: dataOf(recordOf("a b")), parentElement: root, setTriggerValue() {}, setStateValue() {},
  }));
  first();
  send("click", all(root, ".instrument >>> #ribbons >>> .target .word")[1], {});
  assert.equal(asked().pin, "run.1.1.");
  assert.deepEqual(window.jointlyAddress.values(location), { pin: "run.1.1." });
  second();
  assert.equal(window.jointlyAddress, null);
  assert.equal(page.listeners(), 0);
});

test("the frames in which tests show the views alone are those of the instrument", () => {
  const view = shown(dataOf(recordOf("a b")));
  const names = (element) => [element.tag, ...element.classList.all].join(".");
  for (const [place, name] of [["#ribbons", "ribbons"], ["#matrices", "alignment_view"]]) {
    const frame = framed(readFileSync(new URL(`../../charts/page/${name}.html`, import.meta.url), "utf-8"));
    const parts = frame.querySelectorAll("[class]");
    assert.ok(parts.length > 2);
    for (const part of parts) {
      const made = view.find(`${place} >>> ${names(part)}`); // it may have more classes, for what is in it
      assert.equal(names(made.parentElement).replace("shadow", "body"), names(part.parentElement));
      assert.equal(made.getAttribute("aria-live"), part.getAttribute("aria-live"));
    }
  }
});

test("one short matrix stands beside the ribbons; a long one, and several, below", () => {
  opened("https://here/look");
  const picture = { dataset: {} };
  const place = (record) => {
    const root = framed('<div class="instrument"></div>');
    root.querySelector(".instrument").getRootNode = () => ({ host: { closest: (selector) => selector === ".st-key-look-picture" && picture } });
    component({ data: dataOf(record), parentElement: root, setTriggerValue() {}, setStateValue() {} })();
    return { ...picture.dataset };
  };
  const words = (number) => Array.from({ length: number }, () => "a").join(" ");
  assert.deepEqual(place(recordOf(words(18), words(25))), { beside: "true", maps: "true" });
  assert.deepEqual(place(recordOf(words(19), words(25))), { beside: "false", maps: "true" });
  assert.deepEqual(place(recordOf(words(18), words(26))), { beside: "false", maps: "true" });
  const two = recordOf("a b");
  two.systems.push({ ...two.systems[0], name: "run.2" });
  assert.deepEqual(place(two), { beside: "false", maps: "true" });
  const none = recordOf("a b");
  none.systems[0].maps = [];
  assert.deepEqual(place(none), { beside: "false", maps: "false" });
});
