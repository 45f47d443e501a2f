// Numbers as the reader sees them, and the largest of several. Pure functions, no DOM.

/** A cell or ribbon of less weight than this is not dragged: there is hardly anything to move. */
export const LEAST_DRAGGED = 0.1;

/** The nearest number from 0 to another one. */
export function within(value, last) {
  return Math.min(last, Math.max(0, value));
}

/** A number with a fixed count of decimals and a true minus sign; no minus before a zero. */
export function decimals(value, count) {
  const text = value.toFixed(count);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
}

/** A probability or weight: three decimals, or "< 0.001". */
export function share(value) {
  return value > 0 && value < 0.0005 ? "< 0.001" : decimals(value, 3);
}

/** A word of at most so many letters; a longer one ends in "…". */
export function cut(word, most) {
  const letters = [...word];
  return letters.length <= most ? word : `${letters.slice(0, Math.max(1, most - 1)).join("")}…`;
}

/** A whole number with commas. */
export function grouped(number) {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/**
 * The values of the largest magnitude, largest first; of equal ones the earlier first.
 * @param {number[]} values
 * @param {number} most how many
 * @param {number} least smallest magnitude
 * @returns {{k: number, value: number}[]}
 */
export function strongest(values, most, least) {
  return values
    .map((value, k) => ({ k, value }))
    .filter(({ value }) => Math.abs(value) >= least)
    .toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, most);
}
