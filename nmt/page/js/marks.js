// Words that a translation seems to have dropped or repeated: nmt/alignments/measures.py in JavaScript, with the app's signs.
// Pure functions, no DOM.

import { HARDLY, OFTEN, REPEATED } from "./strings.js";
import { END } from "./vocabulary.js";
import { isPunctuation, measures } from "./weights_over_words.js";

const [DROPPED, ATTENDED_OFTEN, NGRAM] = [0.2, 3, 3];

/** @typedef {{sign: string, text: string}} Mark */

/**
 * The sign of each word, null for most.
 * @param {import("./weights_over_words.js").WordWeights} given
 * @returns {{source: (Mark | null)[], target: (Mark | null)[]}}
 */
export function marks(given) {
  const { coverage } = measures(given);
  const repeated = repeatedTokens(given.target, NGRAM);
  const again = { sign: "↻", text: REPEATED };
  return {
    source: given.source.map((token, j) => {
      const proper = !(token === END && j === given.source.length - 1) && !isPunctuation(token);
      if (proper && coverage[j] > ATTENDED_OFTEN) {
        return { sign: "+", text: OFTEN };
      }
      return proper && coverage[j] < DROPPED ? { sign: "∅", text: HARDLY } : null;
    }),
    target: given.target.map((_, i) => (repeated.has(i) ? again : null)),
  };
}

/**
 * Positions of tokens that repeat earlier ones: those of an n-gram that occurred before, and those of a sequence of any
 * length that is repeated at once; not of punctuation alone.
 * @param {string[]} tokens
 * @param {number} ngram
 * @returns {Set<number>}
 */
export function repeatedTokens(tokens, ngram) {
  const words = tokens.at(-1) === END ? tokens.slice(0, -1) : tokens;
  const punctuation = words.map(isPunctuation);
  const found = new Set();
  const add = (first, last) => {
    if (!punctuation.slice(first, last).every(Boolean)) {
      for (let k = first; k < last; k += 1) {
        found.add(k);
      }
    }
  };
  const seen = new Set();
  for (let i = 0; i + ngram <= words.length; i += 1) {
    const here = JSON.stringify(words.slice(i, i + ngram));
    if (seen.has(here)) {
      add(i, i + ngram);
    }
    seen.add(here);
  }
  for (let length = 1; length <= words.length / 2; length += 1) {
    let equal = 0;
    for (let i = length; i < words.length; i += 1) {
      equal = words[i] === words[i - length] ? equal + 1 : 0;
      if (equal >= length) {
        add(i - length + 1, i + 1);
      }
    }
  }
  return found;
}
