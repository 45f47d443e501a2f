// The systems of a record as both views draw them, and what both say of them. Pure functions, no DOM.

import { decimals } from "../../charts/js/numbers.js";
import { languageName, say } from "../../charts/js/texts.js";
import { concerns } from "./changes.js";
import { joined, rightToLeft } from "./tokens.js";
import { sum, withoutEnd } from "./weights_over_words.js";

export const LEFT_OUT = "leave-one-out"; // which says what a word costs, not where a word comes from

/** With whether its reader has a finger in place of a pointer. @typedef {import("./instrument.js").Host & {touch: boolean}} Host */
/**
 * What a host knows of a system, all of it in the reader's language.
 * @typedef {object} About
 * @property {string} [colour]
 * @property {number | null} [trained_to] source words of the longest sentence that it was trained on
 * @property {string} [kind] of the system
 * @property {string} [condition] under which it was written
 * @property {string} [own_text] what it writes without that condition
 * @property {string[]} [notes] on its translation, in place of those that the record gives
 * @property {string} [note] on its map
 * @property {null} [changed] null: no change had an effect on this system, even if it concerns the system
 * @property {string} [kept] how much of several sentences is kept where they are translated as one
 * @property {[string, boolean][]} [alone] words of the sentences one by one, and whether these are lost
 * @property {(number | null)[]} [doubts] for each target word that is probably wrong its probability, else null
 * @property {string} [judge] name of the system that finds it so improbable
 * @property {boolean} [uncertain] whether nothing can be said on the order of its words
 * @property {boolean} [movable] whether its weights can be dragged; as a rule those that it wrote itself
 * @property {object} [panel] properties of its panel that are other than usual
 */

/** A map of a system as the state names it. */
export function mapKey({ kind, layer = null, head = null }) {
  return [kind, layer, head].filter((part) => part !== null).join(".");
}

/** Name of a map of a system: its kind and, of several maps, its layer and head. */
export function mapName({ kind, layer = null, head = null }, texts) {
  const place = [layer === null ? "" : say(texts.layer, { layer }), head === null ? kind === "head" && texts.mean_of_heads : say(texts.head, { head })].filter(Boolean);
  return [texts.maps[kind] ?? kind, ...place].join(", ");
}

/** The best output of each system, as whole as a view needs it: a text without tokens has its words as tokens. */
export function systemsOf({ source, systems }) {
  const words = (text) => ({ tokens: text.split(/\s+/u).filter(Boolean) });
  return systems.filter(({ rank }) => (rank ?? 1) === 1).map((system) => ({
    ...system,
    name: system.name || system.kind || "",
    source: system.source?.tokens?.length ? system.source : words(source.text),
    target: system.target?.tokens?.length ? system.target : words(system.text),
    maps: withMeans(system.maps ?? []),
  }));
}

/** Maps and, behind those of the heads of a layer, their mean. */
function withMeans(maps) {
  const heads = maps.filter(({ kind, layer, head }) => kind === "head" && Number.isInteger(layer) && Number.isInteger(head));
  const means = [...new Set(heads.map(({ layer }) => layer))].flatMap((layer) => {
    const some = heads.filter((one) => one.layer === layer).map(({ weights }) => weights);
    const mean = (i, j) => sum(some.map((weights) => weights[i][j])) / some.length;
    return some.length > 1 ? [{ kind: "head", layer, head: null, weights: some[0].map((row, i) => row.map((_, j) => mean(i, j))) }] : [];
  });
  return [...maps, ...means];
}

/** The map of a system that is drawn: the chosen one, else alpha, else the first. */
export function drawnMap({ maps }, chosen) {
  return maps.find((map) => mapKey(map) === chosen) ?? maps.find(({ kind }) => kind === "alpha") ?? maps[0] ?? null;
}

/** What both views say of a system. */
export function inCommon({ system, map }, record, { texts, changes, about }) {
  const [source, target] = [languageName(texts, record.source.language), languageName(texts, system.language)];
  const named = (template, language) => say(template, { language }).replace(/:\s*$/u, "");
  return {
    title: system.name,
    kind: about[system.name]?.kind ?? texts.kinds[system.kind] ?? system.kind ?? "",
    source_title: named(texts.source, source),
    target_title: named(texts.target, target),
    source_rtl: rightToLeft(joined(system.source)),
    target_rtl: rightToLeft(joined(system.target)),
    movable: map?.kind === "alpha" && changes.includes("weights") && (about[system.name]?.movable ?? true),
  };
}

/** A kind of system with log p, as far as either is known. */
export function withLogP(kind, logP, template) {
  return logP === null ? kind : say(template, { kind, nats: decimals(logP, 2) }).replace(/^[\s·,]+/u, "");
}

/** Whether the reader changed anything in a system. */
export function isChanged(about, changes, system) {
  return about?.changed !== null && (changes ?? []).some((change) => concerns(change, system));
}

/** Number of words of a source, its end mark left out. */
export function sourceWords({ source }) {
  return withoutEnd({ source: joined(source), target: [], weights: null }).source.length;
}
