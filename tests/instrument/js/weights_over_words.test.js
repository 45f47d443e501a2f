import assert from "node:assert/strict";
import { test } from "node:test";

import { isPunctuation, mergedWeights, withoutEnd } from "../../../nmt/instrument/js/weights_over_words.js";

test("subwords of a source word are summed, those of a target word averaged", () => {
  const merged = mergedWeights([[0.5, 0.25, 0.25], [0.25, 0.25, 0.5]], [0, 0, 1], [0, 0]);
  assert.deepEqual(merged, [[0.625, 0.375]]);
});

test("without the end of the sentence the other weights stay as they are", () => {
  const words = { source: ["a", "b", "</s>"], target: ["x", "y", "</s>"], weights: [[0.375, 0.125, 0.5], [0, 0, 1], [0, 0, 1]] };
  assert.deepEqual(withoutEnd(words), { source: ["a", "b"], target: ["x", "y"], weights: [[0.375, 0.125], [0, 0]], end: [0.5, 1] });
});

test("punctuation is what has neither letters nor digits", () => {
  const tokens = ["\u2581,", "...", "$x$", "€", "</s>", "\u2581", "l'", "\u{1f469}\u200d\u{1f680}"];
  assert.deepEqual(tokens.filter(isPunctuation), ["\u2581,", "...", "€", "\u{1f469}\u200d\u{1f680}"]);
});
