import assert from "node:assert/strict";
import { test } from "node:test";

import {
  drawingLayout, energyPlace, fitted, ribbonWidth,
} from "../../../../nmt/charts/step_view/js/layout.js";

const WORDS = ["The", "agreement", "on", "the", "Area", "</s>"];

for (const [width, size] of [[320, 1], [358, 1], [560, 1], [800, 1], [1200, 1], [1030, 1.6]]) {
  for (const attends of [true, false]) {
    test(`parts do not overlap and stay inside: ${width} wide, ${attends ? "with" : "without"} attention`, () => {
      const layout = drawingLayout(width, WORDS, attends, attends ? 2 : 1, size);
      const boxes = Object.values(layout.boxes);
      for (const [k, one] of boxes.entries()) {
        assert.ok(one.width > 30 && one.height > 30 && one.x >= 0 && one.x + one.width <= width);
        for (const other of boxes.slice(k + 1)) {
          const apart = one.x + one.width <= other.x || other.x + other.width <= one.x
            || one.y + one.height <= other.y || other.y + other.height <= one.y;
          assert.ok(apart, JSON.stringify([one, other]));
        }
        assert.ok(one.y + one.height <= layout.ribbons.top);
      }
      const rows = Object.values(layout.rows).toSorted((a, b) => a.y - b.y);
      rows.slice(1).forEach((row, k) => assert.ok(row.y >= rows[k].y + rows[k].height));
      assert.ok(rows[0].y >= layout.ribbons.bottom);
      assert.equal(layout.height, rows.at(-1).y + rows.at(-1).height);
      assert.equal("alpha" in layout.rows, attends);
      assert.ok(layout.centre(0) > layout.gutter && layout.centre(WORDS.length - 1) < layout.width);
    });
  }
}

test("a sentence of 34 words fits a page, and many words are scrolled", () => {
  const words = Array.from({ length: 35 }, () => "word");
  assert.equal(Math.round(drawingLayout(800, words, true, 2, 1).width), 800);
  assert.ok(drawingLayout(320, [...words, ...words], true, 2, 1).width > 320);
  assert.equal(drawingLayout(320, [...words, ...words], true, 2, 1).columnWidth, 6);
});

test("words stand upright only where they do not fit", () => {
  assert.ok(!drawingLayout(1200, WORDS, true, 2, 1).upright);
  assert.ok(drawingLayout(358, WORDS, true, 2, 1).upright);
});

test("a ribbon is the wider the larger its weight", () => {
  assert.ok(ribbonWidth(0.2) < ribbonWidth(0.9));
});

test("scores lie between the lowest and the highest of their row", () => {
  assert.deepEqual([0, 1, 2].map((j) => energyPlace([-3, 5, 1], j)), [0, 1, 0.5]);
  assert.equal(energyPlace([2, 2], 0), 0.5);
});

test("long words end in three dots", () => {
  assert.equal(fitted("zone", 100), "zone");
  assert.equal(fitted("ab", 3), "a…");
  const cut = fitted("économique", 30);
  assert.ok(cut.endsWith("…") && cut.startsWith("éc") && cut.length < 10);
});
