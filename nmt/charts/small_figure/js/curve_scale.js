// The small Figure 2: places of values on its axes. Pure functions, no DOM.

/** @typedef {{low: number, high: number, from: number, to: number}} Axis values low to high at pixels from to to */

/** Pixel of a value, kept within the axis. @param {Axis} axis @param {number} value */
export function pixelOf({ low, high, from, to }, value) {
  const share = (Math.min(high, Math.max(low, value)) - low) / (high - low);
  return from + share * (to - from);
}

/** Smallest round number that is not below a value. @param {number} value */
export function roundUp(value) {
  const step = value > 50 ? 20 : 10;
  return Math.max(step, Math.ceil(value / step) * step);
}

/**
 * Value of a curve at a place between its points; null outside of them, where nothing was measured.
 * @param {[number, number][]} points sorted by x
 * @param {number} x
 * @returns {number | null}
 */
export function valueAt(points, x) {
  if (x === points[0][0]) {
    return points[0][1];
  }
  if (x < points[0][0]) {
    return null;
  }
  for (let k = 1; k < points.length; k += 1) {
    const [[x0, y0], [x1, y1]] = [points[k - 1], points[k]];
    if (x <= x1) {
      return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
    }
  }
  return null;
}
