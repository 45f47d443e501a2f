import assert from "node:assert/strict";
import { test } from "node:test";

import { joined, wordNumbers } from "../../../nmt/instrument/js/tokens.js";

test("numbers of words have no gaps, and without numbers each token is a word", () => {
  assert.deepEqual(wordNumbers({ tokens: ["a", "b", "c"], words: [3, 3, 7] }), [0, 0, 1]);
  assert.deepEqual(wordNumbers({ tokens: ["a", "b"] }), [0, 1]);
  assert.deepEqual(wordNumbers({ tokens: ["a", "b"], words: [] }), [0, 1]);
});

test("words are the surfaces of their tokens; a mark alone, and bytes, are kept or spelled", () => {
  const tokens = ["\u2581un", "like", "\u2581", "<0xC3>", "<0xA9>", "</s>"];
  assert.deepEqual(joined({ tokens, words: [0, 0, 1, 2, 2, 3] }), ["unlike", "\u2581", "é", "</s>"]);
});
