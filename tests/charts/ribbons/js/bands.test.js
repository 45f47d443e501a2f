import assert from "node:assert/strict";
import { test } from "node:test";

import { centred, pathBetween, splitInTwo } from "../../../../nmt/charts/ribbons/js/bands.js";

const words = (n, width = 10) => Array.from({ length: n }, () => width);
const diagonal = (n) => words(n).map((_, i) => words(n).map((__, j) => Number(i === j)));

test("a split sends no weight from one band to the other where it can", () => {
  const split = splitInTwo(diagonal(6), words(6), words(6), 40);
  assert.equal(split.source, split.target);
  assert.deepEqual(split, { source: 3, target: 3, width: 30 });
});

test("words that cross stay in one band", () => {
  const weights = diagonal(6);
  [weights[2], weights[3]] = [weights[3], weights[2]];
  const split = splitInTwo(weights, words(6), words(6), 40);
  assert.equal(split.source, split.target);
  assert.notEqual(split.source, 3);
});

test("all parts fit where they can, whatever the weights are", () => {
  const [source, target] = [words(4), [5, 5, 5, 70, 5]];
  const split = splitInTwo(Array.from(target, () => [1, 0, 0, 0]), source, target, 80);
  const parts = [source.slice(0, split.source), source.slice(split.source), target.slice(0, split.target), target.slice(split.target)];
  const widths = parts.map((part) => part.reduce((sum, width) => sum + width, 0));
  assert.ok(Math.max(...widths) <= 80);
  assert.equal(split.width, Math.max(...widths));
  assert.ok(widths.every((width) => width > 0));
});

test("where they cannot fit, the widest part is as narrow as can be", () => {
  assert.equal(splitInTwo(diagonal(8), words(8), words(8), 10).width, 40);
});

test("a single word is not split", () => {
  assert.equal(splitInTwo([[1]], [10], [10], 5), null);
});

test("words stand in the middle, from either side", () => {
  assert.deepEqual(centred([10, 20], 5, 95, false), [30, 45]);
  assert.deepEqual(centred([10, 20], 5, 95, true), [55, 30]);
});

test("a ribbon ends at both of its words, also upwards", () => {
  const path = pathBetween({ left: 1, width: 2 }, { left: 5, width: 3 }, 90, 40);
  assert.match(path, /^M 1.0 90 C .* 5.0 40 H 8.0 C .* 3.0 90 Z$/);
});
