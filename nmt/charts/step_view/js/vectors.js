// Vectors as Python packs them (packed_vector). Pure functions, no DOM.

import { colour } from "../../js/colour_scale.js";
import { decimals } from "../../js/numbers.js";
import { say } from "../../js/texts.js";

/** @typedef {{bytes: string, most: number, norm: number, low: [number, number], high: [number, number]}} PackedVector see packed_vector */

/** Values of a packed vector. @param {PackedVector} packed @returns {number[]} */
export function unpacked(packed) {
  const bytes = Int8Array.from(atob(packed.bytes), (letter) => letter.charCodeAt(0));
  return Array.from(bytes, (byte) => (byte / 127) * packed.most);
}

/**
 * Columns and rows of a grid with a place for each unit, as close to a shape as possible.
 * @param {number} count number of units
 * @param {number} width @param {number} height of the picture
 */
export function unitGrid(count, width, height) {
  const columns = Math.min(count, Math.max(1, Math.round(Math.sqrt((count * width) / height))));
  return { columns, rows: Math.ceil(count / columns) };
}

/**
 * Pixels of a grid, red, green, blue and opacity in turn, row by row; places without a unit are transparent. Colours
 * go from -1 to 1, the range of a state; a vector with larger values uses its own range.
 * @param {import("../../js/colour_scale.js").ColourScale} scale from -1 to 1
 * @param {number[]} values
 * @param {{columns: number, rows: number}} grid
 */
export function gridPixels(scale, values, { columns, rows }) {
  const most = Math.max(1, ...values.map(Math.abs));
  const pixels = new Uint8ClampedArray(4 * columns * rows);
  values.forEach((value, k) => pixels.set([...colour(scale, value / most), 0xff], 4 * k));
  return pixels;
}

/** Norm and extremes of a vector in a sentence. @param {PackedVector} packed @param {number} count @param {object} texts */
export function vectorFacts(packed, count, texts) {
  const [low, lowUnit] = packed.low;
  const [high, highUnit] = packed.high;
  return say(texts.vector, {
    count, low: decimals(low, 2), lowUnit, high: decimals(high, 2), highUnit, norm: decimals(packed.norm, 2),
  });
}
