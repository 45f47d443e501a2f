// Weights out of a safetensors file: matrices of 8-bit integers with one scale per row, and vectors. No DOM.

const ROW_SCALE = ".row_scale";

/**
 * A matrix whose entry [i, j] is scales[i] * values[i * columns + j].
 * @typedef {{values: Int8Array, scales: Float32Array, rows: number, columns: number}} Matrix
 */

/** @param {string} text base64 @returns {Uint8Array} */
export function bytesOf(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let k = 0; k < bytes.length; k += 1) {
    bytes[k] = characters.charCodeAt(k);
  }
  return bytes;
}

/**
 * Read a file of a released run.
 * @param {Uint8Array} bytes which begin their buffer
 * @returns {Map<string, Matrix | Float64Array>} matrices and vectors by name
 */
export function readWeights(bytes) {
  const view = new DataView(bytes.buffer);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
  const tensor = (name) => {
    const { dtype, data_offsets: [from, to] } = header[name];
    return decoded(dtype, bytes.buffer, start + from, to - from);
  };
  const weights = new Map();
  for (const [name, { shape }] of Object.entries(header)) {
    if (shape?.length === 2) {
      const [rows, columns] = shape;
      weights.set(name, { values: tensor(name), scales: tensor(name + ROW_SCALE), rows, columns });
    } else if (shape && !name.endsWith(ROW_SCALE)) {
      weights.set(name, Float64Array.from(tensor(name)));
    }
  }
  return weights;
}

function decoded(dtype, buffer, from, length) {
  if (dtype === "I8") {
    return new Int8Array(buffer, from, length);
  }
  const view = new DataView(buffer, from, length);
  if (dtype === "F16") {
    return Float32Array.from({ length: length / 2 }, (_, k) => half(view.getUint16(2 * k, true)));
  }
  return Float32Array.from({ length: length / 4 }, (_, k) => view.getFloat32(4 * k, true));
}

/** The number that 16 bits stand for in half precision; our weights are finite. @param {number} bits */
export function half(bits) {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction;
  return bits & 0x8000 ? -size : size;
}
