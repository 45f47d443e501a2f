import assert from "node:assert/strict";
import { test } from "node:test";

import { drawCells } from "../../../../nmt/charts/alignment_view/js/matrix_drawing.js";

/** A context that writes down the rectangles that are filled, and ignores the rest. */
function recorder() {
  const filled = [];
  const context = new Proxy({ fillRect: (...box) => filled.push(box) }, {
    get: (target, name) => target[name] ?? (() => {}),
  });
  return { filled, context };
}

test("lines of the grid stand between cells, and none at the edge", () => {
  const { filled, context } = recorder();
  globalThis.window = { devicePixelRatio: 1 };
  globalThis.ImageData = class {};
  globalThis.document = { createElement: () => ({ getContext: () => ({ putImageData: () => {} }) }) };
  const canvas = { style: {}, getContext: () => context };
  const panel = {
    canvas, cell: 10, columnSide: "source", size: { columns: 3, rows: 2 }, weights: [[0, 0.5, 1], [1, 0, 0]],
    possible: [], sure: [], grid: true,
  };
  const scale = { low: 0, high: 1, transform: "linear", stops: [[0, 0, 0], [255, 255, 255]] };
  drawCells(panel, scale);
  assert.deepEqual(filled, [[9.5, 0, 1, 20], [19.5, 0, 1, 20], [0, 9.5, 30, 1]]);
  assert.deepEqual([canvas.width, canvas.height], [30, 20]);
  filled.length = 0;
  drawCells({ ...panel, grid: false }, scale);
  assert.deepEqual(filled, []);
});
