// Places of the hypotheses, and movement between them. Pure functions, no DOM.

import { smoothPath } from "../../js/elements.js";

/** @typedef {{parent: number | null, token: string, length: number, log_probability: number, fate: string}} BeamNode see nmt/results/inspection.py */

const NARROWEST = 44;
const WIDEST = 112;
const LEAST_LIMIT = 72; // up to which long words are cut so that the tree fits the page
const ROW = 20;
const EDGE = 6; // above the first and below the last row
const GAP = 7;
const LETTER = 5.8;
const PADDING = 6;
const HIGHEST = 320; // of a tree that is drawn larger
const LARGEST = 2.4; // scale of a small tree

/** Numbers of the hypotheses of each length, the most probable first. @param {BeamNode[]} nodes @returns {number[][]} */
export function columnsOf(nodes) {
  const columns = [];
  nodes.forEach(({ length }, k) => {
    columns[length] ??= [];
    columns[length].push(k);
  });
  const better = (one, other) => nodes[other].log_probability - nodes[one].log_probability;
  return columns.map((column) => column.toSorted(better));
}

/**
 * A box for each hypothesis, one column for each length, and the size of the whole. A column is as wide as its longest
 * word; where that is too much for the page, the widest columns are narrowed, and their boxes show fewer letters. A
 * small tree gets a scale at which it fills the page.
 * @param {BeamNode[]} nodes
 * @param {number} width of the page; a longer tree is wider
 */
export function treeLayout(nodes, width) {
  const columns = columnsOf(nodes);
  const needed = columns.map((numbers) => neededWidth(Math.max(...numbers.map((k) => [...nodes[k].token ?? ""].length))));
  const height = Math.max(...columns.map((numbers) => numbers.length)) * ROW + 2 * EDGE;
  const scale = Math.max(1, Math.min(LARGEST, HIGHEST / height, width / sum(needed)));
  const widths = columnWidths(needed, width / scale);
  const boxes = [];
  let left = 0;
  columns.forEach((numbers, length) => {
    const inside = widths[length] - GAP;
    numbers.forEach((k, row) => {
      boxes[k] = {
        x: left + 1, y: row * ROW + EDGE + 2, width: inside, height: ROW - 4, letters: Math.floor((inside - PADDING) / LETTER),
      };
    });
    left += widths[length];
  });
  return { boxes, width: left, height, scale };
}

const neededWidth = (letters) => Math.min(WIDEST, Math.max(NARROWEST, letters * LETTER + PADDING + GAP + 1));
const sum = (values) => values.reduce((whole, value) => whole + value, 0);

/** @param {number[]} needed widths of the columns @param {number} width of the page */
function columnWidths(needed, width) {
  let limit = WIDEST;
  const limited = () => needed.map((each) => Math.min(each, limit));
  while (limit > LEAST_LIMIT && sum(limited()) > width) {
    limit -= 1;
  }
  const spare = Math.max(0, width - sum(limited())) / needed.length;
  return limited().map((each) => Math.min(WIDEST, each + spare));
}

/** Fates of the hypotheses that are drawn. The empty one has no frame. @param {BeamNode[]} nodes */
export const fatesOf = (nodes) => new Set(nodes.filter(({ parent }) => parent !== null).map(({ fate }) => fate));

/** SVG path between two boxes. */
export function edgePath(from, to) {
  return smoothPath([from.x + from.width, from.y + from.height / 2], [to.x, to.y + to.height / 2], true);
}

/** Numbers of a hypothesis and of all that lead to it, the empty one included. @param {BeamNode[]} nodes */
export function pathTo(nodes, number) {
  const path = [number];
  while (nodes[path[0]].parent !== null) {
    path.unshift(nodes[path[0]].parent);
  }
  return path;
}

/**
 * The hypothesis after a key: left to its parent, right to its most probable continuation, up and down among those of
 * the same length; null for a key that moves nothing.
 * @param {BeamNode[]} nodes
 */
export function movedNode(nodes, now, key) {
  const columns = columnsOf(nodes);
  const column = columns[nodes[now].length];
  const row = column.indexOf(now);
  switch (key) {
    case "ArrowLeft": return nodes[now].parent;
    case "ArrowRight": return (columns[nodes[now].length + 1] ?? []).find((k) => nodes[k].parent === now) ?? null;
    case "ArrowUp": return column[row - 1] ?? null;
    case "ArrowDown": return column[row + 1] ?? null;
    default: return null;
  }
}
