// The data of the two views that draw a record: of the ribbons (nmt/charts/ribbons) and of the matrices
// (nmt/charts/alignment_view). Pure functions, no DOM.

import { decimals } from "../../charts/js/numbers.js";
import { blockedIn, concerns, moved } from "./changes.js";
import { crossing } from "./crossing.js";
import { languageName, say } from "../../charts/js/texts.js";
import { UNKNOWN, joined, rightToLeft, wordNumbers } from "./tokens.js";
import { alphaOf, marks, measures, overWords, withoutEnd, wordLogProbabilities } from "./weights_over_words.js";

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"]; // of systems for which the host has none
const LEFT_OUT = "leave-one-out"; // which says what a word costs, not where a word comes from
const PAPER = [[0, 0, 0], [255, 255, 255]]; // Figure 3: 0 black, 1 white
const STAND_IN = [[255, 255, 255], [240, 172, 246], [206, 44, 221], [116, 7, 126]]; // of maps that are not alpha
const SIGNS = { hardly: "∅", often: "+", repeated: "↻" };
const USUAL = { // what every panel has, as Panel in nmt/charts/alignment_view
  condition: "", own_text: "", note: "", is_difference: false, grid: false, hint: "", rings: [], row_scales: null, hatched_rows: [],
  links_shown: [],
};

/**
 * What the instrument was given beside the record.
 * @typedef {object} Host
 * @property {object} texts by name, as view_texts in nmt/texts returns them
 * @property {Record<string, {colour?: string, trained_to?: number | null}>} about what the host knows of a system, by its name
 * @property {Record<string, string>} remarks what to look at, by the sentence
 * @property {string[]} changes kinds of changes that it answers
 */

/** A map of a system as the state names it. */
export function mapKey({ kind, layer = null, head = null }) {
  return [kind, layer, head].filter((part) => part !== null).join(" ");
}

/** Name of a map of a system: its kind and, of several maps, its layer and head. */
export function mapName({ kind, layer = null, head = null }, texts) {
  const place = [layer === null ? "" : say(texts.layer, { layer }), head === null ? "" : say(texts.head, { head })].filter(Boolean);
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
    maps: system.maps ?? [],
  }));
}

/** The map of a system that is drawn: the chosen one, else alpha, else the first. */
function drawnMap({ maps }, chosen) {
  return maps.find((map) => mapKey(map) === chosen) ?? maps.find(({ kind }) => kind === "alpha") ?? maps[0] ?? null;
}

/**
 * The data of both views.
 * @param {object} record
 * @param {object} plain the record before the reader's changes
 * @param {object} state of the instrument
 * @param {Host} host
 * @returns {{systems: object[], panels: object[], shown: object[]}} ribbons, matrices, and the systems of the record whose
 *   matrices these are
 */
export function drawing(record, plain, state, host) {
  const before = systemsOf(plain);
  const systems = systemsOf(record).map((system, number) => ({
    system, number, map: drawnMap(system, state.map), former: before.find(({ name }) => name === system.name) ?? null,
  }));
  const first = systems.find(({ map }) => map)?.number ?? -1;
  const shown = systems.filter(({ map }) => map);
  const ribbons = systems.map((one) => ribbonSystem(one, record, state, host, one.number === first));
  if (ribbons.length) {
    const [{ crossing: found, source, target }] = ribbons;
    const said = found && { here: found.target.map((i) => target[i]).join(" "), there: found.source.map((j) => source[j]).join(" ") };
    const remark = (record === plain && host.remarks[record.source.text]) || (said && say(host.texts.crosses, said));
    ribbons[0].remarks = remark ? [remark] : [];
  }
  return { systems: ribbons, panels: shown.map((one) => mapPanel(one, record, host)), shown: shown.map(({ system }) => system) };
}

/** What both views say of a system. */
function inCommon({ system, map }, record, { texts, changes }) {
  const [source, target] = [languageName(texts, record.source.language), languageName(texts, system.language)];
  const named = (template, language) => say(template, { language }).replace(/:\s*$/u, "");
  return {
    title: system.name,
    kind: texts.kinds[system.kind] ?? system.kind ?? "",
    source_title: named(texts.source, source),
    target_title: named(texts.target, target),
    source_rtl: rightToLeft(joined(system.source)),
    target_rtl: rightToLeft(joined(system.target)),
    movable: map?.kind === "alpha" && changes.includes("weights"),
  };
}

/** One system of the ribbons. */
function ribbonSystem(one, record, state, host, hints) {
  const { system, number, map, former } = one;
  const { texts } = host;
  const weights = map && map.kind !== LEFT_OUT ? map.weights : null;
  const words = withoutEnd(overWords(system, weights));
  const known = inCommon(one, record, host);
  const kind = system.kind === "rnnencdec" ? say(texts.one_vector, known) : system.forced ? say(texts.forced, known) : known.kind;
  const { log_probability: logP = null } = system;
  const alpha = alphaOf(system);
  const said = (state.changes ?? []).filter((change) => concerns(change, system));
  const blocked = blockedIn(said);
  const leavesOut = alpha && host.changes.includes("blocked");
  return {
    ...known,
    kind: withLogP(kind, logP, texts.ribbon_kind),
    colour: host.about[system.name]?.colour ?? COLOURS[number % COLOURS.length],
    ...words,
    weights: words.weights && words.weights.map((row) => {
      const sum = row.reduce((whole, weight) => whole + weight, 0);
      return sum > 1.001 ? row.map((weight) => weight / sum) : row; // links, of which a word may have several
    }),
    text: system.text,
    log_probability: null,
    crossing: alpha && alpha === weights && !system.source.unknown?.length ? crossing(system) : null,
    blocked: leavesOut ? words.source.map((_, j) => blocked.has(j)) : [],
    source_hints: leavesOut ? words.source.map((source, j) => say(blocked.has(j) ? texts.take_back : texts.leave_out, { source })) : [],
    remarks: [],
    hint: hints ? [texts.hint, known.movable ? texts.drag_hint : ""].filter(Boolean).join(" ") : "",
    notes: notes(system, host),
    former: said.length && former ? withoutEnd(overWords(former, null)).target : [],
    changed: said.map((change) => changeSaid(change, system, words, texts)).filter(Boolean).join("; "),
  };
}

/** A kind of system with log p, as far as either is known. */
function withLogP(kind, logP, template) {
  return logP === null ? kind : say(template, { kind, nats: decimals(logP, 2) }).replace(/^[\s·,]+/u, "");
}

/** What the reader changed, as far as it is true of what is written after all changes. */
function changeSaid({ kind, row, text, weights }, system, { source, target }, texts) {
  if (kind === "blocked") {
    return say(texts.without, { source: text });
  }
  const goal = weights.indexOf(Math.max(...weights));
  const now = overWords(system).weights?.[row] ?? [];
  return row < target.length && goal < source.length && now.indexOf(Math.max(...now)) === goal
    ? say(texts.looks, { target: target[row], source: source[goal] }) : "";
}

/** What the reader should know of a translation. */
function notes({ name, source, target, search }, { texts, about }) {
  const said = [];
  if (source.unknown?.length) {
    said.push(say(texts.unknown_words, { mark: UNKNOWN, words: [...new Set(source.unknown)].join(", ") }));
  }
  if (search?.replace_unk && target.tokens.some((token) => token.includes(UNKNOWN))) {
    said.push(say(texts.replaced, { mark: UNKNOWN }));
  }
  const [words, trained] = [sourceWords({ source }), about[name]?.trained_to];
  if (trained && words > trained) {
    said.push(say(texts.longer, { words, trained }));
  }
  return said;
}

/** Number of words of a source, its end mark left out. */
export function sourceWords({ source }) {
  return withoutEnd({ source: joined(source), target: [], weights: null }).source.length;
}

/** The panel of a map, over words, end marks included, with bars and signs if it is alpha. */
function mapPanel(one, record, host) {
  const { system, map } = one;
  const { texts } = host;
  const words = overWords(system, map.weights);
  const alpha = map.kind === "alpha";
  const known = inCommon(one, record, host);
  const measured = alpha && measures(words);
  const signs = alpha ? marks(words) : { source: words.source.map(() => null), target: words.target.map(() => null) };
  const { log_probability: total = null, token_log_probabilities: each } = system;
  const logP = each?.length ? wordLogProbabilities(each, wordNumbers(system.target)) : null;
  const gold = goldOf(record.gold, words);
  const values = mapName(map, texts);
  return {
    ...USUAL,
    ...known,
    ...gold,
    kind: withLogP(known.kind, total, texts.matrix_kind),
    values,
    not_attention: alpha || map.kind === "head" ? "" : say(texts.not_alpha, { values }),
    letter: alpha ? "α" : "w",
    spoken_letter: alpha ? texts.spoken_alpha : values,
    text: system.text || texts.nothing_written,
    ...words,
    bars: alpha ? { source: coverageBars(measured, texts), target: entropyBars(measured, words.source.length, texts) } : null,
    marks: Object.fromEntries(Object.entries(signs).map(([side, found]) => (
      [side, found.map((mark) => mark && { sign: SIGNS[mark], text: texts.marks[mark] })]
    ))),
    signs: {
      words: [...new Set([...signs.source, ...signs.target].filter(Boolean))].map((mark) => `${SIGNS[mark]} ${texts.marks[mark]}`),
      matrix: [
        ...(gold.sure.length ? [texts.sure] : []),
        ...(gold.possible.length ? [texts.possible] : []),
        ...(alpha && measured.elsewhere.some((share, i) => share * measured.entropy[i] > 0) ? [texts.hatched] : []),
      ],
      links: [],
    },
    log_probability: logP,
    said: alpha ? {
      source: measured.coverage.map((value) => say(texts.coverage_of, { value: value.toFixed(2) })),
      target: measured.entropy.map((bits, i) => say(logP ? texts.word_said : texts.entropy_said, {
        nats: logP ? decimals(logP[i], 2) : "", bits: bits.toFixed(2),
      })),
    } : null,
  };
}

/** Gold links as cells [target, source], if they number the words that are shown. */
function goldOf(gold, words) {
  const { source, target } = withoutEnd({ ...words, weights: null });
  const same = (one, other) => one.length === other.length && one.every((word, k) => word === other[k]);
  const fits = gold && same(gold.source, source) && same(gold.target, target);
  const cells = (links) => (fits ? (links ?? []).map(([j, i]) => [i, j]) : []);
  return { sure: cells(gold?.sure), possible: cells(gold?.possible) };
}

function coverageBars({ coverage }, texts) {
  return {
    title: texts.coverage,
    explained: texts.coverage_explained,
    values: coverage,
    most: Math.max(2, ...coverage),
    second: null,
    line: 1,
    texts: coverage.map((value) => say(texts.coverage_of, { value: value.toFixed(2) })),
  };
}

function entropyBars({ entropy, elsewhere }, columns, texts) {
  const most = Math.log2(Math.max(2, columns));
  return {
    title: texts.entropy,
    explained: say(texts.entropy_explained, { most: most.toFixed(1) }),
    values: entropy,
    most,
    second: entropy.map((bits, i) => bits * elsewhere[i]),
    line: 0,
    texts: entropy.map((bits, i) => say(texts.entropy_of, { bits: bits.toFixed(2), share: (100 * elsewhere[i]).toFixed(0) })),
  };
}

/** What the view of matrices is told beside its panels. */
export function viewSettings(texts, large) {
  const scale = (symbol, stops) => ({
    symbol, stops, low: 0, high: 1, transform: "linear", floor: 0.001,
    ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => [value, String(value)]),
    description: say(texts.scale, { symbol }),
  });
  return {
    show: "matrix", transpose: false, layout: "auto", heading: true, most_height: large ? "60vh" : "42rem",
    scale: scale("αᵢⱼ", PAPER), stand_in_scale: scale("wᵢⱼ", STAND_IN), difference_scale: scale("Δαᵢⱼ", PAPER),
  };
}

/** The change that a drag means: weights of a target word, moved from one source word to another. */
export function dragged(system, { i, from, to }) {
  return moved(system.name, i, overWords(system).weights[i], from, to);
}

/** The change that leaves a source word out. */
export function leftOut(system, j) {
  return { kind: "blocked", row: j, text: joined(system.source)[j] };
}
