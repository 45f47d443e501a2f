"""Texts of the section Train of the place Models. A template has named fields."""

OFF = (
    "Training is off, because other machines can reach this server. Whoever started it can allow it with `make app "
    "HOST=… TRAIN=yes`."
)
JOBS = "Trainings"
JOBS_HELP = "Choose one to watch it, or several to see their curves in one figure."
STATES = {
    "queued": "waiting",
    "running": "training",
    "stopping": "saving",
    "stopped": "paused",
    "done": "done",
    "failed": "failed",
    "lost": "lost",
}
NEW = "New training"
THE_PAGE = "the page"

# The texts
TEXTS = "Texts"
WHERE = {"example": "Korean example", "corpus": "A known corpus", "upload": "Upload", "path": "Files on this machine"}
EXAMPLE_CAPTION = (
    "2,000 short sentences that a small grammar wrote, free to use (CC0). Korean puts the verb last and English puts "
    "it second: watch the model learn to move it, in about three minutes."
)
CORPUS = "Corpus"
DIRECTION = "Direction"
SOURCE = "From"
TARGET = "Into"
PATHS = ("Source file", "Target file", "Source file for validation", "Target file for validation")
GIVE_PATHS = "Give the paths of four files, one sentence on each line: two to train on, two to validate on."
FILES = ("Source sentences, or a TSV with both sides", "Their translations, if they are in a second file")
GIVE_FILES = (
    "Upload two files with as many lines, line by line translations of each other, or one with a tab between the two "
    "sides. The last tenth, at most 200 pairs, is kept for validation."
)
FETCH = "get the corpus"
PREPARE = "check the texts"
CHECK = "Check these texts"
CHECKED = ("", "Pairs", "Left out", "Words per source", "Words per target", "Unknown in source", "Unknown in target")
KEPT = "{kept:,} of {read:,}"
FOR_TRAINING = "to train on"
FOR_VALIDATION = "to validate on"
FIRST_BATCH = "The first sentences of the first minibatch (of {count}), as the model reads them"

# The plan
BEGIN = "Begin with"
ADAPT = "adapt {name}"
UPDATES = "Updates"
NAME = "Name"
MORE = "More settings"
ITS_VOCABULARIES = "The vocabularies are those of {name}, and its weights are where the training begins."
VOCABULARY = "Vocabulary"
KINDS = {"words": "Words", "bpe": "Subwords (BPE)"}
SIZE = "Size of each side"
SETTINGS = "Other settings, one on each line"
SETTINGS_PLACEHOLDER = "training.learning_rate=0.001"
PROBE = "try this training"
SECONDS_UNIT = "seconds"
ESTIMATE = "Estimate ({seconds} seconds)"
COSTS = {"Minutes": "{:,.1f}", "Updates": "{:,}", "Words": "{:,.0f}", "Disk": "{:,.0f} MB", "Memory": "{:,.0f} MB"}
ANOTHER_RUNS = "Another training runs now, so the time was measured beside it."
COMMAND = "**This is what will run**, and can be typed in a terminal:"
START = "Start training"

# A job
STOP = "Pause"
RESUME = "Resume"
STOP_HELP = "A training saves before it ends, and goes on exactly where it was."
CONFIRM = "Delete {name} with its weights from this machine?"
NOT_BEGUN = ("Nothing has been reported yet.", "It begins when those before it have ended.")
UPDATE = "Update {update:,} of {most:,}"
MEASURES = {
    "Loss": "{:.3g}",
    "Dev NLL": "{:.3g}",
    "Dev BLEU": "{:.1f}",
    "Gradient norm": "{:.3g}",
    "Words per second": "{:,.0f}",
    "Learning rate": "{:.2g}",
}
ABOUT_MEASURES = (
    "How improbable it finds the next words of the sentences that it trains on, in nats per word: less is better.",
    "The same for the sentences kept for validation. Where this rises again, it learns the others by heart.",
    "How far its translations of the sentences kept for validation agree with those given, from 0 to 100.",
    "How much the sentences of one update would change the weights.",
    "Words of the translations that it trains on in a second.",
    "How far each update changes the weights.",
)
LEFT = ", about {mean} left (between {least} and {longest})"
CURVES_ALT = "Negative log-likelihood over the updates, for {names}"
CARD = "Its card"
SENTENCE = "A sentence to follow"
SENTENCES = {"ko": "나는 어제 사과를 먹었다.", "en": "The cat is sleeping on the table."}
NO_ALPHA = "A model without attention has no alpha to show; its translations are in training.jsonl."
NOTE = "Note"
COMMAND_POPOVER = "Its command"
