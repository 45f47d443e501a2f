import assert from "node:assert/strict";
import { test } from "node:test";

import {
  LEAST, bandsOfWords, bandsThatFit, centred, crossingRing, fontSizeThatFits, goesDown, lineBegins, nearest, ribbonHeights, ribbonPath, ribbons, sharedStart,
  splitInBands, writtenAfter,
} from "../../../../nmt/charts/ribbons/js/geometry.js";

const line = (...widths) => {
  let left = 0;
  return widths.map((width) => {
    const box = { left, width };
    left += width + 5;
    return box;
  });
};

test("the ribbons of a target word fill it in the order of the source", () => {
  const found = ribbons([[0.25, 0.75]], line(40, 60), line(100));
  assert.deepEqual(found.map(({ i, j, to }) => [i, j, to.left, to.width]), [[0, 0, 0, 25], [0, 1, 25, 75]]);
});

test("at a source word they stand side by side and never leave it", () => {
  const weights = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3]];
  const source = line(40, 60);
  const found = ribbons(weights, source, line(30, 30, 30)).filter(({ j }) => j === 0);
  let end = source[0].left;
  for (const { from } of found) {
    assert.ok(Math.abs(from.left - end) < 1e-9);
    end = from.left + from.width;
  }
  assert.ok(end <= source[0].left + source[0].width + 1e-9);
});

test("small weights leave their room but no ribbon", () => {
  const found = ribbons([[LEAST / 2, 1 - LEAST / 2]], line(10, 10), line(100));
  assert.equal(found.length, 1);
  assert.equal(found[0].to.left, 100 * (LEAST / 2));
  assert.equal(ribbons([[LEAST, 1 - LEAST]], line(10, 10), line(100)).length, 2);
});

test("a path begins and ends at its boxes", () => {
  assert.equal(
    ribbonPath({ left: 1, width: 2 }, { left: 10, width: 4 }, 0, 20),
    "M 1.0 0 C 1.0 10 10.0 10 10.0 20 L 14.0 20 C 14.0 10 3.0 10 3.0 0 Z",
  );
});

test("where the lines go down x and y change places", () => {
  const boxes = [{ left: 1, width: 2 }, { left: 10, width: 4 }];
  const points = (path) => [...path.matchAll(/[\d.]+ [\d.]+(?= |$)/g)].map(([pair]) => pair.split(" ").map(Number));
  const [beside, down] = [false, true].map((lines) => points(ribbonPath(...boxes, 0, 20, lines)));
  assert.deepEqual(down, beside.map(([x, y]) => [y, x]));
  const { cx, cy, rx, ry } = crossingRing(boxes, boxes, 20);
  assert.deepEqual(crossingRing(boxes, boxes, 20, true), { cx: cy, cy: cx, rx: ry, ry: rx });
});

test("lines go down in a narrow window alone, and only if they do not fit", () => {
  assert.ok(goesDown(700, 358));
  assert.ok(!goesDown(400, 358));
  assert.ok(!goesDown(4000, 1100));
  assert.deepEqual([639, 640].map((room) => goesDown(4000, room)), [true, false]);
  assert.deepEqual([299, 300].map((room) => goesDown(400, room)), [true, false]);
});

test("the ring lies in the middle between the words", () => {
  const ring = crossingRing(line(10, 10, 10), line(20, 20, 20), 80);
  assert.equal(ring.cy, 40);
  assert.equal(ring.cx, (20 + 35) / 2);
  assert.deepEqual(crossingRing(line(10, 10, 10), line(20, 20, 20), 40), { cx: 27.5, cy: 20, rx: 16, ry: 14 });
  assert.deepEqual(crossingRing(line(100, 100, 100), line(195, 5, 5), 100), { cx: 131.25, cy: 50, rx: 63, ry: 30 });
});

test("words shrink only where they do not fit", () => {
  assert.equal(fontSizeThatFits(500, 500, 17, 10), 17);
  assert.equal(fontSizeThatFits(1000, 500, 17, 5), 8.5);
  assert.equal(fontSizeThatFits(9000, 500, 17, 10), 10);
});

test("the last word is written at the end", () => {
  assert.equal(writtenAfter(0, 5, 2), 0);
  assert.equal(writtenAfter(4, 5, 2), 2);
  assert.equal(writtenAfter(0, 1, 2), 0);
});

test("ribbons are lower in a low window, and between bands", () => {
  assert.deepEqual([500, 639, 640, 720, 900, 1440].map((height) => ribbonHeights(height).lines), [56, 56, 96, 96, 150, 150]);
  assert.equal(ribbonHeights(900, 2).lines, 126);
  assert.ok(ribbonHeights(720).bands < ribbonHeights(720).lines);
  assert.equal(ribbonHeights(1920).bands, 2 * ribbonHeights(960).bands);
});

const words = (n, width = 10) => Array.from({ length: n }, () => width);
const diagonal = (n) => words(n).map((_, i) => words(n).map((__, j) => Number(i === j)));

/** The beginning of the second of two bands, and the width of the widest part. */
function split(weights, source, target, room) {
  const found = splitInBands(weights, source, target, room, 2);
  return found && { ...found.starts[1], width: found.width };
}

test("a split sends no weight from one band to the other where it can", () => {
  const found = split(diagonal(6), words(6), words(6), 40);
  assert.equal(found.source, found.target);
  assert.deepEqual(found, { source: 3, target: 3, width: 30 });
});

test("words that cross stay in one band", () => {
  const weights = diagonal(6);
  [weights[2], weights[3]] = [weights[3], weights[2]];
  const found = split(weights, words(6), words(6), 40);
  assert.equal(found.source, found.target);
  assert.notEqual(found.source, 3);
});

test("all parts fit where they can, whatever the weights are", () => {
  const [source, target] = [words(4), [5, 5, 5, 70, 5]];
  const found = split(Array.from(target, () => [1, 0, 0, 0]), source, target, 80);
  const parts = [source.slice(0, found.source), source.slice(found.source), target.slice(0, found.target), target.slice(found.target)];
  const widths = parts.map((part) => part.reduce((sum, width) => sum + width, 0));
  assert.ok(Math.max(...widths) <= 80);
  assert.equal(found.width, Math.max(...widths));
  assert.ok(widths.every((width) => width > 0));
});

test("where they cannot fit, the widest part is as narrow as can be", () => {
  assert.equal(split(diagonal(8), words(8), words(8), 10).width, 40);
});

test("a single word is not split", () => {
  assert.equal(split([[1]], [10], [10], 5), null);
  assert.equal(splitInBands([[1]], [10, 20], [5, 5], 5, 1).width, 30);
  assert.equal(splitInBands([[1]], [5, 5], [10, 20], 5, 1).width, 30);
});

test("every band has words of both lines, also where no weight would then lead from one to the other", () => {
  assert.deepEqual(split([[1, 0], [1, 0]], [10, 10], [1, 1], 100), { source: 1, target: 1, width: 10 });
  assert.deepEqual(split([[0.5, 0.5], [0, 0]], [1, 1], [10, 10], 100), { source: 1, target: 1, width: 10 });
});

test("a band as wide as the room counts as much as the weight of three words, and of equal splits the first is taken", () => {
  const weights = diagonal(10);
  const splitWith = (part) => {
    [weights[4][4], weights[4][5]] = [1 - part, part];
    return split(weights, words(10), words(10), 100);
  };
  assert.deepEqual(splitWith(0.25), { source: 5, target: 5, width: 50 });
  assert.deepEqual(splitWith(0.375), { source: 4, target: 4, width: 60 });
});

test("words stand in the middle, from either side", () => {
  assert.deepEqual(centred([10, 20], [5, 5], 95, false), [30, 45]);
  assert.deepEqual(centred([10, 20], [5, 5], 95, true), [55, 30]);
  assert.deepEqual(centred([10, 20], [0, -2], 100, false), [36, 44]);
});

test("a ribbon ends at both of its words, also upwards", () => {
  const path = ribbonPath({ left: 1, width: 2 }, { left: 5, width: 3 }, 90, 40);
  assert.match(path, /^M 1.0 90 C .* 5.0 40 L 8.0 40 C .* 3.0 90 Z$/);
});

test("as few bands as fit are taken, and none where one is enough", () => {
  assert.equal(bandsThatFit(diagonal(9), words(9), words(9), 100, 5), null);
  assert.deepEqual(bandsThatFit(diagonal(9), words(9), words(9), 30, 5), {
    starts: [{ source: 0, target: 0 }, { source: 3, target: 3 }, { source: 6, target: 6 }], width: 30,
  });
  assert.equal(bandsThatFit(diagonal(9), words(9), words(9), 10, 2).starts.length, 2); // too little room
  assert.equal(bandsThatFit([[1]], [10], [10], 5, 3), null);
});

test("a line begins neither at a comma nor in the middle of a word with an apostrophe", () => {
  assert.deepEqual(lineBegins(["L'", "accord", ",", "dit", "-", "il", "."], [false, true, true, false, true, true, true]), [0, 3]);
  assert.deepEqual(lineBegins(["a", "(", "b", ")", "?"], [false, false, true, true, false]), [0, 1, 4]);
  assert.deepEqual(lineBegins(["我", "。", "你", "「", "他", "」", "。"], [false, ...words(6).map(() => true)]), [0, 2, 3, 4]);
  assert.deepEqual(lineBegins(["a", ","]), [0, 1]); // not known how they stand in the text
});

test("bands begin where a line may begin, and weigh what the words weigh", () => {
  const widths = { source: words(9), target: words(9) };
  const all = { source: [...words(9).keys()], target: [...words(9).keys()] };
  assert.deepEqual(bandsOfWords(diagonal(9), widths, all, 30, 5), bandsThatFit(diagonal(9), words(9), words(9), 30, 5));
  const comma = [0, 1, 2, 4, 5, 6, 7, 8]; // word 3, at which a band began, stands with word 2
  const { starts, width } = bandsOfWords(diagonal(9), widths, { source: comma, target: comma }, 40, 5);
  assert.ok(starts.every(({ source, target }) => source === target && comma.includes(source)));
  assert.deepEqual([starts.length, width], [3, 40]);
  assert.equal(bandsOfWords(diagonal(2), { source: words(2), target: words(2) }, { source: [0], target: [0] }, 5, 3), null);
});

test("every band of a long sentence fits, and its words are in order", () => {
  const widths = Array.from({ length: 80 }, (_, k) => 20 + ((7 * k) % 40));
  const { starts, width } = bandsThatFit(diagonal(80), widths, widths, 700, 8);
  assert.ok(width <= 700);
  for (const side of ["source", "target"]) {
    const ends = [...starts.slice(1).map((start) => start[side]), 80];
    assert.ok(ends.every((end, k) => end > starts[k][side]));
    const parts = starts.map((start, k) => widths.slice(start[side], ends[k]).reduce((sum, one) => sum + one, 0));
    assert.ok(Math.max(...parts) <= width);
  }
});

test("the nearest word is found beside and below the words, too", () => {
  const boxes = [0, 50, 100].map((left) => ({ left, right: left + 40, top: 10, bottom: 30 }));
  assert.equal(nearest(boxes, 70, 20), 1);
  assert.equal(nearest(boxes, 500, 20), 2);
  assert.equal(nearest(boxes, 12, 400), 0);
  const bands = [...boxes, ...boxes.map((box) => ({ ...box, top: 110, bottom: 130 }))];
  assert.equal(nearest(bands, 70, 90), 4);
  const touching = [{ left: 40, right: 80, top: 0, bottom: 20 }, { left: 0, right: 40, top: 0, bottom: 20 }];
  assert.equal(nearest(touching, 39.5, 10), 1);
});

test("two lines share their words up to the first that differs", () => {
  assert.equal(sharedStart(["a", "b", "c"], ["a", "b", "d", "e"]), 2);
  assert.equal(sharedStart(["a"], ["a", "b"]), 1);
  assert.equal(sharedStart(["b"], ["a", "b"]), 0);
});
