// Where a translation surely turns the order of words around. Pure functions, no DOM.

import { wordNumbers } from "./tokens.js";
import { overWords } from "./weights_over_words.js";

const CONTENT = /^\p{L}{4,}$/u;
const SHARED = 0.5; // a source word on which a second target word has this weight is translated by several

/**
 * Consecutive target words that are linked to consecutive source words in the reverse order; both ascending.
 * @typedef {{source: number[], target: number[]}} Crossing
 */

/**
 * The longest run of two or more such words; of equal runs the one with the largest weights. A target and a source word are
 * linked if the weight between them is at least `least` and the largest of the target word. Every other target word has less
 * weight there, and less than 0.5. Both have four letters or more and nothing else, the source word as a single token.
 * Readers see the result as a fact about two languages: on jointly-150 none contradicts a gold link (docs/log/alignment.md).
 * @param {object} system of a record, one with alpha
 * @param {number} least weight of a link
 * @returns {Crossing | null}
 */
export function crossing(system, least = 0.6) {
  const { source, target, weights } = overWords(system);
  const numbers = wordNumbers(system.source);
  const whole = new Set(numbers.filter((word, k) => word !== numbers[k - 1] && word !== numbers[k + 1]));
  const content = [...new Set(numbers)].map((word, j) => whole.has(word) && CONTENT.test(source[j]));
  const looks = weights.map((row, i) => {
    const weight = Math.max(...row);
    const j = row.indexOf(weight);
    const mutual = weights.every((other, k) => k === i || other[j] < Math.min(weight, SHARED));
    return { place: weight >= least && mutual && content[j] && CONTENT.test(target[i]) ? j : null, weight };
  });
  const runs = [[]];
  looks.forEach(({ place }, i) => {
    if (place !== null && place === looks[i - 1]?.place - 1) {
      runs.at(-1).push(i);
    } else {
      runs.push([i]);
    }
  });
  const weight = (run) => run.reduce((sum, i) => sum + looks[i].weight, 0);
  const [longest] = runs.toSorted((one, other) => other.length - one.length || weight(other) - weight(one));
  if (longest.length < 2) {
    return null;
  }
  return { source: longest.map((i) => looks[i].place).toSorted((a, b) => a - b), target: longest };
}
