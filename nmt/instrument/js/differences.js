// The difference of two maps, over the words of both: nmt/alignments/measures.py in JavaScript. Pure functions, no DOM.

import { entropyOf, shares, sum } from "./weights_over_words.js";

/**
 * A word of one or of both of two sequences, and its numbers in them; null where it is missing.
 * @typedef {{word: string, before: number | null, after: number | null}} Edit
 */

/**
 * The words of both sequences in reading order, matched as Python's difflib matches them.
 * @param {string[]} before
 * @param {string[]} after
 * @returns {Edit[]}
 */
export function edits(before, after) {
  const found = [];
  const add = (i, j, a, b) => {
    const [first, second, size] = longestMatch(before, after, i, j, a, b);
    if (!size) {
      before.slice(i, j).forEach((word, k) => found.push({ word, before: i + k, after: null }));
      after.slice(a, b).forEach((word, k) => found.push({ word, before: null, after: a + k }));
      return;
    }
    add(i, first, a, second);
    for (let k = 0; k < size; k += 1) {
      found.push({ word: before[first + k], before: first + k, after: second + k });
    }
    add(first + size, j, second + size, b);
  };
  add(0, before.length, 0, after.length);
  return found;
}

/** The longest run of equal words; of several the one that begins first in `before`, then in `after`. */
function longestMatch(before, after, i, j, a, b) {
  let best = [i, a, 0];
  let lengths = new Map(); // by its last place in `after`, of the runs that end at the word before
  for (let k = i; k < j; k += 1) {
    const now = new Map();
    for (let m = a; m < b; m += 1) {
      if (before[k] === after[m]) {
        const size = (lengths.get(m - 1) ?? 0) + 1;
        now.set(m, size);
        if (size > best[2]) {
          best = [k - size + 1, m - size + 1, size];
        }
      }
    }
    lengths = now;
  }
  return best;
}

/**
 * The second map minus the first: a word of one alone has no weight in the other.
 * @param {import("./restricted.js").Units} first
 * @param {import("./restricted.js").Units} second
 * @returns {{source: Edit[], target: Edit[], delta: number[][], divergence: (number | null)[]}} divergence: of each row that both
 *   have, Jensen and Shannon's, in bits
 */
export function differenceOf(first, second) {
  const [source, target] = [edits(first.source, second.source), edits(first.target, second.target)];
  const spread = ({ weights }, side) => (
    target.map((row) => source.map((column) => (row[side] === null || column[side] === null ? 0 : weights[row[side]][column[side]])))
  );
  const [one, other] = [spread(first, "before"), spread(second, "after")];
  return {
    source, target,
    delta: other.map((row, i) => row.map((weight, j) => weight - one[i][j])),
    divergence: one.map((row, i) => (sum(row) > 0 && sum(other[i]) > 0 ? divergence(shares(row), shares(other[i])) : null)),
  };
}

function divergence(p, q) {
  const mean = entropyOf(p.map((share, j) => (share + q[j]) / 2));
  return Math.min(1, Math.max(0, mean - (entropyOf(p) + entropyOf(q)) / 2));
}
