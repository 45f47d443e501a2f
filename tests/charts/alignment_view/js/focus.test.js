import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  cellFocus, checkedFocus, focusInPanel, isCell, otherSide, partnerWeights, sameFocus, withWordToggled, wordFocus,
} from "../../../../nmt/charts/alignment_view/js/focus.js";

function panel(number, source, target) {
  const weights = target.map((_, i) => source.map((__, j) => (1 + i * source.length + j) / 32)); // sums are exact
  return { number, source, target, weights };
}

const FIRST = panel(0, ["the", "old", "sea"], ["la", "mer"]);
const SAME_SOURCE = panel(1, ["the", "old", "sea"], ["la", "vieille", "mer"]);
const OTHER = panel(2, ["a", "cat"], ["un", "chat"]);
const PANELS = [FIRST, SAME_SOURCE, OTHER];

test("the other side of the other side is the side", () => {
  for (const side of ["source", "target"]) {
    assert.notEqual(otherSide(side), side);
    assert.equal(otherSide(otherSide(side)), side);
  }
});

test("one word of each side is a cell", () => {
  assert.ok(isCell(cellFocus({ panel: 0, i: 1, j: 2 })));
  assert.deepEqual(cellFocus({ panel: 0, i: 1, j: 2 }), { panel: 0, source: [2], target: [1] });
  for (const side of ["source", "target"]) {
    assert.ok(!isCell(wordFocus(0, side, 1)));
    assert.deepEqual(wordFocus(0, side, 1)[side], [1]);
    assert.deepEqual(wordFocus(0, side, 1)[otherSide(side)], []);
  }
});

test("focuses are the same if all their words are", () => {
  const focus = { panel: 0, source: [1, 2], target: [] };
  assert.ok(sameFocus(focus, structuredClone(focus)));
  assert.ok(sameFocus(null, null));
  for (const other of [null, { ...focus, panel: 1 }, { ...focus, source: [1] }, { ...focus, target: [0] }]) {
    assert.ok(!sameFocus(focus, other));
    assert.ok(!sameFocus(other, focus));
  }
});

describe("a pin from outside", () => {
  test("keeps the words that there are", () => {
    const pin = { panel: 0, source: [0, 2, 3, -1, 1.5, "1"], target: [] };
    assert.deepEqual(checkedFocus(pin, PANELS), { panel: 0, source: [0, 2], target: [] });
    assert.deepEqual(checkedFocus({ panel: 2, target: [1] }, PANELS), { panel: 2, source: [], target: [1] });
  });

  test("means nothing without words", () => {
    for (const pin of [null, undefined, {}, { panel: 3, source: [0] }, { panel: 0, source: [9], target: [] }]) {
      assert.equal(checkedFocus(pin, PANELS), null);
    }
  });
});

describe("a click on a word", () => {
  test("adds words in their order", () => {
    let pinned = null;
    for (const k of [2, 0, 1]) {
      pinned = withWordToggled(pinned, 0, "source", k);
    }
    assert.deepEqual(pinned, { panel: 0, source: [0, 1, 2], target: [] });
  });

  test("a second time removes it", () => {
    const one = wordFocus(0, "target", 1);
    const two = withWordToggled(one, 0, "target", 0);
    assert.deepEqual(withWordToggled(two, 0, "target", 0), one);
    assert.equal(withWordToggled(one, 0, "target", 1), null);
    assert.deepEqual(one, wordFocus(0, "target", 1)); // nothing is changed in place
  });

  test("replaces a cell, words of the other side, and words of another panel", () => {
    const word = wordFocus(0, "source", 1);
    for (const pinned of [cellFocus({ panel: 0, i: 0, j: 1 }), wordFocus(0, "target", 0), wordFocus(1, "source", 1)]) {
      assert.deepEqual(withWordToggled(pinned, 0, "source", 1), word);
    }
  });
});

test("panels share the sides whose words they have in common", () => {
  const cell = cellFocus({ panel: 0, i: 1, j: 2 });
  assert.deepEqual(focusInPanel(cell, PANELS, FIRST), cell);
  assert.deepEqual(focusInPanel(cell, PANELS, SAME_SOURCE), { panel: 1, source: [2], target: [] });
  assert.equal(focusInPanel(cell, PANELS, OTHER), null);
  assert.equal(focusInPanel(wordFocus(0, "target", 0), PANELS, SAME_SOURCE), null);
  assert.equal(focusInPanel(null, PANELS, FIRST), null);
});

describe("weights of partners", () => {
  test("are sums over the words in focus", () => {
    const { weights } = FIRST;
    const targets = partnerWeights(FIRST, { panel: 0, source: [], target: [0, 1] });
    assert.deepEqual(targets.source, [0, 1, 2].map((j) => weights[0][j] + weights[1][j]));
    assert.deepEqual(targets.target, [0, 0]);
    const sources = partnerWeights(FIRST, { panel: 0, source: [0, 2], target: [] });
    assert.deepEqual(sources.target, [0, 1].map((i) => weights[i][0] + weights[i][2]));
    assert.deepEqual(sources.source, [0, 0, 0]);
  });

  test("are 0 for a cell, which has one weight", () => {
    const sums = partnerWeights(FIRST, cellFocus({ panel: 0, i: 0, j: 0 }));
    assert.deepEqual(sums, { source: [0, 0, 0], target: [0, 0] });
  });
});
