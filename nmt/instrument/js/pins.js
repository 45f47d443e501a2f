// What is pinned, by the words of all systems, as the ribbons and as the matrices have it.

import { wordNumbers } from "./tokens.js";

/**
 * What is pinned: words of one side, or a cell, by their numbers among all words, or tokens where these are shown.
 * @typedef {{name: string, target: number[], source: number[]}} Pin name: of the system, or "difference"
 */

/** A pinned word or cell as the ribbons have it; null where they do not. @returns {import("../../charts/ribbons/js/ribbon_view.js").Word | null} */
export function wordOf(pin, systems, known, pieces) {
  const system = known.findIndex(({ name }) => name === pin?.name);
  const side = pin?.target.length ? "target" : "source";
  if (system < 0 || pin[side].length !== 1) {
    return null;
  }
  const [k, j] = [side, "source"].map((each) => (pieces ? wordNumbers(known[system][each])[pin[each][0]] : pin[each][0]));
  return k < systems[system][side].length ? { system, side, k, ...(side === "target" && pin.source.length === 1 && { j }) } : null;
}

/** The pin of a word of the ribbons, in pieces of its first. @returns {Pin} */
export function pinOfWord({ system, side, k }, known, pieces) {
  const { name, ...sides } = known[system];
  return { name, target: [], source: [], [side]: [pieces ? wordNumbers(sides[side]).indexOf(k) : k] };
}

/** A pin as a view of these panels has it; null where it does not fit. @param {Pin | null} pin @param {object[]} panels */
export function pinIn(pin, panels) {
  const panel = pin ? panels.findIndex(({ name }) => name === pin.name) : -1;
  if (panel < 0) {
    return null;
  }
  const places = (side) => pin[side].map((k) => panels[panel].from[side].indexOf(k));
  const [source, target] = [places("source"), places("target")];
  return [...source, ...target].includes(-1) ? null : { panel, source, target };
}

/** The pin that a focus of these panels means. @returns {Pin} */
export function pinOf({ panel, source, target }, panels) {
  const { name, from } = panels[panel];
  return { name, target: target.map((i) => from.target[i]), source: source.map((j) => from.source[j]) };
}

/** A drag between words as one of words or, where these are shown, of tokens. */
export function inUnits({ source, target }, drag, pieces) {
  const first = (side, k) => (pieces ? wordNumbers(side).indexOf(k) : k);
  return { ...drag, i: first(target, drag.i), from: first(source, drag.from), to: first(source, drag.to) };
}
