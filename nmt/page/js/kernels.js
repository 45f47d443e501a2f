// The arithmetic of a model in WebAssembly (nmt/page/kernels.c), for a browser that has it. No DOM.

const PAGE = 65_536; // bytes

/** @param {Uint8Array} bytes of the module @returns {import("./products.js").Arithmetic} throws where the browser cannot run it */
export function kernels(bytes) {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports: c } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  let [weights, end] = [null, PAGE]; // where weights end, and all that is in the memory; the first page is the module's
  const numbers = (at, length) => new Float32Array(memory.buffer, at, length);

  /** The address of room for so many numbers of 32 bits. */
  function room(length) {
    const at = end;
    end += 16 * Math.ceil(length / 4);
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) {
      memory.grow(Math.ceil(missing / PAGE));
    }
    return at;
  }

  function place(values, Type = Float32Array) {
    const at = room(Math.ceil((values.length * Type.BYTES_PER_ELEMENT) / 4));
    new Type(memory.buffer, at, values.length).set(values);
    return at;
  }

  /** To be called before the first sentence is placed. */
  function keep(given) {
    return given.scales ? { ...given, at: place(given.values, Int8Array), scalesAt: place(given.scales) } : place(given);
  }

  function sentence(vectors) {
    end = weights ??= end;
    return vectors.map((vector) => place(vector));
  }

  /** Let something be computed, and forget what was placed for it. */
  const forgetting = (compute) => (...given) => {
    const before = end;
    const result = compute(...given);
    end = before;
    return result;
  };

  function multiply({ at, scalesAt, rows, columns }, x, count) {
    const [from, y] = [place(x), room(count * rows)];
    c.product(at, scalesAt, rows, columns, from, count, y, room(count * columns), room(count));
    return y;
  }

  return {
    keep,
    sentence,
    product: forgetting((W, x, count) => new Float64Array(numbers(multiply(W, x, count), count * W.rows))),
    energies: forgetting((v, query, keys, length) => {
      const [from, found] = [place(query), room(length)];
      c.energies(v, from, keys, length, query.length, found);
      return new Float64Array(numbers(found, length));
    }),
    mean: forgetting((alpha, rows, width) => {
      const [from, found] = [place(alpha), room(width)];
      c.mean(from, rows, alpha.length, width, found);
      return numbers(found, width).slice();
    }),
    logProbabilities: forgetting((W, b, x, count) => {
      const y = multiply(W, x, count);
      c.log_softmax(y, b, count, W.rows);
      return numbers(y, count * W.rows).slice();
    }),
  };
}
