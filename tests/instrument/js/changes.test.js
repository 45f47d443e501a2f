import assert from "node:assert/strict";
import { test } from "node:test";

import { changeAddress, changeFrom, concerns, moved, withChange, withoutLast } from "../../../nmt/instrument/js/changes.js";

const SIDE = { tokens: ["a", "b", "</s>"], words: [0, 1, 2] };
const ALPHA = [{ kind: "alpha", weights: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }];
const ATTENDS = { name: "one", source: SIDE, target: SIDE, maps: ALPHA };
const BLOCKED = { kind: "blocked", row: 1, text: "b" };
const WEIGHTS = { kind: "weights", system: "one", row: 0, weights: [0, 0.5, 0.5] };

test("a drag moves the weight and keeps the sum", () => {
  assert.deepEqual(moved("one", 2, [0.25, 0.5, 0.25], 1, 0), { kind: "weights", system: "one", row: 2, weights: [0.75, 0, 0.25] });
  assert.deepEqual(moved("one", 0, [0.1, 0.2, 0.7], 2, 1).weights, [0.1, 0.9, 0]);
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
