"""Values that addresses of former versions have, with the names that took their place. They never change, however the
labels are worded."""

SECTIONS = {
    "All": "trainings",
    "One by one": "cards",
    "Settings compared": "settings",
    "Scores": "scores",
    "Upload": "upload",
}
METRICS = {"BLEU": "bleu", "chrF": "chrf", "TER": "ter"}
COLUMNS = {"All sentences": "all", "No UNK": "known"}
