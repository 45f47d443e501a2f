import assert from "node:assert/strict";
import { test } from "node:test";

import { bytesOf, half, readWeights } from "../../../nmt/page/js/safetensors.js";

test("numbers of 16 bits are those of the standard", () => {
  const known = [[0x3c00, 1], [0xc000, -2], [0x7bff, 65504], [0x0400, 2 ** -14], [0x0001, 2 ** -24], [0x3555, 0.333251953125]];
  for (const [bits, value] of known) {
    assert.equal(half(bits), value);
  }
});

test("matrices come with their scales, vectors as numbers", () => {
  const header = JSON.stringify({
    __metadata__: { nmt: "{}" },
    b: { dtype: "F16", shape: [2], data_offsets: [12, 16] },
    W: { dtype: "I8", shape: [2, 2], data_offsets: [8, 12] },
    "W.row_scale": { dtype: "F32", shape: [2], data_offsets: [0, 8] },
  });
  const bytes = new Uint8Array(8 + header.length + 16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, BigInt(header.length), true);
  bytes.set(new TextEncoder().encode(header), 8);
  const start = 8 + header.length;
  view.setFloat32(start, 0.5, true);
  view.setFloat32(start + 4, 0.25, true);
  bytes.set([1, 2, 255, 128], start + 8);
  view.setUint16(start + 12, 0x3c00, true);
  view.setUint16(start + 14, 0xc000, true);
  const weights = readWeights(bytesOf(btoa(String.fromCharCode(...bytes))));
  assert.deepEqual([...weights.keys()].toSorted(), ["W", "b"]);
  const { values, scales, rows, columns } = weights.get("W");
  assert.deepEqual([[...values], [...scales], rows, columns], [[1, 2, -1, -128], [0.5, 0.25], 2, 2]);
  assert.deepEqual([...weights.get("b")], [1, -2]);
});
