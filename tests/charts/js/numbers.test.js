import assert from "node:assert/strict";
import { test } from "node:test";

import { cut, decimals, grouped, share, strongest } from "../../../nmt/charts/js/numbers.js";

test("numbers are rounded and have a minus sign", () => {
  assert.equal(decimals(0.126, 2), "0.13");
  assert.equal(decimals(-1.25, 1).charCodeAt(0), 0x2212);
  assert.equal(Number(decimals(-1.25, 2).replace("−", "-")), -1.25);
});

test("numbers have a true minus sign, and no minus zero", () => {
  assert.equal(decimals(-1.234, 2), "−1.23");
  assert.equal(decimals(-0.001, 2), "0.00");
});

test("small shares are not written as 0", () => {
  assert.equal(share(0.5), "0.500");
  assert.equal(share(0.0001), "< 0.001");
  assert.equal(share(0.0005), "0.001");
  assert.equal(share(0), "0.000");
});

test("the strongest partners are the largest in magnitude", () => {
  const sums = [0.1, -0.5, 0.3, 0.001, 0.3];
  assert.deepEqual(strongest(sums, 3, 0.005).map(({ k }) => k), [1, 2, 4]);
  assert.deepEqual(strongest(sums, 9, 0.3).map(({ value }) => value), [-0.5, 0.3, 0.3]);
  assert.deepEqual(strongest([0, 0.004], 3, 0.005), []);
});

test("a long word ends in an ellipsis", () => {
  assert.equal(cut("maison", 6), "maison");
  assert.equal(cut("maison", 5), "mais…");
  assert.equal(cut("maison", 1), "m…");
});

test("whole numbers have commas", () => {
  assert.equal(grouped(3000), "3,000");
  assert.equal(grouped(100), "100");
});
