// Texts of the page that its JavaScript writes; a text with values is a function of them. Those that page.html
// names are in nmt/page/strings.py. Where the app says the same, the words are the same.

export const LOCALE = "en"; // of the names of languages

// The form and its answer
export const SENTENCE_IN = (language) => `Sentence in ${language}`;
export const CHOOSE_CHECKPOINT = "Choose a checkpoint.";
export const WRITE_SENTENCE = "Write a sentence, or take one of the examples.";
export const TOO_LONG = (characters, most) => `The sentence has ${characters} characters; the page takes up to ${most}.`;
export const FAILED = (reason) => `This did not work: ${reason}`;
export const TOO_OLD = "This browser is too old to translate: it needs WebAssembly with SIMD, which browsers have had since 2023.";
export const TOOK = (beam, seconds) => `Beam ${beam}, ${seconds} s, on this device.`;
export const READS = (name) => `${name} reads the sentence.`;
export const WRITES = (name, word) => `${name} writes word ${word}.`;

// Ribbons and matrices
export const KINDS = { rnnsearch: "RNNsearch", rnnencdec: "RNNencdec" };
export const HINT = "Point at a word to see where the model looked. A click keeps it. Arrow keys work too.";
export const RIBBON_KIND = (kind, nats) => `${kind} · log p ${nats} nats`;
export const NO_ALPHA = (kind) => `${kind}: the whole sentence in one vector, so there is no alpha`;
export const MATRIX_KIND = (kind, nats) => `${kind}, log p = ${nats} nats`;
export const MATRIX_VALUES = "alignment weights alpha";
export const SOURCE = (language) => `source: ${language}`;
export const TARGET = (language) => `target: ${language}`;
export const NOTHING = "(nothing: the model ended the sentence at once)";
export const CROSSES = (here, there) => `“${here}” has the words of “${there}” in the reverse order: their ribbons cross.`;
export const UNKNOWN_WORDS = (mark, words) => `Unknown to this model, read as ${mark}: ${words}.`;
export const REPLACED = (mark) => `Each ${mark} is replaced in the text; the words above show what the model wrote.`;
export const LONGER = (words, trained) =>
  `The sentence has ${words} words; this model was trained on sentences of up to ${trained}.`;
export const WORDS = (words) => `This sentence has ${words} word${words === 1 ? "" : "s"}.`;

// Signs of words that seem dropped or repeated
export const HARDLY = "hardly looked at: perhaps not translated";
export const OFTEN = "looked at often: perhaps translated more than once";
export const REPEATED = "repeats earlier words";

// Bars
export const COVERAGE = "coverage";
export const COVERAGE_EXPLAINED = "Sum of the weights of each source word over all target words. The dashed line is at 1.";
export const COVERAGE_OF = (value) => `coverage ${value}`;
export const ENTROPY = "entropy, bits";
export const ENTROPY_EXPLAINED = (most) =>
  "How widely the weights of each target word are spread: 0 if all weight is on one source word, " +
  `${most} if all source words have the same weight. ` +
  "The hatched part is the share of the weight on the end-of-sentence token and on punctuation.";
export const ENTROPY_OF = (bits, share) =>
  `entropy ${bits} bits; ${share}% of the weight on the end-of-sentence token and punctuation`;
export const WORD_SAID = (nats, bits) => `log p ${nats} nats, entropy ${bits} bits`;
export const HATCHED = "hatched bar: share of the weight on the end-of-sentence token and on punctuation";
