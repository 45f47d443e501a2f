import assert from "node:assert/strict";
import { test } from "node:test";

import { dragFrom, draggedTo } from "../../../../nmt/charts/alignment_view/js/dragging.js";

const PANEL = { number: 1, movable: true, weights: [[0.9, 0.05], [0.1, 0.9], [0, 1]] };
const SIZE = { columns: 2, rows: 3 };

test("only a bright cell of a movable panel is dragged", () => {
  assert.deepEqual(dragFrom(PANEL, { i: 0, j: 0 }), { panel: 1, i: 0, from: 0, to: 0 });
  assert.equal(dragFrom(PANEL, { i: 0, j: 1 }), null);
  assert.equal(dragFrom(PANEL, null), null);
  assert.equal(dragFrom({ ...PANEL, movable: false }, { i: 0, j: 0 }), null);
});

test("a cell follows the pointer along its row, and stays in the matrix", () => {
  const drag = dragFrom(PANEL, { i: 1, j: 1 });
  assert.deepEqual(draggedTo(drag, 5, 95, 20, SIZE, "source"), { ...drag, to: 0 });
  assert.equal(draggedTo(drag, -50, 0, 20, SIZE, "source").to, 0);
  assert.equal(draggedTo(drag, 500, 0, 20, SIZE, "source").to, 1);
});

test("with the target words on top it follows along its column", () => {
  const drag = dragFrom(PANEL, { i: 2, j: 1 });
  assert.equal(draggedTo(drag, 50, 5, 20, { columns: 3, rows: 2 }, "target").to, 0);
  assert.equal(draggedTo(drag, 0, 25, 20, { columns: 3, rows: 2 }, "target").to, 1);
});
