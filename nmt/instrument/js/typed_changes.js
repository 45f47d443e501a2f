// Changes that are typed: another source, how a translation begins, words that it may not or must have, the weights of a word.
// Fields stay while all else is drawn anew, with the keyboard and what is half typed in them.

import { make, setName } from "../../charts/js/elements.js";
import { decimals } from "../../charts/js/numbers.js";
import { counted, say } from "../../charts/js/texts.js";
import { differenceOf, edits } from "./differences.js";
import { END, oneLine } from "./tokens.js";
import { overWords, sum } from "./weights_over_words.js";

const [MOST_CHARACTERS, MOST_WORDS] = [4000, 200];
const TYPED = ["source", "begin", "without", "word"];

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
  const built = JSON.stringify([kinds, sentence, row && [row.system, row.i, row.word, row.source], texts.locale]);
  if (place.dataset.built !== built) {
    place.dataset.built = built;
    place.replaceChildren(
      ...TYPED.filter((kind) => kinds.includes(kind)).map((kind) => (kind === "word" ? wordFields(texts, change) : (
        field(kind, texts.typed[kind], { maxLength: MOST_CHARACTERS, placeholder: kind === "source" ? sentence : "" }, (text) => {
          change({ kind, row: 0, text: oneLine(text) });
        }, texts.typed[`${kind}_help`])
      ))),
      ...(kinds.includes("weights") ? [row ? weightFields(row, texts, change) : make("p", "said", texts.typed.to_move)] : []),
      ...(kinds.includes("source") && !kinds.includes("begin") ? [make("p", "said", texts.typed.only_source)] : []),
    );
  }
  const values = [...TYPED.map((kind) => [kind, last(kind)?.text ?? ""]), ["position", last("word")?.row || 1]];
  (row?.weights ?? []).forEach((weight, j) => values.push([`weight-${j}`, rounded(weight)]));
  for (const [name, value] of values) {
    const input = place.querySelector(`#typed-${name}`);
    if (input && input.dataset.value !== String(value)) { // else what is half typed stays
      input.value = String(value);
      input.dataset.value = String(value);
    }
  }
}

/** Three decimals, as an address has them. */
function rounded(weight) {
  return Number(weight.toFixed(3));
}

/** A labelled field that tells what was typed; `tell` is also called with the field itself. */
export function field(name, title, more, tell, help = "") {
  const [place, label, input] = [make("div", "field"), make("label", "", title), make("input", "")];
  Object.assign(input, { id: `typed-${name}`, autocomplete: "off", dir: "auto", spellcheck: false, onchange: () => tell(input.value, input), ...more });
  label.setAttribute("for", input.id);
  place.append(label, input);
  if (help) {
    place.append(Object.assign(make("p", "said", help), { id: `${input.id}-help` }));
    input.setAttribute("aria-describedby", `${input.id}-help`);
  }
  return place;
}

function wordFields(texts, change) {
  const place = make("div", "fields");
  const tell = () => {
    const [position, text] = ["position", "word"].map((name) => place.querySelector(`#typed-${name}`).value);
    const row = Math.min(MOST_WORDS, Math.max(1, Math.round(Number(position)) || 1));
    change({ kind: "word", row, text: oneLine(text) });
  };
  place.append(
    field("position", texts.typed.position, { type: "number", min: 1, max: MOST_WORDS, step: 1 }, tell),
    field("word", texts.typed.word, { maxLength: MOST_CHARACTERS }, tell),
  );
  return place;
}

function weightFields({ system, i, word, source }, texts, change) {
  const [place, fields, title] = [make("div", "field"), make("div", "fields"), say(texts.typed.row, { number: i + 1, word })];
  fields.setAttribute("role", "group");
  setName(fields, title);
  const tell = () => {
    const typed = source.map((_, j) => Number(fields.querySelector(`#typed-weight-${j}`).value));
    const weights = typed.map((weight) => (weight > 0 && weight < Infinity ? rounded(weight) : 0));
    if (sum(weights) > 0) {
      change({ kind: "weights", system, row: i, weights });
    }
  };
  fields.append(...source.map((name, j) => field(`weight-${j}`, `${j + 1} ${name}`, { type: "number", min: 0, step: "any" }, tell)));
  place.append(make("p", "", title), fields);
  return place;
}

/** What became of a translation: its words, those that went struck out and those that came marked, and what that cost. */
export function outcome(before, after, texts) {
  const place = make("div", "outcome");
  const line = make("p", "");
  const words = edits(...[before, after].map((system) => overWords(system).target)).filter(({ word }) => word !== END);
  line.append(make("b", "", after.name), " · ");
  for (const { word, before: old, after: now } of words) {
    line.append(make(old === null ? "ins" : now === null ? "del" : "span", "", word), " ");
  }
  const count = words.filter((each) => each.before !== null && each.after !== null).length;
  const kept = counted(texts.typed.kept, count, { count });
  const total = movedWeight(overWords(before), overWords(after));
  const text = total === null ? kept : say(texts.typed.moved, { text: kept, total: decimals(total, 2) });
  const [was, is] = [before, after].map(({ log_probability: logP = null }) => logP);
  const cost = was === null || is === null ? text : say(texts.typed.cost, { now: decimals(is, 2), before: decimals(was, 2), kept: text });
  place.append(line, make("p", "said", cost));
  return place;
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
