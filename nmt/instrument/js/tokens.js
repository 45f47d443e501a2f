// Tokens of a record: their marks, and the words that they spell. Pure functions, no DOM.

export const END = "</s>";
export const UNKNOWN = "[UNK]";
export const WORD_START = "\u2581";
const BYTES = /(?:<0x[0-9A-F]{2}>)+/gu;
const NOT_IN_A_WORD = /[\p{Z}\p{Cc}]/gu; // what white space is in Python, so not U+FEFF
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * A sentence as a system reads or writes it.
 * @typedef {object} Tokens
 * @property {string[]} tokens the end-of-sentence token last
 * @property {number[]} [words] for each token the number of its word
 * @property {string[]} [unknown] words that are outside the vocabulary
 */

/** The characters that byte tokens in a text spell; what is not UTF-8, or no part of a word, becomes U+FFFD. */
export function spelled(text) {
  return text.replace(BYTES, (run) => {
    const bytes = run.slice(3, -1).split("><0x").map((digits) => Number.parseInt(digits, 16));
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes)).replace(NOT_IN_A_WORD, "\ufffd");
  });
}

/** Numbers of the words of tokens, without gaps. @param {Tokens} side @returns {number[]} */
export function wordNumbers({ tokens, words }) {
  const numbers = words?.length ? words : tokens.map((_, k) => k);
  const order = new Map([...new Set(numbers)].map((word, k) => [word, k]));
  return numbers.map((word) => order.get(word));
}

/** Tokens put together to the words that they are part of. @param {Tokens} side @returns {string[]} */
export function joined(side) {
  const numbers = wordNumbers(side);
  const parts = Array.from({ length: Math.max(-1, ...numbers) + 1 }, () => "");
  side.tokens.forEach((token, k) => {
    parts[numbers[k]] += token;
  });
  return parts.map((text) => text && readable(spelled(text.replaceAll(WORD_START, ""))));
}

/** A word as it is shown: [UNK] for one without a letter, or with "[UNK" spelled. @param {string} word */
export function readable(word) {
  return word && word !== UNKNOWN.slice(0, -1) ? word : UNKNOWN;
}

/**
 * For each word whether it stands in a text without a space before it, as "accord" in "L'accord". From a word on that the text
 * does not have, none does.
 * @param {string} text
 * @param {string[]} words
 * @returns {boolean[]}
 */
export function unspaced(text, words) {
  let rest = text;
  let known = true;
  return words.map((word, k) => {
    const from = rest.trimStart();
    known &&= from.startsWith(word);
    const close = known && k > 0 && from === rest;
    rest = known ? from.slice(word.length) : "";
    return close;
  });
}

/** Whether some words, in their order, are all that a text has. @param {string} text @param {string[]} words */
export function spells(text, words) {
  const letters = (some) => some.replaceAll(/\s+/gu, "");
  return letters(text) === letters(words.join(""));
}

/**
 * The text of words in another order. A word stays without a space before it where it stood so after the same word, and where it
 * is punctuation or begins with an apostrophe; in a text without spaces all do.
 * @param {string[]} words
 * @param {boolean[]} close whether each stands so now
 * @param {number[]} order
 */
export function inOrder(words, close, order) {
  const unspacedText = words.length > 1 && close.slice(1).every(Boolean);
  const together = (j, k) => unspacedText || (close[j] && (order[k - 1] === j - 1 || /^['’\p{P}]/u.test(words[j])));
  return order.map((j, k) => (k && !together(j, k) ? " " : "") + words[j]).join("");
}

/** Whether the first letter of some words is written from right to left. @param {string[]} words */
export function rightToLeft(words) {
  return RIGHT_TO_LEFT.test(words.join("").match(/\p{L}/u)?.[0] ?? "");
}

/** A text without the ends of its lines; U+FEFF is no space. */
export function oneLine(text) {
  return text.replaceAll(/[^\S\ufeff]+/gu, " ").replaceAll(/^ | $/gu, "");
}
