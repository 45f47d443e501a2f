// The maps of a record as panels of the view of matrices (nmt/charts/alignment_view). Pure functions, no DOM.

import { decimals } from "../../charts/js/numbers.js";
import { say } from "../../charts/js/texts.js";
import { differenceOf } from "./differences.js";
import { linksOf, restricted, unitsOf } from "./restricted.js";
import { LEFT_OUT, drawnMap, inCommon, isChanged, mapName, systemsOf, withLogP } from "./systems.js";
import { END, joined, wordNumbers } from "./tokens.js";
import { marks, measures, sum, sumsByWord, withoutEnd } from "./weights_over_words.js";

const SIGNS = { hardly: "∅", often: "+", repeated: "↻" };
const OF_ATTENTION = ["alpha", "weights", "head", "links"]; // maps that nobody takes for something else
export const DIFFERENCE = "difference"; // name of the panel of two systems' difference
const LEAST_DIFFERENCE = 0.05; // of a link in it
const INK = { stops: [[255, 255, 255], [0, 114, 178], [0, 67, 107]], dark: [[27, 37, 48], [0, 114, 178], [132, 199, 238]] }; // the blue of the ribbons
const STAND_IN = { // of maps that are not alpha
  stops: [[255, 255, 255], [240, 172, 246], [206, 44, 221], [116, 7, 126]], dark: [[27, 37, 48], [116, 7, 126], [206, 44, 221], [240, 172, 246]],
};
const USUAL = { // what every panel has, see buildPanel in nmt/charts/alignment_view/js/panel.js
  condition: "", own_text: "", note: "", is_difference: false, hint: "", rings: [], row_scales: null, hatched_rows: [],
  links_shown: [], sure: [], possible: [], bars: null, said: null, log_probability: null, text: "", not_attention: "",
  marks: { source: [], target: [] }, signs: { words: [], matrix: [], links: [] },
};

/** How maps are shown. @typedef {typeof VIEW} View */
export const VIEW = {
  show: "matrix", // or "links" or "both"
  scale: "ink", // name of a colour scale that the host has
  layout: "auto", // of the links; or "horizontal" or "vertical"
  by: "threshold", least: 0.2, // which links are drawn, see linksOf
  bars: false, // coverage and entropy beside the matrix
  end: true, punctuation: true, // whether the end mark and punctuation are shown
  pieces: false, // tokens, not words
  transposed: false, // target words on top
  around: true, // several languages around one source
  map: "", // of a system that has several, as mapKey names it; "": the usual one
};

/**
 * The panels of all maps that are drawn, or of how they changed.
 * @param {{system: object, number: number, map: object | null, former: object | null, blocked: Set<number>}[]} systems see drawing.js
 */
export function panelsOf(systems, record, state, host) {
  const view = { ...VIEW, ...state.view };
  const other = state.seen === "same" ? host.same && systemsOf(host.same) : null;
  if (state.seen === "change" || other) {
    const title = other ? host.texts.new_source : host.texts.after_minus_before;
    return systems.flatMap(({ system, map, former, number }) => {
      const now = other ? other.find(({ name }) => name === system.name) : system;
      const changed = isChanged(host.about[system.name], state.changes, system);
      const two = map && former && now && changed && [former, now].map((one) => drawnMap(one, view.map));
      if (!two || !two.every(Boolean)) {
        return [];
      }
      const panels = [former, now].map((one, k) => mapPanel({ system: one, map: two[k], number, blocked: new Set() }, record, view, host));
      return [changePanel(...panels, system.name, say(host.texts.change_of, { name: system.name, change: title }), view, host)];
    });
  }
  const panels = systems.filter(({ map }) => map).map((one) => mapPanel(one, record, view, host));
  const [one, two] = host.difference ? panels.filter((panel) => !panel.not_attention) : [];
  return two ? [...panels, differencePanel(one, two, view, host)] : panels;
}

/** The panel of a map, over words or tokens, with bars and signs. */
function mapPanel(one, record, view, host) {
  const { system, map, blocked } = one;
  const { texts } = host;
  const about = host.about[system.name] ?? {};
  const shown = restricted(unitsOf(system, map.weights, view.pieces), view);
  const { source, target, weights } = shown;
  const known = inCommon(one, record, host);
  const measured = measures(shown);
  const found = map.kind === "links" ? null : marks(shown);
  const effect = map.kind === LEFT_OUT;
  const named = (mark) => mark && { sign: SIGNS[mark], text: (effect && texts.of_effect[mark]) || texts.marks[mark] };
  const signs = Object.fromEntries(Object.entries({ source, target }).map(([side, words]) => (
    [side, words.map((_, k) => (found && !(side === "source" && blocked.has(shown.words.source[k])) ? named(found[side][k]) : null))]
  )));
  const { log_probability: total = null } = system;
  const logP = rowProbabilities(system, shown, view);
  const gold = goldOf(record.gold, system, shown);
  const values = mapName(map, texts);
  const kind = about.kind ? known.kind : withLogP(known.kind, total, texts.with_log_p);
  return {
    ...USUAL,
    ...known,
    ...gold,
    name: system.name,
    map: map.kind,
    from: shown.from,
    kind,
    condition: about.condition ?? "",
    own_text: about.own_text ?? "",
    note: [about.note, effect && system.kind === "rnnencdec" ? texts.stand_in_note : "", restrictionNote(shown, view, texts)].filter(Boolean).join(" "),
    hint: host.parts === "matrices" ? null : "", // the ribbons say how to point
    values,
    not_attention: OF_ATTENTION.includes(map.kind) ? "" : say(texts.not_alpha, { values }),
    letter: texts.letters[map.kind] ?? "w",
    spoken_letter: texts.spoken[map.kind] ?? values,
    text: system.text || (target.some((word) => word !== END) ? "" : texts.nothing_written),
    source,
    target,
    weights,
    bars: view.bars ? { source: coverageBars(measured, texts), target: entropyBars(measured, source.length, texts) } : null,
    marks: signs,
    signs: {
      words: [...new Set([...signs.source, ...signs.target].filter(Boolean).map(({ sign, text }) => `${sign} ${text}`))],
      matrix: [
        ...goldSigns(gold, texts.frame, texts),
        ...(view.bars && measured.elsewhere.some((share, i) => share * measured.entropy[i] > 0) ? [texts.hatched] : []),
      ],
      links: goldSigns(gold, texts.line, texts),
    },
    links_shown: view.show === "matrix" ? [] : linksOf(weights, view.by, view.least).map(([i, j]) => [i, j, weights[i][j]]),
    log_probability: logP,
    said: {
      source: measured.coverage.map((value) => say(texts.coverage_of, { value: value.toFixed(2) })),
      target: measured.entropy.map((bits, i) => say(logP ? texts.word_said : texts.entropy_said, {
        nats: logP ? decimals(logP[i], 2) : "", bits: bits.toFixed(2),
      })),
    },
    ...about.panel,
  };
}

/** log p of each row that is shown; null where it is unknown. */
function rowProbabilities({ token_log_probabilities: each, target }, shown, { pieces }) {
  if (!each?.length) {
    return null;
  }
  const values = pieces ? each : sumsByWord(each, wordNumbers(target));
  return shown.from.target.map((i) => values[i]);
}

/** What was left out of a map, and what that does to its rows. */
function restrictionNote({ empty }, { end, punctuation }, texts) {
  if (end && punctuation) {
    return "";
  }
  const without = texts.without_rows[end ? "punctuation" : punctuation ? "end" : "both"];
  const divided = say(texts.divided, { without });
  return [divided, empty === 1 ? texts.one_empty : empty ? say(texts.empty, { rows: empty }) : ""].filter(Boolean).join(" ");
}

function goldSigns({ sure, possible }, place, texts) {
  return [...(sure.length ? [say(texts.sure, { place })] : []), ...(possible.length ? [say(texts.possible, { place })] : [])];
}

/** The second panel's map minus the first's, whose words must be the same. */
function differencePanel(first, second, view, host) {
  const { texts } = host;
  const same = (side) => first[side].length === second[side].length && first[side].every((word, k) => word === second[side][k]);
  const title = say(texts.difference_of, { first: first.title, second: second.title });
  if (same("source") && same("target")) {
    return { ...ofDifference(first, second, title, view, texts), name: DIFFERENCE };
  }
  const nothing = { source: [], target: [], weights: [] };
  const note = same("source") ? texts.other_targets : texts.other_sources;
  return { ...ofDifference(first, first, title, view, texts), ...nothing, kind: "", note, links_shown: [], name: DIFFERENCE };
}

/** How a map changed; words that only one of the two has are marked. */
function changePanel(before, now, name, title, view, { texts }) {
  const panel = ofDifference(before, now, title, view, texts);
  const sign = ({ before: first, after }) => (
    first === null ? { sign: "+", text: texts.only_after } : after === null ? { sign: "−", text: texts.only_before } : null
  );
  const marked = Object.fromEntries(["source", "target"].map((side) => [side, panel.edits[side].map(sign)]));
  const words = [...new Set([...marked.source, ...marked.target].filter(Boolean).map((mark) => `${mark.sign} ${mark.text}`))];
  const effect = before.map === LEFT_OUT ? { not_attention: texts.no_difference_of_attention, note: texts.stand_in_note } : {};
  return { ...panel, ...effect, marks: marked, signs: { ...panel.signs, words }, name };
}

function ofDifference(first, second, title, view, texts) {
  const { source, target, delta, divergence } = differenceOf(first, second);
  const known = divergence.filter((bits) => bits !== null);
  const least = Math.max(view.least, LEAST_DIFFERENCE);
  const ofAlpha = first.map === "alpha" && second.map === "alpha";
  const links = delta.flatMap((row, i) => row.flatMap((value, j) => (Math.abs(value) >= least ? [[i, j, value]] : [])));
  return {
    ...USUAL,
    title,
    map: DIFFERENCE,
    from: { source: source.map((_, j) => j), target: target.map((_, i) => i) },
    edits: { source, target },
    kind: known.length ? say(texts.mean_divergence, { bits: (sum(known) / known.length).toFixed(3) }) : "",
    values: ofAlpha ? texts.difference_values : say(texts.difference_with, { values: first.values }),
    letter: ofAlpha ? texts.difference_letter : "Δ",
    spoken_letter: texts.difference_spoken,
    ...Object.fromEntries(["source_title", "target_title", "source_rtl", "target_rtl"].map((name) => [name, first[name]])),
    source: source.map(({ word }) => word),
    target: target.map(({ word }) => word),
    weights: delta,
    is_difference: true,
    movable: false,
    links_shown: view.show === "matrix" ? [] : links,
    said: {
      source: source.map(() => ""),
      target: divergence.map((bits) => (bits === null ? "" : say(texts.divergence, { bits: bits.toFixed(3) }))),
    },
  };
}

/** Whether gold links number the words of a system. */
export function fits(gold, system) {
  const words = withoutEnd({ source: joined(system.source), target: joined(system.target), weights: null });
  const same = (one, other) => one.length === other.length && one.every((word, k) => word === other[k]);
  return Boolean(gold) && same(gold.source, words.source) && same(gold.target, words.target);
}

/** Gold links as cells [row, column] of what is shown, if they number the words of a system. */
function goldOf(gold, system, shown) {
  const counted = fits(gold, system);
  const places = (side, word) => shown.words[side].flatMap((number, k) => (number === word ? [k] : []));
  const cells = (links) => (counted ? links ?? [] : []).flatMap(([x, y]) => (
    places("target", y).flatMap((i) => places("source", x).map((j) => [i, j]))
  ));
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

/** What the view of matrices is told beside its panels. The scale of maps that are not attention has the name of these maps. */
export function viewSettings({ texts, large, scales = null, height = "" }, chosen = {}, panels = []) {
  const { show, scale, layout, transposed } = { ...VIEW, ...chosen };
  const own = (symbol, colours) => ({
    symbol, ...colours, low: 0, high: 1, transform: "linear", floor: 0.001,
    ticks: [0, 0.25, 0.5, 0.75, 1].map((value) => [value, String(value)]),
    description: say(texts.scale, { symbol }),
  });
  const drawn = scales?.[scale] ?? own("αᵢⱼ", INK);
  const difference = scales?.difference ?? own("Δαᵢⱼ", INK);
  const others = new Set(panels.filter((panel) => panel.not_attention && !panel.is_difference).map((panel) => panel.values));
  const usual = scales?.["stand-in"] ?? own("wᵢⱼ", STAND_IN);
  const symbol = [...others].join(", ") || usual.symbol;
  const { transform, ticks, floor, ...said } = drawn.transform === "linear" ? usual : drawn;
  return {
    show, layout, transpose: transposed, heading: true, most_height: height || (large ? "60vh" : "42rem"),
    scale: drawn, difference_scale: difference, stand_in_scale: { ...usual, symbol, transform, ticks, floor, description: said.description.replace(said.symbol, symbol) },
  };
}
