"""Values in addresses written by former versions, with the names that replaced them. These tables never change, however
the labels are worded."""

SECTIONS = {
    "All": "trainings",
    "One by one": "cards",
    "Settings compared": "settings",
    "Scores": "scores",
    "Upload": "upload",
}
METRICS = {"BLEU": "bleu", "chrF": "chrf", "TER": "ter"}
COLUMNS = {"All sentences": "all", "No UNK": "known"}
