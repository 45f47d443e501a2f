// The explanation of a pinned word or cell: in a sentence, with its numbers, and other maps of it; and other words in its place.

import { control, describe, isNew, make, put, refill, setName, shareOf } from "../../charts/js/elements.js";
import { decimals } from "../../charts/js/numbers.js";
import { say } from "../../charts/js/texts.js";
import { pinAddress, sortedPin } from "./changes.js";
import { END, oneLine } from "./tokens.js";
import { MOST_CHARACTERS } from "./typed_changes.js";

const [MOST_OFFERED, LEAST_SHOWN] = [5, 0.005]; // words; a smaller probability would be shown as 0.00

/**
 * What a host tells of a pin, as nmt/instrument/explanation.py writes it.
 * @typedef {object} Explanation
 * @property {import("./pins.js").Pin} pin
 * @property {string} [notice] name of the text that says why there is none; all else is missing then
 * @property {string} said in a sentence
 * @property {number} i the target token, and `token` itself
 * @property {number} j the source token, of `source`
 * @property {number[] | null} alpha of the row, with its `energies`; null without attention
 * @property {{token: string, text: string, probability: number, without: number | null}[]} next the most probable tokens at this step
 * @property {boolean} changes whether it can be changed; `weights` of the word at `place`, all of them moved there
 * @property {object | null} maps what other maps say of the word: none for a given target, null before anybody asked
 */

/**
 * Fill an element with an explanation, unless it has it.
 * @param {Element} place
 * @param {{explanation: Explanation | null, pin: object | null, open: boolean, texts: object, styles: object | null, scales: object | null}} given
 *   open: whether the other maps are
 * @param {{change: Function, see: Function, mount: Function}} act
 */
export function fillExplanation(place, { explanation, pin, open, texts, ...host }, act) {
  const told = pin ? explanationOf(pin, explanation) : { notice: "pin" };
  place.classList.toggle("stale", !told); // another one is on its way
  if (!told || !isNew(place, [told, open, texts.locale], "built")) {
    return;
  }
  const wording = texts.explained;
  const opened = place.querySelector("#numbers")?.open ?? false;
  if (!place.firstChild) {
    place.append(put(make("p", ""), { role: "status" }), make("div", "parts"));
  }
  const [sentence, parts] = place.children;
  sentence.textContent = told.said ?? wording[told.notice];
  refill(parts, ...(told.notice ? [told.notice === "pin" && make("p", "said", wording.alpha)] : [
    copyButton(told.said, wording.copy, wording.copied),
    told.changes && moveButton(told, wording, act.change),
    Object.assign(details("numbers", wording.numbers, ...numbers(told, wording)), { open: opened }),
    mapsOf(told, open, texts, host, act),
  ]));
}

/** A button that copies a text; false where a page has no clipboard: only those of https, and of this machine, have one. */
export function copyButton(text, title, copied) {
  const made = control("copy", title, () => navigator.clipboard.writeText(text).then(() => {
    made.textContent = copied;
  }));
  return Boolean(globalThis.navigator?.clipboard) && made;
}

function details(id, title, ...inside) {
  return put(make("details", "", put(make("summary", "", title), { "data-control": id }), ...inside), { id });
}

/** The explanation if it is that of a pin, else null. */
function explanationOf(pin, explanation) {
  return explanation && pinAddress(sortedPin(explanation.pin)) === pinAddress(sortedPin(pin)) ? explanation : null;
}

/**
 * Offer the most probable words in the place of a pinned one of the target, with which the model goes on, and a field for any
 * other. In the place of a source word there is the field alone.
 * @param {Element} place
 * @param {{explanation: Explanation | null, pin: object, word: string, number: number, texts: object, changeTo: (text: string) => object}} given
 *   number: of the word, from 1; changeTo: the change that puts a text in its place
 */
export function fillWords(place, { explanation, pin, word, number, changeTo, texts: { explained: wording } }, change) {
  const ofTarget = pin.target.length > 0;
  const told = ofTarget && explanationOf(pin, explanation);
  place.hidden = Boolean(told && !told.changes); // nobody can change it
  if (!place.firstChild) {
    place.append(make("span", "said"), make("div", "switches"), make("div", "field", make("input", "")));
  }
  const [title, words, { firstChild: field }] = place.children;
  title.textContent = ofTarget ? wording.other_words : "";
  put(place, { title: ofTarget ? wording.other_words_help : "" });
  if (isNew(place, [pin.name, ofTarget, number, word])) {
    field.value = "";
  }
  put(field, { placeholder: ofTarget ? wording.other_word : wording.replace_with, autocomplete: "off", dir: "auto", spellcheck: false, maxlength: MOST_CHARACTERS });
  setName(field, say(wording.in_place_of, { word }));
  field.onchange = () => field.value.trim() && change(changeTo(oneLine(field.value)));
  refill(words, ...(told?.next ?? []).filter(({ token }) => token !== END).slice(0, MOST_OFFERED).map(({ token, text, probability }, k) => {
    const p = probability < LEAST_SHOWN ? `<${decimals(0.01, 2)}` : decimals(probability, 2);
    const press = () => token !== told.token && change({ kind: "token", row: told.i, system: pin.name, text: token });
    return put(control(`word-${k}`, `${text} · ${p}`, press), { "aria-pressed": token === told.token });
  }));
}

/** A button for all attention on the source word; false where that has most of it. */
function moveButton({ pin, j, alpha, weights, place }, wording, change) {
  const move = () => change({ kind: "weights", row: place.row, system: pin.name, weights });
  return Boolean(weights && alpha) && alpha[j] < Math.max(...alpha) && put(control("move", say(wording.move, { word: place.source }), move), { title: wording.move_help });
}

/** The numbers: of the cell, the row, the next words and the gates. */
function numbers({ alpha, energies, j, norms, source, next, taken, gates }, wording) {
  const facts = [
    ...(alpha ? [["αᵢⱼ", decimals(alpha[j], 3), wording.weight], ["eᵢⱼ", decimals(energies[j], 2), wording.energy]] : []),
    ["‖sᵢ₋₁‖", decimals(norms.state, 2), wording.state], ["‖cᵢ‖", decimals(norms.context, 2), wording.context],
    ...(norms.annotation === null ? [] : [["‖hⱼ‖", decimals(norms.annotation, 2), wording.annotation]]),
  ];
  const row = source.map((word, k) => [`${k + 1} ${word}`, decimals(energies?.[k] ?? 0, 2), bar(alpha?.[k] ?? 0)]);
  const most = Math.max(1, ...gates.flatMap(({ units }) => units));
  return [
    table([], facts),
    alpha ? table([wording.source, `eᵢⱼ (${wording.before_softmax})`, "αᵢⱼ"], row) : make("p", "said", wording.no_energies),
    table([wording.next, wording.p, ...(taken ? [say(wording.without, { words: taken })] : [])], next.map((each) => (
      [each.token, bar(each.probability), ...(taken ? [bar(each.without ?? 0)] : [])]
    ))),
    make("p", "said", wording.next_words),
    table([wording.gate, wording.mean, wording.units], gates.map(({ name, mean, units }) => [name, decimals(mean, 3), histogram(units, most)])),
    make("p", "said", wording.gates),
  ];
}

/** A table of texts and elements. @param {(string | Element)[]} heads none for a table without @param {(string | Element)[][]} rows */
export function table(heads, rows) {
  const line = (tag, cells) => make("tr", "", ...cells.map((cell) => {
    const one = make(tag, "");
    one.append(cell);
    return one;
  }));
  return make("table", "", heads.length > 0 && line("th", heads), ...rows.map((row) => line("td", row)));
}

/** A number from 0 to 1 with a bar. */
function bar(value) {
  return shareOf(make("span", "share", decimals(value, 3)), value);
}

function histogram(counts, most) {
  return describe(make("span", "histogram", ...counts.map((count) => shareOf(make("span", ""), count / most))), counts.join(", "));
}

/** What alpha and other maps say of the word, which is computed when a reader opens it. */
function mapsOf({ pin, maps }, open, texts, host, { see, mount }) {
  const inside = make("div", "");
  const place = Object.assign(details("maps-of-word", texts.explained.maps, inside), { open });
  place.ontoggle = () => place.open !== open && see({ maps: place.open });
  if (!open || !maps) {
    return place;
  }
  if (!maps.rows) {
    inside.append(make("p", "said", texts.explained.maps_of_typed));
    return place;
  }
  const { word, words, rows, names, scales, hatched, lacking } = maps;
  const { explained } = texts;
  const goals = rows.map((row) => row.indexOf(Math.max(...row)));
  const rings = goals.flatMap((goal, k) => (goal === goals[0] ? [] : [[k, goal]]));
  const others = rings.map(([k, goal]) => say(explained.map_at, { map: names[k], place: words[goal] }));
  const said = { word, map: names[0], place: words[goals[0]], others: new Intl.ListFormat(texts.locale).format(others) };
  const title = say(explained.maps_title, { name: pin.name, word });
  const panel = {
    values: explained.maps_values, letter: explained.letter, spoken_letter: explained.letter, target_title: explained.maps_axis,
    rings, row_scales: scales, hatched_rows: hatched, marks: { source: [], target: [] },
    signs: {
      words: [], links: [],
      matrix: [...(rings.length ? [say(explained.maps_ring, { map: names[0] })] : []), ...(hatched.length ? [explained.hatched_row] : [])],
    },
  };
  const system = { name: title, text: "", source: { tokens: words }, target: { tokens: names }, maps: [{ kind: "alpha", weights: rows }] };
  const picture = make("div", "");
  inside.append(
    make("p", "", say(rings.length ? explained.maps_disagree : explained.maps_agree, said)), picture,
    make("p", "said", explained.maps_about), ...(lacking ? [make("p", "said", explained.maps_left_out)] : []),
  );
  const record = { format: 1, source: { text: words.join(" ") }, systems: [system] };
  mount(picture, record, { ...host, texts, parts: "matrices", state: { view: { bars: false } }, about: { [title]: { kind: "", panel } } });
  return place;
}
