// Places of the hypotheses, and movement between them. Pure functions, no DOM.

/**
 * @typedef {object} BeamNode
 * @property {number | null} parent number of the hypothesis without its last token; null for the empty one
 * @property {number} length tokens of the hypothesis
 * @property {number} log_probability nats
 * @property {"continued" | "finished" | "pruned" | "open"} fate
 */

const NARROWEST = 50;
const WIDEST = 96;
const ROW = 20;
const GAP = 12;
const LETTER = 5.9;

/** Numbers of the hypotheses of each length, the most probable first. @param {BeamNode[]} nodes @returns {number[][]} */
export function columnsOf(nodes) {
  const columns = [];
  nodes.forEach(({ length }, k) => {
    columns[length] ??= [];
    columns[length].push(k);
  });
  const better = (one, other) => nodes[other].log_probability - nodes[one].log_probability || one - other;
  return columns.map((column) => column.toSorted(better));
}

/**
 * A box for each hypothesis, one column for each length, and the size of the whole.
 * @param {BeamNode[]} nodes
 * @param {number} width of the page; a longer tree is wider
 */
export function treeLayout(nodes, width) {
  const columns = columnsOf(nodes);
  const column = Math.min(WIDEST, Math.max(NARROWEST, width / columns.length));
  const boxes = [];
  columns.forEach((numbers, length) => numbers.forEach((k, row) => {
    boxes[k] = { x: length * column + 1, y: row * ROW + 2, width: column - GAP, height: ROW - 4 };
  }));
  const rows = Math.max(...columns.map((numbers) => numbers.length));
  return { boxes, width: columns.length * column, height: rows * ROW + 2, letters: Math.floor((column - GAP - 4) / LETTER) };
}

/** SVG path between two boxes. */
export function edgePath(from, to) {
  const [x, y] = [from.x + from.width, from.y + from.height / 2];
  const [toX, toY] = [to.x, to.y + to.height / 2];
  const middle = (x + toX) / 2;
  return `M ${x} ${y} C ${middle} ${y}, ${middle} ${toY}, ${toX} ${toY}`;
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
