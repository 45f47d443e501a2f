// Classes of characters, and Python's ideas of a space, a letter and a word. Pure functions, no DOM.
//
// The classes are those of the Moses scripts and arrive with the data: pairs of first and last code point.

/** What Python's str.split takes for white space, once control characters are gone. */
export const SPACES = /[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+/u;

/**
 * Inside of a character class of a regular expression with the flag u.
 * @param {[number, number][]} ranges first and last code points
 */
export function classOf(ranges) {
  return ranges.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join("");
}

/** The parts of a line between white space. @param {string} line @returns {string[]} */
export function splitWords(line) {
  return line.split(SPACES).filter(Boolean);
}

/** White space at both ends removed. @param {string} line */
export function stripped(line) {
  return line.replace(new RegExp(`^${SPACES.source}|${SPACES.source}$`, "gu"), "");
}
