// What a host may bring; each part may be missing. docs/instrument.md describes those that anybody may use.

export const NONE = {
  ask: null, state: {}, onState: null, texts: null, changes: [], sentences: [], figure: null, large: false, link: null, quick: () => false, offers: [],
  about: {}, about_before: null, remarks: {}, styles: null, parts: "both", controls: false, scales: null, difference: false, same: null, effects: false, height: "",
  sections: [], explanation: null, forms: {}, compact: false,
  field: true, // or the largest number of characters, for a field of whole texts
  heading: null, // whether panels have one; null: where there are several
  said: "", // of its work, at first
  language: null, // of the sentence, while there is no record
  spread: false, // whether the page has a place for a matrix beside the ribbons
  onDrawn: null, // told `panels`, how many there are of attention, and whether one may stand `beside` the ribbons
};
/** @typedef {typeof NONE} Host */
/**
 * With all of the state; `again` if the same was asked before; `typed`: as it stands in the field; `entered`: false while it is being typed.
 * @typedef {{kind: "translate" | "change" | "effect" | "gold" | "export", number: number, sentence: string, changes: object[], again: boolean, typed: string, entered: boolean}} Request
 */
/** @typedef {string | {text: string}} Said a sentence, or the name of a text with its fields */
/** @typedef {{record?: object, taken?: object, said?: Said, share?: number, done?: boolean}} Answer a record or a file, what it says of
 *   the work, and how far that is */
