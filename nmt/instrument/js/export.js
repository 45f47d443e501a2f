// What a reader takes away: which panels and in which format. The host makes the file.

import { button, group, make, put, refill } from "../../charts/js/elements.js";
import { say } from "../../charts/js/texts.js";
import { copyButton, table } from "./explanation.js";
import { download } from "./picture.js";
import { segments, select, share } from "./view_controls.js";

const [RIBBONS, EVERYTHING] = ["ribbons:", "*"];
const OPTIONS = { rule: ["argmax-null", "threshold", "mass"], base: ["0", "1"], direction: ["source-target", "target-source"] };
const SHARE = /^(?:1|0?\.[0-9]{1,6})$/u;

/** What is taken away. @typedef {typeof TAKE} Take */
export const TAKE = {
  panel: "", // name of a system or of a difference, "ribbons:NAME", or "*" for everything; "": the first
  format: "", // a name in `forms`; "": the first
  rule: "argmax-null", share: 0.3, base: "0", direction: "source-target", // of links; share: least weight of one, or share of a row
};

/** The choice that parameters of an address mean; what is no value of them is left out. @param {(name: string) => string | null} get */
export function takeFrom(get) {
  const asked = Object.keys(TAKE).map((name) => [name, get(`take-${name}`)]);
  const means = ([name, value]) => value !== null && (name === "share" ? SHARE.test(value) && value >= 0.05 : OPTIONS[name]?.includes(value) ?? true);
  return Object.fromEntries(asked.filter(means).map(([name, value]) => [name, name === "share" ? Number(value) : value]));
}

/**
 * Fill an element with the choices, what they hold, and what became of the file.
 * @param {Element} place
 * @param {object} given
 * @param {Partial<Take>} given.chosen
 * @param {object[]} given.panels that are drawn, see panels.js
 * @param {string[]} given.ribbons names of the systems with ribbons of alpha
 * @param {string[]} given.movable of these, those that can translate other sentences, too
 * @param {Record<string, string>} given.forms formats, and what each holds
 * @param {{name: string, type: string, data: string, notes: string[], codes: [string, string][]} | null} given.taken the file,
 *   in base64, or only why there is none
 * @param {boolean} given.working whether it is being made
 * @param {object} given.texts
 * @param {(part: Partial<Take>) => void} choose
 * @param {(wanted: object) => void} save
 */
export function fillExport(place, { chosen, panels, ribbons, movable, forms, taken, working, texts }, choose, save) {
  const wording = texts.export;
  const drawn = panels.filter(({ weights }) => weights.length);
  const names = [
    ...drawn.map(({ name, title }) => [name, title]), ...ribbons.map((name) => [RIBBONS + name, say(wording.ribbons, { title: name })]),
    ...(drawn.length + ribbons.length > 1 ? [[EVERYTHING, wording.everything]] : []),
  ];
  const take = { ...TAKE, ...chosen };
  const panel = names.some(([name]) => name === take.panel) ? take.panel : names[0]?.[0] ?? EVERYTHING;
  const all = panel === EVERYTHING;
  const compared = drawn.filter((each) => !each.not_attention && !each.is_difference).slice(0, 2);
  const maps = drawn.filter(({ name }) => all || name === panel);
  const one = all ? null : maps[0] ?? null;
  const fits = {
    figure: names.length > 0, page: all || one, table: maps.length > 0, paper: one?.map === "alpha" && movable.includes(panel),
  };
  const kinds = Object.keys(forms).filter((name) => fits[forms[name]] ?? (one && !one.is_difference));
  const format = kinds.includes(take.format) ? take.format : kinds[0];
  const named = (name) => (forms[name] === "paper" ? wording.paper : name);
  const choice = (name, title, options, value) => select(name, title, options, value, choose);

  const wanted = { ...take, base: Number(take.base), format, maps: maps.map(({ name }) => name), ribbons: ribbons.filter((name) => all || panel === RIBBONS + name), compared: compared.map(({ name }) => name) };
  const go = put(button("go", say(wording.save, { format: named(format) }), () => save(wanted)), { "data-control": "save" });
  const notes = { page: wording.page, paper: say(wording.paper_means, { name: panel }) }[forms[format]];
  if (!place.firstChild) { // the line that is read aloud stays
    place.append(make("div", "parts"), put(make("p", "said"), { role: "status" }), make("div", "parts"));
  }
  const [controls, status, more] = place.children;
  const done = working ? null : taken;
  const again = done?.data ? [button("link", say(wording.saved, { name: done.name }), () => give(done))] : [];
  status.replaceChildren(...(working ? [wording.working] : []), ...again, ...(done?.notes ?? []).map((note) => ` ${note}`));
  const row = make(
    "div", "row", names.length ? choice("panel", wording.panel, names, panel) : make("p", "said", wording.nothing),
    choice("format", wording.format, kinds.map((name) => [name, named(name)]), format),
  );
  refill(controls, row, ...(["links", "both"].includes(forms[format]) ? linkChoices(take, wording, choose) : []), notes && make("p", "said", notes), go);
  more.replaceChildren(...(done?.codes ?? []).map(([title, text]) => code(title, text, texts)), ...(forms[format] === "table" ? maps.map(tableOf) : []));
}

function linkChoices({ rule, base, direction, share: least }, wording, choose) {
  const one = (name, value) => segments(name, { title: wording[name], options: Object.fromEntries(OPTIONS[name].map((text) => [text, text])) }, value, choose);
  return [one("rule", rule), share("share", wording.share, 0.05, least, choose), one("base", base), one("direction", direction)].map((made) => {
    const title = made.getAttribute("aria-label");
    return make("div", "choice", title && make("span", "", title), made);
  });
}

/** Give the reader a file that a host made, unless it says why there is none. */
export function give({ data, type, name }) {
  if (data) {
    download(new Blob([Uint8Array.from(atob(data), (letter) => letter.codePointAt(0))], { type }), name);
  }
}

/** A text to be copied. */
function code(title, text, { export: wording, explained }) {
  return make("div", "code", make("p", "said", title), make("pre", "", text), copyButton(text, wording.copy, explained.copied));
}

/** The weights of a panel as a table. */
function tableOf({ title, source, target, weights }) {
  const made = table(["", ...source.map((word, j) => `${j + 1} ${word}`)], weights.map((row, i) => [`${i + 1} ${target[i]}`, ...row.map((weight) => weight.toFixed(3))]));
  return put(group(make("div", "parts", make("p", "said", title), made), title), { tabindex: 0 });
}
