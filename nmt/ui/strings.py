"""Texts of what all places of the app share. A template has named fields; a pair is singular and plural."""

LANGUAGES = {
    "ar": "Arabic",
    "cs": "Czech",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "zh": "Chinese",
}
ARCHITECTURES = {"rnnsearch": "RNNsearch", "rnnencdec": "RNNencdec"}

# The frame around every page
APP = "Jointly"
LOOK = "Look"
LENGTH = "Length"
LEARN = "Learn"
MODELS = "Models"
PRESENT = "Present"
LOOK_QUESTION = "Where does a translation model look for each word that it writes?"
LENGTH_QUESTION = "What is lost when the sentence gets longer?"
LEARN_QUESTION = "How does attention work, and how is it learned?"
MODELS_QUESTION = "Which checkpoint is best at what, and where does it come from?"
PRESENT_QUESTION = "What does attention do for a sentence?"
A_PAGE = "page"
VIEW = "View"
LENGTH_VIEWS = {"curve": "BLEU against length", "together": "Concatenate sentences"}
NOT_THERE = "The link names a {what} that is not here: “{value}”."
NO_SUCH_CHOICE = "The link asks for “{value}” under “{title}”, where there is no such choice."
NOT_IN_VIEW = "The link asks for “{value}” under “{title}”, which this view does not have."
OUTSIDE = "The link asks for “{value}” under “{title}”, which takes numbers from {least} to {most}."

# Numbers and lists
AND = " and "
NOT_KNOWN = "unknown"
NATS = "{value} nats"
PAIR = "{source} to {target}"
SECONDS = "{seconds} s"
MINUTES = "{minutes} min"
MINUTES_AND_SECONDS = "{minutes} min {seconds} s"
HOURS_AND_MINUTES = "{hours} h {minutes} min"

# Forms
SETTINGS = "Settings"
EXAMPLE_MENU = "Examples"
EXPORT = "Export"
A_TEST_SET = "test set"
TEST_SET = "Test set"
GO_ON = "Continue"
REMOVE = "Remove"
DELETE = "Delete"
DRAWING = "Drawing …"
MISSING_GLYPHS = "No font here can draw all of: {words}."
UNKNOWN_WORDS = "Unknown, read as [UNK]: {words}."
PRECISION = "Precision"
RECALL = "Recall"
AER = "AER"
GOLD_LINKS = "Gold links"
LINKS = "Links"
LINK = "link"
SCORE = "Score"
SENTENCES = "Sentences"
UPDATES = "Updates"
NO_CHECKPOINT = (
    "There is no checkpoint yet. Put a run folder into checkpoints/, or train one with `jointly train`; it "
    "appears here as soon as its first weights are saved."
)
CHOOSE_CHECKPOINT = "Choose at least one checkpoint."
CHECKPOINTS = "Checkpoints"
A_CHECKPOINT = "checkpoint"
COLUMN = "Sentences"
COLUMNS = {"all": "All sentences", "known": "Sentences without unknown words"}
BROKEN = "{name} cannot be used: {problem}"
UNEQUAL_UPDATES = "They were not trained equally long: {updates}."
TRAINED_CONCATENATED = "Concatenated sentences were also among the training sentences of {names}."
UPDATES_OF = "{name} {updates:,} updates"
SCORES_ARE_READ = "Reading the scores …"
LANGUAGE_FIELD = "Languages"
NOTHING_WRITTEN = "(nothing: the model ended the sentence at once)"
BEAM = "Beam"
UNKNOWN = "[UNK]"
UNKNOWN_CHOICES = {"keep": "Keep", "forbid": "Forbid", "replace": "Replace"}
UNKNOWN_HELP = (
    "[UNK] stands for any word outside the model's vocabulary. Keep: show it as the model writes it. Forbid: the model "
    "may not write it. Replace: put the translation of the source word with the largest alpha in its place, from the "
    "checkpoint's dictionary; a word that is not in the dictionary is copied."
)
TOO_LONG = (
    "This text has {words} words and {characters} characters. One sentence may have up to {most_words} words and "
    "{most_characters} characters. To translate a whole text or a file, choose *Text or file* under *Look*, or use "
    "`jointly translate`."
)
ONE_SENTENCE = "Line breaks are read as spaces: all of it is translated as one sentence."
INVITATION = "Type a sentence above and press **Enter**, or start from one of these:"

# Why a translation may mean little
MEANS_LITTLE = (
    "{reason} {names} reads {language}: translation and weights mean little here.",
    "{reason} {names} read {language}: translations and weights mean little here.",
)
IN_OTHER_WRITING = "This is written in {writing}."
IN_OTHER_LANGUAGE = "This looks like {language}."
ALL_UNKNOWN = ("Its only word is unknown.", "All {count} words are unknown.")
MOSTLY_UNKNOWN = "{unknown} of {words} words are unknown."

# Progress
WAITING = "Waiting for other work to end …"
STARTING = "Starting"
STAGE = "{stage} …"
PROGRESS = "{stage}: {done} of {total} {unit}"
RATE = "{rate} words per second"
TIME_LEFT = "about {time} left"
OF_JOB = "{name}: "
CANCEL = "Cancel"
TRANSLATE_STAGE = "translate"
WORDS_AT_MOST = "words (the limit)"
SUBWORDS_AT_MOST = "subwords (the limit)"

# Panels of alignments
SOURCE = "source"
TARGET = "target"
SOURCE_IN = "source: {language}"
TARGET_IN = "target: {language}"
ENTROPY = "entropy {bits} bits"
WORD_LOG_PROBABILITY = "log p {value}"
COVERAGE = "coverage {value}"
COVERAGE_BARS = "coverage"
COVERAGE_BARS_HELP = "Sum of the weights of each source word over all target words. The dashed line is at 1."
ENTROPY_BARS = "entropy, bits"
ENTROPY_BARS_HELP = (
    "How widely the weights of each target word are spread: 0 if all weight is on one source word, {most} if all "
    "source words have the same weight. The hatched part is the share of the weight on the end-of-sentence token and "
    "on punctuation."
)
ENTROPY_WITH_SHARE = "entropy {bits} bits; {share} of the weight on the end-of-sentence token and punctuation"
DIFFERENCE_VALUES = "difference of alpha"
DIFFERENCE_LETTER = "Δα"
DIFFERENCE_SPOKEN = "difference"
MEAN_DIVERGENCE = "mean Jensen-Shannon divergence {bits} bits"
DIVERGENCE = "Jensen-Shannon divergence {bits} bits"

# Maps of a translation beside alpha
POSTERIOR = "posterior"
LEAVE_ONE_OUT = "leave-one-out"
ALIGNER = "aligner {name}"

# Sentences to start from
EXAMPLES = (
    "Where did you put the keys of my car?",
    "She told me that she has never seen the sea.",
    "A girl in a red coat is feeding two white ducks beside a lake.",
    "Three men carry a long wooden table up the stairs.",
    "The Minister may cancel a licence if its holder has not paid the annual fee.",
    "If the owner of a boat does not answer within thirty days after receiving the notice, the Board may "
    "remove the boat at the owner's expense and sell everything that was found on board.",
)
"""Sentences to start from: everyday speech, captions of pictures, the language of the law."""

# Terms of the field in one or two plain sentences, for help texts where a page first uses them
GLOSSARY = {
    "attention": "For each word that it writes, the model spreads a total weight of 1 over the words of the source. "
    "These weights, alpha, say how much of each source word enters the computation.",
    "encoder": "The part of the model that reads the source sentence and turns it into numbers.",
    "decoder": "The part of the model that writes the translation, one word after the other.",
    "state": "The numbers in which the decoder keeps what it has written so far. They change with every word.",
    "annotation": "What the encoder computes for one source word: a list of numbers that describes the word within its "
    "sentence.",
    "context": "The sum of the annotations, weighted by attention: what the decoder sees of the source when it writes "
    "one word.",
    "beam": "The search keeps this many unfinished translations at each word and goes on with the most probable ones. "
    "A beam of 1 always takes the most probable next word.",
    "nats": "A unit of log-probability: the natural logarithm of a probability. 0 nats means certain, −0.69 nats one "
    "half, −2.3 nats one tenth.",
    "entropy": "How widely weights are spread, in bits: 0 if all weight is on one word, 1 if two words share it "
    "equally, 2 if four words do.",
    "coverage": "The sum of the weights that a source word gets from all words of the translation. About 1 is usual; "
    "near 0, the model hardly looked at the word.",
    "BLEU": "Agreement of translations with human ones, from 0 to 100: the share of sequences of one to four words "
    "that both have, reduced for translations that are too short.",
    "AER": "Alignment error rate: how far word links are from those of human annotators, from 0 (the same) to 100 per "
    "cent.",
    "checkpoint": "The weights of a model at one point of its training, with all that is needed to translate.",
    "loss": "What training reduces: how improbable the model finds the correct next word, in nats per token.",
    "leave-one-out": "How much less probable a written word becomes when one source word is left out of the sentence.",
}
