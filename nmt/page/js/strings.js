// Texts of the page that its JavaScript writes; a text with values is a function of them. Those that page.html
// names are in the tables of nmt/texts, those of the instrument in nmt/instrument/js/strings.js.

export const CHOOSE_CHECKPOINT = "Choose a checkpoint.";
export const WRITE_SENTENCE = "Write a sentence, or take one of the examples.";
export const TOO_LONG = (characters, most) => `The sentence has ${characters} characters; the page takes up to ${most}.`;
export const FAILED = (reason) => `This did not work: ${reason}`;
export const TOO_OLD = "This browser is too old to translate: it needs WebAssembly with SIMD, which browsers have had since 2023.";
export const TOOK = (beam, seconds) => `Beam ${beam}, ${seconds} s, on this device.`;
export const READS = (name) => `${name} reads the sentence.`;
export const WRITES = (name, word) => `${name} writes word ${word}.`;
