// Places of curves in a picture. Pure functions, no DOM.

/** @typedef {{high: number, from: number, to: number}} Axis values 0 to high at pixels from to to */

/** Pixel of a value; one beyond the axis is at its end. @param {Axis} axis @param {number} value */
export function pixelOf({ high, from, to }, value) {
  return from + (Math.min(high, value) / high) * (to - from);
}

/** SVG path through points. @param {[number, number][]} points */
export function linePath(points) {
  return points.map(([x, y], k) => `${k ? "L" : "M"} ${x} ${y}`).join(" ");
}
