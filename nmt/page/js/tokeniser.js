// The Moses tokeniser in JavaScript, rule for rule that of nmt/data/text.py and of sacremoses, which it is tested
// against. Character classes and abbreviations arrive with the data (nmt/page/payload.py). No DOM.

import { SPACES, classOf, splitWords, stripped } from "./characters.js";

const CONTROL_SPACES = new RegExp(
  `[${classOf([[0x09, 0x0d], [0x1c, 0x1f], [0x85, 0x85], [0x2028, 0x2029]])}]`,
  "gu",
);
const CONTROLS = new RegExp(
  `[${classOf([
    [0, 0x08], [0x0e, 0x1b], [0x7f, 0x84], [0x86, 0x9f], [0xad, 0xad], [0x200b, 0x200b], [0x200e, 0x200f],
    [0x2060, 0x2060], [0xfeff, 0xfeff], [0xd800, 0xdfff],
  ])}]`,
  "gu",
);
const MOSES_MARK = /(?<=DOT)MULTI/gu;

/**
 * @typedef {object} TokeniserRules
 * @property {"english" | "eliding" | "general"} apostrophes
 * @property {[number, number][]} word characters that stay together
 * @property {[number, number][]} letters
 * @property {[number, number][]} lower
 * @property {[number, number][]} numbers
 * @property {string[]} abbreviations words that keep their full stop
 * @property {string[]} beforeNumbers those that keep it before a number only
 */

/** Control characters removed, those that are white space replaced by a space. @param {string} line */
export function cleanLine(line) {
  return line.replace(CONTROL_SPACES, " ").replace(CONTROLS, "");
}

export class Tokeniser {
  /** @param {TokeniserRules} rules */
  constructor(rules) {
    const [word, letters, numbers] = [classOf(rules.word), classOf(rules.letters), classOf(rules.numbers)];
    const global = (pattern) => new RegExp(pattern, "gu");
    this.apart = global(`([^${word}\\s.'\`,\\-])`);
    this.commas = [
      [global(`([^${numbers}]),`), "$1 , "],
      [global(`,([^${numbers}])`), " , $1"],
      [global(`([${numbers}]),$`), "$1 , "],
    ];
    this.apostrophes = apostrophes(rules.apostrophes, letters, numbers);
    this.anyLetter = new RegExp(`[${letters}]`, "u");
    this.lower = new RegExp(`^[${classOf(rules.lower)}]`, "u");
    this.abbreviations = new Set(rules.abbreviations);
    this.beforeNumbers = new Set(rules.beforeNumbers);
  }

  /** The words of a line; none for a blank one. @param {string} line @returns {string[]} */
  tokenise(line) {
    const text = cleanLine(line).normalize("NFC");
    if (text.search(MOSES_MARK) < 0) {
      return this.words(text);
    }
    const other = absent(text, "MULT");
    return this.words(text.replace(MOSES_MARK, other)).map((word) => word.replaceAll(other, "MULTI"));
  }

  words(line) {
    const marked = withMarkedDots(stripped(line.replace(new RegExp(SPACES, "gu"), " ")).replace(this.apart, " $1 "));
    const rules = [...this.commas, ...this.apostrophes];
    const parted = rules.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), marked);
    const whole = this.withFullStops(splitWords(parted)).join(" ").replace(/\.' ?$/u, " . ' ");
    return splitWords(whole.replace(/(?:DOT)+MULTI/gu, (mark) => ".".repeat((mark.length - 5) / 3)));
  }

  /** Full stops apart from their words, except after abbreviations and within a sentence. */
  withFullStops(tokens) {
    return tokens.map((token, i) => {
      if (token.length < 2 || !token.endsWith(".")) {
        return token;
      }
      const before = token.slice(0, -1);
      const next = tokens[i + 1];
      const numberFollows = this.beforeNumbers.has(before);
      const stays =
        (before.includes(".") && this.anyLetter.test(before)) ||
        (this.abbreviations.has(before) && !numberFollows) ||
        (next !== undefined && this.lower.test(next)) ||
        (numberFollows && next !== undefined && /^[0-9]/u.test(next));
      return stays ? token : `${before} .`;
    });
  }
}

function apostrophes(kind, letters, numbers) {
  const rule = (before, after, replacement) => [new RegExp(`([${before}])'([${after}])`, "gu"), replacement];
  if (kind === "english") {
    return [
      rule(`^${letters}`, `^${letters}`, "$1 ' $2"),
      rule(`^${letters}${numbers}`, letters, "$1 ' $2"),
      rule(letters, `^${letters}`, "$1 ' $2"),
      rule(letters, letters, "$1 '$2"),
      rule(numbers, "s", "$1 '$2"),
    ];
  }
  if (kind === "eliding") {
    return [
      rule(`^${letters}`, `^${letters}`, "$1 ' $2"),
      rule(`^${letters}`, letters, "$1 ' $2"),
      rule(letters, `^${letters}`, "$1 ' $2"),
      rule(letters, letters, "$1' $2"),
    ];
  }
  return [[/'/gu, " ' "]];
}

/** Runs of full stops written as DOTDOTMULTI and so on, so that no other rule sees them. */
function withMarkedDots(text) {
  return text.replace(/\.{2,}/gu, (dots, at) => {
    const mark = ` ${"DOT".repeat(dots.length)}MULTI`;
    return at + dots.length < text.length ? `${mark} ` : mark;
  });
}

/** The stem followed by as many X as make it a word that the line does not contain. */
function absent(line, stem) {
  const runs = [...line.matchAll(new RegExp(`${stem}(X*)`, "gu"))].map((match) => match[1].length);
  return stem + "X".repeat(1 + Math.max(0, ...runs));
}
