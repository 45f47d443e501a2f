// What a reader changes in a translation: plain data, the last change last, as a record has it and a host keeps it in an
// address. Pure functions, no DOM.

import { joined } from "./tokens.js";
import { alphaOf } from "./weights_over_words.js";

const MOST = 20;

/**
 * One change: `ReadersChange` of nmt/results/record.py. `system`: the one whose word it is; all else concerns every system.
 * @typedef {{kind: string, row: number, system?: string, text?: string, weights?: number[], pieces?: boolean}} Change
 */

const OF_A_SOURCE = ["source", "weights", "blocked", "token"]; // changes that are gone once another source is read
const KINDS = "source|begin|without|word|weights|token|blocked";
const WEIGHT = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/u;
const PIN = /^(.+)\.((?:\d{1,5}-)*\d{1,5}|)\.((?:\d{1,5}-)*\d{1,5}|)$/su;

/** Whether a change changes what a system writes. @param {Change} change @param {object} system of a record */
export function concerns({ kind, row, system: name, text }, system) {
  if (system.forced) {
    return kind === "source"; // of which the target is another translation then
  }
  if (kind === "blocked") {
    return joined(system.source)[row] === text && Boolean(alphaOf(system));
  }
  return !name || (name === system.name && (kind !== "weights" || Boolean(alphaOf(system))));
}

/** The weights of a word moved from one source word to another. @returns {Change} */
export function moved(system, row, weights, from, to) {
  const values = weights.map((weight) => Number(weight.toFixed(3)));
  values[to] = Number((values[to] + values[from]).toFixed(3));
  values[from] = 0;
  return { kind: "weights", system, row, weights: values };
}

/** What is read after some changes, and those that still count: with another source, those to the former one are gone. */
export function readAfter(sentence, changes) {
  const last = changes.findLastIndex(({ kind }) => kind === "source");
  const left = changes.filter(({ kind }, k) => k >= last || !OF_A_SOURCE.includes(kind));
  return last < 0 ? { sentence, changes } : { sentence: changes[last].text || sentence, changes: left };
}

/** Whether two sentences have the same letters, in whatever order. */
export function isReordered(one, other) {
  const letters = (text) => [...text.replaceAll(/\s+/gu, "")].toSorted().join("");
  return one !== other && letters(one) === letters(other);
}

/** Numbers of the source words that are left out. @param {Change[]} changes @returns {Set<number>} */
export function blockedIn(changes) {
  return new Set(changes.filter(({ kind }) => kind === "blocked").map(({ row }) => row));
}

/** The changes with one more, which takes a word back that is left out already. Of too many the last one is replaced. */
export function withChange(changes, change) {
  const { kind, row, text } = change;
  const counting = readAfter("", changes).changes;
  if (kind === "blocked" && blockedIn(counting).has(row)) {
    return changes.filter((each) => each.kind !== "blocked" || each.row !== row || !counting.includes(each));
  }
  const [former] = changes.slice(-1);
  const again = former && changeAddress(former) === changeAddress(change);
  const nothing = kind !== "weights" && !text && changes.every((each) => each.kind !== kind);
  return again || nothing ? changes : [...changes.slice(0, MOST - 1), change];
}

/** The changes without the last one that concerns any of some systems. @param {Change[]} changes @param {object[]} systems */
export function withoutLast(changes, systems) {
  const last = changes.findLastIndex((change) => systems.some((system) => concerns(change, system)));
  return changes.filter((_, k) => k !== last);
}

/** A change as a word of an address. @param {Change} change */
export function changeAddress({ kind, row, system = "", text = "", weights, pieces }) {
  const name = system.replaceAll("%", "%25").replaceAll(":", "%3A");
  return [kind, `${row}${pieces ? "p" : ""}`, name, kind === "weights" ? weights.join(",") : text].join(":");
}

/** The change that `changeAddress` wrote; null for anything else. @param {string} address @returns {Change | null} */
export function changeFrom(address) {
  const [, kind, number, ofToken, name, rest] = address.match(new RegExp(`^(${KINDS}):(\\d{1,4})(p?):([^:]*):(.*)$`, "su")) ?? [];
  const [row, system] = [Number(number), name?.replaceAll("%3A", ":").replaceAll("%25", "%")];
  if (kind === "weights") {
    const weights = rest.split(",").slice(0, 2000).map((text) => (WEIGHT.test(text) ? Number(text) : NaN));
    const total = weights.reduce((whole, weight) => whole + weight, 0);
    return system && total > 0 && total < Infinity ? { kind, system, row, weights, ...(ofToken && { pieces: true }) } : null;
  }
  const lacking = !kind || ofToken || ((kind === "blocked" || kind === "token") && !rest) || (kind === "token" && !system);
  return lacking ? null : { kind, row, ...(system && { system }), text: rest };
}

/** A pin with its words in ascending order, whatever the order in which they were chosen. @param {import("./pins.js").Pin} pin */
export function sortedPin({ name, target, source }) {
  const [ofTarget, ofSource] = [target, source].map((side) => side.toSorted((a, b) => a - b));
  return { name, target: ofTarget, source: ofSource };
}

/** A pin as a word of an address. @param {import("./pins.js").Pin} pin */
export function pinAddress({ name, target, source }) {
  return [name, target.join("-"), source.join("-")].join(".");
}

/** The pin that `pinAddress` wrote; null for anything else. @param {string | null} address */
export function pinFrom(address) {
  const [, name, ...sides] = address?.match(PIN) ?? [];
  const [target, source] = sides.map((side) => side.split("-").filter(Boolean).map(Number));
  return target?.length || source?.length ? { name, target, source } : null;
}
