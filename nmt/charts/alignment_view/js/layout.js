// Sizes and positions in pixels, and movements between them by keys and by dragging. Pure functions, no DOM.

import { LEAST_DRAGGED, within } from "../../js/numbers.js";

/** @typedef {import("./focus.js").Side} Side */

const SMALLEST_CELL = 5;
const LABEL_HEIGHT = 11;
const LARGEST_CELL = 36;
const ZOOM = { least: 0.4, most: 4 };
const SCROLL_MARGIN = 6;

/** Cells below this side get small labels. */
export const SMALL_TEXT = 18;

/** Cells below this side show only some of their labels. */
export const TINY_TEXT = 12;

/** From this number of columns on, panels are side by side only if there is room (``leastRoom``). */
export const MANY_COLUMNS = 25;
const ROOMY = 8;
const LABELLED = 45;

/** A window below this width counts as a phone's. */
export const NARROW = 640;

/** Distance between the two sides of the word links. */
export const LINKS_HEIGHT = 150;

/**
 * Side of a square cell such that the matrix fills the width. Only a very long sentence is scrolled.
 * @param {{width: number, height: number}} room for all cells
 * @param {{columns: number, rows: number}} size
 * @param {number} zoom
 * @param {boolean} narrow whether the window is so narrow that it is scrolled rather than read in the smallest cells
 */
export function cellSide({ width, height }, { columns, rows }, zoom, narrow) {
  const side = Math.floor(Math.min(width / columns, height / rows));
  return Math.round(Math.min(LARGEST_CELL, Math.max(narrow ? TINY_TEXT : SMALLEST_CELL, side)) * zoom);
}

/** Fewest pixels for the cells of so many words, with a label for each of at most LABELLED words. */
export function leastRoom(words) {
  return Math.max(ROOMY * words, LABEL_HEIGHT * Math.min(words, LABELLED));
}

/** One of so many neighbouring words is shown, so that words do not overlap in cells of this side. */
export function shownOf(side) {
  return Math.max(1, Math.ceil(LABEL_HEIGHT / side));
}

/** Zoom after a change by a factor, within its limits. */
export function zoomed(zoom, factor) {
  return Math.min(ZOOM.most, Math.max(ZOOM.least, zoom * factor));
}

/**
 * Column and row of a point in the matrix, or null outside of it.
 * @param {number} x
 * @param {number} y
 * @param {number} cell side of a cell
 * @param {{columns: number, rows: number}} size
 */
export function placeAt(x, y, cell, { columns, rows }) {
  const place = { column: Math.floor(x / cell), row: Math.floor(y / cell) };
  const inside = place.row >= 0 && place.column >= 0 && place.row < rows && place.column < columns;
  return inside ? place : null;
}

/**
 * Target word i and source word j at a place of the matrix.
 * @param {Side} columnSide
 */
export function cellOfPlace(columnSide, { column, row }) {
  return columnSide === "source" ? { i: row, j: column } : { i: column, j: row };
}

/**
 * Column and row of target word i and source word j.
 * @param {Side} columnSide
 */
export function placeOfCell(columnSide, { i, j }) {
  return columnSide === "source" ? { column: j, row: i } : { column: i, row: j };
}

/**
 * Weights as they stand on the page.
 * @param {number[][]} weights [T_y, T_x]
 * @param {Side} columnSide
 */
export function weightsOnPage(weights, columnSide) {
  return columnSide === "source" ? weights : (weights[0] ?? []).map((_, j) => weights.map((row) => row[j]));
}

/**
 * Scroll position nearest to ``now`` at which a cell is visible.
 * @param {number} now
 * @param {number} k column or row of the cell
 * @param {number} cell side of a cell
 * @param {number} visible visible width or height of the matrix
 */
export function scrollToShow(now, k, cell, visible) {
  return Math.min(k * cell, Math.max(now, (k + 1) * cell - visible + SCROLL_MARGIN));
}

/** Width of the line of a link, by its weight from 0 to 1. */
export function lineWidth(weight) {
  return 0.75 + 7 * weight;
}

/**
 * Place in the matrix after a key, kept within the matrix; null for a key that moves nothing.
 * @param {{column: number, row: number}} place
 * @param {string} key name of the key, as in KeyboardEvent.key
 * @param {boolean} far whether Ctrl or Cmd is held: Home and End then reach the corners
 * @param {{columns: number, rows: number}} size
 */
export function movedPlace(place, key, far, { columns, rows }) {
  const [right, bottom] = [columns - 1, rows - 1];
  const moves = new Map([
    ["ArrowUp", { ...place, row: place.row - 1 }],
    ["ArrowDown", { ...place, row: place.row + 1 }],
    ["ArrowLeft", { ...place, column: place.column - 1 }],
    ["ArrowRight", { ...place, column: place.column + 1 }],
    ["Home", { row: far ? 0 : place.row, column: 0 }],
    ["End", { row: far ? bottom : place.row, column: right }],
  ]);
  const moved = moves.get(key);
  return moved ? { column: within(moved.column, right), row: within(moved.row, bottom) } : null;
}

/** Target word i of a panel on its way `from` a source word `to` another one. @typedef {{panel: number, i: number, from: number, to: number}} Drag */

/**
 * The drag that begins at a cell; null where there is nothing to drag.
 * @param {{number: number, movable: boolean, weights: number[][]}} panel
 * @param {{i: number, j: number} | null} cell
 * @returns {Drag | null}
 */
export function dragFrom(panel, cell) {
  if (!cell || !panel.movable || panel.weights[cell.i][cell.j] < LEAST_DRAGGED) {
    return null;
  }
  return { panel: panel.number, i: cell.i, from: cell.j, to: cell.j };
}

/**
 * The drag with its cell at a point of the matrix. Only the direction of the source words counts, and the cell stays
 * within the matrix.
 * @param {Drag} drag
 * @param {number} x
 * @param {number} y
 * @param {number} cell side of a cell
 * @param {{columns: number, rows: number}} size
 * @param {Side} columnSide
 * @returns {Drag}
 */
export function draggedTo(drag, x, y, cell, { columns, rows }, columnSide) {
  const place = { column: within(Math.floor(x / cell), columns - 1), row: within(Math.floor(y / cell), rows - 1) };
  return { ...drag, to: cellOfPlace(columnSide, place).j };
}
