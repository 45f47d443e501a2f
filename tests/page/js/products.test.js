import assert from "node:assert/strict";
import { test } from "node:test";

import { addToRows, joinedVectors, loops, rowsOf, softmax, stacked } from "../../../nmt/page/js/products.js";

const { product } = loops;

/** A matrix with small whole numbers, so that all sums are exact. */
function matrix(rows, columns, seed) {
  const values = Int8Array.from({ length: rows * columns }, (_, k) => ((k * 37 + seed) % 255) - 127);
  return { values, scales: Float32Array.from({ length: rows }, (_, i) => 2 ** -(i % 3)), rows, columns };
}

const entry = ({ values, scales, columns }, i, j) => scales[i] * values[i * columns + j];

test("a product is the sum of products, for any number of rows", () => {
  for (const rows of [1, 3, 4, 9]) {
    const W = matrix(rows, 7, rows);
    for (const count of [1, 2, 4, 5, 6, 11]) {
      const x = Float64Array.from({ length: count * 7 }, (_, k) => (k % 11) - 5);
      const y = product(W, x, count);
      assert.equal(y.length, count * rows);
      y.forEach((value, at) => {
        const [row, i] = [Math.floor(at / rows), at % rows];
        let sum = 0;
        for (let j = 0; j < 7; j += 1) {
          sum += entry(W, i, j) * x[row * 7 + j];
        }
        assert.equal(value, sum);
      });
    }
  }
});

test("matrices below one another multiply as they do alone", () => {
  const [A, B] = [matrix(3, 5, 1), matrix(2, 5, 8)];
  const x = Float64Array.from([1, -2, 3, 0, 5]);
  assert.deepEqual(product(stacked([A, B]), x, 1), joinedVectors([product(A, x, 1), product(B, x, 1)]));
});

test("a row that is not there is zero", () => {
  const E = matrix(3, 4, 2);
  const found = rowsOf(E, [2, -1]);
  assert.deepEqual([...found], [0, 1, 2, 3].map((j) => entry(E, 2, j)).concat([0, 0, 0, 0]));
});

test("a vector is added to each row", () => {
  assert.deepEqual([...addToRows(Float64Array.from([1, 2, 3, 4]), Float64Array.from([10, 20]))], [11, 22, 13, 24]);
});

test("a softmax sums to one, however large the energies are", () => {
  const weights = softmax(Float64Array.from([1000, 1000, 999]));
  assert.ok(Math.abs(weights[0] + weights[1] + weights[2] - 1) < 1e-12);
  assert.ok(Math.abs(weights[0] / weights[2] - Math.E) < 1e-9);
});
