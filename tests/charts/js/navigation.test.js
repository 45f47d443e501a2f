import assert from "node:assert/strict";
import { test } from "node:test";

import { movedWord } from "../../../nmt/charts/js/navigation.js";

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
