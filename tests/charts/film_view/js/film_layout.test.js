import assert from "node:assert/strict";
import { test } from "node:test";

import {
  curvePlaces, filmCell, filmColumns, movedStep, nearestStep, niceCeiling,
} from "../../../../nmt/charts/film_view/js/film_layout.js";

const matrix = (rows, columns) => Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0));
const STEPS = [100, 700, 3000].map((update, k) => ({ update, weights: matrix(40 - 10 * k, 10), entropy: 3 - k }));
const DATA = { steps: STEPS, training: [[50, 9], [3000, 2]], development: [[500, 4]] };

test("the last matrix fits its place, in whole pixels", () => {
  for (const [width, height] of [[20, 20], [70, 128], [300, 128]]) {
    const cell = filmCell(STEPS, width, height);
    assert.ok(Number.isInteger(cell) && cell >= 1);
    assert.ok(cell === 1 || (cell * 10 <= width && cell * 20 <= height));
  }
  const cells = [[2, 2, 500, 500], [20, 10, 70, 128], [20, 10, 50, 200], [1, 4, 20, 100], [40, 10, 70, 39]].map(
    ([rows, columns, width, height]) => filmCell([{ weights: matrix(rows, columns) }], width, height),
  );
  assert.deepEqual(cells, [14, 6, 5, 5, 1]);
});

test("no row of pictures has more than one picture less than another", () => {
  assert.deepEqual([[8, 1110], [8, 830], [11, 1070], [11, 350], [1, 100]].map((film) => filmColumns(...film)), [8, 4, 6, 4, 1]);
});

test("curves stay within the picture, and larger values are higher", () => {
  const places = curvePlaces(DATA, 600);
  for (const [update, loss] of [...DATA.training, ...DATA.development]) {
    assert.ok(places.x(update) >= places.left && places.x(update) <= places.right + 1e-9);
    assert.ok(places.loss(loss) >= places.top && places.loss(loss) <= places.bottom);
  }
  assert.ok(places.loss(9) < places.loss(2));
  assert.ok(places.entropy(3) < places.entropy(1));
  assert.equal(places.loss(0), places.bottom);
  assert.equal(places.entropy(0), places.bottom);
});

test("without a record of the losses the curves have places all the same", () => {
  const places = curvePlaces({ ...DATA, training: [], development: [] }, 600);
  assert.equal(places.x(3000), places.right);
  assert.equal(curvePlaces({ steps: [{ update: 0, entropy: 1 }], training: [], development: [] }, 600).last, 1);
});

test("the end of an axis is a round number that is not too small", () => {
  const values = [0.051, 0.21, 0.3, 0.55, 0.7, 1, 1.01, 2.5, 3, 3.6, 4.4, 5, 5.5, 6.5, 8.1, 10, 22, 47, 58, 700, 9001];
  const ends = [0.06, 0.3, 0.3, 0.6, 0.8, 1, 2, 3, 3, 4, 5, 5, 6, 8, 10, 10, 30, 50, 60, 800, 10000];
  assert.deepEqual(values.map(niceCeiling), ends);
});

test("a click chooses the nearest step", () => {
  const places = curvePlaces(DATA, 600);
  STEPS.forEach(({ update }, k) => assert.equal(nearestStep(STEPS, places, places.x(update)), k));
  assert.equal(nearestStep(STEPS, places, -50), 0);
  assert.equal(nearestStep(STEPS, places, 5000), 2);
});

test("keys move and stay within the training", () => {
  const moved = ["ArrowLeft", "ArrowDown", "ArrowRight", "ArrowUp", "Home", "End"].map((key) => movedStep(4, key, 9));
  assert.deepEqual(moved, [3, 3, 5, 5, 0, 8]);
  assert.equal(movedStep(2, "ArrowRight", 3), 2);
  assert.equal(movedStep(0, "ArrowLeft", 3), 0);
  assert.equal(movedStep(0, "End", 3), 2);
  assert.equal(movedStep(2, "Home", 3), 0);
  assert.equal(movedStep(1, "a", 3), null);
});
