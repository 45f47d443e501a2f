import assert from "node:assert/strict";
import { test } from "node:test";

import { linePath, pixelOf } from "../../../nmt/charts/js/curves.js";

test("values beyond an axis stay at its end", () => {
  const axis = { high: 10, from: 100, to: 0 };
  assert.deepEqual([0, 5, 10, 50].map((value) => pixelOf(axis, value)), [100, 50, 0, 0]);
});

test("paths as text", () => {
  assert.equal(linePath([[0, 1], [2, 3.25]]), "M 0 1 L 2 3.25");
});
