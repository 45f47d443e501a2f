import assert from "node:assert/strict";
import { test } from "node:test";

import { decimals, largest, share, vectorFacts } from "../../../../nmt/charts/step_view/js/wording.js";

test("numbers have a true minus sign, and no minus zero", () => {
  assert.equal(decimals(-1.234, 2), "−1.23");
  assert.equal(decimals(-0.001, 2), "0.00");
});

test("small shares are not written as 0", () => {
  assert.equal(share(0.5), "0.500");
  assert.equal(share(0.0001), "< 0.001");
  assert.equal(share(0), "0.000");
});

test("the facts of a vector are its extremes and its norm", () => {
  const facts = vectorFacts({ norm: 3, low: [-0.5, 7], high: [0.25, 2] }, 320);
  for (const fact of ["320 numbers", "−0.50 (unit 7)", "0.25 (unit 2)", "3.00"]) {
    assert.ok(facts.includes(fact), fact);
  }
});

test("the largest values come first", () => {
  assert.deepEqual(largest([0.1, 0.7, 0.2], 2), [{ k: 1, value: 0.7 }, { k: 2, value: 0.2 }]);
});
