// Pieces of the drawing as SVG elements. Words enter them as textContent.

import { pixelCanvas, shape } from "../../js/elements.js";
import { gridPixels, unitGrid, unpacked } from "./vectors.js";

const PART = /([_^](?:\{[^}]*\}|\S))/u;

/** @type {WeakMap<object, Map<string, string>>} pictures of vectors by their shape */
const pictures = new WeakMap();

/** A formula at a place, with lowered and raised letters. */
export function formula(classes, source, x, y) {
  const heights = { plain: 0, sub: 3, sup: -4 };
  let raised = 0;
  return shape("text", `formula ${classes}`, { x, y, "text-anchor": "start" }, ...pieces(source).map(({ kind, text }) => {
    const dy = heights[kind] - raised;
    raised = heights[kind];
    return shape("tspan", kind, { dy }, text);
  }));
}

/** Picture of a vector: one small field of colour per unit, line by line. */
export function heat(scale, packed, { x, y, width, height }) {
  return shape("image", "heat", { x, y, width, height, preserveAspectRatio: "none", href: picture(scale, packed, width, height) });
}

/** Address of the picture, made once for each vector, shape and scale. */
export function picture(scale, packed, width, height) {
  const values = unpacked(packed);
  const grid = unitGrid(values.length, width, height);
  const key = `${grid.columns}x${grid.rows} ${scale.stops}`; // other colours on a dark page
  const known = pictures.get(packed) ?? pictures.set(packed, new Map()).get(packed);
  if (!known.has(key)) {
    known.set(key, pixelCanvas(gridPixels(scale, values, grid), grid.columns, grid.rows).toDataURL());
  }
  return known.get(key);
}

/**
 * Pieces of a formula: plain text, subscripts (after "_") and superscripts (after "^"), each of one letter or in braces.
 * A subscript may have one of its own, which is written out after it.
 * @param {string} formula
 * @returns {{kind: "plain" | "sub" | "sup", text: string}[]}
 */
export function pieces(source) {
  return source.split(PART).map((text, k) => ( // plain text and what has a mark, in turn
    k % 2 ? { kind: text[0] === "_" ? "sub" : "sup", text: text.slice(1).replaceAll(/[_{}]/gu, "") } : { kind: "plain", text }
  )).filter(({ text }) => text);
}

/** A formula for an accessible name: without marks. @param {string} source */
export function spoken(source) {
  return pieces(source).map(({ text }) => text).join(" ").replaceAll(/\s+/g, " ").trim();
}
