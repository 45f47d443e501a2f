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
  DRAG_HINT: "Drag the end of a ribbon to make the model look elsewhere.",
  CROSS_HINT: "The × of a source word leaves it out.",
  RIBBON_KIND: "{kind} · log p {nats} nats",
  MATRIX_KIND: "{kind}, log p = {nats} nats",
  ONE_VECTOR: "{kind}: the whole sentence in one vector, so there is no alpha",
  FORCED: "{kind}, given target",
  MAPS: {
    alpha: "alignment weights alpha", "leave-one-out": "effect of leaving a word out", posterior: "posterior of links",
    head: "weights of a head", links: "links", segmentation: "phrases that it translated as one",
    weights: "weights of a file",
  },
  MAP: "Weights",
  NOT_ALPHA: "not attention: {values}",
  LAYER: "layer {layer}",
  HEAD: "head {head}",
  SCALE: "Colour scale of {symbol}, from 0 to 1",
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
  SURE: "solid {place}: sure gold link",
  POSSIBLE: "dashed {place}: possible gold link",

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

  // Panels
  MATRIX_HINT: "Clicks on more words add their weights.",
  LETTERS: { alpha: "α", weights: "α", links: "link", "leave-one-out": "effect" },
  SPOKEN: { alpha: "alpha", weights: "weight", links: "link", "leave-one-out": "effect" },
  OF_EFFECT: {
    HARDLY: "little depends on it: perhaps not translated", OFTEN: "much depends on it: perhaps translated more than once",
  },
  STAND_IN_NOTE:
    "RNNencdec has no alpha. In its place you see how much less probable each word that it wrote becomes when a source " +
    "word is left out; each row is divided by its sum.",
  WITHOUT_ROWS: {
    end: "Without the end-of-sentence token", punctuation: "Without punctuation",
    both: "Without the end-of-sentence token and punctuation",
  },
  DIVIDED: "{without}: each row is divided by its remaining sum, so that it sums to 1 again.",
  ONE_EMPTY: "One row is empty: all its weight was on removed tokens.",
  EMPTY: "{rows} rows are empty: all their weight was on removed tokens.",
  FRAME: "frame",
  LINE: "thin line",

  // Differences
  DIFFERENCE_OF: "{second} − {first}",
  CHANGE_OF: "{name}: {change}",
  AFTER_MINUS_BEFORE: "after − before",
  NEW_SOURCE: "new source − before, same target",
  DIFFERENCE_VALUES: "difference of alpha",
  DIFFERENCE_LETTER: "Δα",
  DIFFERENCE_SPOKEN: "difference",
  EFFECT_DIFFERENCE: "difference that involves the effect of leaving a word out",
  NO_DIFFERENCE_OF_ATTENTION: "not a difference of attention: effect of leaving a word out",
  MEAN_DIVERGENCE: "mean Jensen-Shannon divergence {bits} bits",
  DIVERGENCE: "Jensen-Shannon divergence {bits} bits",
  ONLY_BEFORE: "only before the change",
  ONLY_AFTER: "only after the change",
  OTHER_SOURCES: "No difference: the two models read other source words.",
  OTHER_TARGETS: "No difference: the two models write other target words.",

  // What is shown
  EFFECT: "What did it depend on?",
  RESET: "Reset",
  NO_EFFECT: "The change concerns none of these translations.",
  SEEN: {
    title: "What is shown",
    options: { after: "After", before: "Before", change: "After − before", same: "New source, same target" },
  },
  VIEW: "View",
  CONTROLS: {
    show: { title: "Below the ribbons", options: { matrix: "Matrix", links: "Links", both: "Both" } },
    switches: {
      title: "Also show", bars: "Bars", end: "End mark", punctuation: "Punctuation", pieces: "Subwords", transposed: "Target on top",
    },
    scale: {
      title: "Scale",
      options: {
        paper: "Paper: 0 black, 1 white", "light-paper": "Light: 0 white, 1 black",
        "colour-blind-safe": "Colour, safe for the colour-blind", "square-root": "Square root", log: "Logarithm",
      },
    },
    layout: { title: "Layout of the links", options: { auto: "As it fits", horizontal: "One above the other", vertical: "Side by side" } },
    by: { title: "Keep links by", options: { weight: "Weight", mass: "Share" } },
    least: { title: "At least" },
  },
};
