import assert from "node:assert/strict";
import { test } from "node:test";

import { joined, unspaced, wordNumbers } from "../../../nmt/instrument/js/tokens.js";

test("numbers of words have no gaps, and without numbers each token is a word", () => {
  assert.deepEqual(wordNumbers({ tokens: ["a", "b", "c"], words: [3, 3, 7] }), [0, 0, 1]);
  assert.deepEqual(wordNumbers({ tokens: ["a", "b"] }), [0, 1]);
  assert.deepEqual(wordNumbers({ tokens: ["a", "b"], words: [] }), [0, 1]);
});

test("words are the surfaces of their tokens; a mark alone, and bytes, are kept or spelled", () => {
  const tokens = ["\u2581un", "like", "\u2581", "<0xC3>", "<0xA9>", "</s>"];
  assert.deepEqual(joined({ tokens, words: [0, 0, 1, 2, 2, 3] }), ["unlike", "\u2581", "é", "</s>"]);
});

test("words stand as their text has them", () => {
  const close = (text, ...words) => unspaced(text, words).map(Number).join("");
  assert.equal(close("L'accord sur l'air.", "L'", "accord", "sur", "l'", "air", "."), "010011");
  assert.equal(close("猫が寝る。", "猫", "が", "寝る", "。"), "0111");
  assert.equal(close(" a  b", "a", "b"), "00");
  assert.equal(close("der Hund!", "der", "[UNK]", "!"), "000"); // from a word on that is not in the text nothing is known
  assert.equal(close("", "a"), "0");
  assert.equal(close("a"), "");
});
