import assert from "node:assert/strict";
import { test } from "node:test";

import { Element, pass } from "../../page/page.js";
import { makeReorderable, movedOrder } from "../../../../nmt/charts/ribbons/js/reordering.js";

/** Words in a line, and the moves that are asked for. */
function line(count, rightToLeft = false) {
  const place = new Element("div");
  const source = Array.from({ length: count }, () => place.appendChild(new Element("button")));
  const moves = [];
  source.forEach((word, k) => {
    word.getBoundingClientRect = () => ({ left: 100 * k, right: 100 * k + 80, top: 0, bottom: 20 });
    word.setPointerCapture = () => {};
  });
  makeReorderable({ words: { source }, source_rtl: rightToLeft }, (...move) => moves.push(move));
  const tell = (k, type, more = {}) => {
    const event = { type, button: 0, pointerId: 1, pointerType: "mouse", clientX: 0, clientY: 10, stopped: 0, prevented: 0, ...more };
    Object.assign(event, { preventDefault: () => (event.prevented += 1), stopPropagation() {}, stopImmediatePropagation: () => (event.stopped += 1) });
    source[k].listeners.get(type)?.(event);
    return event;
  };
  return { source, moves, tell };
}

test("orders are permutations, by brute force", () => {
  for (let from = 0; from < 5; from += 1) {
    for (let to = 0; to < 5; to += 1) {
      const order = movedOrder(5, from, to);
      assert.deepEqual(order.toSorted(), [0, 1, 2, 3, 4]);
      assert.equal(order[to], from);
      assert.deepEqual(order.filter((k) => k !== from), [0, 1, 2, 3, 4].filter((k) => k !== from));
    }
  }
});

test("a mouse carries a word to where it is let go, and that click presses nothing", () => {
  const { source, moves, tell } = line(3);
  tell(0, "pointerdown", { clientX: 40 });
  tell(0, "pointermove", { clientX: 44 });
  assert.ok(!source[0].classList.contains("carried"));
  tell(0, "pointermove", { clientX: 260 });
  assert.ok(source[2].classList.contains("behind"));
  tell(0, "pointerup", { clientX: 260 });
  assert.deepEqual(moves, [[0, 2, false]]);
  assert.equal(tell(0, "click").stopped, 1);
  assert.equal(tell(0, "click").stopped, 0);
});

test("a press without a move, a cancelled one and one that comes back move nothing", () => {
  const { source, moves, tell } = line(3);
  tell(1, "pointerdown", { clientX: 140 });
  tell(1, "pointerup", { clientX: 140 });
  assert.equal(tell(1, "click").stopped, 0);
  tell(1, "pointerdown", { clientX: 140 });
  tell(1, "pointermove", { clientX: 10 });
  tell(1, "pointercancel");
  tell(1, "pointerdown", { clientX: 140 });
  tell(1, "pointermove", { clientX: 10 });
  tell(1, "pointermove", { clientX: 140 });
  tell(1, "pointerup");
  assert.deepEqual(moves, []);
  assert.ok(source.every((word) => !word.classList.contains("carried") && !word.classList.contains("before")));
});

test("a finger carries after it has rested, and scrolls before", () => {
  const { moves, tell } = line(3);
  const touch = { pointerType: "touch" };
  tell(2, "pointerdown", { ...touch, clientX: 240 });
  tell(2, "pointermove", { ...touch, clientX: 100 });
  pass(400);
  assert.equal(tell(2, "touchmove").prevented, 0);
  tell(2, "pointerup");
  tell(2, "pointerdown", { ...touch, clientX: 240 });
  pass(400);
  assert.equal(tell(2, "touchmove").prevented, 1);
  tell(2, "pointermove", { ...touch, clientX: 10 });
  tell(2, "pointerup");
  assert.deepEqual(moves, [[2, 0, false]]);
});

test("Alt with an arrow moves a word by one in reading order; at the ends, and without Alt, nothing moves", () => {
  const { moves, tell } = line(3);
  const keys = [["ArrowRight", 1], ["ArrowDown", 1], ["ArrowLeft", 1], ["ArrowLeft", 0], ["ArrowRight", 2], ["a", 1]];
  keys.forEach(([key, k]) => tell(k, "keydown", { key, altKey: true }));
  tell(1, "keydown", { key: "ArrowRight" });
  assert.deepEqual(moves, [[1, 2, true], [1, 2, true], [1, 0, true]]);
  const other = line(3, true);
  other.tell(1, "keydown", { key: "ArrowLeft", altKey: true });
  assert.deepEqual(other.moves, [[1, 2, true]]);
});
