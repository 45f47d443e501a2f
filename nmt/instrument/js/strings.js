// Texts of the instrument in English, as data: a host may give others. A text with values has named fields.

export const TEXTS = {
  LOCALE: "en", // of the names of languages

  // The sentence and its answer
  SENTENCE: "Sentence",
  SENTENCE_IN: "Sentence in {language}",
  TRANSLATE: "Translate",
  TRANSLATIONS: "Translations",
  FAILED: "This did not work: {reason}",
  SILENT: "There was no answer.",

  // Ribbons and matrices
  KINDS: { rnnsearch: "RNNsearch", rnnencdec: "RNNencdec", "phrase-based": "phrase-based", committee: "committee", aligner: "aligner" },
  HINT: "Point at a word to see where the model looked. A click keeps it. Arrow keys work too.",
  DRAG_HINT: "Drag the end of a ribbon to make the model look elsewhere. The × of a source word leaves it out.",
  RIBBON_KIND: "{kind} · log p {nats} nats",
  MATRIX_KIND: "{kind}, log p = {nats} nats",
  ONE_VECTOR: "{kind}: the whole sentence in one vector, so there is no alpha",
  FORCED: "{kind}, given target",
  MAPS: {
    alpha: "alignment weights alpha", "leave-one-out": "effect of leaving a word out", posterior: "posterior of links",
    head: "weights of a head", links: "links", segmentation: "phrases that it translated as one",
  },
  MAP: "Weights",
  NOT_ALPHA: "not alpha: {values}",
  LAYER: "layer {layer}",
  HEAD: "head {head}",
  SCALE: "Colour scale of {symbol}, from 0 to 1",
  SPOKEN_ALPHA: "alpha",
  SOURCE: "source: {language}",
  TARGET: "target: {language}",
  NOTHING: "(nothing: the model ended the sentence at once)",
  CROSSES: "“{here}” has the words of “{there}” in the reverse order: their ribbons cross.",
  UNKNOWN_WORDS: "Unknown to this model, read as {mark}: {words}.",
  REPLACED: "Each {mark} is replaced in the text; the words above show what the model wrote.",
  LONGER: "The sentence has {words} words; this model was trained on sentences of up to {trained}.",
  WORD: "This sentence has one word.",
  WORDS: "This sentence has {words} words.",

  // What the reader changed
  LOOKS: "“{target}” looks at “{source}”",
  WITHOUT: "without “{source}”",
  LEAVE_OUT: "Translate without “{source}”",
  TAKE_BACK: "Translate with “{source}” again",

  // Signs
  SIGNS: { HARDLY: "∅", OFTEN: "+", REPEATED: "↻" },
  HARDLY: "hardly looked at: perhaps not translated",
  OFTEN: "looked at often: perhaps translated more than once",
  REPEATED: "repeats earlier words",
  SURE: "solid frame: sure gold link",
  POSSIBLE: "dashed frame: possible gold link",

  // Bars
  COVERAGE: "coverage",
  COVERAGE_EXPLAINED: "Sum of the weights of each source word over all target words. The dashed line is at 1.",
  COVERAGE_OF: "coverage {value}",
  ENTROPY: "entropy, bits",
  ENTROPY_EXPLAINED:
    "How widely the weights of each target word are spread: 0 if all weight is on one source word, " +
    "{most} if all source words have the same weight. " +
    "The hatched part is the share of the weight on the end-of-sentence token and on punctuation.",
  ENTROPY_OF: "entropy {bits} bits; {share}% of the weight on the end-of-sentence token and punctuation",
  WORD_SAID: "log p {nats} nats, entropy {bits} bits",
  ENTROPY_SAID: "entropy {bits} bits",
  HATCHED: "hatched bar: share of the weight on the end-of-sentence token and on punctuation",
};
