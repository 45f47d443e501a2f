// Focus of a view: the words or the cell that the reader looks at. Pure functions, no DOM.

/**
 * Words of one panel. One word of each side is a cell; words of one side alone are words.
 * @typedef {object} Focus
 * @property {number} panel number of the panel, from 0
 * @property {number[]} source numbers of source words j
 * @property {number[]} target numbers of target words i
 */

/** @typedef {"source" | "target"} Side */

/**
 * Words and weights of a panel, as far as a focus depends on them.
 * @typedef {object} PanelWords
 * @property {number} number
 * @property {string[]} source
 * @property {string[]} target
 * @property {number[][]} weights [T_y, T_x]
 */

/** @param {Side} side @returns {Side} */
export function otherSide(side) {
  return side === "source" ? "target" : "source";
}

/** @param {Focus} focus */
export function isCell(focus) {
  return focus.source.length === 1 && focus.target.length === 1;
}

/** @returns {Focus} the cell of target word i and source word j */
export function cellFocus({ panel, i, j }) {
  return { panel, source: [j], target: [i] };
}

/** @param {number} panel @param {Side} side @param {number} k @returns {Focus} */
export function wordFocus(panel, side, k) {
  return { panel, source: side === "source" ? [k] : [], target: side === "target" ? [k] : [] };
}

/** @param {Focus | null} one @param {Focus | null} other */
export function sameFocus(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The focus that a pin from outside means; numbers of missing words are left out.
 * @param {Partial<Focus> | null | undefined} pin
 * @param {PanelWords[]} panels
 * @returns {Focus | null}
 */
export function checkedFocus(pin, panels) {
  const panel = pin && panels[pin.panel];
  if (!panel) {
    return null;
  }
  const present = (side) => (pin[side] ?? []).filter((k) => Number.isInteger(k) && k >= 0 && k < panel[side].length);
  const focus = { panel: pin.panel, source: present("source"), target: present("target") };
  return focus.source.length + focus.target.length ? focus : null;
}

/**
 * The pin after a click on a word, which adds it to the pinned words of its side or removes it from them. A pin
 * elsewhere, or a pinned cell, gives way to the word.
 * @param {Focus | null} pinned
 * @param {number} panel
 * @param {Side} side
 * @param {number} k
 * @returns {Focus | null}
 */
export function withWordToggled(pinned, panel, side, k) {
  const continues = pinned && pinned.panel === panel && pinned[side].length && !pinned[otherSide(side)].length;
  const before = continues ? pinned[side] : [];
  const after = before.includes(k) ? before.filter((word) => word !== k) : [...before, k].toSorted((a, b) => a - b);
  return after.length ? { ...wordFocus(panel, side, k), [side]: after } : null;
}

/**
 * The meaning of a focus in a panel, which may have other words than the panel of the focus: the sides in common.
 * @param {Focus | null} focus
 * @param {PanelWords[]} panels
 * @param {PanelWords} panel
 * @returns {Focus | null}
 */
export function focusInPanel(focus, panels, panel) {
  if (!focus) {
    return null;
  }
  const home = panels[focus.panel];
  const source = sameList(home.source, panel.source) ? focus.source : [];
  const target = sameList(home.target, panel.target) ? focus.target : [];
  return source.length + target.length ? { panel: panel.number, source, target } : null;
}

/**
 * Sums of weights between each word and the words in focus on the other side; all 0 for a cell.
 * @param {PanelWords} panel
 * @param {Focus} focus
 * @returns {{source: number[], target: number[]}}
 */
export function partnerWeights(panel, focus) {
  const [rows, columns] = isCell(focus) ? [[], []] : [focus.target, focus.source];
  const sum = (numbers, weightOf) => numbers.reduce((whole, k) => whole + weightOf(k), 0);
  return {
    source: panel.source.map((_, j) => sum(rows, (i) => panel.weights[i][j])),
    target: panel.target.map((_, i) => sum(columns, (j) => panel.weights[i][j])),
  };
}

function sameList(one, other) {
  return one === other || (one.length === other.length && one.every((item, k) => item === other[k]));
}
