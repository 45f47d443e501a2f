// Gold links of a sentence: typed, or the first of a file, and how far the links of a map are from them (Och, Ney 2003).

import { isNew, make, put, refill } from "../../charts/js/elements.js";
import { decimals } from "../../charts/js/numbers.js";
import { say } from "../../charts/js/texts.js";
import { table } from "./explanation.js";
import { fits } from "./panels.js";
import { field, setTyped } from "./typed_changes.js";
import { segments } from "./view_controls.js";
import { overWords, withoutEnd } from "./weights_over_words.js";

const [MOST_BYTES, MOST_CHARACTERS] = [1_000_000, 4000];
const LEASTS = Array.from({ length: 100 }, (_, k) => (k + 1) / 100);
const DASHES = ["", "8 4", "2 3", "10 3 2 3", "5 2", "12 4"];

/**
 * Precision, recall and AER of so many links, from 0 to 1; null without a sure gold link, and where gold links number other words.
 * @param {(link: [number, number]) => boolean} linked whether a source word and a target word are linked
 */
export function agreement(gold, system, links, linked) {
  if (!fits(gold, system) || !gold.sure?.length) {
    return null;
  }
  const [wanted, all] = [gold.sure, [...gold.sure, ...gold.possible ?? []]].map((each) => [...new Map(each.map((link) => [String(link), link])).values()]);
  const [sure, possible] = [wanted, all].map((each) => each.filter(linked).length);
  return { links, precision: links && possible / links, recall: sure / wanted.length, aer: 1 - (sure + possible) / (links + wanted.length) };
}

/** The same of the links of at least each of some weights, over whole words without end marks. */
export function ratesOf(system, weights, gold, leasts) {
  const { weights: cells } = withoutEnd(overWords(system, weights));
  return leasts.flatMap((least) => {
    const enough = (weight) => weight >= Math.fround(least);
    const rates = agreement(gold, system, cells.flat().filter(enough).length, ([j, i]) => enough(cells[i][j]));
    return rates ? [{ least, ...rates }] : [];
  });
}

/**
 * Fill an element with the fields, which keep the keyboard and what is half typed, and with the rates.
 * @param {Element} place
 * @param {{asked: {text: string, base: number, said: string}, gold: object | null, maps: object[], least: number, texts: object}} given
 *   asked: the links, the number of the first word, and why they cannot be used; gold: of the record
 * @param {(part: object) => void} choose called with other links, a `file` of them, or another number
 * @param {(said: string) => void} tell called with why a file cannot be read
 * @returns {object | null} the AER over the least weight, as buildFigure takes it
 */
export function fillGold(place, { asked, texts, ...given }, choose, tell) {
  const wording = texts.gold;
  if (isNew(place, [asked.base, texts.locale], "built")) {
    refill(
      place, field("gold", texts.sections.options.gold, { maxLength: MOST_CHARACTERS, placeholder: "0-0 1-2 2p1" }, (text) => choose({ text }), wording.help),
      field("file", wording.file, { type: "file" }, async (unused, { files: [file] }) => {
        if (!file || file.size > MOST_BYTES) {
          return file && tell(wording.too_large);
        }
        const read = async () => new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
        return read().then((text) => choose({ file: text }), () => tell(wording.no_text));
      }),
      segments("base", { title: wording.base, options: { 0: `${wording.base} 0`, 1: `${wording.base} 1` } }, String(asked.base), ({ base }) => choose({ base: Number(base) })),
      put(make("p", "said", ""), { role: "status" }), make("div", "parts"),
    );
  }
  setTyped(place, "gold", asked.text);
  const [said, rates] = [...place.children].slice(-2);
  said.textContent = asked.said || (given.gold && !given.gold.sure.length ? wording.no_sure : "");
  const { shown, figure } = measured(given, texts);
  rates.replaceChildren(...shown);
  return figure;
}

/** A table of the rates at one weight and at the best, and the AER at all as buildFigure takes it. */
function measured({ gold, maps, least }, { gold: wording }) {
  const [curves, rows] = [[], []];
  for (const [k, { name, colour, system, weights }] of maps.entries()) {
    const [at, ...rates] = ratesOf(system, weights, gold, [least, ...LEASTS]);
    if (at) {
      const best = rates.reduce((one, other) => (other.aer < one.aer ? other : one));
      const shares = [at.precision, at.recall, at.aer, best.aer].map((value) => decimals(100 * value, 1));
      rows.push([name, String(at.links), ...shares, decimals(best.least, 2)]);
      curves.push({ name, colour, dash: DASHES[k % DASHES.length], points: rates.map((rate) => [rate.least, 100 * rate.aer]) });
    }
  }
  const figure = { title: wording.curve, spoken: wording.curve, signature: "", x_title: wording.least, x_high: 1, curves, here: { words: least, text: "" } };
  const counts = rows.length && { least: least.toFixed(2), sure: gold.sure.length, possible: gold.possible.length };
  return rows.length ? { shown: [table(wording.columns, rows), make("p", "said", say(wording.rates, counts))], figure } : { shown: [], figure: null };
}
