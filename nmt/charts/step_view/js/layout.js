// Places of all parts of the drawing, in pixels. Pure functions, no DOM.

import { cut } from "../../js/numbers.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Box */

const GUTTER = { narrow: 44, wide: 100, from: 560 }; // for the names of the rows
const TOP = { height: 128, gap: 8, larger: 24 };
const RIBBONS = 58;
const ALPHA = 34;
const ENERGY = 16;
const CELL = { one: 40, two: 20 };
const GAP = 4;
const LEVEL_WORDS = 22;
const UPRIGHT_WORDS = 54;
const LETTER = 5.9; // mean width of a letter
const NARROWEST = 6;

/**
 * @param {number} width of the drawing
 * @param {string[]} source words of the source
 * @param {boolean} attends whether there are scores and weights
 * @param {number} directions of the encoder, 1 or 2
 * @param {number} size of the type, 1 as usual
 */
export function drawingLayout(width, source, attends, directions, size) {
  const named = width >= GUTTER.from;
  const gutter = size * (named ? GUTTER.wide : GUTTER.narrow);
  const cell = directions === 1 ? CELL.one : CELL.two;
  const columnWidth = Math.max(NARROWEST, (width - gutter) / source.length);
  const longest = Math.max(...source.map((word) => [...word].length));
  const upright = longest * LETTER * size > columnWidth;
  const full = gutter + columnWidth * source.length;
  const top = TOP.height + TOP.larger * (size - 1);
  const boxes = topRow(width, top);
  let y = top + 2;
  const ribbons = { top: y, bottom: y + RIBBONS / size };
  y = ribbons.bottom;
  const rows = {};
  if (attends) {
    rows.alpha = { y, height: ALPHA };
    rows.energies = { y: y + ALPHA + GAP, height: ENERGY };
    y += ALPHA + ENERGY + 2 * GAP;
  }
  rows.annotations = { y, height: directions * (cell + GAP) - GAP };
  const cells = Array.from({ length: directions }, (_, k) => ({ y: y + k * (cell + GAP), height: cell }));
  y += rows.annotations.height + GAP;
  rows.words = { y, height: size * (upright ? UPRIGHT_WORDS : LEVEL_WORDS) };
  return {
    width: full, height: y + rows.words.height, size, gutter, named, columnWidth, upright, boxes, ribbons, rows, cells,
    centre: (j) => gutter + (j + 0.5) * columnWidth,
  };
}

/** Previous word and state at the left, context and readout in the middle, next word and next state at the right. */
function topRow(width, height) {
  const side = Math.min(150, Math.max(76, width * 0.19));
  const gap = Math.min(36, Math.max(12, width * 0.04));
  const inner = width - 2 * side - 3 * gap;
  const context = inner * 0.42;
  const half = (height - TOP.gap) / 2;
  const lower = half + TOP.gap;
  const right = width - side;
  return {
    previous: { x: 1, y: 1, width: side - 1, height: half - 1 },
    state: { x: 1, y: lower, width: side - 1, height: half },
    context: { x: side + gap, y: lower, width: context, height: half },
    readout: { x: side + 2 * gap + context, y: 1, width: inner - context, height: height - 1 },
    word: { x: right, y: 1, width: side - 1, height: half - 1 },
    next: { x: right, y: lower, width: side - 1, height: half },
  };
}

/** Width of a ribbon, by its weight from 0 to 1. */
export function ribbonWidth(weight) {
  return 0.5 + 11 * weight;
}

/**
 * Place of a score between the lowest and the highest of its row, 0 to 1; 0.5 where all are equal.
 * @param {number[]} energies
 * @param {number} j
 */
export function energyPlace(energies, j) {
  const low = Math.min(...energies);
  const high = Math.max(...energies);
  return high > low ? (energies[j] - low) / (high - low) : 0.5;
}

/** A word that fits a width; longer ones end in "…". */
export function fitted(word, width) {
  return cut(word, Math.max(1, Math.floor(width / LETTER)));
}
