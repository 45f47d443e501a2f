// The gated hidden unit (A.1.1 of the paper): z = sigma(..), r = sigma(..), h = (1 - z) h + z tanh(.. + U [r h]). No DOM.

import { addToRows, joinedVectors, product, sigmoid, stacked } from "./products.js";

/** @typedef {import("./safetensors.js").Matrix} Matrix */

/** The weights of a unit, gates first: those of words, of the state, and the biases. */
export class GatedUnit {
  /**
   * @param {Map<string, Matrix | Float64Array>} weights
   * @param {string} name such as "encoder.forward_unit"
   */
  constructor(weights, name) {
    const gates = ["_z", "_r", ""];
    const all = (letter) => gates.map((gate) => weights.get(`${name}.${letter}${gate}`));
    this.W = stacked(all("W"));
    this.b = joinedVectors(all("b"));
    this.recurrent = stacked(all("U").slice(0, 2)); // U_z, U_r
    this.U = weights.get(`${name}.U`);
    this.size = this.U.rows;
  }

  /** W e + b for the sums of gates and candidate. @param {Float64Array} e [count, m] @returns {Float64Array} [count, 3n] */
  fromWords(e, count) {
    return addToRows(product(this.W, e, count), this.b);
  }

  /**
   * The next states.
   * @param {Float64Array} h [count, n]
   * @param {Float64Array} sums contributions of word and context to gates and candidate, rows of `width`, 3n of which count
   * @param {Float64Array} fromState U_z h and U_r h, [count, 2n]
   */
  update(h, sums, fromState, count, width = 3 * this.size) {
    const n = this.size;
    const after = new Float64Array(count * n);
    const reset = new Float64Array(count * n); // r * h
    for (let k = 0; k < count; k += 1) {
      for (let i = 0; i < n; i += 1) {
        after[k * n + i] = sigmoid(sums[k * width + i] + fromState[k * 2 * n + i]); // z
        reset[k * n + i] = sigmoid(sums[k * width + n + i] + fromState[k * 2 * n + n + i]) * h[k * n + i];
      }
    }
    const candidate = product(this.U, reset, count);
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
    const sums = this.fromWords(e, count);
    const states = Array.from({ length: count });
    let h = new Float64Array(this.size);
    for (let step = 0; step < count; step += 1) {
      const t = reverse ? count - 1 - step : step;
      const width = 3 * this.size;
      h = this.update(h, sums.subarray(t * width, (t + 1) * width), product(this.recurrent, h, 1), 1);
      states[t] = h;
    }
    return states;
  }
}
