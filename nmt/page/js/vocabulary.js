// From words to ids and back, over a word shortlist or over subwords: nmt/data/vocabularies in JavaScript. No DOM.

import { END, UNKNOWN, WORD_START, joined, readable, spelled } from "../../instrument/js/tokens.js";
import { SubwordModel, surface } from "./subwords.js";

export const END_ID = 0;
export const UNK_ID = 1;
const WORDS = /\n|\u2581*(?:\[\u2581UNK(?:\u2581\])?(?![^\u2581\n])|[^\u2581\n]+)|\u2581+/gu; // see nmt/data/subwords.py

/** A sentence as a model reads or writes it. @typedef {import("../../instrument/js/tokens.js").Tokens & {ids: number[]}} Encoded */

/** @param {object} given what nmt/page/payload.py gives */
export function vocabularyOf(given) {
  return given.kind === "words" ? new Shortlist(given.words) : new Pieces(given);
}

/** An output of any run, as `encode_output` in nmt/inference/text_codec.py: its tokens if they spell the same words here, else its words. */
export function encodedOutput(vocabulary, written) {
  const [words, ids] = [joined(written).slice(0, -1), written.tokens.map((token) => vocabulary.surfaces.indexOf(token))];
  const same = !ids.includes(-1) && vocabulary.words(ids).join("\n") === words.join("\n");
  return same ? vocabulary.decode(ids) : vocabulary.encode(words);
}

class Shortlist {
  constructor(words) {
    this.surfaces = [END, UNKNOWN, ...words];
    this.ids = new Map(words.map((word, k) => [word, k + 2]));
  }

  /** @param {string[]} words @returns {Encoded} */
  encode(words) {
    const ids = words.map((word) => this.ids.get(word) ?? UNK_ID);
    return {
      ids: [...ids, END_ID],
      tokens: [...words, END],
      words: [...words, END].map((_, k) => k),
      unknown: words.filter((_, k) => ids[k] === UNK_ID),
    };
  }

  /** @param {number[]} ids @returns {Encoded} */
  decode(ids) {
    return { ids, tokens: ids.map((id) => this.surfaces[id]), words: ids.map((_, k) => k), unknown: [] };
  }

  /** The words that ids spell. @param {number[]} ids */
  words(ids) {
    return ids.filter((id) => id !== END_ID).map((id) => this.surfaces[id]);
  }
}

class Pieces {
  constructor(given) {
    this.model = new SubwordModel(given);
    this.pieces = given.pieces;
    this.surfaces = [END, UNKNOWN, ...given.pieces.slice(2).map(surface)];
  }

  encode(words) {
    const segmented = words.map((word) => this.model.segment(word));
    const pieces = segmented.flat();
    return {
      ids: [...pieces.map(({ id }) => id), END_ID],
      tokens: [...pieces.map(({ text }) => surface(text)), END],
      words: [...segmented.flatMap((each, k) => each.map(() => k)), words.length],
      unknown: words.filter((_, k) => segmented[k].some(({ id }) => id === UNK_ID)),
    };
  }

  decode(ids) {
    const pieces = ids.map((id) => (id === END_ID ? "\n" : this.pieces[id]));
    const starts = new Set([...pieces.join("").matchAll(WORDS)].map(({ index }) => index));
    const words = [];
    let place = 0;
    for (const piece of pieces) {
      words.push((words.at(-1) ?? -1) + Number(starts.has(place)));
      place += piece.length;
    }
    return { ids, tokens: ids.map((id) => this.surfaces[id]), words, unknown: [] };
  }

  words(ids) {
    const parts = new Map();
    this.decode(ids).words.forEach((number, k) => {
      if (ids[k] !== END_ID) {
        parts.set(number, (parts.get(number) ?? "") + this.pieces[ids[k]]);
      }
    });
    const words = [...parts.values()].map((part) => part.replaceAll(WORD_START, ""));
    return words.map((word) => readable(surface(this.model.firstByte === -1 ? word : spelled(word))));
  }
}
