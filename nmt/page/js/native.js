// RNNsearch and RNNencdec at work: nmt/native/engine.c in WebAssembly, which computes a search in Python as well. No DOM.

const BLOCK = 65_536; // bytes by which a memory grows
const PANEL = 64; // outputs of a matrix that lie together
const INTEGERS_FROM = 2 ** 20; // weights of a product that is computed in integers: LEAST_WEIGHTS of nmt/model/kernels.py
const KEPT_WORDS = 2048; // target words whose contributions to the sums are computed once
const PROBLEMS = ["", "memory", "no word has this id", "not a number", "no output"];

/**
 * @typedef {object} Asked
 * @property {number} beam hypotheses kept, finished ones included
 * @property {number} lengthPenalty A: outputs are ranked by log p / T_y^A
 * @property {number[]} forbidden ids that no output may contain
 * @property {number[]} [forced] ids that the output begins with; `free`: how many may follow
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
   * @param {Record<string, Record<string, number>>} structures of engine.c: where each field begins, and its size (nmt.native.places)
   * @param {Map<string, import("./safetensors.js").Matrix | Float64Array>} weights
   * @param {{architecture: "rnnsearch" | "rnnencdec", state_order: "printed" | "program"}} config
   */
  constructor(module, structures, weights, { architecture, state_order: order }) {
    this.structures = structures;
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

  /** Write fields of a structure, addresses and numbers of 64 bits, by name. */
  write(name, at, addresses, numbers) {
    const view = new DataView(this.memory.buffer);
    const placeOf = (field) => {
      if (!(field in this.structures[name])) { // else NaN, and the view would write at 0
        throw new Error(`engine.c has no ${name}.${field}`);
      }
      return at + this.structures[name][field];
    };
    Object.entries(addresses).forEach(([field, value]) => view.setUint32(placeOf(field), value, true));
    Object.entries(numbers).forEach(([field, value]) => view.setBigInt64(placeOf(field), BigInt(value), true));
  }

  /** `Model` of engine.c, as nmt/model/native_steps.py makes it; weights of 8 bits stay so where they can. */
  pack(weights, program) {
    this.model = this.room(this.structures.Model.size);
    const get = (name) => weights.get(name);
    const gates = (unit, letter, count = 3) => ["_z", "_r", ""].slice(0, count).map((gate) => get(`${unit}.${letter}${gate}`));
    const biasesOf = (unit) => gates(unit, "b").flatMap((b) => [...b]);
    const twice = (name) => ({ ...get(name), times: 2 });
    const padded = (values, rest) => this.floats([...values, ...Array.from({ length: -values.length & (PANEL - 1) }, () => rest)]);
    const matrix = (name, parts, { bias = null, rest = 0, number = 0 } = {}) => {
      const rows = parts.reduce((sum, part) => sum + part.rows, 0);
      const at = this.model + this.structures.Model[name] + this.structures.Matrix.size * number;
      const [{ columns: inputs }, outputs] = [parts[0], PANEL * Math.ceil(rows / PANEL)];
      const integers = (rest ? outputs : rows) * inputs >= INTEGERS_FROM;
      const packed = this.room(outputs * (integers ? 4 * Math.ceil(inputs / 4) : 4 * inputs));
      const [scale, biases] = [integers ? this.room(4 * outputs) : 0, bias ? padded(bias, rest) : 0];
      this.write("Matrix", at, { weights: packed, scale, bias: biases }, { inputs, outputs });
      let first = 0;
      for (const { rows: count, values, scales, times = 1 } of parts) {
        const before = this.end;
        this.c.pack(at, BigInt(first), BigInt(count), this.place(values), this.place(scales), times);
        this.end = before;
        first += count;
      }
      return outputs;
    };
    const attention = (...names) => (this.attends ? names.map(twice) : []);
    const units = ["encoder.forward_unit", ...(this.attends ? ["encoder.backward_unit"] : [])];
    matrix("from_state", [...gates("decoder", "U", 2), get("readout.U_o"), ...attention("attention.W_a")]);
    matrix("U", [get("decoder.U")]);
    const ofWords = [...biasesOf("decoder"), ...get("readout.b_t")];
    const wide = matrix("words", [...gates("decoder", "W"), get("readout.V_o")], { bias: ofWords });
    const K = matrix("W_o", [get("readout.W_o")], { bias: get("readout.b_o"), rest: -Infinity });
    matrix("C", [...gates("decoder", "C"), get("readout.C_o")]);
    if (this.attends) {
      matrix("keys", attention("attention.U_a"), { bias: get("attention.b_a").map((value) => 2 * value) });
    }
    matrix("W_s", [get("decoder.W_s")], { bias: get("decoder.b_s") });
    units.forEach((unit, number) => {
      matrix("W", gates(unit, "W"), { bias: biasesOf(unit), number });
      matrix("U_zr", gates(unit, "U", 2), { number });
      matrix("U_", [get(`${unit}.U`)], { number });
    });
    const [E_y, E_x, v] = [get("decoder.E"), get("encoder.E"), this.attends ? get("attention.v_a").map((value) => 2 * value) : []];
    const kept = Math.min(KEPT_WORDS, E_y.rows + 1);
    this.write("Model", this.model, {
      v: padded(v, 0),
      E_y: this.place(E_y.values), E_y_scale: this.place(E_y.scales),
      E_x: this.place(E_x.values), E_x_scale: this.place(E_x.scales),
      table: this.room(4 * kept * wide), known: this.room(kept),
    }, {
      n: get("decoder.U").rows, l: get("readout.W_o").columns, n_a: v.length, m: E_y.columns, K,
      source_size: E_x.rows, target_size: E_y.rows, in_table: kept,
      directions: units.length, attends: this.attends, program,
    });
  }

  /**
   * Find the best output of a sentence, as nmt/search/beam.py does. Whoever runs the search may stop it between two steps,
   * and begin the next one.
   * @param {number[]} ids of the source, the end-of-sentence token last
   * @param {Asked} asked
   * @yields {{step: number, longest: number}} before each step its number, from 1, and the largest possible number of steps
   * @returns {Generator<{step: number, longest: number}, Output, void>}
   */
  *search(ids, { beam, lengthPenalty, forbidden, forced = [], free = 2 * ids.length + 8, blocked = null, given = [] }) {
    this.end = this.kept;
    const [T, most] = [ids.length, forced.length + free + 1]; // what is forced leaves as much room as before
    const penalties = Float64Array.from({ length: most + 2 }, (_, length) => Math.min(length, most) ** lengthPenalty);
    const places = this.structures.Search;
    const [out, values, alpha] = [this.room(8 * most), this.room(8 * most), this.attends ? this.room(4 * most * T) : 0];
    const [at, weights] = [this.room(places.size), this.room(4 * T)];
    this.write("Search", at, {
      model: this.model,
      ids: this.ids(ids), forced: this.ids(forced), banned: this.ids(forbidden),
      penalties: this.place(penalties), blocked: blocked ? this.floats(blocked) : 0, given: weights,
      out, values, alpha,
    }, {
      T, beam, limit: most - 1, forced_count: forced.length, banned_count: forbidden.length, watched: -1, given_step: -1,
    });
    let length = 0;
    for (let step = 1; length === 0; step += 1) {
      yield { step, longest: most };
      const row = given.find((one) => one.step === step - 1);
      if (row) { // the engine has room for one row, and looks at it in each step
        new Float32Array(this.memory.buffer, weights, T).set(row.alpha);
        this.write("Search", at, {}, { given_step: row.step });
      }
      length = Number(this.c.search(at, 1n));
    }
    if (length < 0) {
      throw new Error(PROBLEMS[-length]);
    }
    const { buffer } = this.memory;
    const view = new DataView(buffer);
    return {
      ids: Array.from(new BigInt64Array(buffer, out, length), Number),
      logProbability: view.getFloat64(at + places.log_p, true),
      score: view.getFloat64(at + places.score, true),
      tokenLogProbabilities: [...new Float64Array(buffer, values, length)],
      alpha: alpha ? Array.from({ length }, (_, i) => [...new Float32Array(buffer, alpha + 4 * i * T, T)]) : null,
    };
  }
}
