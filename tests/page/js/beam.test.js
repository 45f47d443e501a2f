import assert from "node:assert/strict";
import { test } from "node:test";

import { beamSearch, bestContinuations } from "../../../nmt/page/js/beam.js";

const WORDS = 3; // the end-of-sentence token and two others

/** A model whose next word depends on the last two words; its alpha tells the number of the step. */
function chain(seed) {
  const table = new Map();
  const logP = (before, last) => {
    const key = `${before} ${last}`;
    if (!table.has(key)) {
      const raw = Array.from({ length: WORDS }, (_, k) => Math.sin(12.9898 * (table.size + 1) + 78.233 * k + seed) * 2);
      const Z = Math.log(raw.reduce((sum, value) => sum + Math.exp(value), 0));
      table.set(key, Float32Array.from(raw, (value) => value - Z));
    }
    return table.get(key);
  };
  return {
    words: WORDS,
    logP,
    start: () => ({ source: null, state: [[-2, 0]] }),
    step: (_, state, previous) => ({
      logProbabilities: Float32Array.from(previous.flatMap((last, k) => [...logP(state[k][0], last)])),
      alpha: state.map(([, steps]) => Float64Array.from([steps])),
      state: state.map(([, steps], k) => [previous[k], steps + 1]),
    }),
    select: (state, rows) => rows.map((row) => state[row]),
  };
}

function run(model, ids, settings) {
  const steps = beamSearch(model, ids, { beam: 5, lengthPenalty: 0, forbidden: [], ...settings });
  for (;;) {
    const { value, done } = steps.next();
    if (done) {
      return value;
    }
  }
}

/** All outputs of up to `limit` words, by brute force. */
function outputs(model, limit) {
  const found = [];
  const grow = (ids, total) => {
    const [before, last] = [ids.at(-2) ?? (ids.length ? -1 : -2), ids.at(-1) ?? -1];
    const logP = model.logP(before, last);
    found.push({ ids: [...ids, 0], total: total + logP[0] });
    if (ids.length < limit) {
      [1, 2].forEach((token) => grow([...ids, token], total + logP[token]));
    }
  };
  grow([], 0);
  return found;
}

test("a beam as wide as the tree finds the best of all outputs, whatever the length penalty", () => {
  for (const seed of [1, 2, 3]) {
    const model = chain(seed);
    const all = outputs(model, 10);
    for (const lengthPenalty of [0, 1]) {
      const score = ({ ids, total }) => total / ids.length ** lengthPenalty;
      const best = Math.max(...all.map(score));
      const found = run(model, [0], { beam: 3000, lengthPenalty });
      const [same] = all.filter(({ ids }) => ids.join() === found.ids.join());
      for (const value of [score(same), found.score]) { // another one may be as good up to rounding
        assert.ok(Math.abs(value - best) < 1e-6);
      }
      assert.ok(Math.abs(found.tokenLogProbabilities.reduce((a, b) => a + b) - same.total) < 1e-6);
    }
  }
});

test("each token has the alpha of its own step", () => {
  const found = run(chain(2), [0], {});
  assert.deepEqual(found.alpha.map(([step]) => step), found.ids.map((_, k) => k));
});

test("a forbidden word is never written, and the longest output ends", () => {
  const endless = {
    words: WORDS,
    start: () => ({ source: null, state: 0 }),
    step: (_, length, previous) => ({
      logProbabilities: Float32Array.from(previous.flatMap(() => [length < 14 ? -1000 : -1, -1, -0.5])),
      alpha: null,
      state: length + 1,
    }),
    select: (length) => length,
  };
  const found = run(endless, [4, 5, 0], { forbidden: [2] });
  assert.deepEqual(found.ids, [...Array.from({ length: 14 }, () => 1), 0]);
  assert.equal(found.alpha, null);
});

test("ties go to the first row, then to the smaller id", () => {
  const values = Float32Array.from([-1, -1, -2, -1, -1, -1]);
  const found = bestContinuations(values, 3, [{ total: 0 }, { total: 0 }], 4, () => false);
  assert.deepEqual(found.map(({ row, token }) => [row, token]), [[0, 0], [0, 1], [1, 0], [1, 1]]);
});

test("the search can be stopped between two steps", () => {
  const steps = beamSearch(chain(1), [0], { beam: 2, lengthPenalty: 0, forbidden: [] });
  assert.deepEqual(steps.next().value, { step: 1, longest: 11 });
  assert.ok(steps.return().done);
});
