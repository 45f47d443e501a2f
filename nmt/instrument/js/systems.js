// The systems of a record as both views draw them, and what both say of them. Pure functions, no DOM.

import { decimals } from "../../charts/js/numbers.js";
import { languageName, say } from "../../charts/js/texts.js";
import { concerns } from "./changes.js";
import { joined, rightToLeft } from "./tokens.js";
import { sum, withoutEnd } from "./weights_over_words.js";

export const LEFT_OUT = "leave-one-out"; // which says what a word costs, not where a word comes from

/** With whether its reader has a finger in place of a pointer. @typedef {import("./host.js").Host & {touch: boolean}} Host */
/** @typedef {Record<string, any>} About what a host knows of a system, see `About` in nmt/instrument/__init__.py */

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
