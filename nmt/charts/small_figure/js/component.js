// The small Figure 2: a curve per system, and a mark at the length of the sentence above it.

import { linePath, pixelOf } from "../../js/curves.js";
import { describe, legendEntry, make, shape } from "../../js/elements.js";

const SIZE = { width: 300, height: 150, left: 30, right: 8, top: 8, bottom: 30 };
const MOVE = 900; // milliseconds
const LARGE = { ...SIZE, width: 480, height: 190 };

/** Called by Streamlit at first and with every change of the data or the theme. */
export default function component({ data, parentElement }) {
  const place = parentElement.querySelector(".figure");
  place.classList.toggle("large", Boolean(data.large));
  place.replaceChildren(buildFigure(data, Number(place.dataset.words)));
  place.dataset.words = data.here?.words ?? "";
}

/**
 * @param {object} figure what SmallFigure.to_dict in nmt/charts/small_figure returns, whether it is large, and the end of its axis, `x_high`
 * @param {number} [before] the length that was marked before, from which the dots move along their curves
 */
export function buildFigure(figure, before = 0) {
  const { width, height, left, right, top, bottom } = figure.large ? LARGE : SIZE;
  const points = figure.curves.flatMap((curve) => curve.points);
  const longest = Math.max(...(figure.here ? [figure.here.words] : []), ...points.map(([words]) => words));
  const x = { high: figure.x_high ?? roundUp(longest), from: left, to: width - right };
  const y = { high: roundUp(Math.max(...points.map(([, score]) => score))), from: height - bottom, to: top };
  const svg = shape("svg", "small-figure", { viewBox: `0 0 ${width} ${height}` });
  const add = (tag, classes, attributes, ...text) => svg.appendChild(shape(tag, classes, attributes, ...text));
  for (const score of [0, y.high / 2, y.high]) {
    const at = pixelOf(y, score);
    add("line", "grid", { x1: left, x2: width - right, y1: at, y2: at });
    add("text", "tick", { x: left - 4, y: at + 3, "text-anchor": "end" }, String(score));
  }
  for (const words of [0, x.high / 2, x.high]) {
    add("text", "tick", { x: pixelOf(x, words), y: height - bottom + 12, "text-anchor": "middle" }, String(words));
  }
  add("text", "axis", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, figure.x_title);
  for (const curve of figure.curves) {
    const path = linePath(curve.points.map(([words, score]) => [pixelOf(x, words), pixelOf(y, score)]));
    add("path", "curve", { d: path, "stroke-dasharray": curve.dash, stroke: curve.colour });
    for (const [words, score] of figure.here ? [] : curve.points) {
      add("circle", "dot", { cx: pixelOf(x, words), cy: pixelOf(y, score), r: 3, fill: curve.colour });
    }
  }
  if (figure.here) {
    const at = pixelOf(x, figure.here.words);
    add("line", "here", { x1: at, x2: at, y1: top, y2: height - bottom });
    for (const curve of figure.curves) {
      const value = valueAt(curve.points, figure.here.words);
      if (value !== null) {
        const dot = add("circle", "dot", { cx: at, cy: pixelOf(y, value), r: 4, fill: curve.colour });
        const passed = between(before || figure.here.words, figure.here.words).map((words) => {
          const score = valueAt(curve.points, words) ?? value;
          return { transform: `translate(${pixelOf(x, words) - at}px, ${pixelOf(y, score) - pixelOf(y, value)}px)` };
        });
        if (before && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
          dot.animate(passed, { duration: MOVE, easing: "ease-in-out" });
        }
      }
    }
  }
  const legend = make("div", "curve-names", ...figure.curves.map(({ colour, dash, name }) => {
    const line = shape("line", "curve", { x1: 0, x2: 24, y1: 3, y2: 3, "stroke-dasharray": dash, stroke: colour });
    return legendEntry(name, 24, 6, line);
  }));
  const caption = make("figcaption", "", figure.title);
  caption.title = figure.signature; // for readers who cite the figure
  const here = figure.here && make("p", "here-text", figure.here.text);
  return make("figure", "small", caption, describe(svg, figure.spoken), legend, here);
}

/** Ten steps from one number to another, both included. */
export function between(from, to) {
  return Array.from({ length: 11 }, (_, k) => from + ((to - from) * k) / 10);
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
  const k = points.findIndex(([place]) => x <= place);
  if (k < 1) {
    return k === 0 && x === points[0][0] ? points[0][1] : null;
  }
  const [[x0, y0], [x1, y1]] = [points[k - 1], points[k]];
  return y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}
