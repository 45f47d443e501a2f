// The explanation of a pinned word or cell: in a sentence, with what a reader can change of it, its numbers, and other maps of it.

import { button, describe, make } from "../../charts/js/elements.js";
import { decimals } from "../../charts/js/numbers.js";
import { say } from "../../charts/js/texts.js";
import { END } from "./tokens.js";

const [MOST_OFFERED, LEAST_OFFERED] = [5, 0.005]; // other words; one that would be shown as 0.00 is not offered

/**
 * What a host tells of a pin, as nmt/ui/look/explore/explain.py writes it.
 * @typedef {object} Explanation
 * @property {import("./instrument.js").Pin} pin
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
  const told = pin ? explanation && samePin(explanation.pin, pin) && explanation : { notice: "pin" };
  const built = JSON.stringify([told, open, texts.locale]);
  place.classList.toggle("stale", !told); // another one is on its way
  if (!told || place.dataset.built === built) {
    return;
  }
  place.dataset.built = built;
  const wording = texts.explained;
  const [focused, opened] = [place.getRootNode().activeElement?.dataset?.control, place.querySelector("#numbers")?.open ?? false];
  if (!place.firstChild) {
    place.append(make("p", ""), make("div", "parts"));
    place.firstChild.setAttribute("role", "status");
  }
  const [sentence, parts] = place.children;
  sentence.textContent = told.said ?? wording[told.notice];
  parts.replaceChildren(...(told.notice ? [make("p", "said", wording.alpha)].filter(() => told.notice === "pin") : [
    ...(globalThis.navigator?.clipboard ? [copy(told.said, wording)] : []), // only pages of https, and of this machine, have one
    ...(told.changes ? offers(told, wording, act.change) : []),
    Object.assign(details("numbers", wording.numbers, ...numbers(told, wording)), { open: opened }),
    mapsOf(told, open, texts, host, act),
  ]));
  if (focused) {
    parts.querySelector(`[data-control="${focused}"]`)?.focus({ preventScroll: true });
  }
}

function copy(text, wording) {
  const made = button("switch", wording.copy, () => navigator.clipboard.writeText(text).then(() => {
    made.textContent = wording.copied;
  }));
  made.dataset.control = "copy";
  return made;
}

function samePin(one, other) {
  const written = ({ name, target, source }) => JSON.stringify([name, ...[target, source].map((side) => [...side].toSorted((a, b) => a - b))]);
  return written(one) === written(other);
}

function details(id, title, ...inside) {
  const [place, summary] = [Object.assign(make("details", ""), { id }), make("summary", "", title)];
  summary.dataset.control = id;
  place.append(summary, ...inside);
  return place;
}

/** Buttons for other words, after which the model goes on, and for all attention on the source word. */
function offers({ pin, i, j, token, next, alpha, weights, place }, wording, change) {
  const others = next.filter((each) => each.token !== token && each.token !== END && each.probability >= LEAST_OFFERED);
  const buttons = others.slice(0, MOST_OFFERED).map((each, k) => {
    const made = button("switch", `${each.text} · ${decimals(each.probability, 2)}`, () => {
      change({ kind: "token", row: i, system: pin.name, text: each.token });
    });
    made.dataset.control = `word-${k}`;
    return made;
  });
  const row = make("div", "switches");
  row.append(...buttons);
  const words = buttons.length ? [Object.assign(make("p", "said", wording.other_words), { title: wording.other_words_help }), row] : [];
  if (!weights || !alpha || alpha[j] === Math.max(...alpha)) {
    return words;
  }
  const move = button("switch", say(wording.move, { word: place.source }), () => {
    change({ kind: "weights", row: place.row, system: pin.name, weights });
  });
  move.title = wording.move_help;
  move.dataset.control = "move";
  return [...words, move];
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
  const place = make("table", "");
  const line = (tag, cells) => {
    const made = make("tr", "");
    made.append(...cells.map((cell) => {
      const one = make(tag, "");
      one.append(cell);
      return one;
    }));
    return made;
  };
  place.append(...(heads.length ? [line("th", heads)] : []), ...rows.map((row) => line("td", row)));
  return place;
}

/** A number from 0 to 1 with a bar. */
function bar(value) {
  const place = make("span", "share", decimals(value, 3));
  place.style.setProperty("--share", String(value));
  return place;
}

function histogram(counts, most) {
  const place = describe(make("span", "histogram"), counts.join(", "));
  place.append(...counts.map((count) => {
    const one = make("span", "");
    one.style.setProperty("--share", String(count / most));
    return one;
  }));
  return place;
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
    rings, row_scales: scales, hatched_rows: hatched, marks: { source: words.map(() => null), target: rows.map(() => null) },
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
