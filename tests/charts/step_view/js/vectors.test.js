// Unpacking is compared with Python's packing in test_javascript.py.

import assert from "node:assert/strict";
import { test } from "node:test";

import { gridPixels, unitGrid, unpacked, vectorFacts } from "../../../../nmt/charts/step_view/js/vectors.js";

const SCALE = { low: -1, high: 1, floor: 0.001, transform: "linear", stops: [[0, 0, 255], [255, 255, 255], [255, 0, 0]] };

test("bytes are signed shares of the largest magnitude", () => {
  const bytes = btoa(String.fromCharCode(127, 0, 129)); // 127, 0, -127
  assert.deepEqual(unpacked({ bytes, most: 2 }), [2, 0, -2]);
});

test("a grid has a place for each unit and about the shape of the picture", () => {
  for (const count of [1, 2, 7, 320, 1000]) {
    for (const [width, height] of [[20, 20], [200, 20], [10, 80]]) {
      const { columns, rows } = unitGrid(count, width, height);
      assert.ok(columns * rows >= count && columns * (rows - 1) < count);
    }
  }
  assert.deepEqual(unitGrid(400, 50, 50), { columns: 20, rows: 20 });
  assert.deepEqual(unitGrid(3, 1, 100), { columns: 1, rows: 3 });
  assert.ok(unitGrid(320, 200, 20).columns > unitGrid(320, 20, 20).columns);
});

test("pixels are opaque where there is a unit, and go from -1 to 1", () => {
  const found = [...gridPixels(SCALE, [-1, 0, 1], { columns: 2, rows: 2 })];
  assert.deepEqual(found, [0, 0, 255, 255, 255, 255, 255, 255, 255, 0, 0, 255, 0, 0, 0, 0]);
});

test("a vector with larger values uses its own range", () => {
  const found = [...gridPixels(SCALE, [-4, 4], { columns: 2, rows: 1 })];
  assert.deepEqual(found, [0, 0, 255, 255, 255, 0, 0, 255]);
});

test("the facts of a vector are its extremes and its norm", () => {
  const facts = vectorFacts({ norm: 3, low: [-0.5, 7], high: [0.25, 2] }, 320, {
    vector: "{count} numbers, {low} (unit {lowUnit}), {high} (unit {highUnit}), {norm}",
  });
  for (const fact of ["320 numbers", "−0.50 (unit 7)", "0.25 (unit 2)", "3.00"]) {
    assert.ok(facts.includes(fact), fact);
  }
});
