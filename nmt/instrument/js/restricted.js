// What of a map is shown: words or pieces, with or without the end mark and punctuation. What nmt/alignments/policy.py does.
// Pure functions, no DOM.

import { END, wordNumbers } from "./tokens.js";
import { isPunctuation, ofSinglePrecision, overWords, shares, sum } from "./weights_over_words.js";

const LEAST_SHARE = 1e-4; // a row that keeps less is empty: a division by it would amplify rounding noise

/**
 * Rows and columns of a map; `words`: for each the number of its word.
 * @typedef {import("./weights_over_words.js").WordWeights & {words: {source: number[], target: number[]}}} Units
 */

/** A map over whole words, or over the tokens. @param {object} system @param {number[][]} weights @returns {Units} */
export function unitsOf(system, weights, pieces) {
  if (!pieces) {
    const merged = overWords(system, weights);
    return { ...merged, words: { source: merged.source.map((_, j) => j), target: merged.target.map((_, i) => i) } };
  }
  const { source, target } = system;
  return {
    source: source.tokens, target: target.tokens, weights: ofSinglePrecision(weights),
    words: { source: wordNumbers(source), target: wordNumbers(target) },
  };
}

/** Whether a system has words of several tokens. */
export function hasPieces({ source, target }) {
  return [source, target].some((side) => new Set(wordNumbers(side)).size < side.tokens.length);
}

/**
 * The rows and columns that stay; each row is divided by what is left of it.
 * @param {Units} units
 * @param {{end: boolean, punctuation: boolean}} view what is shown
 * @returns {Units & {from: {source: number[], target: number[]}, empty: number}} `from`: their numbers before; the number of rows
 *   of which nothing is left
 */
export function restricted(units, { end, punctuation }) {
  const stays = (side) => side.map((_, k) => k).filter((k) => (
    (end || side[k] !== END || k < side.length - 1) && (punctuation || !isPunctuation(side[k]))
  ));
  const from = { source: stays(units.source), target: stays(units.target) };
  const take = (values, side) => from[side].map((k) => values[k]);
  const words = { source: take(units.words.source, "source"), target: take(units.words.target, "target") };
  const rows = from.target.map((i) => {
    if (end && punctuation) {
      return units.weights[i];
    }
    const row = shares(units.weights[i]);
    const left = from.source.map((j) => row[j]);
    return sum(left) >= LEAST_SHARE ? shares(left).map(Math.fround) : left.map(() => 0);
  });
  return {
    source: take(units.source, "source"), target: take(units.target, "target"), weights: rows, words, from,
    empty: rows.filter((row) => !sum(row)).length,
  };
}

/**
 * The links that are drawn, as [target, source]. The rules "threshold" and "mass" of map_links in nmt/alignments/links.py.
 * @param {number[][]} weights
 * @param {"threshold" | "mass"} by
 * @param {number} least
 */
export function linksOf(weights, by, least) {
  if (by === "threshold") {
    return weights.flatMap((row, i) => row.flatMap((weight, j) => (weight >= Math.fround(least) && weight > 0 ? [[i, j]] : [])));
  }
  return weights.flatMap((row, i) => heaviest(row, least).toSorted((a, b) => a - b).map((j) => [i, j]));
}

function heaviest(row, least) {
  const order = row.map((_, j) => j).toSorted((a, b) => row[b] - row[a]);
  const needed = least * sum(row) - 1e-6;
  let before = 0;
  return order.filter((j) => {
    const taken = row[j] > 0 && (before < needed || before === 0);
    before += row[j];
    return taken;
  });
}
