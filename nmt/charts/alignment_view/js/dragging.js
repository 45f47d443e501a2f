// A cell dragged along the row of its target word: its weight then goes to another source word. Pure functions, no DOM.

import { cellOfPlace } from "./layout.js";

/** Cells of less weight than this are not dragged: there is hardly anything to move. */
export const LEAST_DRAGGED = 0.1;

/**
 * A cell on its way.
 * @typedef {object} Drag
 * @property {number} panel number of the panel, from 0
 * @property {number} i target word, which stays
 * @property {number} from source word at which the cell was taken
 * @property {number} to source word at which it is now
 */

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
 * @param {import("./focus.js").Side} columnSide
 * @returns {Drag}
 */
export function draggedTo(drag, x, y, cell, { columns, rows }, columnSide) {
  const within = (position, count) => Math.min(count - 1, Math.max(0, Math.floor(position / cell)));
  const place = { column: within(x, columns), row: within(y, rows) };
  return { ...drag, to: cellOfPlace(columnSide, place).j };
}
