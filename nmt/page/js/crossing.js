// Where a translation turns the order of words around: nmt/alignments/crossing.py in JavaScript. Pure functions, no DOM.

import { CROSSES } from "./strings.js";

const WORD = /[\p{L}\p{N}_]/u;
const NOWHERE = -9;

/**
 * Consecutive target words whose source words stand in the reverse order; both ascending.
 * @typedef {{source: number[], target: number[]}} Crossing
 */

/**
 * The longest run of two or more consecutive target words of which each looks most at a source word before the one that the
 * word before it looks at, with at most one word between the two; of equal runs the one with the largest weights.
 * @param {import("./weights_over_words.js").WordWeights} given without end-of-sentence tokens
 * @param {number} least weight that counts
 * @returns {Crossing | null}
 */
export function crossing(given, least = 0.25) {
  const looks = given.target.map((word, i) => lookedAt(given, word, given.weights[i], least));
  const runs = [[]];
  looks.forEach(({ place }, i) => {
    const run = runs.at(-1);
    const back = run.length ? looks[run.at(-1)].place - place : 0;
    if (place === NOWHERE) {
      runs.push([]);
    } else if (back >= 1 && back <= 2) {
      run.push(i);
    } else {
      runs.push([i]);
    }
  });
  const weight = (run) => run.reduce((sum, i) => sum + looks[i].weight, 0);
  let longest = runs[0];
  for (const run of runs.slice(1)) {
    if (run.length > longest.length || (run.length === longest.length && weight(run) > weight(longest))) {
      longest = run;
    }
  }
  if (longest.length < 2) {
    return null;
  }
  return { source: longest.map((i) => looks[i].place).toSorted((a, b) => a - b), target: longest };
}

/** The source word that a target word looks at most, NOWHERE where that means nothing, and its weight. */
function lookedAt({ source }, word, row, least) {
  const weight = Math.max(0, ...row);
  const place = row.indexOf(weight);
  const counts = row.length && weight >= least && WORD.test(word) && WORD.test(source[place]);
  return { place: counts ? place : NOWHERE, weight };
}

/** Says in one sentence what crosses. @param {Crossing} found @param {{source: string[], target: string[]}} words */
export function crossingSentence(found, { source, target }) {
  const there = source.slice(found.source[0], found.source.at(-1) + 1).join(" ");
  const here = found.target.map((i) => target[i]).join(" ");
  return CROSSES(here, there);
}
