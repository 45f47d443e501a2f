// Texts of the view; a text with values is a function of them.

/** Read-out of a view without a focus. */
export const HINT =
  "Point at a word or a cell to read its weights. A click keeps it; clicks on more words add their weights. Arrow keys work too.";
/** Added to it where cells can be dragged. */
export const DRAG_HINT = "Drag a bright cell along its row to make the model look elsewhere.";
export const SMALLER = "Smaller cells";
export const LARGER = "Larger cells";
export const ZOOM = "Size of the cells";
export const MATRIX = "alignment matrix";
export const NOTHING_ABOVE = (least) => `nothing above ${least}`;
export const WIDER_IS_LARGER = (symbol) => `${symbol}: the wider a line, the larger the value.`;

/** @param {{title: string, values: string, target: string[], source: string[]}} panel */
export const MATRIX_ABOUT = (panel) =>
  `${panel.title}, ${panel.values}: ${panel.target.length} target by ${panel.source.length} source words. ` +
  "Arrow keys move from cell to cell, Enter pins.";

/** Target word i of m, source word j of n, each from 1, and the value between them. */
export const CELL = ({ i, m, target, j, n, source, letter, value }) =>
  `Target word ${i} of ${m}, ${target}; source word ${j} of ${n}, ${source}; ${letter} ${value}`;
