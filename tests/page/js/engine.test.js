import assert from "node:assert/strict";
import { test } from "node:test";

import { Engine } from "../../../nmt/page/js/engine.js";

/** An engine whose runs write as many words as they are told to. */
function engine(lengths) {
  const made = new Engine({ runs: lengths }, lengths.map(() => ""));
  made.translators = lengths.map((words, run) => ({
    *translate(text) {
      for (let step = 1; step <= words; step += 1) {
        yield { step, longest: words };
      }
      return `${text} by ${run}`;
    },
  }));
  return made;
}

const request = (id, runs) => ({ id, text: "x", beam: 1, runs, changes: [] });

test("runs answer in the order wanted, with progress", async () => {
  const answers = [];
  await engine([2, 1]).answer(request(1, [1, 0]), (answer) => answers.push(answer));
  assert.deepEqual(
    answers.map(({ run, step, longest, system }) => system ?? `${run}: ${step} of ${longest}`),
    ["1: 0 of 1", "1: 1 of 1", "x by 1", "0: 0 of 1", "0: 1 of 2", "0: 2 of 2", "x by 0"],
  );
});

test("a newer request takes the place of an older one", async () => {
  const one = engine([1000]);
  const answers = [];
  const older = one.answer(request(1, [0]), ({ id, system }) => system && answers.push(id));
  await one.answer(request(2, [0]), ({ id, system }) => system && answers.push(id));
  await older;
  assert.deepEqual(answers, [2]);
});
