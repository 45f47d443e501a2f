// Words of a translation without alpha that a run with alpha doubts: nmt/results/inspection.py in JavaScript. No DOM.

import { UNKNOWN, joined } from "../../instrument/js/tokens.js";
import { alphaOf } from "../../instrument/js/weights_over_words.js";

const CAN_BE_WRONG = /[\p{L}\p{N}].*(?<!['\u2019])$/su; // no punctuation, and no elided article

/** Without the difference between large and small letters. */
const folded = (word) => word.toUpperCase().toLowerCase();

/** Whether the run that wrote `own` may doubt words of another translation. @param {object} own, other systems of a record */
export function mayDoubt(own, other, rule) {
  if (!alphaOf(own) || alphaOf(other) || own.language !== other.language) {
    return false;
  }
  const { tokens } = own.target;
  return !own.source.unknown.length && !tokens.some((token) => token.includes(UNKNOWN)) && own.log_probability / tokens.length > rule.sure;
}

/** Of each word of a target its probability if it is doubted, else null. @param {number[]} scores log p of each word by the run that wrote `own` */
export function doubtsOf(scores, target, own, rule) {
  const sure = new Set(joined(own).map(folded));
  const wrong = (word) => CAN_BE_WRONG.test(word) && !word.includes(UNKNOWN) && !sure.has(folded(word));
  return joined(target).slice(0, -1).map((word, k) => (scores[k] < rule.improbable && wrong(word) ? Math.exp(scores[k]) : null));
}
