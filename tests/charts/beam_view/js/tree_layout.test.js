import assert from "node:assert/strict";
import { test } from "node:test";

import {
  columnsOf, edgePath, fatesOf, movedNode, pathTo, treeLayout,
} from "../../../../nmt/charts/beam_view/js/tree_layout.js";

// 0 -> 1 (-1) -> 3 (-1.5), 5 (-4); 0 -> 2 (-2) -> 4 (-2.5)
const NODES = [
  { parent: null, length: 0, log_probability: 0, fate: "continued" },
  { parent: 0, length: 1, log_probability: -2, fate: "continued" },
  { parent: 0, length: 1, log_probability: -1, fate: "continued" },
  { parent: 2, length: 2, log_probability: -1.5, fate: "finished" },
  { parent: 1, length: 2, log_probability: -2.5, fate: "open" },
  { parent: 2, length: 2, log_probability: -4, fate: "pruned" },
];

const chained = (...words) => [
  { parent: null, length: 0, log_probability: 0 },
  ...words.map((token, k) => ({ parent: k, token, length: k + 1, log_probability: -k })),
];
const widths = (nodes, width) => treeLayout(nodes, width).boxes.map((box) => box.width + 7); // with the gap to the next column

test("hypotheses of one length are ordered by their log-probability", () => {
  assert.deepEqual(columnsOf(NODES), [[0], [2, 1], [3, 4, 5]]);
});

for (const width of [100, 358, 1100]) {
  test(`boxes do not overlap, at a width of ${width}`, () => {
    const layout = treeLayout(NODES, width);
    assert.equal(layout.boxes.length, NODES.length);
    layout.boxes.forEach((one, k) => {
      assert.ok(one.x >= 0 && one.x + one.width <= layout.width && one.y >= 0 && one.y + one.height <= layout.height);
      for (const other of layout.boxes.slice(k + 1)) {
        assert.ok(one.x + one.width <= other.x || other.x + other.width <= one.x
          || one.y + one.height <= other.y || other.y + other.height <= one.y);
      }
      assert.ok(one.letters >= 4);
    });
  });
}

test("words are whole where the page has room for them, and the longest are cut first where it has not", () => {
  const words = ["la", "économiquement", "européenne", "a"];
  const chain = chained(...words);
  const wide = treeLayout(chain, 500).boxes;
  words.forEach((word, k) => assert.ok(wide[k + 1].letters >= word.length));
  const narrow = treeLayout(chain, 290).boxes;
  assert.ok(narrow[1].letters >= 2 && narrow[4].letters >= 1);
  assert.ok(narrow[2].letters < words[1].length);
  assert.ok(treeLayout(chain, 290).width <= 291);
});

test("a column is as wide as its word and the gaps around it, and what is left of the page is shared out", () => {
  const ten = chained("a".repeat(10)); // 10 letters of 5.8, 6 of padding, 7 of the gap, 1 of the line
  assert.deepEqual(treeLayout(ten, 100), {
    boxes: [{ x: 1, y: 8, width: 37, height: 16, letters: 5 }, { x: 45, y: 8, width: 65, height: 16, letters: 10 }],
    width: 116, height: 32, scale: 1,
  });
  assert.deepEqual(widths(ten, 126), [44, 72]);
  const many = [ten[0], ...Array.from({ length: 16 }, () => ten[1])]; // too high to be drawn larger
  assert.deepEqual([widths(many, 126)[0], widths(many, 1000)[0]], [49, 112]);
});

test("a small tree is drawn larger, but not wider or much higher than its place", () => {
  assert.equal(treeLayout(NODES, 5000).scale, 2.4);
  const { width, scale } = treeLayout(NODES, 200);
  assert.ok(scale > 1 && width * scale <= 200 + 1e-9);
});

test("the widest columns are narrowed by as little as makes the tree fit", () => {
  const long = chained("a".repeat(30), "b".repeat(25), "c");
  assert.deepEqual(widths(long, 262), [44, 87, 87, 44]);
  assert.deepEqual(widths(long, 200), [44, 72, 72, 44]);
});

test("the last row does not touch the edge", () => {
  const { boxes, height } = treeLayout(NODES, 500);
  assert.ok(height - Math.max(...boxes.map((box) => box.y + box.height)) >= 6);
});

test("a hypothesis stands at the right of its parent", () => {
  const { boxes } = treeLayout(NODES, 500);
  NODES.forEach(({ parent }, k) => {
    if (parent !== null) {
      assert.ok(boxes[parent].x + boxes[parent].width < boxes[k].x);
      assert.match(edgePath(boxes[parent], boxes[k]), /^M [\d.]+ [\d.]+ C /);
    }
  });
});

test("the path to a hypothesis begins with the empty one", () => {
  assert.deepEqual(pathTo(NODES, 5), [0, 2, 5]);
  assert.deepEqual(pathTo(NODES, 0), [0]);
});

test("the legend has the fates that are drawn, without the empty hypothesis", () => {
  assert.deepEqual([...fatesOf(NODES)].toSorted(), ["continued", "finished", "open", "pruned"]);
  assert.deepEqual([...fatesOf(NODES.slice(0, 1))], []);
  assert.deepEqual([...fatesOf([NODES[0], NODES[3]])], ["finished"]);
});

test("keys move along the tree and among hypotheses of one length", () => {
  assert.equal(movedNode(NODES, 0, "ArrowRight"), 2);
  assert.equal(movedNode(NODES, 2, "ArrowRight"), 3);
  assert.equal(movedNode(NODES, 3, "ArrowDown"), 4);
  assert.equal(movedNode(NODES, 4, "ArrowUp"), 3);
  assert.equal(movedNode(NODES, 4, "ArrowLeft"), 1);
  for (const [now, key] of [[0, "ArrowLeft"], [0, "ArrowUp"], [3, "ArrowRight"], [5, "ArrowDown"], [1, "a"]]) {
    assert.equal(movedNode(NODES, now, key), null, `${now} ${key}`);
  }
});
