import assert from "node:assert/strict";
import { test } from "node:test";

import { withoutUnknown } from "../../../nmt/page/js/translator.js";

const WORDS = ["constructor", "__proto__", "toString", "cat"];
const ALPHA = WORDS.map((row, i) => [...WORDS, ""].map((column, j) => (i === j ? 0.9 : 0.025)));

function replaced(dictionary) {
  const words = [...WORDS, "</s>"].map((_, number) => number);
  const source = { tokens: [...WORDS, "</s>"], words };
  const target = { tokens: [...WORDS.map(() => "[UNK]"), "</s>"], words };
  return withoutUnknown({ source, target, maps: [{ kind: "alpha", weights: [...ALPHA, ALPHA[0]] }] }, dictionary);
}

test("a source word that a dictionary lacks is copied, also one that every object has", () => {
  assert.deepEqual(replaced({}), WORDS);
  assert.deepEqual(replaced({ cat: "chat" }), [...WORDS.slice(0, 3), "chat"]);
});
