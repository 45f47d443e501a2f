// A run at work: a text in, its best translation with alpha out, as a system of a record. No DOM.

import { blockedIn, concerns } from "../../instrument/js/changes.js";
import { UNKNOWN, wordNumbers } from "../../instrument/js/tokens.js";
import { overWords, sum, sumsByWord, withoutEnd } from "../../instrument/js/weights_over_words.js";
import { detokeniserOf } from "./detokeniser.js";
import { Model } from "./native.js";
import { readWeights } from "./safetensors.js";
import { Tokeniser } from "./tokeniser.js";
import { UNK_ID, encodedOutput, vocabularyOf } from "./vocabulary.js";

/** What changes demand of a search; `own`: the model's own weights in place of given ones. @typedef {Partial<import("./native.js").Asked>} Demands */
const FREE = { forced: [], blocked: null, given: [] };

/** A translation, as a system of a record and as ids, with what it followed from. @typedef {{system: object, ids: number[], demands: Demands}} Found */

export class Translator {
  /**
   * @param {object} run one of the runs of the page's data (nmt/page/payload.py)
   * @param {object} shared the page's tokenisers, detokenisers, vocabularies, and structures of the engine
   * @param {Uint8Array} bytes its weights
   * @param {WebAssembly.Module} module what computes
   */
  constructor(run, { tokenisers, detokenisers, vocabularies, structures }, bytes, module) {
    this.run = run;
    this.tokeniser = new Tokeniser(tokenisers[run.source_language]);
    this.detokeniser = detokeniserOf(detokenisers[run.target_language]);
    this.source = vocabularyOf(vocabularies[run.source_vocabulary]);
    this.target = vocabularyOf(vocabularies[run.target_vocabulary]);
    this.model = new Model(module, structures, readWeights(bytes), run);
  }

  /**
   * Translate under the reader's changes, each of which applies to what is written after those before it. Whatever was found
   * for the same sentence and beam is kept, so that one more change takes one search.
   * @param {string} text which is not blank
   * @param {number} beam
   * @param {import("../../instrument/js/changes.js").Change[]} changes
   * @yields {{step: number, longest: number}} before each step, as `Model.search` does
   * @returns {Generator<{step: number, longest: number}, object, void>} a system of a record
   */
  *translate(text, beam, changes = []) {
    const about = JSON.stringify([text, beam]);
    if (this.about !== about) {
      Object.assign(this, { about, known: new Map() });
    }
    let found = null;
    for (let count = 0; count <= changes.length; count += 1) {
      const key = JSON.stringify(changes.slice(0, count));
      if (!this.known.has(key)) {
        const demands = found ? demanded(changes.slice(0, count), found) : FREE;
        this.known.set(key, yield* this.search(text, beam, demands, changes.slice(0, count)));
      }
      found = this.known.get(key);
    }
    return found.system;
  }

  /**
   * log p of each word that another run wrote for a text, as word_scores in nmt/inspection/maps.py.
   * @yields {{step: number, longest: number}} as `translate`
   */
  *wordScores(text, written) {
    const { ids, ...target } = encodedOutput(this.target, written);
    const { system } = yield* this.search(text, 1, { ...FREE, forbidden: [], forced: ids.slice(0, -1), free: 0 }, []);
    return sumsByWord(system.token_log_probabilities, wordNumbers(target)).slice(0, -1);
  }

  /**
   * Search once.
   * @yields {{step: number, longest: number}} as `translate`
   * @returns {Generator<{step: number, longest: number}, Found, void>}
   */
  *search(text, beam, demands, changes) {
    const { name, architecture: kind, target_language: language, search } = this.run;
    const { ids: read, ...source } = this.source.encode(this.tokeniser.tokenise(text));
    const settings = { beam, lengthPenalty: search.length_penalty, forbidden: search.no_unk ? [UNK_ID] : [] };
    const output = yield* this.model.search(read, { ...settings, ...demands });
    const { ids, ...target } = this.target.decode(output.ids);
    const maps = output.alpha ? [{ kind: "alpha", weights: output.alpha }] : [];
    const words = search.replace_unk
      ? withoutUnknown({ source, target, maps }, this.run.dictionary ?? {}) : this.target.words(output.ids);
    const system = {
      name, kind, language, rank: 1, forced: false,
      text: this.detokeniser.detokenise(words),
      source, target,
      log_probability: output.logProbability,
      score: output.score,
      token_log_probabilities: output.tokenLogProbabilities,
      maps, changes,
      search: { beam, length_penalty: search.length_penalty, no_unk: search.no_unk, replace_unk: search.replace_unk },
    };
    return { system, ids, demands };
  }
}

/**
 * What a search is told after one more change. Weights keep all words that stand before theirs; the weight of a word is divided
 * among its tokens as the model's own, as nmt/search/constrained.py does.
 * @param {object[]} changes
 * @param {Found} found what was written before the last of them
 * @returns {Demands}
 */
function demanded(changes, { system, ids, demands }) {
  const change = changes.at(-1);
  const numbers = wordNumbers(system.source);
  if (!concerns(change, system)) {
    return demands;
  }
  if (change.kind === "blocked") {
    const blocked = blockedIn(changes);
    return { ...demands, blocked: numbers.map((word, k) => k < numbers.length - 1 && blocked.has(word)) };
  }
  const step = wordNumbers(system.target).indexOf(change.row);
  if (step < 0 || change.weights.length !== numbers.at(-1) + 1) {
    return demands;
  }
  const own = demands.given.find((row) => row.step === step)?.own ?? system.maps[0].weights[step];
  const given = demands.given.filter((row) => row.step < step);
  return { ...demands, forced: ids.slice(0, step), given: [...given, { step, alpha: divided(change.weights, own, numbers), own }] };
}

/** Weights of words divided among their tokens; rows sum to 1. */
function divided(weights, own, numbers) {
  const [total, sums, tokens] = [sum(weights), sumsByWord(own, numbers), sumsByWord(numbers.map(() => 1), numbers)];
  return numbers.map((word, k) => (weights[word] / total) * (sums[word] > 0 ? own[k] / sums[word] : 1 / tokens[word]));
}

/** The target words, each [UNK] replaced by the dictionary's entry for the most attended source word. */
export function withoutUnknown(system, dictionary) {
  const { source: read, target: words, weights } = withoutEnd(overWords(system));
  return words.map((word, i) => {
    if (!word.includes(UNKNOWN) || !read.length) {
      return word;
    }
    const attended = read[weights[i].indexOf(Math.max(...weights[i]))];
    const entry = Object.hasOwn(dictionary, attended) ? dictionary[attended] : attended;
    return word === UNKNOWN ? entry : word.replaceAll(UNKNOWN, attended);
  });
}
