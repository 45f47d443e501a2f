// Alpha over whole words, without the end-of-sentence tokens where they are not wanted, and its measures: what
// nmt/results/alignment.py and nmt/alignments say of an alignment. Pure functions, no DOM.

import { END, joined, wordNumbers } from "./tokens.js";

const SILENT = /[\p{Cf}\p{Mn}\p{Me}\u2581]/gu;
const PUNCTUATION = /^[\p{P}\p{S}]+$/u;

/**
 * Words of both sides and weights between them.
 * @typedef {object} WordWeights
 * @property {string[]} source
 * @property {string[]} target
 * @property {number[][] | null} weights [target, source]; null without attention
 */

/**
 * Weights over words: summed over the tokens of a source word, averaged over those of a target word.
 * @param {number[][]} alpha [T_y, T_x]
 * @param {number[]} sourceWords for each token the number of its word, without gaps
 * @param {number[]} targetWords
 * @returns {number[][]}
 */
export function mergedWeights(alpha, sourceWords, targetWords) {
  const counts = sumsByWord(targetWords.map(() => 1), targetWords);
  const merged = counts.map(() => Array.from({ length: Math.max(-1, ...sourceWords) + 1 }, () => 0));
  ofSinglePrecision(alpha).forEach((row, y) => row.forEach((weight, x) => {
    merged[targetWords[y]][sourceWords[x]] += weight / counts[targetWords[y]];
  }));
  return ofSinglePrecision(merged);
}

/** Numbers of 32 bits, as Python has them: so weights of 0.1 and 0.2 reach 0.3 together. @param {number[][]} weights */
export function ofSinglePrecision(weights) {
  return weights.map((row) => row.map(Math.fround));
}

/** What has weights of attention: ribbons, bars, crossings. @param {object} system @returns {number[][] | null} [T_y, T_x] */
export function alphaOf({ maps = [] }) {
  return maps?.find(({ kind }) => kind === "alpha")?.weights ?? null;
}

/**
 * The words of a system of a record, and weights over them.
 * @param {object} system with source and target
 * @param {number[][] | null} weights over the tokens, [T_y, T_x]
 * @returns {WordWeights}
 */
export function overWords({ source, target, ...system }, weights = alphaOf(system)) {
  return {
    source: joined(source),
    target: joined(target),
    weights: weights && mergedWeights(weights, wordNumbers(source), wordNumbers(target)),
  };
}

/**
 * The end-of-sentence tokens taken out; `end` is what a row has on that of the source.
 * @param {WordWeights} given
 * @returns {WordWeights}
 */
export function withoutEnd({ source, target, weights }) {
  const columns = source.at(-1) === END ? source.length - 1 : source.length;
  const rows = target.at(-1) === END ? target.length - 1 : target.length;
  return {
    source: source.slice(0, columns),
    target: target.slice(0, rows),
    weights: weights && weights.slice(0, rows).map((row) => row.slice(0, columns)),
    end: weights && weights.slice(0, rows).map((row) => row[columns] ?? 0),
  };
}

/** For each word the sum over its tokens, such as its log p. @param {number[]} values @param {number[]} words numbers without gaps */
export function sumsByWord(values, words) {
  const sums = Array.from({ length: Math.max(-1, ...words) + 1 }, () => 0);
  values.forEach((value, k) => {
    sums[words[k]] += value;
  });
  return sums;
}

/** Whether a token is punctuation or a symbol. @param {string} token */
export function isPunctuation(token) {
  return PUNCTUATION.test(token.replace(SILENT, ""));
}

/**
 * Measures of an alignment: coverage, the sum of each column; entropy of each row in bits; and the share of each row on the
 * end-of-sentence token and on punctuation.
 * @param {WordWeights} given
 * @returns {{coverage: number[], entropy: number[], elsewhere: number[]}}
 */
export function measures({ source, weights }) {
  const beside = source.map((token, j) => (token === END && j === source.length - 1) || isPunctuation(token));
  return {
    coverage: source.map((_, j) => sum(weights.map((row) => row[j]))),
    entropy: weights.map((row) => Math.max(0, entropyOf(shares(row)))),
    elsewhere: weights.map((row) => Math.min(1, sum(row.filter((_, j) => beside[j])))),
  };
}

/** @param {number[]} values */
export function sum(values) {
  return values.reduce((before, value) => before + value, 0);
}

/** A row divided by its sum; a row of zeros is unchanged. @param {number[]} row */
export function shares(row) {
  const whole = sum(row);
  return whole > 0 ? row.map((weight) => weight / whole) : row;
}

/** Entropy of shares, bits. @param {number[]} row */
export function entropyOf(row) {
  return sum(row.map((share) => (share > 0 ? -share * Math.log2(share) : 0)));
}

// Words that a translation seems to have dropped or repeated: nmt/alignments in JavaScript.

const [DROPPED, ATTENDED_OFTEN, NGRAM] = [0.2, 3, 3];

/** @typedef {"hardly" | "often" | "repeated"} Mark */

/**
 * The mark of each word, null for most.
 * @param {WordWeights} given
 * @returns {{source: (Mark | null)[], target: (Mark | null)[]}}
 */
export function marks(given) {
  const { coverage } = measures(given);
  const repeated = repeatedTokens(given.target, NGRAM);
  return {
    source: given.source.map((token, j) => {
      const proper = !(token === END && j === given.source.length - 1) && !isPunctuation(token);
      if (proper && coverage[j] > ATTENDED_OFTEN) {
        return "often";
      }
      return proper && coverage[j] < DROPPED ? "hardly" : null;
    }),
    target: given.target.map((_, i) => (repeated.has(i) ? "repeated" : null)),
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
