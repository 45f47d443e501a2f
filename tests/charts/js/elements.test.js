import assert from "node:assert/strict";
import { test } from "node:test";

import { movedWord, smoothPath } from "../../../nmt/charts/js/elements.js";

test("a smooth line runs from point to point, and leaves and meets them upright or sideways", () => {
  assert.equal(smoothPath([1, 2], [3, 6]), "M 1 2 C 1 4, 3 4, 3 6");
  assert.equal(smoothPath([1, 2], [3, 6], true), "M 1 2 C 2 2, 2 6, 3 6");
});

test("words follow one another in reading order", () => {
  for (const rightToLeft of [false, true]) {
    const [onwards, back] = rightToLeft ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
    for (const [k, key, expected] of [
      [1, onwards, 2], [1, back, 0], [2, onwards, null], [0, back, null],
      [1, "ArrowDown", 2], [1, "ArrowUp", 0], [2, "Home", 0], [0, "End", 2],
    ]) {
      assert.equal(movedWord(k, key, 3, rightToLeft), expected, `${k} ${key}`);
    }
  }
});

test("other keys move nothing", () => {
  for (const key of ["a", "Tab", "Enter", "constructor"]) {
    assert.equal(movedWord(1, key, 3, false), null);
  }
});
