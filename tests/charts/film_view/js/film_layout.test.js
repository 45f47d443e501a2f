import assert from "node:assert/strict";
import { test } from "node:test";

import {
  curvePlaces, filmCell, linePath, movedStep, nearestStep, niceCeiling,
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
  assert.equal(filmCell([{ weights: matrix(2, 2) }], 500, 500), 14);
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
});

test("the end of an axis is a round number that is not too small", () => {
  for (const value of [0.3, 1, 1.01, 3.6, 9.2, 10, 47]) {
    assert.ok(niceCeiling(value) >= value * (1 - 1e-9) && niceCeiling(value) <= 2 * value + 1e-9, String(value));
  }
  assert.equal(niceCeiling(9.2), 10);
});

test("a click chooses the nearest step", () => {
  const places = curvePlaces(DATA, 600);
  STEPS.forEach(({ update }, k) => assert.equal(nearestStep(STEPS, places, places.x(update)), k));
  assert.equal(nearestStep(STEPS, places, -50), 0);
  assert.equal(nearestStep(STEPS, places, 5000), 2);
});

test("keys move and stay within the training", () => {
  assert.equal(movedStep(1, "ArrowRight", 3), 2);
  assert.equal(movedStep(2, "ArrowRight", 3), 2);
  assert.equal(movedStep(0, "ArrowLeft", 3), 0);
  assert.equal(movedStep(0, "End", 3), 2);
  assert.equal(movedStep(2, "Home", 3), 0);
  assert.equal(movedStep(1, "a", 3), null);
});

test("paths as text", () => {
  assert.equal(linePath([[0, 1], [2, 3.25]]), "M 0.0 1.0 L 2.0 3.3");
});
