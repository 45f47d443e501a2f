// Alpha over whole words, without the end-of-sentence tokens where they are not wanted, and its measures: what
// nmt/results/alignment.py and nmt/alignments say of an alignment. Pure functions, no DOM.

import { END, joined } from "./vocabulary.js";

const LEAST_SHARE = 1e-4; // a row that keeps less becomes 0
const SILENT = /[\p{Cf}\p{Mn}\p{Me}\u2581]/gu;
const PUNCTUATION = /^[\p{P}\p{S}]+$/u;

/**
 * Words of both sides and weights between them.
 * @typedef {object} WordWeights
 * @property {string[]} source
 * @property {string[]} target
 * @property {number[][]} weights [target, source]
 */

/**
 * Weights over words: summed over the tokens of a source word, averaged over those of a target word.
 * @param {number[][]} alpha [T_y, T_x]
 * @param {number[]} sourceWords for each token the number of its word
 * @param {number[]} targetWords
 * @returns {number[][]}
 */
export function mergedWeights(alpha, sourceWords, targetWords) {
  const [columns, rows] = [numbered(sourceWords), numbered(targetWords)];
  const counts = Array.from({ length: Math.max(-1, ...rows) + 1 }, () => 0);
  rows.forEach((i) => {
    counts[i] += 1;
  });
  const merged = counts.map(() => Array.from({ length: Math.max(-1, ...columns) + 1 }, () => 0));
  alpha.forEach((row, y) => row.forEach((weight, x) => {
    merged[rows[y]][columns[x]] += weight / counts[rows[y]];
  }));
  return merged;
}

/** Numbers of words without gaps. */
function numbered(words) {
  const order = new Map([...new Set(words)].map((word, k) => [word, k]));
  return words.map((word) => order.get(word));
}

/**
 * The words of a translation and alpha over them.
 * @param {import("./translator.js").Translation} translation one with alpha
 * @returns {WordWeights}
 */
export function overWords({ source, target, alpha }) {
  return {
    source: joined(source.tokens, source.words),
    target: joined(target.tokens, target.words),
    weights: mergedWeights(alpha, source.words, target.words),
  };
}

/**
 * The end-of-sentence tokens taken out, and each row divided by what is left of it.
 * @param {WordWeights} given
 * @returns {WordWeights}
 */
export function withoutEnd({ source, target, weights }) {
  const columns = source.at(-1) === END ? source.length - 1 : source.length;
  const rows = target.at(-1) === END ? target.length - 1 : target.length;
  return {
    source: source.slice(0, columns),
    target: target.slice(0, rows),
    weights: weights.slice(0, rows).map((row) => {
      const kept = row.slice(0, columns);
      const [whole, left] = [sum(row), sum(kept)];
      return kept.map((weight) => (left >= LEAST_SHARE * whole && left > 0 ? weight / left : 0));
    }),
  };
}

/** log p of each word: the sum over its tokens. @param {number[]} values @param {number[]} words @returns {number[]} */
export function wordLogProbabilities(values, words) {
  const sums = new Map();
  values.forEach((value, k) => sums.set(words[k], (sums.get(words[k]) ?? 0) + value));
  return [...sums.values()];
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
    entropy: weights.map((row) => {
      const whole = sum(row);
      const bits = row.map((weight) => (weight > 0 ? -(weight / whole) * Math.log2(weight / whole) : 0));
      return Math.max(0, sum(bits));
    }),
    elsewhere: weights.map((row) => Math.min(1, sum(row.filter((_, j) => beside[j])))),
  };
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((before, value) => before + value, 0);
}
