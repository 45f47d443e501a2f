// RNNsearch and RNNencdec one target word at a time, with the paper's letters; the equations are those of
// nmt/model/steps.py, which this is tested against. No DOM.
//
// As there, what the annotations contribute to all sums of a step, C h_j, is computed once a sentence, and so is U_a h_j.

import { addToRows, joinedVectors, loops, rowsOf, sigmoid, softmax, stacked } from "./products.js";

/** @typedef {import("./safetensors.js").Matrix} Matrix */

/**
 * A search over one sentence with k hypotheses.
 * @typedef {object} State
 * @property {Float64Array} s decoder states [k, n]
 * @property {Float64Array | null} context contribution of the last context [k, 3n + 2l]; null before the first step
 */

/**
 * What a sentence contributes to each step.
 * @typedef {object} Source
 * @property {number} length T_x
 * @property {Float64Array} memory C h_j, [T_x, 3n + 2l]; of RNNencdec C c, [1, 3n + 2l]
 * @property {Float64Array | null} keys U_a h_j + b_a, [T_x, n_a]; null without attention
 */

export class Model {
  /**
   * @param {Map<string, Matrix | Float64Array>} weights
   * @param {{architecture: "rnnsearch" | "rnnencdec", state_order: "printed" | "program"}} config
   * @param {import("./products.js").Arithmetic} arithmetic
   */
  constructor(weights, { architecture, state_order: stateOrder }, arithmetic = loops) {
    const kept = (name) => arithmetic.keep(weights.get(name));
    this.arithmetic = arithmetic;
    this.product = arithmetic.product;
    this.attends = architecture === "rnnsearch";
    this.wordFirst = stateOrder === "program"; // the state sees y_{i-1} before the step, not after it
    this.sourceWords = weights.get("encoder.E");
    this.forward = new GatedUnit(weights, "encoder.forward_unit", arithmetic);
    this.backward = this.attends ? new GatedUnit(weights, "encoder.backward_unit", arithmetic) : null;
    this.targetWords = weights.get("decoder.E");
    this.unit = new GatedUnit(weights, "decoder", arithmetic);
    this.W_s = kept("decoder.W_s");
    this.b_s = weights.get("decoder.b_s");
    const C = ["decoder.C_z", "decoder.C_r", "decoder.C", "readout.C_o"].map((name) => weights.get(name));
    this.C = arithmetic.keep(stacked(C));
    this.fromWord = arithmetic.keep(stacked([this.unit.W, weights.get("readout.V_o")]));
    this.fromWordBias = joinedVectors([this.unit.b, weights.get("readout.b_t")]);
    const attention = this.attends ? [weights.get("attention.W_a")] : [];
    this.fromState = arithmetic.keep(stacked([this.unit.recurrent, weights.get("readout.U_o"), ...attention]));
    if (this.attends) {
      this.U_a = kept("attention.U_a");
      this.b_a = weights.get("attention.b_a");
      this.v_a = kept("attention.v_a");
    }
    this.W_o = kept("readout.W_o");
    this.b_o = kept("readout.b_o");
    this.n = this.unit.size;
    this.l = this.W_o.columns;
    this.words = this.W_o.rows;
  }

  /**
   * Read a sentence.
   * @param {number[]} ids the end-of-sentence token last
   * @returns {{source: Source, state: State}}
   */
  start(ids) {
    const length = ids.length;
    const e = rowsOf(this.sourceWords, ids);
    const forward = this.forward.scan(e, length, false);
    if (!this.backward) {
      const c = forward[length - 1];
      return { source: { length, memory: this.product(this.C, c, 1), keys: null }, state: this.first(c) };
    }
    const backward = this.backward.scan(e, length, true);
    const annotations = joinedVectors(forward.flatMap((h, j) => [h, backward[j]]));
    const sums = [this.product(this.C, annotations, length), addToRows(this.product(this.U_a, annotations, length), this.b_a)];
    const [memory, keys] = this.arithmetic.sentence(sums);
    return { source: { length, memory, keys }, state: this.first(backward[0]) };
  }

  /** s_0 = tanh(W_s h + b_s). */
  first(h) {
    return { s: addToRows(this.product(this.W_s, h, 1), this.b_s).map(Math.tanh), context: null };
  }

  /**
   * One step of k hypotheses.
   * @param {Source} source
   * @param {State} state
   * @param {number[]} previous y_{i-1} of each, -1 for y_0
   * @returns {{logProbabilities: Float32Array, alpha: Float64Array[] | null, state: State}} log p [k, K_y] in nats;
   *   alpha of each hypothesis [T_x]
   */
  step(source, state, previous) {
    const [k, n, l] = [previous.length, this.n, this.l];
    const width = 3 * n + 2 * l;
    const sums = addToRows(this.product(this.fromWord, rowsOf(this.targetWords, previous), k), this.fromWordBias);
    let { s } = state;
    if (this.wordFirst && state.context) {
      const before = sums.map((value, at) => value + state.context[at]);
      s = this.unit.update(s, before, this.product(this.unit.recurrent, s, k), k, width);
    }
    const fromState = this.product(this.fromState, s, k); // U_z s, U_r s, U_o s, W_a s
    const alpha = this.attends ? this.alpha(source, fromState, k) : null;
    const context = this.context(source, alpha, k);
    for (let at = 0; at < sums.length; at += 1) {
      sums[at] += context[at];
    }
    const t = this.maxout(sums, fromState, k);
    s = this.wordFirst ? s : this.unit.update(s, sums, fromState, k, width);
    return { logProbabilities: this.arithmetic.logProbabilities(this.W_o, this.b_o, t, k), alpha, state: { s, context } };
  }

  /** alpha of each hypothesis: softmax over j of v_a^T tanh(W_a s + U_a h_j + b_a). Equations 5 and 6. */
  alpha({ length, keys }, fromState, k) {
    const wide = this.fromState.rows;
    return Array.from({ length: k }, (_, row) => {
      const query = fromState.subarray((row + 1) * wide - this.b_a.length, (row + 1) * wide);
      return softmax(this.arithmetic.energies(this.v_a, query, keys, length));
    });
  }

  /** What c_i contributes: sum_j alpha_ij C h_j, [k, 3n + 2l]. */
  context({ memory }, alpha, k) {
    const width = 3 * this.n + 2 * this.l;
    const context = new Float64Array(k * width);
    for (let row = 0; row < k; row += 1) {
      context.set(alpha ? this.arithmetic.mean(alpha[row], memory, width) : memory, row * width);
    }
    return context;
  }

  /** t_i: the larger of each pair of the deep output's sums, [k, l]. Appendix A.2.2. */
  maxout(sums, fromState, k) {
    const [n, l, wide] = [this.n, this.l, this.fromState.rows];
    const t = new Float64Array(k * l);
    for (let row = 0; row < k; row += 1) {
      const [x, u] = [row * (3 * n + 2 * l) + 3 * n, row * wide + 2 * n];
      for (let i = 0; i < l; i += 1) {
        t[row * l + i] = Math.max(sums[x + 2 * i] + fromState[u + 2 * i], sums[x + 2 * i + 1] + fromState[u + 2 * i + 1]);
      }
    }
    return t;
  }

  /** Keep hypotheses, by number. @param {State} state @param {number[]} rows @returns {State} */
  select({ s, context }, rows) {
    const picked = (values, width) => {
      const found = new Float64Array(rows.length * width);
      rows.forEach((row, k) => found.set(values.subarray(row * width, (row + 1) * width), k * width));
      return found;
    };
    return { s: picked(s, this.n), context: picked(context, 3 * this.n + 2 * this.l) };
  }
}

// The gated hidden unit (A.1.1 of the paper): z = sigma(..), r = sigma(..), h = (1 - z) h + z tanh(.. + U [r h]).

/** The weights of a unit, gates first: those of words, of the state, and the biases. */
class GatedUnit {
  /**
   * @param {Map<string, Matrix | Float64Array>} weights
   * @param {string} name such as "encoder.forward_unit"
   */
  constructor(weights, name, arithmetic) {
    this.product = arithmetic.product;
    const gates = ["_z", "_r", ""];
    const all = (letter) => gates.map((gate) => weights.get(`${name}.${letter}${gate}`));
    this.W = arithmetic.keep(stacked(all("W")));
    this.b = joinedVectors(all("b"));
    this.recurrent = arithmetic.keep(stacked(all("U").slice(0, 2))); // U_z, U_r
    this.U = arithmetic.keep(weights.get(`${name}.U`));
    this.size = this.U.rows;
  }

  /**
   * The next states.
   * @param {Float64Array} h [count, n]
   * @param {Float64Array} sums contributions of word and context to gates and candidate, rows of `width`, 3n of which count
   * @param {Float64Array} fromState U_z h and U_r h, the first 2n numbers of each of its rows
   */
  update(h, sums, fromState, count, width = 3 * this.size) {
    const [n, wide] = [this.size, fromState.length / count];
    const after = new Float64Array(count * n);
    const reset = new Float64Array(count * n); // r * h
    for (let k = 0; k < count; k += 1) {
      for (let i = 0; i < n; i += 1) {
        after[k * n + i] = sigmoid(sums[k * width + i] + fromState[k * wide + i]); // z
        reset[k * n + i] = sigmoid(sums[k * width + n + i] + fromState[k * wide + n + i]) * h[k * n + i];
      }
    }
    const candidate = this.product(this.U, reset, count);
    for (let k = 0; k < count; k += 1) {
      for (let i = 0; i < n; i += 1) {
        const at = k * n + i;
        after[at] = h[at] + after[at] * (Math.tanh(sums[k * width + 2 * n + i] + candidate[at]) - h[at]);
      }
    }
    return after;
  }

  /**
   * States after each word of a sentence, in the order of the words.
   * @param {Float64Array} e [T, m]
   * @param {boolean} reverse from the last word to the first
   * @returns {Float64Array[]} T states [n]
   */
  scan(e, count, reverse) {
    const sums = addToRows(this.product(this.W, e, count), this.b); // of gates and candidate, [T, 3n]
    const states = Array.from({ length: count });
    let h = new Float64Array(this.size);
    for (let step = 0; step < count; step += 1) {
      const t = reverse ? count - 1 - step : step;
      const width = 3 * this.size;
      h = this.update(h, sums.subarray(t * width), this.product(this.recurrent, h, 1), 1);
      states[t] = h;
    }
    return states;
  }
}
