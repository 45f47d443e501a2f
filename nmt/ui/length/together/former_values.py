"""Values in addresses written by former versions, with the names that replaced them. These tables never change, however
the labels are worded."""

MEASURES = {
    "BLEU": "bleu",
    "BLEU against one by one": "kept",
    "Log p": "log_probability",
    "Length": "length_ratio",
    "Least coverage": "least_coverage",
    "Mean coverage": "mean_coverage",
}
