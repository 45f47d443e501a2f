"""Texts of the place Models. A template has named fields; a pair is singular and plural."""

# The sections, and what several of them say
SHOW = "Show"
SECTIONS = {
    "use": "Which to use",
    "scores": "Scores",
    "trainings": "Models and training",
    "cards": "Cards",
    "train": "Train",
    "upload": "Upload",
}
TRANSLATE_WITH_IT = "Translate with it"
MEASURE_IT = "Measure it"
WATCH_IT_LEARN = "Watch it learn"

# Which to use
NO_PURPOSE = (
    "No score says yet which checkpoint to use. “Models and training” says what each of them is; `jointly "
    "evaluate` measures one on a test set."
)
USE_THIS = "Use this to **{uses}**"
USES = {
    "translate": "translate",
    "similar": "translate texts like {test_set}",
    "align": "align words",
    "long": "handle long sentences",
    "baseline": "see what attention is for",
    "learn": "watch a model learn",
}
EVIDENCE = {
    "translate": "BLEU {bleu:.1f} {where}{of_several}.",
    "similar": "BLEU {bleu:.1f} on it, {lead:.1f} more than any other.",
    "align": "Alignment error rate {rate:.1f} % on {gold}, the lowest of {rivals}.",
    "long": "BLEU {bleu:.1f} with {sentences} concatenated sentences, the best of {rivals}.",
    "baseline": "No attention, only one vector for the whole sentence: {less:.1f} BLEU less {where}{data}.",
    "learn": "Its weights were kept at {steps} points of the training.",
}
ON, ON_ALL = "on {test_set}", "over all test sets"
BETTER_ALIGNER = "The aligner {name}, which combines several checkpoints, has {rate:.1f} %."
BEST_OF = ", the best of {rivals}"
SAME_DATA = ", with the same training data"
FEWER_UPDATES = ", with the same training data, but {updates:,} updates of its weights instead of {most:,}"
BEST_ON_MORE = ("It is also the best on {count} more test set.", "It is also the best on {count} more test sets.")
TRAINED_ON_ANY = "Trained on sentences of any length{corpora}."
TRAINED_ON = "Trained on sentences of up to {longest} words{in_name}{corpora}."
FROM_CORPORA = " from {corpora}"
IN_NAME = " (“-{part}” in its name)"
TRAINED_LONGER = "It was trained for longer than the others (“-star” in its name: the paper's asterisk)."
GUIDED = "Its attention was guided by given word links{in_name}."
CONCATENATED = "Some of its training sentences were concatenated{in_name}."

# A card: the model
MODEL = (
    "{architecture}{variant} with embeddings of {model.embedding:,} units, {model.hidden:,} hidden units{alignment} "
    "and {model.maxout:,} maxout units: {weights.parameters:,} weights, {megabytes:.1f} MB as {stored}."
)
ALIGNMENT_UNITS = ", {units:,} alignment units"
VARIANT = " (with {parts})"
UNITS = {"lstm": "LSTM units", "reset_after": "gated units that reset after the product"}
FORWARD_ONLY = "an encoder that only reads forwards"
STARTS_FROM_BOTH = "an s_0 from the last states of both directions"
PREDICTS_FROM_NEW_STATE = {"maxout": "y_i predicted from s_i", "linear": "y_i predicted from s_i by a linear output"}
SCORE_FUNCTION = "the {score} score"
STORED = {"F32": "fp32", "F16": "fp16", "I8": "int8 with a scale for each row"}
SIDES = "Source: {source}, {source_vocabulary}. Target: {target}, {target_vocabulary}."
VOCABULARY = "{size:,} {kind}"
VOCABULARY_KINDS = {"words": "words", "unigram": "subwords (unigram)", "bpe": "subwords (BPE)"}
SAVED_AFTER = "The weights are those after {updates:,} updates ({epochs:.1f} epochs)."
SAVED_AFTER_BOTH = (
    "The weights are those after {sum:,} updates: {updates:,} ({epochs:.1f} epochs) in the last part of the training, "
    "which began with the weights after {before:,}."
)
ON_DEVELOPMENT = "On the development set: {measures}."
NLL_PER_TOKEN = "{nats:.3f} nats per target token"
BLEU_VALUE = "BLEU {bleu:.1f}"
LENGTH_PENALTY = "It translates with length penalty {penalty:g}, as in its evaluation."
PRECISION_HERE = "The app translates with it in {precision}."
WEIGHTS_FILE = "**Weights file**"
WHOLE_CARD = "The whole card, as Markdown"

# A card: the training
TRAINING = (
    "**Training** (Table 2 of the paper). NLL (negative log-likelihood) is in nats per sentence; on the training set "
    "it is measured with dropout."
)
ENDED = "The training ended because {reason}."
STEPS_KEPT = "Weights were also kept after these {count} updates: {updates}."
MACHINE = (
    "Trained on {machine.processor} with {machine.cores} cores, {session.processes} × {session.threads} threads, "
    "{device}, {machine.system}, Python {machine.python}, torch {machine.torch}."
)
COMMANDS = "**Commands**"
COMMIT = "The code was that of commit {commits}."
DATA = "**Data**"
DATA_COLUMNS = {"use": "", "files": "Files", "pairs": "Pairs used", "times": "Times per epoch", "licence": "Licence"}

# A card: the scores
NOT_EVALUATED = "Not evaluated yet: `jointly evaluate` measures a checkpoint on a test set and keeps the scores."
TEST_SETS = "**Translation of the test sets** (Table 1 of the paper)"
SENTENCES = "Sentences"
BLEU = "BLEU"
BLEU_KNOWN = "BLEU without unknown words"
KNOWN_SENTENCES = "Sentences without unknown words"
CHRF = "chrF"
TER = "TER"
HIGHER_IS_BETTER = "0 to 100, higher is better."
EDITS = "Edits per 100 words, lower is better."
BLEU_KNOWN_HELP = "[UNK] is forbidden, and only sentences without an unknown word on either side count."
KNOWN_SENTENCES_HELP = "How many sentences have no unknown word on either side."
BY_LENGTH = "**BLEU by words of the source** (Figure 2 of the paper)"
AGAINST_GOLD = "**Alignment against gold links**, in per cent; a low alignment error rate (AER) is good"
SIGNATURES = "Signatures"

# Alignment error rates
LINKS_FROM = "Links from"
RULE = "Rule"
PAIRS = "Pairs"

# Scores of all
NO_SCORES = (
    "No checkpoint has been evaluated yet. `jointly evaluate RUN --set NAME SOURCE REFERENCE` scores one on a "
    "test set and keeps the result beside its weights."
)
TRANSLATION = "Translation"
METRICS = {"bleu": "BLEU", "chrf": "chrF", "ter": "TER"}
METRICS_EXPLAINED = {
    "bleu": "BLEU is from 0 to 100; higher is better.",
    "chrf": "chrF is from 0 to 100; higher is better.",
    "ter": "TER is the number of edits per 100 words; lower is better.",
}
COLUMNS_EXPLAINED = {
    "all": "Every sentence of the test sets counts.",
    "known": "[UNK] is forbidden, and only sentences without an unknown word in source and reference count.",
}
SCORES_CAPTION = (
    "{metric} {column} Bold: the best of a column. ±: half of the 95 % interval by 1,000 bootstrap resamples. Number "
    "of sentences: {counts}. As Table 1 of the paper. {nothing}: not measured."
)
SCORE_AND_INTERVAL = "{score:.1f} ± {half:.1f}"
COMPUTING_INTERVALS = "Computing the intervals …"
SENTENCES_OF = "{test_set} {sentences:,}"
OTHER_SENTENCES = "{name} was evaluated on other sentences of {test_set} than the others, so it is left out"
ALIGNMENT = "Alignment"
ALIGNMENT_CAPTION = (
    "In per cent, against gold links; a low alignment error rate (AER) is good. Links from attention: from alpha, "
    "which the model computes before it writes a word. From the posterior: from alpha once that word is known. From "
    "leave-one-out: from how much less probable the word is without each source word; this needs no attention."
)
BLEU_SIGNATURES = "Signatures of the BLEU scores"

# Models and training
CHECKPOINT = "Checkpoint"
MODELS = "Models"
MODELS_CAPTION = (
    "m, n, n' and l as in appendix A of the paper. Longest: number of words of the longest training sentence."
)
SAME_LANGUAGES = " All checkpoints translate from {value}."
LANGUAGES = "Languages"
ARCHITECTURE = "Architecture"
EXTERNAL = "external system"
EMBEDDING_HELP = "Units of a word embedding."
HIDDEN_HELP = "Hidden units of each direction of the encoder, and of the decoder."
ALIGNMENT_HELP = "Units of the alignment model."
MAXOUT_HELP = "Units of the maxout layer."
VOCABULARIES = "Vocabularies"
LONGEST = "Longest"
LONGEST_HELP = "Words of the longest sentence that it was trained on."
WEIGHTS = "Weights"
MEGABYTES = "MB"
SHA256 = "SHA-256"
SHA256_HELP = "The first {digits} digits of the weights file's checksum; the card has all of them."
TRAININGS = "Training (Table 2)"
TRAININGS_CAPTION = (
    "NLL (negative log-likelihood) in nats per sentence, on the training set with dropout and on the development set. "
    "It can be compared only between models with the same vocabulary."
)
SAME_MACHINE = " All were trained on {value}."
EPOCHS = "Epochs"
HOURS = "Hours"
MACHINE_COLUMN = "Machine"
NLL_TRAIN = "NLL train"
NLL_TRAIN_HELP = "Nats per sentence, with dropout."
NLL_DEV = "NLL dev"
NLL_DEV_HELP = "Nats per sentence; comparable only between models with the same vocabulary."
CURVE = "Curve"
CURVE_HELP = "NLL on the development set during training."
DATA_COLUMN = "Data"
LICENCES = "Licences"
STEPS = "Snapshots"
RUNS_CAPTION = (
    "{nothing}: unknown or not applicable. A new checkpoint appears here as soon as its first weights are saved."
)

# Several cards
CHECKPOINTS_HELP = "Choose two or more to see their trainings in one figure, and the settings in which they differ."
CURVES_ALT = "Negative log-likelihood on the development set over the updates, a line for each of {names}"
CURVES_CAPTION = "NLL on the development set. It can be compared only between models with the same vocabulary."
SETTINGS_COMPARED = "Settings compared"
FIRST = "First"
SECOND = "Second"
ALL_SETTINGS = "All settings"
SAME_SETTINGS = "The two checkpoints have the same settings."
SETTING = "Setting"
DIFFERS = "Differs"
SETTINGS_CAPTION = (
    "{different} of {all} settings differ. `train --set` takes these names; “data” is the beginning of the checksum "
    "of the prepared data."
)

# Upload
RUN_FOLDER = "A checkpoint: its run folder as a zip file"
RUN_FOLDER_HELP = (
    "The folder as `train` or `release` writes it: config.json, the vocabularies, model.safetensors, and its "
    "other files."
)
SHARED = (
    "Everybody who uses this server sees what is added. It stays in the cache folder of this server until it is "
    "removed."
)
ADD = "Add"
LIMITS = (
    "At most {packed:,.0f} MB, {unpacked:,.0f} MB unpacked. Before the run can be used, the server checks the name, "
    "place and format of every file, and that the weights fit the model that the settings describe."
)
CHOOSE_FILE = "Choose a zip file first"
ADDED = "{name} was checked and added"
ADDED_UNDER = "It was checked and added as {name}, because there is already another {former}"
REMOVED = "{name} was removed"
CONFIRM = "Delete {name} from this server?"
