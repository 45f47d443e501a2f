// A line in a language without spaces: `written` of nmt/data/japanese.py in JavaScript. The letters that have spaces between
// them all the same, and the marks, arrive with the data (nmt/page/text_rules.py). No DOM.

/**
 * @typedef {object} UnspacedRules
 * @property {string} letter pattern, with the flag u, of a letter or digit of another script
 * @property {string[]} closes marks that a space follows where such a letter comes next
 */

export class UnspacedDetokeniser {
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
