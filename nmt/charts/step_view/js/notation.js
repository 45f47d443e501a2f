// Formulas in one line of text, as boxes.py writes them. Pure functions, no DOM.

const PART = /([_^])(?:\{([^}]*)\}|(\S))/gu;

/**
 * Pieces of a formula: plain text, subscripts (after "_") and superscripts (after "^"), each of one letter or in braces.
 * A subscript may have one of its own, which is written out after it.
 * @param {string} formula
 * @returns {{kind: "plain" | "sub" | "sup", text: string}[]}
 */
export function pieces(formula) {
  const found = [];
  let end = 0;
  for (const match of formula.matchAll(PART)) {
    if (match.index > end) {
      found.push({ kind: "plain", text: formula.slice(end, match.index) });
    }
    found.push({ kind: match[1] === "_" ? "sub" : "sup", text: (match[2] ?? match[3]).replaceAll("_", "") });
    end = match.index + match[0].length;
  }
  if (end < formula.length) {
    found.push({ kind: "plain", text: formula.slice(end) });
  }
  return found;
}

/** A formula for an accessible name: without marks. @param {string} formula */
export function spoken(formula) {
  return pieces(formula).map(({ text }) => text).join(" ").replaceAll(/\s+/g, " ").trim();
}
