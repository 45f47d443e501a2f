// A run at work: a text in, its best translation with alpha out. No DOM.

import { detokeniserOf } from "./detokeniser.js";
import { Model } from "./native.js";
import { readWeights } from "./safetensors.js";
import { Tokeniser } from "./tokeniser.js";
import { UNKNOWN, UNK_ID, vocabularyOf, WORD_START } from "./vocabulary.js";
import { overWords, withoutEnd } from "./weights_over_words.js";

/** @typedef {import("./vocabulary.js").Encoded} Encoded */

/**
 * @typedef {object} Translation
 * @property {string} text
 * @property {Encoded} source
 * @property {Encoded} target
 * @property {number} logProbability nats
 * @property {number[]} tokenLogProbabilities
 * @property {number[][] | null} alpha [T_y, T_x]; null without attention
 */

export class Translator {
  /**
   * @param {object} run one of the runs of the page's data (nmt/page/payload.py)
   * @param {object} texts the page's tokenisers, detokenisers and vocabularies
   * @param {Uint8Array} bytes its weights
   * @param {WebAssembly.Module} module what computes
   */
  constructor(run, { tokenisers, detokenisers, vocabularies }, bytes, module) {
    this.run = run;
    this.tokeniser = new Tokeniser(tokenisers[run.source_language]);
    this.detokeniser = detokeniserOf(detokenisers[run.target_language]);
    this.source = vocabularyOf(vocabularies[run.source_vocabulary]);
    this.target = vocabularyOf(vocabularies[run.target_vocabulary]);
    this.model = new Model(module, readWeights(bytes), run);
  }

  /** @param {string} text @returns {Encoded} */
  encode(text) {
    return this.source.encode(this.tokeniser.tokenise(text));
  }

  /**
   * Translate.
   * @param {string} text which is not blank
   * @param {number} beam
   * @yields {{step: number, longest: number}} before each step, as `Model.search` does
   * @returns {Generator<{step: number, longest: number}, Translation, void>}
   */
  *translate(text, beam) {
    const { search } = this.run;
    const source = this.encode(text);
    const settings = { beam, lengthPenalty: search.length_penalty, forbidden: search.no_unk ? [UNK_ID] : [] };
    const output = yield* this.model.search(source.ids, settings);
    const target = this.target.decode(output.ids);
    const { alpha } = output;
    let words = this.target.words(output.ids);
    if (search.replace_unk) {
      words = withoutUnknown({ source, target, alpha }, this.run.dictionary ?? {});
    }
    return {
      text: this.detokeniser.detokenise(words),
      source,
      target,
      logProbability: output.logProbability,
      tokenLogProbabilities: output.tokenLogProbabilities,
      alpha,
    };
  }
}

/** The target words, each [UNK] replaced by the dictionary's entry for the most attended source word. */
export function withoutUnknown({ source, target, alpha }, dictionary) {
  const { source: read, target: words, weights } = withoutEnd(overWords({ source, target, alpha }));
  return words.map((word, i) => {
    if (!word.includes(UNKNOWN) || !read.length) {
      return word;
    }
    const attended = read[weights[i].indexOf(Math.max(...weights[i]))];
    const entry = Object.hasOwn(dictionary, attended) ? dictionary[attended] : attended;
    return word === UNKNOWN ? entry : word.replaceAll(UNKNOWN, attended);
  }).filter((word) => word !== WORD_START); // the mark alone is a word of no letters
}
