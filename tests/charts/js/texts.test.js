import assert from "node:assert/strict";
import { test } from "node:test";

import { say } from "../../../nmt/charts/js/texts.js";

test("a quotation that ends in a full stop ends the sentence", () => {
  const said = ["It is 1992.", "그는 잤다.", "本当だ。", "It is 1992"].map((text) => say("They read “{text}”. Or so.", { text }));
  assert.deepEqual(said, ["It is 1992.”", "그는 잤다.”", "本当だ。”", "It is 1992”."].map((text) => `They read “${text} Or so.`));
});
