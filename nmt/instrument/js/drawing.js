// A record as data of the two views that draw it: the ribbons (nmt/charts/ribbons) and the matrices
// (nmt/charts/alignment_view). Pure functions, no DOM.

import { counted, say } from "../../charts/js/texts.js";
import { blockedIn, concerns, isReordered, moved, readAfter } from "./changes.js";
import { crossing } from "./crossing.js";
import { panelsOf } from "./panels.js";
import { hasPieces, unitsOf } from "./restricted.js";
import { LEFT_OUT, drawnMap, inCommon, isChanged, sourceWords, systemsOf, withLogP } from "./systems.js";
import { END, UNKNOWN, WORD_START, inOrder, joined, spells, unspaced, wordNumbers } from "./tokens.js";
import { alphaOf, overWords, sum, sumsByWord, withoutEnd } from "./weights_over_words.js";

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"]; // of systems for which the host has none

/**
 * The data of both views.
 * @param {object} record
 * @param {object} plain the record before the reader's changes
 * @param {object} state of the instrument
 * @param {import("./systems.js").Host} given
 * @returns {{systems: object[], panels: object[]}} ribbons and matrices. A panel has beside its data the `name` of its system and
 *   `from`, the numbers of its rows and columns among all words or tokens
 */
export function drawing(record, plain, state, given) {
  const before = systemsOf(plain);
  const host = state.seen === "before" ? { ...given, about: given.about_before ?? given.about } : given;
  const shown = systemsOf(state.seen === "before" ? plain : record);
  const { sentence: read, changes } = readAfter(record.source.text, state.seen === "before" ? [] : state.changes ?? []);
  const systems = shown.map((system, number) => {
    const said = changes.filter((change) => concerns(change, system));
    const former = before.find(({ name }) => name === system.name) ?? null;
    return { system, number, map: drawnMap(system, state.view?.map), former, read, said, blocked: blockedIn(said) };
  });
  const first = systems.find(({ map }) => map && map.kind !== LEFT_OUT)?.number ?? -1;
  const ribbons = systems.map((one) => ribbonSystem(one, record, state, host, one.number === first));
  if (ribbons.length) {
    const [{ crossing: found, source, target }] = ribbons;
    const said = found && { here: found.target.map((i) => target[i]).join(" "), there: found.source.map((j) => source[j]).join(" ") };
    const lesson = (!state.changes?.length || state.seen === "before") && host.remarks[record.source.text];
    ribbons[0].remarks = [lesson || (said && say(host.texts.crosses, said)), ...ribbons[0].remarks].filter(Boolean);
  }
  return { systems: ribbons, panels: panelsOf(systems, record, state, host) };
}

/** One system of the ribbons. */
function ribbonSystem(one, record, state, host, hints) {
  const { system, number, map, former, read, said, blocked } = one;
  const { texts } = host;
  const about = host.about[system.name] ?? {};
  const weights = map && map.kind !== LEFT_OUT ? map.weights : null;
  const words = withoutEnd(overWords(system, weights));
  const known = inCommon(one, record, host);
  const { log_probability: logP = null, token_log_probabilities: each } = system;
  const alpha = alphaOf(system);
  const before = state.seen === "before";
  const leavesOut = alpha && host.changes.includes("blocked") && (about.movable ?? !system.forced);
  const orders = !system.forced && host.changes.includes("source") && spells(read, words.source);
  const offered = hints ? { pin: true, weights: known.movable, source: orders, blocked: leavesOut } : {};
  const given = system.forced && !about.condition ? texts.forced : "{kind}";
  const kind = say(system.kind === "rnnencdec" ? texts.one_vector : given, known);
  const rewritten = !before && former && isChanged(about, state.changes, system);
  return {
    ...known,
    language: system.language ?? "",
    kind: [about.kind ? kind : withLogP(kind, logP, texts.with_log_p), about.condition].filter(Boolean).join(" · "),
    colour: about.colour ?? COLOURS[number % COLOURS.length],
    ...words,
    source_close: unspaced(read, words.source),
    reorderable: orders,
    target_close: unspaced(system.text, words.target),
    weights: words.weights && words.weights.map((row) => {
      const whole = sum(row);
      return whole > 1.001 ? row.map((weight) => weight / whole) : row; // links, of which a word may have several
    }),
    text: system.text,
    log_probability: each?.length ? sumsByWord(each, wordNumbers(system.target)).slice(0, words.target.length) : null,
    crossing: alpha && alpha === weights && !system.source.unknown?.length && !about.uncertain ? crossing(system) : null,
    blocked: leavesOut ? words.source.map((_, j) => blocked.has(j)) : [],
    source_hints: leavesOut ? words.source.map((source, j) => (
      [say(blocked.has(j) ? texts.take_back : texts.leave_out, { source }), ...(orders ? [texts.order_hint] : [])].join("\n")
    )) : [],
    ...doubted(rewritten ? {} : about, texts),
    hint: Object.entries(host.touch ? texts.tap_hints : texts.hints).filter(([act]) => offered[act]).map(([, text]) => text).join(" "),
    notes: about.notes ?? notes(system, host),
    former: rewritten ? withoutEnd(overWords(former, null)).target : [],
    former_text: rewritten ? former.text : "",
    changed: before || about.changed === null ? ""
      : said.map((change) => changeSaid(change, system, former, words, record.source.text, texts)).filter(Boolean).join(" "),
    kept: rewritten || before ? "" : about.kept ?? "",
    alone: about.alone ?? [],
  };
}

/** What a change did, as far as it is true of what is written after all changes, else "". @param {object} [former] system before all of them */
function changeSaid({ kind, row, text = "", weights = [], pieces }, system, former, words, sentence, texts) {
  const { source, target } = pieces ? { source: system.source.tokens, target: system.target.tokens } : words;
  const [bare, largest] = [(some) => some.replaceAll(/\s+/gu, ""), (values) => values.indexOf(Math.max(...values))];
  const [own, alpha, goal] = [former?.target.tokens[row], kind === "weights" && alphaOf(system), largest(weights)];
  const spelled = (token) => (token === END || token.startsWith(WORD_START) || !hasPieces(system) ? token.replace(WORD_START, "") : `·${token}`);
  const is = {
    source: text,
    begin: text && bare(system.text).startsWith(bare(text)),
    without: text && text.split(/\s+/u).every((word) => !system.text.split(/\s+/u).includes(word)),
    word: text && words.target[row - 1] === text,
    token: own && system.target.tokens[row] === text,
    blocked: true,
    weights: alpha && row < target.length && goal < source.length && largest(unitsOf(system, alpha, pieces).weights[row]) === goal,
  };
  const said = texts.changed[kind === "source" && isReordered(text, sentence) ? "reordered" : kind];
  const word = kind === "token" ? spelled(text) : target[row];
  return is[kind] ? say(said, { name: system.name, text, number: row, word, source: source[goal], own: spelled(own ?? "") }) : "";
}

/** Which words another system doubts, and what is said of them. @param {import("./systems.js").About} about */
function doubted({ judge: name, doubts = [] }, texts) {
  const count = doubts.filter((p) => p !== null).length;
  const said = (p) => p !== null && say(texts.doubt, { name, probability: Math.max(p, 0.0001).toFixed(4) });
  return { doubts: doubts.map(said), remarks: count ? [counted(texts.doubted, count, {})] : [] };
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

/** The change that a drag means: weights of a target word, or token, moved from one source word to another. */
export function dragged(system, { i, from, to }, pieces = false) {
  return moved(system.name, i, unitsOf(system, alphaOf(system), pieces).weights[i], from, to);
}

/**
 * The changes that put the source words of a system into another order; what was left out stays left out.
 * @param {object} drawn of the ribbons
 * @param {number[]} order
 * @param {object[]} changes made before
 */
export function reordered({ source, source_close: close }, order, changes) {
  const left = readAfter("", changes).changes.filter(({ kind }) => kind === "blocked");
  const stay = left.map((change) => ({ ...change, row: order.indexOf(change.row) }));
  return [{ kind: "source", row: 0, text: inOrder(source, close, order) }, ...stay];
}

/** The change that leaves a source word out. */
export function leftOut(system, j) {
  return { kind: "blocked", row: j, text: joined(system.source)[j] };
}
