// From words to a line. The Moses detokeniser in JavaScript with our repairs, as nmt/data/text.py has it; rules arrive with the data
// (nmt/page/payload.py). No DOM.

import { classOf, splitWords, stripped } from "./characters.js";

/**
 * For a language with spaces.
 * @typedef {object} DetokeniserRules
 * @property {string} language
 * @property {[number, number][]} letters
 * @property {[number, number][]} currency
 * @property {[number, number][]} cjk characters that stand without spaces between them
 * @property {[string, string][]} repairs patterns with the flag u, and their replacements, in this order
 */

const PUNCTUATION = /^[,.?!:;\\%}\])]+$/u;
const SPACED_IN_FRENCH = /^[?!:;\\%]$/u;
const QUOTES = /^['"„“`]+$/u;
const CURLY_QUOTES = /^[„“”]+$/u;
const ELIDING = new Set(["fr", "it", "ga"]);

/** @param {DetokeniserRules | UnspacedRules} rules */
export function detokeniserOf(rules) {
  return rules.kind === "unspaced" ? new UnspacedDetokeniser(rules) : new Detokeniser(rules);
}

class Detokeniser {
  /** @param {DetokeniserRules} rules */
  constructor(rules) {
    const letters = classOf(rules.letters);
    this.language = rules.language;
    this.currency = new RegExp(`^[${classOf(rules.currency)}([{¿¡]+$`, "u");
    this.contraction = new RegExp(`^'[${letters}]`, "u");
    this.elision = new RegExp(`[${letters}]'$`, "u");
    this.letterFirst = new RegExp(`^[${letters}]`, "u");
    this.cjkFirst = new RegExp(`^[${classOf(rules.cjk)}]`, "u");
    this.cjkLast = new RegExp(`[${classOf(rules.cjk)}]$`, "u");
    this.repairs = rules.repairs.map(([pattern, replacement]) => [new RegExp(pattern, "gu"), replacement]);
  }

  /** The line that words make. @param {string[]} words */
  detokenise(words) {
    const line = this.join(splitWords(` ${words.join(" ")} `.replace(/ @-@ /gu, "-")));
    return this.repairs.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
  }

  join(tokens) {
    const quotes = new Map();
    let space = " ";
    let line = "";
    const add = (token, left, right) => { // with a space at its left and at its right, or without
      line += (left ? space : "") + token;
      space = right ? " " : "";
    };
    tokens.forEach((token, i) => {
      const before = tokens[i - 1] ?? "";
      const after = tokens[i + 1];
      if (this.cjkFirst.test(token) && this.language !== "ko") {
        add(token, !this.cjkLast.test(before), true);
      } else if (this.currency.test(token)) {
        add(token, true, false);
      } else if (PUNCTUATION.test(token)) {
        line += this.language === "fr" && SPACED_IN_FRENCH.test(token) ? " " : "";
        add(token, false, true);
      } else if (this.language === "en" && i > 0 && this.contraction.test(token)) {
        add(token, false, true);
      } else if (ELIDING.has(this.language) && after && this.elision.test(token) && this.letterFirst.test(after)) {
        add(token, true, false);
      } else if (QUOTES.test(token)) {
        const quote = CURLY_QUOTES.test(token) ? '"' : token;
        const opened = (quotes.get(quote) ?? 0) % 2;
        const genitive = !opened && this.language === "en" && token === "'" && before.endsWith("s");
        if (!genitive) {
          quotes.set(quote, opened + 1);
        }
        add(token, !opened && !genitive, opened || genitive);
      } else {
        add(token, true, true);
      }
    });
    return stripped(line.replace(/ {2,}/gu, " "));
  }
}

// A line in a language without spaces: `written` of nmt/data/japanese.py in JavaScript. The letters that have spaces
// between them all the same, and the marks, arrive with the data (nmt/page/payload.py).

/**
 * @typedef {object} UnspacedRules
 * @property {string} letter pattern, with the flag u, of a letter or digit of another script
 * @property {string[]} closes marks that a space follows where such a letter comes next
 */

class UnspacedDetokeniser {
  /** @param {UnspacedRules} rules */
  constructor({ letter, closes }) {
    this.letterFirst = new RegExp(`^${letter}`, "u");
    this.letterLast = new RegExp(`${letter}$`, "u");
    this.closes = new Set(closes);
  }

  /** The line that words make. @param {string[]} words */
  detokenise(words) {
    let line = "";
    for (const word of words) {
      const apart = this.letterFirst.test(word) && this.letterLast.test(this.withoutMarks(line));
      line += apart ? ` ${word}` : word;
    }
    return line;
  }

  /** A line up to the marks at its end. @param {string} line */
  withoutMarks(line) {
    let end = line.length;
    while (this.closes.has(line[end - 1])) {
      end -= 1;
    }
    return line.slice(0, end);
  }
}
