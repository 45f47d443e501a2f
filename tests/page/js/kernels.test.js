import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { kernels } from "../../../nmt/page/js/kernels.js";
import { loops } from "../../../nmt/page/js/products.js";

const module = readFileSync(new URL("../../../nmt/page/kernels.wasm", import.meta.url));

/** Numbers between -1 and 1 that only look random. */
function numbers(length, seed, size = 1) {
  return Float64Array.from({ length }, (_, k) => size * Math.sin(1 + seed + k * (1.7 + seed)));
}

function matrix(rows, columns, seed) {
  const values = Int8Array.from(numbers(rows * columns, seed), (value) => Math.round(127 * value));
  return { values, scales: Float32Array.from(numbers(rows, seed + 1, 0.01), Math.abs), rows, columns };
}

/** Whether two lists of numbers agree to `off` of the largest of them, or of what they are sums of. */
function near(found, expected, off, summed = expected) {
  const most = Math.max(...summed.map(Math.abs));
  assert.equal(found.length, expected.length);
  found.forEach((value, at) => assert.ok(Math.abs(value - expected[at]) <= off * most, `${at}: ${value}, ${expected[at]}`));
}

test("products, energies, means and log-probabilities are those of the loops, whatever the sizes", () => {
  for (const [rows, columns, seed] of [[1, 1, 1], [9, 7, 2], [33, 320, 3], [16, 8, 4], [100, 1000, 5], [3, 3000, 6]]) {
    const c = kernels(module);
    const [W, b] = [matrix(rows, columns, seed), numbers(rows, seed + 2)];
    const [keptW, keptB] = [c.keep(W), c.keep(b)];
    for (const count of [1, 2, 3, 4, 5, 6, 11]) {
      const x = numbers(count * columns, seed + count, 10 ** (seed - 3));
      const sizes = loops.product({ ...W, values: W.values.map(Math.abs) }, x.map(Math.abs), count);
      near(c.product(keptW, x, count), loops.product(W, x, count), 1e-6, sizes);
      const small = numbers(count * columns, seed + count, 10 / columns);
      near(c.logProbabilities(keptW, keptB, small, count), loops.logProbabilities(W, b, small, count), 1e-5);
    }
    const [v, query, keys, T] = [numbers(columns, 7), numbers(columns, 8, 4), numbers(5 * columns, seed, 9), 5];
    const [vector, [placed]] = [c.keep(v), c.sentence([keys])];
    near(c.energies(vector, query, placed, T), loops.energies(v, query, keys, T), 1e-5);
    const [alpha, means] = [numbers(T, 9), numbers(T * rows, seed)];
    near(c.mean(alpha, c.sentence([keys, means])[1], rows), loops.mean(alpha, means, rows), 1e-5);
  }
});

test("a row of a product does not depend on its neighbours", () => {
  const c = kernels(module);
  const [W, x] = [matrix(40, 24, 1), numbers(7 * 24, 2)];
  x.set(numbers(24, 3, 1e6), 3 * 24);
  const kept = c.keep(W);
  const all = c.product(kept, x, 7);
  for (let k = 0; k < 7; k += 1) {
    assert.deepEqual(c.product(kept, x.slice(k * 24, (k + 1) * 24), 1), all.slice(k * 40, (k + 1) * 40));
  }
});

test("rows of zeros give zeros, and the largest numbers stay within 32 bits", () => {
  const c = kernels(module);
  const W = { values: new Int8Array(2 * 4096).fill(-128), scales: Float32Array.of(1, 0.5), rows: 2, columns: 4096 };
  const kept = c.keep(W);
  assert.deepEqual([...c.product(kept, new Float64Array(4096), 1)], [0, 0].map(Math.abs));
  near(c.product(kept, new Float64Array(4096).fill(3), 1), Float64Array.of(-128 * 3 * 4096, -64 * 3 * 4096), 1e-6);
});

test("what a sentence contributes is forgotten with the next one, and weights are not", () => {
  const c = kernels(module);
  const [W, x] = [matrix(5, 16, 1), numbers(16, 2)];
  const kept = c.keep(W);
  const [first] = c.sentence([numbers(300_000, 3)]);
  const before = c.product(kept, x, 1);
  assert.deepEqual(c.sentence([numbers(10, 4)]), [first]);
  assert.deepEqual(c.product(kept, x, 1), before);
});

test("probabilities of rows with very different numbers sum to one", () => {
  const c = kernels(module);
  const W = { values: Int8Array.of(127, -127, 1), scales: Float32Array.of(1, 1, 1), rows: 3, columns: 1 };
  for (const size of [0, 1e-3, 1, 50]) {
    const found = c.logProbabilities(c.keep(W), c.keep(new Float64Array(3)), Float64Array.of(size), 1);
    assert.ok(Math.abs(found.reduce((sum, value) => sum + Math.exp(value), 0) - 1) < 1e-5);
    assert.ok(found.every((value) => Number.isFinite(value)));
  }
});

test("a browser without the module computes in loops", () => {
  assert.throws(() => kernels(new Uint8Array([1, 2, 3])));
});
