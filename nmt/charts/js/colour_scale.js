// Colours of values. The scales themselves are defined in nmt/charts/colour_scales.py and arrive with the data; the
// formulas are those of ColourScale.positions and ColourScale.colours there. Pure functions, no DOM.

/**
 * @typedef {object} ColourScale
 * @property {string} symbol symbol of the values
 * @property {number[][]} stops red, green and blue, 0 to 255, at equal distances
 * @property {number[][]} [dark] those of a dark page, if it has others there
 * @property {number} low value of the first stop
 * @property {number} high value of the last stop
 * @property {"linear" | "square root" | "log"} transform
 * @property {number} floor smallest share of the range that a logarithm distinguishes
 * @property {[number, string][]} ticks values and their labels, from low to high
 * @property {string} description for screen readers
 */

/**
 * Position of a value on the scale, 0 to 1; values outside lie at the ends.
 * @param {ColourScale} scale
 * @param {number} value
 */
export function position(scale, value) {
  const share = Math.min(1, Math.max(0, (value - scale.low) / (scale.high - scale.low)));
  if (scale.transform === "square root") {
    return Math.sqrt(share);
  }
  if (scale.transform === "log") {
    return 1 - Math.log(Math.max(share, scale.floor)) / Math.log(scale.floor);
  }
  return share;
}

/**
 * Red, green and blue of a value, 0 to 255.
 * @param {ColourScale} scale
 * @param {number} value
 */
export function colour(scale, value) {
  const place = position(scale, value) * (scale.stops.length - 1);
  const k = Math.min(scale.stops.length - 2, Math.floor(place));
  return scale.stops[k].map((from, channel) => Math.round(from + (place - k) * (scale.stops[k + 1][channel] - from)));
}

/**
 * Pixels of a matrix whose cells may have different scales: red, green, blue and opacity in turn, row by row.
 * @param {(row: number, column: number) => ColourScale} scaleAt
 * @param {number[][]} rows
 */
export function pixels(scaleAt, rows) {
  const cells = rows.flatMap((row, i) => row.flatMap((value, j) => [...colour(scaleAt(i, j), value), 0xff]));
  return new Uint8ClampedArray(cells);
}

/**
 * The scale of a panel: that of differences, that of a map in place of alpha, or that of alpha.
 * @param {{is_difference: boolean, not_attention: string}} panel
 * @param {{scale: ColourScale, stand_in_scale: ColourScale, difference_scale: ColourScale}} data
 */
export function scaleOf(panel, data) {
  if (panel.is_difference) {
    return data.difference_scale;
  }
  return panel.not_attention ? data.stand_in_scale : data.scale;
}

/** Data, whose scales and those of its panels have the stops of a dark page there. */
export function onPage(data, dark) {
  const turned = (scale) => (dark && scale?.dark?.length ? { ...scale, stops: scale.dark } : scale);
  const scales = Object.entries(data).map(([name, value]) => [name, name.endsWith("scale") ? turned(value) : value]);
  const panels = data.panels?.map((panel) => ({ ...panel, row_scales: panel.row_scales?.map(turned) ?? null }));
  return { ...Object.fromEntries(scales), panels };
}

/** CSS gradient of the whole scale. @param {ColourScale} scale */
export function gradient(scale) {
  return `linear-gradient(to right, ${scale.stops.map((stop) => `rgb(${stop.join(" ")})`).join(", ")})`;
}
