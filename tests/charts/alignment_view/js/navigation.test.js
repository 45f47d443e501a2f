import assert from "node:assert/strict";
import { test } from "node:test";

import { movedPlace, movedWord } from "../../../../nmt/charts/alignment_view/js/navigation.js";

const SIZE = { columns: 4, rows: 3 };
const MIDDLE = { column: 1, row: 1 };

test("arrows move by one cell and stop at the edges", () => {
  const opposite = { ArrowUp: "ArrowDown", ArrowDown: "ArrowUp", ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };
  for (const [key, back] of Object.entries(opposite)) {
    const moved = movedPlace(MIDDLE, key, false, SIZE);
    assert.equal(Math.abs(moved.column - 1) + Math.abs(moved.row - 1), 1);
    assert.deepEqual(movedPlace(moved, back, false, SIZE), MIDDLE);
  }
  let place = MIDDLE;
  for (let step = 0; step < 9; step += 1) {
    place = movedPlace(movedPlace(place, "ArrowRight", false, SIZE), "ArrowDown", false, SIZE);
  }
  assert.deepEqual(place, { column: 3, row: 2 });
  assert.deepEqual(movedPlace({ column: 0, row: 0 }, "ArrowLeft", false, SIZE), { column: 0, row: 0 });
});

test("Home and End reach the ends of the row, with Ctrl the corners", () => {
  assert.deepEqual(movedPlace(MIDDLE, "Home", false, SIZE), { column: 0, row: 1 });
  assert.deepEqual(movedPlace(MIDDLE, "End", false, SIZE), { column: 3, row: 1 });
  assert.deepEqual(movedPlace(MIDDLE, "Home", true, SIZE), { column: 0, row: 0 });
  assert.deepEqual(movedPlace(MIDDLE, "End", true, SIZE), { column: 3, row: 2 });
});

test("other keys move nothing", () => {
  for (const key of ["a", "Tab", "Enter", "constructor"]) {
    assert.equal(movedPlace(MIDDLE, key, false, SIZE), null);
    assert.equal(movedWord(1, key, 3, false), null);
  }
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
