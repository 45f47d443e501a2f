// Sizes and places of the film, in pixels. Pure functions, no DOM.

import { pixelOf } from "../../js/curves.js";
import { within } from "../../js/numbers.js";

const LARGEST_CELL = 14;
const NARROWEST = 118; // of a picture with its gap, where more than four stand in a row
const HEIGHT = 118;
const MARGIN = { left: 34, right: 34, top: 8, bottom: 18 };

/** @typedef {{update: number, weights: number[][], entropy: number}} FilmStep */

/** Number of pictures in a row: at least four, and such that the last row has nearly as many as the others. */
export function filmColumns(count, width) {
  const rows = Math.ceil(count / Math.max(4, Math.floor(width / NARROWEST)));
  return Math.ceil(count / rows);
}

/**
 * Side of a cell such that the last matrix fits its place. All matrices have this side, so that they can be compared. A
 * matrix with more rows, of a model that cannot yet end a sentence, is compressed.
 * @param {FilmStep[]} steps
 * @param {number} width of one place
 * @param {number} height of one place
 */
export function filmCell(steps, width, height) {
  const { weights } = steps.at(-1);
  return Math.max(1, Math.min(LARGEST_CELL, Math.floor(width / weights[0].length), Math.floor(height / weights.length)));
}

/**
 * Places of curves over the updates: loss on the left axis, entropy on the right one, both from 0.
 * @param {object} data what film_data in __init__.py returns
 * @param {number} width
 */
export function curvePlaces(data, width) {
  const updates = [...data.steps.map(({ update }) => update), ...data.training.map(([update]) => update)];
  const last = Math.max(1, ...updates);
  const losses = [...data.training, ...data.development].map(([, loss]) => loss);
  const mostLoss = niceCeiling(Math.max(1, ...losses));
  const mostEntropy = niceCeiling(Math.max(0.5, ...data.steps.map(({ entropy }) => entropy)));
  const [left, right, top, bottom] = [MARGIN.left, width - MARGIN.right, MARGIN.top, HEIGHT - MARGIN.bottom];
  return {
    width, height: HEIGHT, last, mostLoss, mostEntropy, top, bottom, left, right,
    x: (update) => pixelOf({ high: last, from: left, to: right }, update),
    loss: (value) => pixelOf({ high: mostLoss, from: bottom, to: top }, value),
    entropy: (value) => pixelOf({ high: mostEntropy, from: bottom, to: top }, value),
  };
}

/** The smallest of 1, 2, 3, 4, 5, 6, 8 times a power of ten that is not below a value. */
export function niceCeiling(value) {
  const parts = 10 ** -Math.floor(Math.log10(value)); // parts of 1, since quotients of whole numbers have no rounding noise
  return [1, 2, 3, 4, 5, 6, 8, 10].map((factor) => factor / parts).find((nice) => nice >= value);
}

/** Number of the step whose place is nearest. @param {FilmStep[]} steps @param {number} at place from the left */
export function nearestStep(steps, places, at) {
  const distances = steps.map(({ update }) => Math.abs(places.x(update) - at));
  return distances.indexOf(Math.min(...distances));
}

/** Step after a key, or null for a key that moves nothing. */
export function movedStep(now, key, count) {
  const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -count, End: count };
  return Object.hasOwn(steps, key) ? within(now + steps[key], count - 1) : null;
}
