// Texts of the read-out and of what screen readers speak. Pure functions, no DOM.

import { decimals, strongest } from "../../js/numbers.js";
import { say } from "../../js/texts.js";
import { isCell, otherSide, partnerWeights } from "./focus.js";

/** @typedef {import("./focus.js").Focus} Focus */

/**
 * A piece of a read-out; ``style`` names its CSS classes.
 * @typedef {object} Piece
 * @property {string} text
 * @property {string} style "" for plain text
 */

const MOST_PARTNERS = 3;
const LEAST_PARTNER = 0.005;

/**
 * Read-out of a focus in a panel.
 * @param {Focus} focus
 * @param {object} texts of the view
 * @returns {Piece[]}
 */
export function readOut(panel, focus, texts) {
  return isCell(focus) ? readCell(panel, focus, texts) : readWords(panel, focus, texts);
}

function readCell(panel, { source: [j], target: [i] }, texts) {
  const pieces = [
    { text: panel.target[i], style: "name target" },
    { text: " ← ", style: "" },
    { text: panel.source[j], style: "name source" },
    { text: `${panel.letter} = ${decimals(panel.weights[i][j], 3)}`, style: "number weight" },
  ];
  if (panel.log_probability) {
    pieces.push({ text: say(texts.log_p, { value: decimals(panel.log_probability[i], 2) }), style: "number" });
  }
  return pieces;
}

function readWords(panel, focus, texts) {
  const side = focus.target.length ? "target" : "source";
  const other = otherSide(side);
  const partners = strongest(partnerWeights(panel, focus)[other], MOST_PARTNERS, LEAST_PARTNER);
  const pieces = [
    { text: focus[side].map((k) => panel[side][k]).join(" + "), style: "name" },
    { text: side === "target" ? " ← " : " → ", style: "" },
  ];
  for (const { k, value } of partners) {
    pieces.push({ text: panel[other][k], style: "name" }, { text: decimals(value, 2), style: "number" });
  }
  if (!partners.length) {
    pieces.push({ text: say(texts.nothing_above, { least: LEAST_PARTNER }), style: "number" });
  }
  if (focus[side].length === 1 && panel.said) {
    const said = panel.said[side][focus[side][0]].replaceAll(/ (?=[=−\d])|(?<=\d) /gu, "\u00a0"); // no number stands alone in a line
    pieces.push({ text: said, style: "more" });
  }
  return pieces;
}

/**
 * Explanations of the signs that a view shows.
 * @param {{words: string[], matrix: string[], links: string[]}} signs beside words, in the matrix, between the links
 * @param {"matrix" | "links" | "both"} show
 */
export function signsInUse({ words, matrix, links }, show) {
  return [...words, ...(show === "links" ? [] : matrix), ...(show === "matrix" ? [] : links)];
}

/** Sentence on the cell of target word i and source word j. */
export function spokenCell(panel, i, j, texts) {
  return say(texts.cell, {
    i: i + 1,
    m: panel.target.length,
    target: panel.target[i],
    j: j + 1,
    n: panel.source.length,
    source: panel.source[j],
    letter: panel.spoken_letter,
    value: panel.weights[i][j].toFixed(3),
  });
}

/** Sentence on the words of a focus. @param {Focus} focus */
export function spokenWords(panel, focus, texts) {
  return readOut(panel, focus, texts).map((piece) => piece.text).join(" ");
}
