import assert from "node:assert/strict";
import { test } from "node:test";

import {
  frameAt, movedFrame, progressAt, sameMoment, stagesOf,
} from "../../../../nmt/charts/step_view/js/frames.js";

function framesOf(words, stages) {
  const steps = Array.from({ length: words }, (_, word) => stages.map((stage) => ({ word, stage, text: "" })));
  return [{ word: 0, stage: "read", text: "" }, ...steps.flat()];
}

const SEARCH = framesOf(3, ["state", "scores", "weights", "context", "word"]);
const ENCDEC = framesOf(2, ["state", "context", "word"]);

test("the stages of a drawing are in order, without the reading", () => {
  assert.deepEqual(stagesOf(SEARCH), ["state", "scores", "weights", "context", "word"]);
  assert.deepEqual(stagesOf(ENCDEC), ["state", "context", "word"]);
});

test("right visits all frames in order, and left goes back", () => {
  let now = 0;
  const visited = [now];
  while (now < SEARCH.length - 1) {
    const next = movedFrame(SEARCH, now, "ArrowRight");
    assert.equal(movedFrame(SEARCH, next, "ArrowLeft"), now);
    now = next;
    visited.push(now);
  }
  assert.deepEqual(visited, SEARCH.map((_, k) => k));
  assert.equal(movedFrame(SEARCH, now, "ArrowRight"), now);
  assert.equal(movedFrame(SEARCH, 0, "ArrowLeft"), 0);
});

test("up and down keep the stage and change the word", () => {
  const now = frameAt(SEARCH, 1, "weights");
  assert.deepEqual(SEARCH[movedFrame(SEARCH, now, "ArrowDown")], { word: 2, stage: "weights", text: "" });
  assert.deepEqual(SEARCH[movedFrame(SEARCH, now, "ArrowUp")], { word: 0, stage: "weights", text: "" });
  assert.equal(movedFrame(SEARCH, frameAt(SEARCH, 0, "weights"), "ArrowUp"), 0);
  assert.equal(movedFrame(SEARCH, frameAt(SEARCH, 2, "weights"), "ArrowDown"), SEARCH.length - 1);
});

test("Home and End go to the ends; other keys move nothing", () => {
  assert.equal(movedFrame(SEARCH, 4, "Home"), 0);
  assert.equal(movedFrame(SEARCH, 4, "End"), SEARCH.length - 1);
  assert.equal(movedFrame(SEARCH, 4, "a"), null);
});

test("the same moment in the other drawing: the nearest equal word, or its place; the same stage, or the next", () => {
  const other = { frames: framesOf(5, ["state", "context", "word"]), target: ["signé", "a", "été", "signé", "."] };
  const moment = (word, stage, text) => other.frames[sameMoment(other, { word, stage }, text)];
  assert.deepEqual(moment(2, "context", "signé"), { word: 3, stage: "context", text: "" });
  assert.deepEqual(moment(1, "scores", "août"), { word: 1, stage: "context", text: "" });
  assert.equal(moment(7, "word", "août").word, 4);
  assert.equal(moment(0, "read", "signé"), other.frames[0]);
});

test("parts come one after the other", () => {
  assert.equal(progressAt({ stage: "read" }, true).annotations, "now");
  assert.equal(progressAt({ stage: "read" }, true).state, "later");
  const weights = progressAt({ stage: "weights" }, true);
  assert.deepEqual([weights.energies, weights.alpha, weights.context], ["done", "now", "later"]);
  assert.equal(progressAt({ stage: "word" }, false).alpha, undefined);
  assert.ok(Object.values(progressAt({ stage: "word" }, true)).every((progress) => progress !== "later"));
});
