// Products of a matrix of 8-bit integers with several rows of numbers at once, in plain loops. Pure functions, no DOM.

/** @typedef {import("./safetensors.js").Matrix} Matrix */

const TOGETHER = 5; // rows that share one pass over the matrix

/**
 * x W^T: each of the rows of x times the matrix.
 * @param {Matrix} matrix W, [rows_W, columns_W]
 * @param {Float64Array} x [count, columns_W]
 * @param {number} count
 * @returns {Float64Array} [count, rows_W]
 */
export function product(matrix, x, count) {
  const y = new Float64Array(count * matrix.rows);
  if (count === 1) {
    oneRow(matrix, x, y);
    return y;
  }
  for (let first = 0; first < count; first += TOGETHER) {
    fiveRows(matrix, x, y, Array.from({ length: TOGETHER }, (_, k) => Math.min(first + k, count - 1)));
  }
  return y;
}

/** Four rows of the matrix at a time, so that their sums do not wait for one another. */
function oneRow({ values: w, scales, rows, columns }, x, y) {
  let i = 0;
  for (; i + 3 < rows; i += 4) {
    let [p, a, b, c, d] = [i * columns, 0, 0, 0, 0];
    const [second, third] = [columns, 2 * columns];
    const fourth = 3 * columns;
    for (let j = 0; j < columns; j += 1, p += 1) {
      const value = x[j];
      a += w[p] * value;
      b += w[p + second] * value;
      c += w[p + third] * value;
      d += w[p + fourth] * value;
    }
    y[i] = a * scales[i];
    y[i + 1] = b * scales[i + 1];
    y[i + 2] = c * scales[i + 2];
    y[i + 3] = d * scales[i + 3];
  }
  for (; i < rows; i += 1) {
    let sum = 0;
    for (let j = 0; j < columns; j += 1) {
      sum += w[i * columns + j] * x[j];
    }
    y[i] = sum * scales[i];
  }
}

/** Five rows of x, given by number; the last one may stand there several times. */
function fiveRows({ values: w, scales, rows, columns }, x, y, [k0, k1, k2, k3, k4]) {
  const [x0, x1, x2, x3, x4] = [k0 * columns, k1 * columns, k2 * columns, k3 * columns, k4 * columns];
  const [y0, y1, y2, y3, y4] = [k0 * rows, k1 * rows, k2 * rows, k3 * rows, k4 * rows];
  let p = 0;
  for (let i = 0; i < rows; i += 1) {
    let [a, b, c, d, e] = [0, 0, 0, 0, 0];
    for (let j = 0; j < columns; j += 1, p += 1) {
      const weight = w[p];
      a += weight * x[x0 + j];
      b += weight * x[x1 + j];
      c += weight * x[x2 + j];
      d += weight * x[x3 + j];
      e += weight * x[x4 + j];
    }
    const scale = scales[i];
    y[y0 + i] = a * scale;
    y[y1 + i] = b * scale;
    y[y2 + i] = c * scale;
    y[y3 + i] = d * scale;
    y[y4 + i] = e * scale;
  }
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
export function softmax(energies) {
  const logZ = logSumExp(energies);
  return energies.map((energy) => Math.exp(energy - logZ));
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
