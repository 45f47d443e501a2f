// From words to ids and back, over a word shortlist or over subwords: nmt/data/vocabularies in JavaScript. No DOM.

import { END, UNKNOWN, WORD_START, spelled } from "../../instrument/js/tokens.js";
import { SubwordModel, surface } from "./subwords.js";

export const END_ID = 0;
export const UNK_ID = 1;

/**
 * A sentence as a model reads or writes it.
 * @typedef {object} Encoded
 * @property {number[]} ids the end-of-sentence token last
 * @property {string[]} tokens
 * @property {number[]} words for each token the number of its word
 * @property {string[]} unknown words that are outside the vocabulary
 */

/** @param {object} given what nmt/page/payload.py gives */
export function vocabularyOf(given) {
  return given.kind === "words" ? new Shortlist(given.words) : new Pieces(given);
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
    this.starts = given.pieces.map((piece) => piece.startsWith(WORD_START));
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
    const words = [];
    ids.forEach((id, k) => {
      const starts = k === 0 || id === END_ID || this.starts[id];
      words.push((words.at(-1) ?? -1) + Number(starts));
    });
    return { ids, tokens: ids.map((id) => this.surfaces[id]), words, unknown: [] };
  }

  words(ids) {
    const words = [];
    for (const id of ids.filter((each) => each !== END_ID)) {
      const starts = this.starts[id];
      const text = starts ? this.surfaces[id].slice(1) : this.surfaces[id];
      if (starts || !words.length) {
        words.push(text);
      } else {
        words[words.length - 1] += text;
      }
    }
    return (this.model.firstByte === -1 ? words : words.map((word) => surface(spelled(word)))).filter(Boolean);
  }
}
