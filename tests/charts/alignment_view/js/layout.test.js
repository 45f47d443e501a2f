import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  cellOfPlace, cellSide, dragFrom, draggedTo, leastRoom, lineWidth, movedPlace, placeAt, placeOfCell,
  scrollToShow, shownOf, weightsOnPage, zoomed,
} from "../../../../nmt/charts/alignment_view/js/layout.js";
import { drawCells } from "../../../../nmt/charts/alignment_view/js/matrix_drawing.js";

const high = (width) => ({ width, height: 10_000 });
const row = (columns) => ({ columns, rows: 1 });

describe("the side of a cell", () => {
  test("is the largest whole number of pixels with which the columns fit", () => {
    for (let columns = 10; columns < 30; columns += 1) {
      const side = cellSide(high(360), row(columns), 1, false);
      assert.ok(side * columns <= 360);
      assert.ok((side + 1) * columns > 360);
    }
  });

  test("is so small that no row has to be scrolled for", () => {
    assert.ok(cellSide({ width: 900, height: 500 }, { columns: 20, rows: 41 }, 1, false) * 41 <= 500);
  });

  test("stays between 5 and 36 pixels, however many columns there are; on a phone it is scrolled earlier", () => {
    assert.equal(cellSide(high(360), row(1), 1, false), 36);
    assert.equal(cellSide(high(360), row(500), 1, false), 5);
    assert.equal(cellSide(high(-40), row(3), 1, false), 5);
    assert.equal(cellSide(high(360), row(500), 1, true), 12);
  });

  test("grows with the zoom, which has limits", () => {
    assert.equal(cellSide(high(400), row(20), 2, false), 2 * cellSide(high(400), row(20), 1, false));
    const repeated = (factor) => Array.from({ length: 50 }).reduce((zoom) => zoomed(zoom, factor), 1);
    assert.equal(repeated(1.25), 4);
    assert.equal(repeated(0.8), 0.4);
    assert.equal(zoomed(1, 1.25), 1.25);
  });
});

test("the words that are shown do not overlap, and are all of them where there is room", () => {
  for (let side = 2; side < 40; side += 1) {
    assert.ok(shownOf(side) * side >= 11);
    assert.equal(shownOf(side) === 1, side >= 11);
  }
});

test("the least room shows every label of 40 words, and grows with their number", () => {
  for (let words = 1; words < 120; words += 1) {
    const room = leastRoom(words);
    const side = cellSide(high(room), row(words), 1, false);
    assert.ok(words > 40 || shownOf(side) === 1, `${words} words`);
    assert.ok(side >= 8 && leastRoom(words + 1) >= room);
  }
});

test("a point is in the cell that contains it", () => {
  const size = { columns: 3, rows: 2 };
  for (let x = -5; x < 45; x += 1) {
    for (let y = -5; y < 45; y += 1) {
      const place = placeAt(x, y, 10, size);
      const inside = x >= 0 && x < 30 && y >= 0 && y < 20;
      assert.equal(place !== null, inside);
      if (place) {
        assert.ok(10 * place.column <= x && x < 10 * (place.column + 1));
        assert.ok(10 * place.row <= y && y < 10 * (place.row + 1));
      }
    }
  }
});

test("cells and places are inverse to each other, and the weight on the page is that of the cell", () => {
  const weights = [[1, 2, 3], [4, 5, 6]];
  for (const columnSide of ["source", "target"]) {
    const page = weightsOnPage(weights, columnSide);
    for (let i = 0; i < 2; i += 1) {
      for (let j = 0; j < 3; j += 1) {
        const place = placeOfCell(columnSide, { i, j });
        assert.deepEqual(cellOfPlace(columnSide, place), { i, j });
        assert.equal(page[place.row][place.column], weights[i][j]);
      }
    }
  }
});

test("a panel without words has no weights on the page, and one of a single word has them", () => {
  for (const side of ["source", "target"]) {
    assert.deepEqual(weightsOnPage([], side), []);
  }
  assert.deepEqual(weightsOnPage([[0.25, 0.75]], "target"), [[0.25], [0.75]]);
});

test("scrolling brings a cell into sight and moves no further than needed", () => {
  const [cell, visible] = [20, 100];
  for (let now = 0; now <= 400; now += 30) {
    for (let k = 0; k < 20; k += 1) {
      const after = scrollToShow(now, k, cell, visible);
      assert.ok(after <= k * cell && (k + 1) * cell <= after + visible);
      if (now <= k * cell && (k + 1) * cell + 6 <= now + visible) {
        assert.equal(after, now);
      }
    }
  }
});

test("a line of more weight is wider", () => {
  assert.ok(lineWidth(0) > 0);
  assert.ok(lineWidth(0.5) > lineWidth(0.4));
});

const MATRIX = { columns: 4, rows: 3 };
const MIDDLE = { column: 1, row: 1 };

test("arrows move by one cell and stop at the edges", () => {
  const opposite = { ArrowUp: "ArrowDown", ArrowDown: "ArrowUp", ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft" };
  for (const [key, back] of Object.entries(opposite)) {
    const moved = movedPlace(MIDDLE, key, false, MATRIX);
    assert.equal(Math.abs(moved.column - 1) + Math.abs(moved.row - 1), 1);
    assert.deepEqual(movedPlace(moved, back, false, MATRIX), MIDDLE);
  }
  let place = MIDDLE;
  for (let step = 0; step < 9; step += 1) {
    place = movedPlace(movedPlace(place, "ArrowRight", false, MATRIX), "ArrowDown", false, MATRIX);
  }
  assert.deepEqual(place, { column: 3, row: 2 });
  assert.deepEqual(movedPlace({ column: 0, row: 0 }, "ArrowLeft", false, MATRIX), { column: 0, row: 0 });
});

test("Home and End reach the ends of the row, with Ctrl the corners", () => {
  assert.deepEqual(movedPlace(MIDDLE, "Home", false, MATRIX), { column: 0, row: 1 });
  assert.deepEqual(movedPlace(MIDDLE, "End", false, MATRIX), { column: 3, row: 1 });
  assert.deepEqual(movedPlace(MIDDLE, "Home", true, MATRIX), { column: 0, row: 0 });
  assert.deepEqual(movedPlace(MIDDLE, "End", true, MATRIX), { column: 3, row: 2 });
});

test("other keys move nothing", () => {
  for (const key of ["a", "Tab", "Enter", "constructor"]) {
    assert.equal(movedPlace(MIDDLE, key, false, MATRIX), null);
  }
});

const PANEL = { number: 1, movable: true, weights: [[0.9, 0.05], [0.1, 0.9], [0, 1]] };
const TALL = { columns: 2, rows: 3 };

test("only a bright cell of a movable panel is dragged", () => {
  assert.deepEqual(dragFrom(PANEL, { i: 0, j: 0 }), { panel: 1, i: 0, from: 0, to: 0 });
  assert.deepEqual(dragFrom(PANEL, { i: 1, j: 0 }), { panel: 1, i: 1, from: 0, to: 0 });
  assert.equal(dragFrom(PANEL, { i: 0, j: 1 }), null);
  assert.equal(dragFrom(PANEL, null), null);
  assert.equal(dragFrom({ ...PANEL, movable: false }, { i: 0, j: 0 }), null);
});

test("a cell follows the pointer along its row, and stays in the matrix", () => {
  const drag = dragFrom(PANEL, { i: 1, j: 1 });
  assert.deepEqual(draggedTo(drag, 5, 95, 20, TALL, "source"), { ...drag, to: 0 });
  for (const [share, to] of [[0.01, 0], [0.6, 0], [0.99, 0], [1, 1], [1.4, 1]]) {
    assert.equal(draggedTo(drag, 20 * share, 0, 20, TALL, "source").to, to);
  }
  assert.equal(draggedTo(drag, -50, 0, 20, TALL, "source").to, 0);
  assert.equal(draggedTo(drag, 500, 0, 20, TALL, "source").to, 1);
});

test("with the target words on top it follows along its column", () => {
  const drag = dragFrom(PANEL, { i: 2, j: 1 });
  assert.equal(draggedTo(drag, 50, 5, 20, { columns: 3, rows: 2 }, "target").to, 0);
  assert.equal(draggedTo(drag, 0, 25, 20, { columns: 3, rows: 2 }, "target").to, 1);
});

test("a panel with a grid has a line between all rows and all columns", () => {
  const lines = [];
  const canvas = { style: {}, getContext: () => ({ putImageData() {}, drawImage() {}, scale() {}, fillRect: (...line) => lines.push(line) }) };
  Object.assign(globalThis, { window: {}, ImageData: Object, document: { createElement: () => canvas } });
  const panel = { canvas, cell: 10, columnSide: "source", size: { columns: 2, rows: 3 }, weights: [[0, 0], [1, 0], [0, 1]], grid: true, possible: [], sure: [] };
  drawCells(panel, { stops: [[255, 255, 255], [0, 0, 0]], transform: "linear", low: 0, high: 1 });
  assert.deepEqual(lines.filter(([, , width, height]) => width && height), [[9.5, 0, 1, 30], [0, 9.5, 20, 1], [0, 19.5, 20, 1]]);
});
