// RNNsearch and RNNencdec at work: nmt/native/engine.c in WebAssembly, which computes a search in Python as well. No DOM.

const BLOCK = 65_536; // bytes by which a memory grows
const PANEL = 64; // outputs of a matrix that lie together
const INTEGERS_FROM = 2 ** 20; // weights of a product that is computed in integers: LEAST_WEIGHTS of nmt/model/kernels.py
const KEPT_WORDS = 2048; // target words whose contributions to the sums are computed once
const [MATRIX, MODEL, SEARCH] = [32, 536, 184]; // bytes of the structures of engine.c
const [GIVEN_STEP, LOG_P, SCORE] = [96, 104, 112]; // places in a search
const PROBLEMS = ["", "memory", "no word has this id", "not a number", "no output"];

/**
 * @typedef {object} Asked
 * @property {number} beam hypotheses kept, finished ones included
 * @property {number} lengthPenalty A: outputs are ranked by log p / T_y^A
 * @property {number[]} forbidden ids that no output may contain
 * @property {number[]} [forced] ids that the output begins with
 * @property {boolean[]} [blocked] of each word of the source, whether it gets no weight
 * @property {{step: number, alpha: number[]}[]} [given] weights in place of those of some steps, from 0
 */

/**
 * @typedef {object} Output
 * @property {number[]} ids the end-of-sentence token last
 * @property {number} logProbability nats
 * @property {number} score log p / T_y^A
 * @property {number[]} tokenLogProbabilities
 * @property {number[][] | null} alpha a row of weights for each token; null without attention
 */

export class Model {
  /**
   * @param {WebAssembly.Module} module
   * @param {Map<string, import("./safetensors.js").Matrix | Float64Array>} weights
   * @param {{architecture: "rnnsearch" | "rnnencdec", state_order: "printed" | "program"}} config
   */
  constructor(module, weights, { architecture, state_order: order }) {
    this.memory = new WebAssembly.Memory({ initial: 32 });
    const free = (at) => {
      this.end = at || this.end; // what was taken last is always given back first
    };
    const env = { memory: this.memory, log: Math.log, malloc: (bytes) => this.room(bytes), free };
    this.c = new WebAssembly.Instance(module, { env }).exports;
    this.end = this.c.__heap_base.value; // oxlint-disable-line no-underscore-dangle -- the linker's name
    this.attends = architecture === "rnnsearch";
    this.pack(weights, order === "program");
    this.kept = this.end;
  }

  /** The address of so many bytes, which are zeros. */
  room(bytes) {
    const at = 16 * Math.ceil(this.end / 16);
    this.end = at + bytes;
    const missing = this.end - this.memory.buffer.byteLength;
    if (missing > 0) {
      this.memory.grow(Math.ceil(missing / BLOCK));
    }
    new Uint8Array(this.memory.buffer, at, bytes).fill(0);
    return at;
  }

  /** @param {Int8Array | Float32Array | Float64Array | BigInt64Array} values @returns {number} their address */
  place(values) {
    const at = this.room(values.byteLength);
    new values.constructor(this.memory.buffer, at, values.length).set(values);
    return at;
  }

  floats(values) {
    return this.place(Float32Array.from(values));
  }

  ids(values) {
    return this.place(BigInt64Array.from(values, BigInt));
  }

  /** A structure: addresses, and then numbers of 64 bits. */
  write(at, addresses, numbers) {
    const view = new DataView(this.memory.buffer);
    addresses.forEach((value, k) => view.setUint32(at + 4 * k, value, true));
    const from = at + 8 * Math.ceil(addresses.length / 2);
    numbers.forEach((value, k) => view.setBigInt64(from + 8 * k, BigInt(value), true));
  }

  /** `Model` of engine.c, as nmt/model/native_steps.py makes it; weights of 8 bits stay so where they can. */
  pack(weights, program) {
    this.model = this.room(MODEL);
    const get = (name) => weights.get(name);
    const gates = (unit, letter, count = 3) => ["_z", "_r", ""].slice(0, count).map((gate) => get(`${unit}.${letter}${gate}`));
    const biases = (unit) => gates(unit, "b").flatMap((b) => [...b]);
    const twice = (name) => ({ ...get(name), times: 2 });
    const padded = (values, rest) => this.floats([...values, ...Array.from({ length: -values.length & (PANEL - 1) }, () => rest)]);
    let number = 0;
    const matrix = (parts, bias = null, rest = 0) => {
      const rows = parts.reduce((sum, part) => sum + part.rows, 0);
      const [{ columns }, at, outputs] = [parts[0], this.model + MATRIX * number, PANEL * Math.ceil(rows / PANEL)];
      const integers = (rest ? outputs : rows) * columns >= INTEGERS_FROM;
      const packed = this.room(outputs * (integers ? 4 * Math.ceil(columns / 4) : 4 * columns));
      this.write(at, [packed, integers ? this.room(4 * outputs) : 0, 0, bias ? padded(bias, rest) : 0], [columns, outputs]);
      let first = 0;
      for (const { rows: count, values, scales, times = 1 } of parts) {
        const before = this.end;
        this.c.pack(at, BigInt(first), BigInt(count), this.place(values), this.place(scales), times);
        this.end = before;
        first += count;
      }
      number += 1;
      return outputs;
    };
    const attention = (...names) => (this.attends ? names.map(twice) : []);
    const units = ["encoder.forward_unit", ...(this.attends ? ["encoder.backward_unit"] : [])];
    const each = (made) => {
      units.forEach(made);
      number += 2 - units.length;
    };
    matrix([...gates("decoder", "U", 2), get("readout.U_o"), ...attention("attention.W_a")]);
    matrix([get("decoder.U")]);
    const wide = matrix([...gates("decoder", "W"), get("readout.V_o")], [...biases("decoder"), ...get("readout.b_t")]);
    const K = matrix([get("readout.W_o")], get("readout.b_o"), -Infinity);
    matrix([...gates("decoder", "C"), get("readout.C_o")]);
    if (this.attends) {
      matrix(attention("attention.U_a"), get("attention.b_a").map((value) => 2 * value));
    } else {
      number += 1;
    }
    matrix([get("decoder.W_s")], get("decoder.b_s"));
    each((unit) => matrix(gates(unit, "W"), biases(unit)));
    each((unit) => matrix(gates(unit, "U", 2)));
    each((unit) => matrix([get(`${unit}.U`)]));
    const [E_y, E_x, v] = [get("decoder.E"), get("encoder.E"), this.attends ? get("attention.v_a").map((value) => 2 * value) : []];
    const kept = Math.min(KEPT_WORDS, E_y.rows + 1);
    const addresses = [padded(v, 0), this.place(E_y.values), this.place(E_x.values), this.place(E_y.scales), this.place(E_x.scales)];
    const [n, l] = [get("decoder.U").rows, get("readout.W_o").columns];
    const sizes = [n, l, v.length, E_y.columns, K, E_x.rows, E_y.rows, kept, units.length, Number(this.attends), Number(program)];
    this.write(this.model + MATRIX * number, [...addresses, this.room(4 * kept * wide), this.room(kept)], sizes);
  }

  /**
   * Find the best output of a sentence, as nmt/search/beam.py does. Whoever runs the search may stop it between two steps,
   * and begin the next one.
   * @param {number[]} ids of the source, the end-of-sentence token last
   * @param {Asked} asked
   * @yields {{step: number, longest: number}} before each step its number, from 1, and the largest possible number of steps
   * @returns {Generator<{step: number, longest: number}, Output, void>}
   */
  *search(ids, { beam, lengthPenalty, forbidden, forced = [], blocked = null, given = [] }) {
    this.end = this.kept;
    const [T, most] = [ids.length, 2 * (ids.length - 1) + 10 + forced.length + 1]; // what is forced leaves as much room as before
    const penalties = Float64Array.from({ length: most + 2 }, (_, length) => Math.min(length, most) ** lengthPenalty);
    const alpha = this.attends ? this.room(4 * most * T) : 0;
    const found = [this.room(8 * most), this.room(8 * most), alpha];
    const weights = [blocked ? this.floats(blocked) : 0, this.room(4 * T)];
    const addresses = [this.ids(ids), this.ids(forced), this.ids(forbidden), this.place(penalties), ...weights, ...found];
    const at = this.room(SEARCH);
    const numbers = [T, beam, 0, most - 1, forced.length, forbidden.length, -1, -1];
    this.write(at, [this.model, ...addresses], numbers);
    let length = 0;
    for (let step = 1; length === 0; step += 1) {
      yield { step, longest: most };
      const row = given.find((one) => one.step === step - 1);
      if (row) { // the engine has room for one row, and looks at it in each step
        new Float32Array(this.memory.buffer, weights[1], T).set(row.alpha);
        new DataView(this.memory.buffer).setBigInt64(at + GIVEN_STEP, BigInt(row.step), true);
      }
      length = Number(this.c.search(at, 1n));
    }
    if (length < 0) {
      throw new Error(PROBLEMS[-length]);
    }
    const { buffer } = this.memory;
    const view = new DataView(buffer);
    return {
      ids: Array.from(new BigInt64Array(buffer, found[0], length), Number),
      logProbability: view.getFloat64(at + LOG_P, true),
      score: view.getFloat64(at + SCORE, true),
      tokenLogProbabilities: [...new Float64Array(buffer, found[1], length)],
      alpha: alpha ? Array.from({ length }, (_, i) => [...new Float32Array(buffer, alpha + 4 * i * T, T)]) : null,
    };
  }
}
