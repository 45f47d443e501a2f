// Changes that are typed: another source, how a translation begins, words that it may not have, the weights of a word.
// Fields stay while all else is drawn anew, with the keyboard and what is half typed in them.

import { group, isNew, make, put } from "../../charts/js/elements.js";
import { decimals } from "../../charts/js/numbers.js";
import { counted, say } from "../../charts/js/texts.js";
import { differenceOf, edits } from "./differences.js";
import { END, oneLine } from "./tokens.js";
import { overWords, sum } from "./weights_over_words.js";

export const MOST_CHARACTERS = 4000;
const TYPED = ["source", "begin", "without"];

/**
 * Fill an element with the fields, or give its fields their values.
 * @param {Element} place
 * @param {object} given
 * @param {import("./changes.js").Change[]} given.changes
 * @param {string[]} given.kinds that the host answers
 * @param {string} given.sentence
 * @param {{system: string, i: number, word: string, source: string[], weights: number[]} | null} given.row the pinned word
 * @param {object} given.texts
 * @param {(change: import("./changes.js").Change) => void} change
 */
export function fillTyped(place, { changes, kinds, sentence, row, texts }, change) {
  const last = (name) => changes.findLast(({ kind }) => kind === name);
  if (isNew(place, [kinds, sentence, row && [row.system, row.i, row.word, row.source], texts.locale], "built")) {
    place.replaceChildren(
      ...TYPED.filter((kind) => kinds.includes(kind)).map((kind) => (
        field(kind, texts.typed[kind], { maxLength: MOST_CHARACTERS, placeholder: kind === "source" ? sentence : "" }, (text) => {
          change({ kind, row: 0, text: oneLine(text) });
        }, texts.typed[`${kind}_help`])
      )),
      ...(kinds.includes("source") && kinds.includes("blocked") ? [make("p", "said", texts.typed.in_picture)] : []),
      ...(kinds.includes("weights") ? [row ? weightFields(row, texts, change) : make("p", "said", texts.typed.to_move)] : []),
      ...(kinds.includes("source") && !kinds.includes("begin") ? [make("p", "said", texts.typed.only_source)] : []),
    );
  }
  const values = TYPED.map((kind) => [kind, last(kind)?.text ?? ""]);
  (row?.weights ?? []).forEach((weight, j) => values.push([`weight-${j}`, rounded(weight)]));
  values.forEach(([name, value]) => setTyped(place, name, String(value)));
}

/** Give a field, if there is one of this name, its value; one that it was given before leaves what is half typed. */
export function setTyped(place, name, value) {
  const input = place.querySelector(`#typed-${name}`);
  if (input && input.dataset.value !== value) {
    input.value = input.dataset.value = value;
  }
}

/** Three decimals, as an address has them. */
function rounded(weight) {
  return Number(weight.toFixed(3));
}

/** A labelled field that tells what was typed; `tell` is also called with the field itself. */
export function field(name, title, more, tell, help = "") {
  const [id, input] = [`typed-${name}`, make("input", "")];
  Object.assign(input, { id, autocomplete: "off", dir: "auto", spellcheck: false, onchange: () => tell(input.value, input), ...more });
  put(input, help ? { "aria-describedby": `${id}-help` } : {});
  return make("div", "field", put(make("label", "", title), { for: id }), input, help && put(make("p", "said", help), { id: `${id}-help` }));
}

function weightFields({ system, i, word, source }, texts, change) {
  const title = say(texts.typed.row, { number: i + 1, word });
  const tell = () => {
    const typed = source.map((_, j) => Number(fields.querySelector(`#typed-weight-${j}`).value));
    const weights = typed.map((weight) => (weight > 0 && weight < Infinity ? rounded(weight) : 0));
    if (sum(weights) > 0) {
      change({ kind: "weights", system, row: i, weights });
    }
  };
  const inputs = source.map((name, j) => field(`weight-${j}`, `${j + 1} ${name}`, { type: "number", min: 0, step: "any" }, tell));
  const fields = group(make("div", "fields", ...inputs), title);
  return make("div", "field", make("p", "", title), fields);
}

/** What became of a translation: its words, those that went struck out and those that came marked, and what that cost. */
export function outcome(before, after, texts) {
  const words = edits(...[before, after].map((system) => overWords(system).target)).filter(({ word }) => word !== END);
  const line = make("p", "", make("b", "", after.name), " · ", ...words.flatMap(({ word, before: old, after: now }) => (
    [make(old === null ? "ins" : now === null ? "del" : "span", "", word), " "]
  )));
  const count = words.filter((each) => each.before !== null && each.after !== null).length;
  const kept = counted(texts.typed.kept, count, { count });
  const total = movedWeight(overWords(before), overWords(after));
  const text = total === null ? kept : say(texts.typed.moved, { text: kept, total: decimals(total, 2) });
  const [was, is] = [before, after].map(({ log_probability: logP = null }) => logP);
  const cost = was === null || is === null ? text : say(texts.typed.cost, { now: decimals(is, 2), before: decimals(was, 2), kept: text });
  return make("div", "outcome", line, make("p", "said", cost));
}

/** How much of the weight between words of both translations went elsewhere; null without attention in either. */
export function movedWeight(before, after) {
  if (!before.weights || !after.weights) {
    return null;
  }
  const { source, target, delta } = differenceOf(before, after);
  const both = (edit) => edit.before !== null && edit.after !== null;
  return sum(delta.flatMap((row, i) => (both(target[i]) ? row.filter((_, j) => both(source[j])).map(Math.abs) : []))) / 2;
}
