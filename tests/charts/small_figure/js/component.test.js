import assert from "node:assert/strict";
import { test } from "node:test";

import { between, roundUp, valueAt } from "../../../../nmt/charts/small_figure/js/component.js";

test("round numbers are never below", () => {
  assert.deepEqual([0, 3, 10, 41, 50, 52, 75].map(roundUp), [10, 10, 10, 50, 50, 60, 80]);
});

test("between points a value is interpolated, outside it is that of the end", () => {
  const points = [[10, 50], [20, 30], [40, 10]];
  assert.deepEqual([0, 10, 15, 30, 40, 99].map((x) => valueAt(points, x)), [null, 50, 40, 20, 10, null]);
});

test("a mark moves in ten steps from one length to another", () => {
  const steps = between(10, 20);
  assert.equal(steps.length, 11);
  assert.deepEqual([steps[0], steps[5], steps[10]], [10, 15, 20]);
});
