import assert from "node:assert/strict";
import { test } from "node:test";

import { inOrder, joined, spells, unspaced, wordNumbers } from "../../../nmt/instrument/js/tokens.js";

test("numbers of words have no gaps, and without numbers each token is a word", () => {
  assert.deepEqual(wordNumbers({ tokens: ["a", "b", "c"], words: [3, 3, 7] }), [0, 0, 1]);
  assert.deepEqual(wordNumbers({ tokens: ["a", "b"] }), [0, 1]);
  assert.deepEqual(wordNumbers({ tokens: ["a", "b"], words: [] }), [0, 1]);
});

test("words are the surfaces of their tokens; marks alone are [UNK], and bytes are spelled", () => {
  const tokens = ["\u2581un", "like", "\u2581", "\u2581", "<0xC3>", "<0xA9>", "\u2581[", "\u2581UNK", "</s>"];
  assert.deepEqual(joined({ tokens, words: [0, 0, 1, 1, 2, 2, 3, 3, 4] }), ["unlike", "[UNK]", "é", "[UNK]", "</s>"]);
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

test("words in another order keep their punctuation, and a text without spaces gets none", () => {
  const order = (text, words, to) => inOrder(words, unspaced(text, words), to);
  assert.equal(order("I saw her.", ["I", "saw", "her", "."], [2, 0, 1, 3]), "her I saw.");
  assert.equal(order("He doesn't know.", ["He", "doesn", "'t", "know", "."], [3, 0, 1, 2, 4]), "know He doesn't.");
  assert.equal(order("L'accord signé", ["L'", "accord", "signé"], [2, 0, 1]), "signé L'accord");
  assert.equal(order("L'accord signé", ["L'", "accord", "signé"], [1, 0, 2]), "accord L' signé");
  assert.equal(order("猫が眠る", ["猫", "が", "眠る"], [2, 0, 1]), "眠る猫が");
  assert.ok(spells("I saw her.", ["I", "saw", "her", "."]) && !spells("I saw her.", ["I", "[UNK]", "her", "."]));
});
