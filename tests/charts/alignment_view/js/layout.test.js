import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  LINKS_HEIGHT, cellOfPlace, cellSide, lineWidth, linkPath, placeAt, placeOfCell, scrollToShow, weightsOnPage, zoomed,
} from "../../../../nmt/charts/alignment_view/js/layout.js";

describe("the side of a cell", () => {
  test("is the largest whole number of pixels with which the columns fit", () => {
    for (let columns = 10; columns < 30; columns += 1) {
      const side = cellSide(360, columns, 1);
      assert.ok(side * columns <= 360);
      assert.ok((side + 1) * columns > 360);
    }
  });

  test("stays between 12 and 36 pixels, however many columns there are", () => {
    assert.equal(cellSide(360, 1, 1), 36);
    assert.equal(cellSide(360, 500, 1), 12);
    assert.equal(cellSide(-40, 3, 1), 12);
  });

  test("grows with the zoom, which has limits", () => {
    assert.equal(cellSide(400, 20, 2), 2 * cellSide(400, 20, 1));
    const repeated = (factor) => Array.from({ length: 50 }).reduce((zoom) => zoomed(zoom, factor), 1);
    assert.equal(repeated(1.25), 4);
    assert.equal(repeated(0.8), 0.4);
    assert.equal(zoomed(1, 1.25), 1.25);
  });
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

test("a panel without words has no weights on the page", () => {
  for (const side of ["source", "target"]) {
    assert.deepEqual(weightsOnPage([], side), []);
  }
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

test("links run from side to side", () => {
  const numbers = (path) => path.match(/-?[\d.]+/g).map(Number);
  const [across, down] = [numbers(linkPath(7, 90, false)), numbers(linkPath(7, 90, true))];
  assert.deepEqual([across.slice(0, 2), across.slice(-2)], [[7, 0], [90, LINKS_HEIGHT]]);
  assert.deepEqual([down.slice(0, 2), down.slice(-2)], [[0, 7], [LINKS_HEIGHT, 90]]);
});
