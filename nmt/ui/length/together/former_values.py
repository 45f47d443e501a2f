"""Values that addresses of former versions have, with the names that took their place. They never change, however the
labels are worded."""

MEASURES = {
    "BLEU": "bleu",
    "BLEU against one by one": "kept",
    "Log p": "log_probability",
    "Length": "length_ratio",
    "Least coverage": "least_coverage",
    "Mean coverage": "mean_coverage",
}
