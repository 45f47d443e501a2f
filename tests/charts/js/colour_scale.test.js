// Positions and colours are compared with Python's in test_javascript.py.

import assert from "node:assert/strict";
import { test } from "node:test";

import { colour, gradient, onPage, pixels, position, scaleOf } from "../../../nmt/charts/js/colour_scale.js";

const GREY = { low: 0, high: 1, floor: 0.001, transform: "linear", stops: [[0, 0, 0], [255, 255, 255]] };
const SCALES = [
  ...["linear", "square root", "log"].map((transform) => ({ ...GREY, transform })),
  { ...GREY, low: -1, stops: [[0, 0, 255], [255, 255, 255], [255, 0, 0]] },
];

test("positions rise from 0 to 1, and values outside lie at the ends", () => {
  for (const scale of SCALES) {
    assert.equal(position(scale, scale.low), 0);
    assert.equal(position(scale, scale.high), 1);
    assert.equal(position(scale, -9), 0);
    assert.equal(position(scale, 9), 1);
    const places = Array.from({ length: 101 }, (_, k) => position(scale, scale.low + (k / 100) * (1 - scale.low)));
    assert.ok(places.every((place, k) => k === 0 || place >= places[k - 1]));
  }
});

test("the ends have the first and the last colour", () => {
  for (const scale of SCALES) {
    assert.deepEqual(colour(scale, scale.low), scale.stops[0]);
    assert.deepEqual(colour(scale, scale.high), scale.stops.at(-1));
  }
});

test("pixels stand row by row, opaque", () => {
  const found = [...pixels(() => GREY, [[0, 0.2], [0.4, 1]])];
  assert.deepEqual(found, [0, 51, 102, 255].flatMap((grey) => [grey, grey, grey, 255]));
});

test("on a dark page scales have their dark stops, those of rows, too", () => {
  const data = { scale: { stops: 1, dark: [2] }, difference_scale: { stops: 1, dark: [] }, panels: [{ row_scales: [{ stops: 1, dark: [3] }] }, {}] };
  const stops = ({ scale, difference_scale: other, panels }) => [scale, other, ...panels[0].row_scales].map((one) => one.stops);
  assert.deepEqual([true, false].map((dark) => stops(onPage(data, dark))), [[[2], 1, [3]], [1, 1, 1]]);
});

test("the gradient has all stops", () => {
  assert.equal(gradient(GREY), "linear-gradient(to right, rgb(0 0 0), rgb(255 255 255))");
});

test("a map in place of alpha and a difference have scales of their own", () => {
  const data = { scale: 1, stand_in_scale: 2, difference_scale: 3 };
  assert.equal(scaleOf({ is_difference: false, not_attention: "" }, data), 1);
  assert.equal(scaleOf({ is_difference: false, not_attention: "not attention" }, data), 2);
  assert.equal(scaleOf({ is_difference: true, not_attention: "" }, data), 3);
  assert.equal(scaleOf({ is_difference: true, not_attention: "not attention" }, data), 3);
});
