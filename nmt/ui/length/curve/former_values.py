"""Values in addresses written by former versions, with the names that replaced them. These tables never change, however
the labels are worded."""

EVERY_LENGTH = "All lengths"
SENTENCES_SECTION = "Sentences"
SECTIONS = {"Is it real?": "real", "Tables": "tables", "Take away": "tables"}
METRICS = {"BLEU": "bleu", "chrF": "chrf", "TER": "ter"}
COLUMNS = {"All": "all", "No UNK": "known"}
OPTIONS = {
    "95 % intervals": "intervals",
    "Sentences": "counts",
    "Training length": "trained",
    "Up to 60 words": "to-60",
}
DIVISIONS = {"By width": "width", "Equal counts": "equal", "By hand": "custom", "Rolling": "rolling"}
METHODS = {"Bootstrap": "bootstrap", "Randomisation": "randomisation"}
SORTS = {
    "No.": "no",
    "Words": "words",
    "Difference": "difference",
    "Length ratio": "length-ratio",
    "Unknown words": "unknown-words",
    "Least coverage": "least-coverage",
    "Entropy": "entropy",
    "Attention apart": "attention-apart",
}
DIRECTIONS = {"Largest first": "largest", "Smallest first": "smallest"}
