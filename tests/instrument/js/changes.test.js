import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { changeAddress, changeFrom, concerns, isReordered, moved, readAfter, withChange, withoutLast } from "../../../nmt/instrument/js/changes.js";
import { drawing, reordered } from "../../../nmt/instrument/js/drawing.js";

const SIDE = { tokens: ["a", "b", "</s>"], words: [0, 1, 2] };
const ALPHA = [{ kind: "alpha", weights: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }];
const ATTENDS = { name: "one", source: SIDE, target: SIDE, maps: ALPHA };
const BLOCKED = { kind: "blocked", row: 1, text: "b" };
const WEIGHTS = { kind: "weights", system: "one", row: 0, weights: [0, 0.5, 0.5] };

test("a drag moves the weight and keeps the sum", () => {
  assert.deepEqual(moved("one", 2, [0.25, 0.5, 0.25], 1, 0), { kind: "weights", system: "one", row: 2, weights: [0.75, 0, 0.25] });
  assert.deepEqual(moved("one", 0, [0.1, 0.2, 0.7], 2, 1).weights, [0.1, 0.9, 0]);
});

test("an address says whether weights are of a token", () => {
  const ofToken = { ...WEIGHTS, pieces: true };
  assert.deepEqual([WEIGHTS, ofToken].map(changeAddress), ["weights:0:one:0,0.5,0.5", "weights:0p:one:0,0.5,0.5"]);
  assert.deepEqual(["weights:0p:one:0,0.5,0.5", "blocked:1p::b"].map(changeFrom), [ofToken, null]);
});

test("weights concern their system, a word those that attend and read it there", () => {
  const others = [{ ...ATTENDS, name: "two" }, { ...ATTENDS, maps: [] }, { ...ATTENDS, forced: true }];
  assert.deepEqual([ATTENDS, ...others].map((system) => concerns(WEIGHTS, system)), [true, false, false, false]);
  assert.deepEqual([ATTENDS, ...others].map((system) => concerns(BLOCKED, system)), [true, true, false, false]);
  assert.equal(concerns({ ...BLOCKED, text: "c" }, ATTENDS), false);
});

test("a word that is left out is taken back, and undo takes the last change of a system", () => {
  assert.deepEqual(withChange([BLOCKED, WEIGHTS], BLOCKED), [WEIGHTS]);
  assert.deepEqual(withChange([BLOCKED], WEIGHTS), [BLOCKED, WEIGHTS]);
  assert.deepEqual(withoutLast([BLOCKED, WEIGHTS], [{ ...ATTENDS, name: "two" }]), [WEIGHTS]);
  assert.deepEqual(withoutLast([BLOCKED, WEIGHTS], [{ ...ATTENDS, name: "two" }, ATTENDS]), [BLOCKED]);
  assert.deepEqual(withoutLast([], [ATTENDS]), []);
});

test("an address has every change, and nothing else is read from it", () => {
  for (const change of [BLOCKED, WEIGHTS, { kind: "blocked", row: 12, text: "a:b" }]) {
    assert.deepEqual(changeFrom(changeAddress(change)), change);
  }
  const wrong = ["", "blocked:1::", "blocked:x:a:", "eat:0:x:one", "weights:0:-1,2:one", "weights:0:a:one", "weights:0:1,0:", "weights:0:0:one"];
  assert.deepEqual(wrong.map(changeFrom), wrong.map(() => null));
});

test("another source leaves only what is changed after it, and what concerns no source", () => {
  const weights = { kind: "weights", system: "one", row: 0, weights: [1] };
  const blocked = { kind: "blocked", row: 1, text: "b" };
  const begin = { kind: "begin", row: 0, text: "x" };
  const source = { kind: "source", row: 0, text: "b a" };
  const later = { ...blocked, row: 0 };
  assert.deepEqual(readAfter("a b", [weights, blocked]), { sentence: "a b", changes: [weights, blocked] });
  assert.deepEqual(readAfter("a b", [weights, blocked, begin, source, later]), { sentence: "b a", changes: [begin, source, later] });
  const back = { ...source, text: "" };
  assert.deepEqual(readAfter("a b", [source, weights, back]), { sentence: "a b", changes: [back] });
});

test("a sentence is another order of one with the same letters alone", () => {
  assert.ok(isReordered("the cat sleeps.", "sleeps the cat."));
  assert.ok(!isReordered("the cat", "the cat") && !isReordered("the cat", "the cats") && !isReordered("a a b", "a b b"));
});

test("words that are left out stay left out in another order, where the next press takes them back", () => {
  const drawn = { source: ["a", "b", "c"], source_close: [false, false, false] };
  const source = { kind: "source", row: 0, text: "c a b" };
  const order = reordered(drawn, [2, 0, 1], [BLOCKED]);
  assert.deepEqual(order, [source, { ...BLOCKED, row: 2 }]);
  const changes = [BLOCKED, ...order];
  assert.deepEqual(withChange(changes, { ...BLOCKED, row: 2 }), [BLOCKED, source]);
  const a = { kind: "blocked", row: 1, text: "a" };
  assert.deepEqual(withChange(changes, a), [...changes, a], "the number that b had before");
});

test("what a change did is said as long as it is true of what is written", () => {
  const texts = JSON.parse(readFileSync(new URL("../../../nmt/instrument/english.json", import.meta.url), "utf-8"));
  const host = { texts, about: {}, remarks: {}, changes: [] };
  const record = (text) => {
    const tokens = [...text.split(" ").map((word) => `\u2581${word}`), "ment", "</s>"];
    const target = { tokens, words: [...tokens.keys()].map((k) => Math.min(k, tokens.length - 3) + Number(k === tokens.length - 1)) };
    return { source: { text: "a b", language: "en" }, systems: [{ name: "one", text: `${text}ment`, source: SIDE, target, maps: [] }] };
  };
  const said = (change, about = {}) => drawing(record("la x"), record("la mer"), { changes: [{ row: 0, ...change }] }, { ...host, about })
    .systems[0].changed;
  const token = { kind: "token", system: "one", row: 1, text: "\u2581x" };
  assert.equal(said(token), "one writes “x” in place of “mer”; its words before that stay.");
  assert.equal(said({ ...token, row: 2, text: "ment" }), "one writes “·ment” in place of “·ment”; its words before that stay.");
  assert.equal(said({ kind: "begin", text: "la" }), "The translation begins with “la”.");
  assert.equal(said({ kind: "without", text: "mer mers" }), "It may not have: mer mers.");
  assert.equal(said({ kind: "word", row: 2, text: "xment" }), "Its word 2 must be “xment”.");
  const untrue = [{ ...token, text: "\u2581y" }, { ...token, row: 9 }, { kind: "begin", text: "le" }, { kind: "without", text: "la" }, { kind: "word", row: 1, text: "le" }, { kind: "begin", text: "" }];
  assert.deepEqual(untrue.map((change) => said(change)), untrue.map(() => ""));
  assert.equal(said(token, { one: { changed: null } }), "");
});
