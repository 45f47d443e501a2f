import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { readOut, signsInUse, spokenCell, spokenWords } from "../../../../nmt/charts/alignment_view/js/wording.js";

const TEXTS = JSON.parse(readFileSync("nmt/instrument/english.json", "utf-8"));
const PANEL = {
  number: 0,
  source: ["the", "sea", "<b>"],
  target: ["la", "mer"],
  weights: [[0.75, 0.25, 0.002], [-0.125, 1, 0.001]],
  letter: "α",
  spoken_letter: "alpha",
  log_probability: [-0.5, -1.25],
  said: { source: ["coverage 1", "coverage 2", "coverage 3"], target: ["entropy 1", "entropy 2"] },
};
const texts = (focus, panel = PANEL) => readOut(panel, focus, TEXTS).map((piece) => piece.text);
const numbers = (pieces) => pieces.map((text) => text.match(/−?\d+\.\d+/)?.[0]).filter(Boolean);

test("a cell is read with its weight, and the log-probability if it is known", () => {
  const cell = { panel: 0, source: [1], target: [0] };
  assert.deepEqual(numbers(texts(cell)), ["0.250", "−0.50"]);
  assert.deepEqual(numbers(texts(cell, { ...PANEL, log_probability: null })), ["0.250"]);
  assert.deepEqual([texts(cell)[0], texts(cell)[2]], ["la", "sea"]);
});

test("a word is read with its partners, strongest first, and what is known of it", () => {
  const pieces = readOut(PANEL, { panel: 0, source: [], target: [1] }, TEXTS);
  const styled = (style) => pieces.filter((piece) => piece.style === style).map((piece) => piece.text);
  assert.deepEqual(styled("name"), ["mer", "sea", "the"]);
  assert.deepEqual(styled("number"), ["1.00", "−0.13"]);
  assert.deepEqual(styled("more"), ["entropy\u00a02"]);
});

test("several words are read as their sum", () => {
  const found = texts({ panel: 0, source: [0, 1], target: [] });
  assert.equal(found[0], "the + sea");
  assert.deepEqual(found.slice(2), ["la", "1.00", "mer", "0.88"]);
});

test("a word without partners has none", () => {
  const pieces = readOut(PANEL, { panel: 0, source: [2], target: [] }, TEXTS);
  assert.deepEqual(pieces.filter((piece) => piece.style === "name").map((piece) => piece.text), ["<b>"]);
});

test("what is spoken names the words, where they stand, and the weight", () => {
  const cell = spokenCell(PANEL, 1, 0, TEXTS);
  for (const part of ["mer", "the", "2 of 2", "1 of 3", "alpha -0.125"]) {
    assert.ok(cell.includes(part), part);
  }
  const words = spokenWords(PANEL, { panel: 0, source: [1], target: [] }, TEXTS);
  for (const part of ["sea", "mer", "1.00", "la", "0.25", "coverage\u00a02"]) {
    assert.ok(words.includes(part), part);
  }
});

test("the signs of what is shown are explained, and no others", () => {
  const signs = { words: ["∅ a"], matrix: ["frame"], links: ["line"] };
  assert.deepEqual(signsInUse(signs, "matrix"), ["∅ a", "frame"]);
  assert.deepEqual(signsInUse(signs, "links"), ["∅ a", "line"]);
  assert.deepEqual(signsInUse(signs, "both"), ["∅ a", "frame", "line"]);
});
