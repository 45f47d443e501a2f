import assert from "node:assert/strict";
import { test } from "node:test";

import { SENTENCES_AS_ONE } from "../../../../nmt/charts/ribbons/js/strings_ko.js";

test("one sentence is said otherwise than several", () => {
  assert.deepEqual([1, 2].map(SENTENCES_AS_ONE), ["한 문장", "2문장을 하나로"]);
});
