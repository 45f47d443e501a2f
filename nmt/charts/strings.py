"""Texts of the figures and views. A template has named fields.

In hover texts Plotly replaces each ``%{...}`` itself; in those that are also templates with named fields of ours,
Plotly's braces are doubled.
"""

# Alignments
SOURCE = "source"
TARGET = "target"
ALPHA = "αᵢⱼ"
ALPHA_DIFFERENCE = "Δαᵢⱼ"
ALPHA_LETTER = "α"
ALPHA_SPOKEN = "alpha"
ALPHA_VALUES = "alignment weights alpha"
HATCHED_BARS = "hatched bar: share of the weight on the end-of-sentence token and on punctuation"

# A map in place of alpha
EFFECT = "effect of leaving a word out"
NOT_ATTENTION = f"not attention: {EFFECT}"
HATCHED_ROW = f"hatched row: {NOT_ATTENTION}"
POSTERIOR_SCALE = "Posterior"
ALIGNER_SCALE = "Aligner"
NOT_ATTENTION_DIFFERENCE = f"not a difference of attention: {EFFECT}"

# Gold links, and cells that stand out for another reason
BETWEEN_SIGNS = "  ·  "
RING = "ring: {meaning}"
FRAME = "frame"
THIN_LINE = "thin line"
SURE_LINK = "solid {place}: sure gold link"
POSSIBLE_LINK = "dashed {place}: possible gold link"

# Colour scales
SCALES = {
    "paper": "Paper: 0 black, 1 white",
    "light paper": "Light: 0 white, 1 black",
    "colour-blind safe": "Colour, safe for the colour-blind",
    "square root": "Square root",
    "log": "Logarithm",
}
DIFFERENCE_SCALE = "Difference"
EFFECT_SCALE = "Effect of leaving a word out"
TRANSFORMS = {"square root": "square root", "log": "log"}
TRANSFORMED = "{title} ({transform})"
SCALE_SPOKEN = "Colour scale of {symbol}, from {low:g} to {high:g}"
SCALE_TRANSFORMED_SPOKEN = "Colour scale of {symbol}, from {low:g} to {high:g}, {transform} scale"

# Alpha beside the effect of leaving words out
ALPHA_BARS = "alpha: weight in the context"
ALPHA_BAR = "alpha"
EFFECT_BARS = "share of the effect of leaving the word out"
BAR_POINT = "%{{text}}: %{{y:.2f}}<extra>{name}</extra>"

# Scores over length
SIDES = {"source": "source", "reference": "reference"}
WORDS_OF = "words of the {side}"
WORDS_IN_WINDOWS = "words of the {side}, in windows of {widest}"
WITHOUT_UNK = "{metric}, no UNK"
KNOWN_WORDS = "{metric}, sentences without unknown words"
SENTENCES = "sentences"
COUNT = "n"
AT_MEAN_LENGTH = "scores are drawn at the mean length of their sentences"
BANDS = "bands: 95 % intervals"
EXPECTED = "dotted grey: BLEU to expect if only the share of n-grams seen in training changed with length"
TRAINING_MARKS = "marks above: longest training sentences, in tokenised words"
TRAINED_TO = "trained to {length}"
TRAINED_TO_LONGER = "{names}: trained on sentences of at most {length} tokenised words"
SCORE_POINT = (
    "<b>{name}</b><br>%{{customdata[1]}} words: {metric} %{{y:.1f}}%{{customdata[3]}}<br>%{{customdata[2]:,}} "
    "sentences, %{{x:.1f}} words on average<extra></extra>"
)
INTERVAL = " (95 %: {low:.1f} to {high:.1f})"
EXPECTED_POINT = (
    "%{customdata[1]} words: BLEU %{y:.1f} to expect if only the share of n-grams<br>seen in training changed with "
    "length<extra></extra>"
)
COUNT_POINT = "%{customdata[1]} words: %{y:,} sentences<extra></extra>"

# The learning curve
TRAINING = "training"
DEVELOPMENT = "development"
BEST = "best, saved"
UPDATES = "updates"
NLL = "NLL (nats per target token)"
LOSS_POINT = "update %{{x:,}}: %{{y:.3f}} nats<extra>{name}</extra>"

# The stress test
STRESS_TITLES = {
    "bleu": "BLEU",
    "kept": "share of BLEU kept",
    "log_probability": "log p per word of the reference (nats)",
    "length_ratio": "length ratio",
    "least_coverage": "least coverage",
    "mean_coverage": "mean coverage",
}
STRESS_EXPLAINED = {
    "bleu": "Corpus BLEU by sacreBLEU; bars are 95 % intervals, with ten groups or more.",
    "kept": "BLEU as a share of the BLEU of the same sentences translated separately and then concatenated.",
    "log_probability": "Log-probability of the reference, in nats per word; vocabularies differ between checkpoints.",
    "length_ratio": "Tokens of the translations divided by those of the references; below 1, words are missing.",
    "least_coverage": (
        "Attention that the least attended source word receives from all target words, on average; only with alpha."
    ),
    "mean_coverage": "Attention that a source word receives from all target words, on average; only with alpha.",
}
TOGETHER = "concatenated sentences"
STRESS_POINT = (
    "%{{x}} concatenated: %{{y:.{decimals}f}}<br>%{{customdata[0]}} sentences of %{{customdata[1]:.1f}} words"
    "<extra>{name}</extra>"
)

# The small Figure 2
CURVE = "BLEU on {test_set}, concatenated sentences"
CURVE_X = "words of the source text"
CURVE_SPOKEN = "{title}: {ends}."
CURVE_ENDS = "{name} from {first:.1f} at {begin:.0f} words to {last:.1f} at {end:.0f}"

# Alignment error rate over the least weight
LEAST_WEIGHT = "least weight of a link"
AER = "AER, %"
AER_POINT = "least weight %{{x:.2f}}: AER %{{y:.1f}} %<extra>{name}</extra>"

# LaTeX
LATEX_CAPTION = (
    "{values} of \\texttt{{{checkpoint}}} (weights \\texttt{{{weights}}}, beam {beam}). Columns: ``{sentence}''. Rows: "
    "``{translation}''."
)
LATEX_ALTERNATIVE = "Matrix of {values}: each row is a word of the translation, each column a word of the source."
