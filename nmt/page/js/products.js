// The arithmetic of a model over matrices of 8-bit integers, in plain loops. Pure functions, no DOM.

/** @typedef {import("./safetensors.js").Matrix} Matrix */

/**
 * Arithmetic of a model: `loops` below, or what `kernels` (kernels.js) makes, which keeps matrices and vectors in a memory of its own.
 * @typedef {object} Arithmetic
 * @property {(given: Matrix | Float64Array) => any} keep weights, as the others take them; before the first sentence
 * @property {(vectors: Float64Array[]) => any[]} sentence the same for what a sentence contributes, until the next one
 * @property {(W, x: Float64Array, count: number) => Float64Array} product x W^T: each of `count` rows of x times W
 * @property {(v, query: Float64Array, keys, length: number) => Float64Array} energies v^T tanh(query + key) of each key
 * @property {(alpha: Float64Array, rows, width: number) => Float64Array} mean sum_j alpha_j row_j
 * @property {(W, b, x: Float64Array, count: number) => Float32Array} logProbabilities log softmax(W x + b) of each row
 */

/** @type {Arithmetic} */
export const loops = { keep: (given) => given, sentence: (vectors) => vectors, product, energies, mean, logProbabilities };

/** Two rows of the matrix with two of x at a time: a number that is read serves twice, and sums do not wait for one another. */
function product({ values: w, scales, rows, columns }, x, count) {
  const y = new Float64Array(count * rows);
  for (let k = 0; k < count; k += 2) {
    const other = Math.min(k + 1, count - 1);
    const [first, second] = [k * columns, other * columns];
    for (let i = 0; i < rows; i += 2) {
      const next = Math.min(i + 1, rows - 1);
      const [p, q] = [i * columns, next * columns];
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let j = 0; j < columns; j += 1) {
        const u = w[p + j];
        const v = w[q + j];
        a += u * x[first + j];
        b += v * x[first + j];
        c += u * x[second + j];
        d += v * x[second + j];
      }
      y[k * rows + i] = a * scales[i];
      y[k * rows + next] = b * scales[next];
      y[other * rows + i] = c * scales[i];
      y[other * rows + next] = d * scales[next];
    }
  }
  return y;
}

function energies(v, query, keys, length) {
  return Float64Array.from({ length }, (_, j) => {
    let sum = 0;
    for (let a = 0; a < v.length; a += 1) {
      sum += v[a] * Math.tanh(query[a] + keys[j * v.length + a]);
    }
    return sum;
  });
}

function mean(alpha, rows, width) {
  const sums = new Float64Array(width);
  alpha.forEach((weight, j) => {
    for (let i = 0; i < width; i += 1) {
      sums[i] += weight * rows[j * width + i];
    }
  });
  return sums;
}

function logProbabilities(W, b, x, count) {
  const logits = addToRows(product(W, x, count), b);
  const result = new Float32Array(logits.length);
  for (let from = 0; from < logits.length; from += b.length) {
    const logZ = logSumExp(logits.subarray(from, from + b.length));
    for (let at = from; at < from + b.length; at += 1) {
      result[at] = logits[at] - logZ;
    }
  }
  return result;
}

/**
 * Rows of a matrix, such as the embeddings of words; a number below 0 gives a row of zeros.
 * @param {Matrix} matrix
 * @param {number[]} numbers
 * @returns {Float64Array} [numbers, columns]
 */
export function rowsOf({ values, scales, columns }, numbers) {
  const found = new Float64Array(numbers.length * columns);
  numbers.forEach((number, k) => {
    const row = number < 0 ? [] : values.subarray(number * columns, (number + 1) * columns);
    row.forEach((value, j) => {
      found[k * columns + j] = scales[number] * value;
    });
  });
  return found;
}

/**
 * Matrices of equally many columns, one below the other.
 * @param {Matrix[]} matrices
 * @returns {Matrix}
 */
export function stacked(matrices) {
  const rows = matrices.reduce((sum, matrix) => sum + matrix.rows, 0);
  const { columns } = matrices[0];
  const whole = { values: new Int8Array(rows * columns), scales: new Float32Array(rows), rows, columns };
  let row = 0;
  for (const matrix of matrices) {
    whole.values.set(matrix.values, row * columns);
    whole.scales.set(matrix.scales, row);
    row += matrix.rows;
  }
  return whole;
}

/** Vectors one after the other. @param {Float64Array[]} vectors */
export function joinedVectors(vectors) {
  return Float64Array.from(vectors.flatMap((vector) => [...vector]));
}

/** Add a vector to each of the rows, in place. @param {Float64Array} rows @param {Float64Array} vector */
export function addToRows(rows, vector) {
  for (let k = 0; k < rows.length; k += 1) {
    rows[k] += vector[k % vector.length];
  }
  return rows;
}

/** @param {number} x */
export function sigmoid(x) {
  return 1 / (1 + Math.exp(-x));
}

/** Weights that sum to 1. @param {Float64Array} energies */
export function softmax(values) {
  const logZ = logSumExp(values);
  return values.map((value) => Math.exp(value - logZ));
}

/** log of the sum of exponentials, in loops: values may be many. @param {Float64Array} values */
export function logSumExp(values) {
  let most = -Infinity;
  for (let k = 0; k < values.length; k += 1) {
    most = Math.max(most, values[k]);
  }
  let sum = 0;
  for (let k = 0; k < values.length; k += 1) {
    sum += Math.exp(values[k] - most);
  }
  return most + Math.log(sum);
}
