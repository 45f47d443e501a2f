// Numbers and values as the reader sees them. Pure functions, no DOM.

import { VECTOR } from "./strings.js";

/** A number with a fixed count of decimals and a true minus sign. */
export function decimals(value, count) {
  const text = value.toFixed(count);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
}

/** A probability or weight: three decimals, or "< 0.001". */
export function share(value) {
  return value > 0 && value < 0.0005 ? "< 0.001" : decimals(value, 3);
}

/** Norm and extremes of a vector in a sentence. @param {import("./vectors.js").PackedVector} packed */
export function vectorFacts(packed, count) {
  const [low, lowUnit] = packed.low;
  const [high, highUnit] = packed.high;
  return VECTOR({
    count, low: decimals(low, 2), lowUnit, high: decimals(high, 2), highUnit, norm: decimals(packed.norm, 2),
  });
}

/**
 * The largest values of a row, largest first.
 * @param {number[]} values
 * @param {number} most how many
 */
export function largest(values, most) {
  return values.map((value, k) => ({ k, value })).toSorted((a, b) => b.value - a.value).slice(0, most);
}
