import assert from "node:assert/strict";
import { test } from "node:test";

import { Element } from "../../page/page.js";
import { formula as drawn, pieces, spoken } from "../../../../nmt/charts/step_view/js/svg.js";

test("subscripts and superscripts of one letter or in braces", () => {
  assert.deepEqual(pieces("v_a^T h_{ij} = 1"), [
    { kind: "plain", text: "v" }, { kind: "sub", text: "a" }, { kind: "sup", text: "T" },
    { kind: "plain", text: " h" }, { kind: "sub", text: "ij" }, { kind: "plain", text: " = 1" },
  ]);
});

test("a subscript of a subscript is written out", () => {
  assert.deepEqual(pieces("h_{T_x}"), [{ kind: "plain", text: "h" }, { kind: "sub", text: "Tx" }]);
});

test("text without marks is one piece, and nothing has no pieces", () => {
  assert.deepEqual(pieces("plain"), [{ kind: "plain", text: "plain" }]);
  assert.deepEqual(pieces(""), []);
});

test("no letter is lost", () => {
  for (const formula of ["α_{ij} = exp(e_{ij}) / Σ_k exp(e_{ik})", "s_0 = tanh(W_s ←h_1)", "t̃_i = U_o s_{i−1}"]) {
    assert.equal(pieces(formula).map(({ text }) => text).join(""), formula.replaceAll(/[_^{}]/g, ""));
  }
});

test("letters are lowered and raised, and the next ones stand on the line again", () => {
  const moves = drawn("", "v_a^T h", 0, 0).querySelectorAll("tspan").map((part) => [part.textContent, part.getAttribute("dy")]);
  assert.ok(drawn("", "v", 0, 0) instanceof Element);
  assert.deepEqual(moves, [["v", "0"], ["a", "3"], ["T", "-7"], [" h", "4"]]);
});

test("a formula is read without marks", () => {
  assert.equal(spoken("e_{ij}"), "e ij");
});
