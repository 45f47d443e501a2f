"""Texts of the figures. In those for Plotly, ``{…}`` is filled in by the program, ``%{{…}}`` by Plotly."""

from __future__ import annotations

# Alpha and what takes its place
ALPHA_VALUES = "alignment weights alpha"
EFFECT = "effect of leaving a word out"
NOT_ATTENTION = "not attention: {effect}"
NOT_A_DIFFERENCE = "not a difference of attention: {effect}"
HATCHED_BARS = "hatched bar: share of the weight on the end mark and on punctuation"
SURE_GOLD = "solid {place}: sure gold link"
POSSIBLE_GOLD = "dashed {place}: possible gold link"
FRAME, THIN_LINE = "frame", "thin line"
NO_LINE = "below {threshold:g}: no line"

# Colour scales
SCALE_TITLES = {
    "paper": "Paper: 0 black, 1 white",
    "light paper": "Light: 0 white, 1 black",
    "colour-blind safe": "Colour, safe for the colour-blind",
    "square root": "Square root",
    "log": "Logarithm",
    "difference": "Difference",
    "stand-in": "Effect of leaving a word out",
}
SCALE = "Colour scale of {symbol}, from {low:g} to {high:g}"
SCALE_TRANSFORMED = "Colour scale of {symbol}, from {low:g} to {high:g}, {transform} scale"

# Bars of one target word
ALPHA_BAR, ALPHA_BAR_SHORT = "alpha: weight in the context", "alpha"
EFFECT_BAR = "share of the effect of leaving the word out"
BAR_READ_OUT = "%{{text}}: %{{y:.2f}}<extra>{name}</extra>"

# Scores over length
LENGTHS = "words of the {side}"
LENGTHS_IN_WINDOWS = "words of the {side}, in windows of {widest}"
NO_UNK = "{metric}, no UNK"
WITHOUT_UNKNOWN = "{metric}, sentences without unknown words"
SENTENCES = "sentences"
AT_THE_MEAN = "scores stand at the mean length of their sentences"
BANDS = "bands: 95 % intervals"
GREY = "grey: what the share of the references' n-grams seen in training predicts from 15 words on"
MARKS_ABOVE = "marks above: longest sentences of the training, in tokenised words"
TRAINED_TO = "trained to {length}"
TRAINED_ON = "{names}: trained on sentences of at most {length} tokenised words"
POINT_READ_OUT = (
    "<b>{system}</b><br>%{{customdata[1]}} words: {metric} %{{y:.1f}}%{{customdata[3]}}<br>"
    "%{{customdata[2]:,}} sentences, %{{x:.1f}} words on average<extra></extra>"
)
EXPECTED_READ_OUT = (
    "%{customdata[1]} words: BLEU %{y:.1f} if only the share of the references' n-grams<br>seen in training changed "
    "with length<extra></extra>"
)

# Sentences put together
PUT_TOGETHER = "sentences put together"
STRESS_READ_OUT = (
    "%{{x}} put together: %{{y:.{decimals}f}}<br>%{{customdata[0]}} sentences of %{{customdata[1]:.1f}} words"
    "<extra>{name}</extra>"
)
STRESS_MEASURES = {
    "bleu": ("BLEU", "Corpus BLEU by sacreBLEU; bars are 95 % intervals, from ten groups up."),
    "kept": (
        "BLEU over BLEU one by one",
        "BLEU as a share of the BLEU of the same sentences translated separately and then concatenated.",
    ),
    "log_probability": (
        "log p per word of the reference (nats)",
        "Log-probability of the reference, in nats per word; vocabularies differ between checkpoints.",
    ),
    "length_ratio": (
        "length over reference",
        "Tokens of the translations over those of the references: below 1 words are missing.",
    ),
    "least_coverage": (
        "least coverage",
        "Attention that the least attended source word receives from all target words, on average; only with alpha.",
    ),
    "mean_coverage": (
        "mean coverage",
        "Attention that a source word receives from all target words, on average; only with alpha.",
    ),
}
"""Title of the axis and explanation, by measure."""

# Learning curve
TRAINING, DEVELOPMENT, BEST = "training", "development", "best, saved"
UPDATES, LOSS = "updates", "NLL (nats per target token)"
LOSS_READ_OUT = "update %{{x:,}}: %{{y:.3f}} nats<extra>{name}</extra>"

# Alignment error rate over the least weight of a link
LEAST_WEIGHT, ERROR_RATE = "least weight of a link", "AER, %"
ERROR_RATE_READ_OUT = "least weight %{{x:.2f}}: AER %{{y:.1f}} %<extra>{name}</extra>"
