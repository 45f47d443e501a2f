"""Texts of the view "BLEU against length". A template has named fields; a pair is singular and plural."""

# The row above the picture
TEST_SET_HELP = "The sentences of several test sets count as one set."
ADD_YOUR_OWN = "Add your own"
OTHER_LANGUAGES = "Not in this curve, because they translate other languages: {names}."
NOTHING_TO_SHOW = (
    "There is nothing to show yet. Put a run folder into checkpoints/, or train one with `jointly train`; then "
    "it can be measured here."
)
CHOOSE_TEST_SET = "Choose at least one test set."
NO_RANGES = "The ranges of lengths cannot be used; choose others under “Settings”."
NOT_ON_SERVER = "“{name}” is not on this server; upload it again under “Add your own”."
ANOTHER_TEST_SET = "Show another test set"
OTHER_SENTENCES = "{name} was measured on other sentences of {test_set} than the others, so it is left out."
SAME_SENTENCES = "{name} has the same sentences as {other}, so they count once."

# Settings
AS_IN_PAPER = "Show it as in the paper's Figure 2"
AS_IN_PAPER_HELP = (
    "BLEU by number of source words in ranges of ten, the axis from 0 to 60, and the four models of Figure 2 as far as "
    "they are here."
)
SIDE = "Length in words of the"
COLUMN_HELP = (
    "Without unknown words: [UNK] is forbidden, and only those sentences count in which every word of source and "
    "reference is known to all of the checkpoints (“No UNK” in Table 1 of the paper)."
)
MORE = "More: ranges, what is shown, test"
OPTIONS = "Shown with"
OPTION_NAMES = {
    "intervals": "95 % intervals",
    "counts": "Numbers of sentences",
    "trained": "Training length",
    "to-60": "Up to 60 words",
}
RANGES = "Ranges of lengths"
DIVISIONS = {
    "fitted": "Fitted",
    "width": "Equal width",
    "equal": "Equal counts",
    "custom": "Custom",
    "rolling": "Rolling",
}
RANGES_HELP = (
    "Fitted: the paper's ranges of ten words, or, if the sentences of a test set are too short for these, ranges with "
    "about the same number of sentences in each. Custom: type the first length of each range. Rolling: a score for "
    "every length, of the sentences around it."
)
WORDS_IN_RANGE = "Words in a range"
LAST_RANGE = "Last range begins at"
LAST_RANGE_IS = "Last range: {first} and more."
NUMBER_OF_RANGES = "Number of ranges"
WORDS_IN_WINDOW = "Words in a window"
RANGES_BEGIN_AT = "Ranges begin at"
NO_SUCH_RANGES = "ranges are given by the lengths at which they begin, such as 1, 11, 21, not by {text!r}"
TEST = "Test"
METHODS = {"bootstrap": "Bootstrap", "randomisation": "Randomisation"}
TEST_HELP = (
    "Paired bootstrap resampling (Koehn 2004): one-sided p, as in sacreBLEU, 1,000 resamples. Approximate "
    "randomisation (Riezler and Maxwell 2005): two-sided p, 10,000 trials."
)
COMPARE = "Compare"
COMPARE_WITH = "with"

# Test sets and systems of the reader
CORPORA = "**Corpora on this server**"
CORPORA_FOLDER = "Folder of corpora"
CORPORA_HELP = "As `jointly corpus get` makes it: a folder for each corpus, with the files of its splits."
CORPORA_UNREADABLE = "The folder of corpora cannot be read: {reason}."
ADD_FILES = "Add its files under “Add your own”."
GET_CORPUS = (
    "`{command}` downloads the corpus into data/corpora; another folder of corpora can be named under “Add your own”."
)
READING_TEST_SET = "Reading the test set …"
OWN_TEST_SET = "**A test set of your own**"
OWN_TEST_SET_ABOUT = (
    "Two UTF-8 files with one sentence per line, or of WMT or TMX, or one TSV file: sentence, tab, translation. Tabs "
    "divide references. At most {lines:,} lines and {megabytes} MB, also in gzip or xz. The files stay on this server."
)
SENTENCES_FILE = "Sentences in {language}, or TSV"
REFERENCES_FILE = "References in {language}"
TEST_SET_NAME = "Name of the test set"
NAME_FROM_FILE = "from the file"
ADD_TEST_SET = "Add the test set"
OWN_SYSTEM = "**The output of another system**"
OWN_SYSTEM_ABOUT = (
    "Moses, an online translator, anything: one UTF-8 file with a translation for each line of a test set."
)
TRANSLATIONS_FILE = "Translations"
THEIR_TEST_SET = "Their test set"
SYSTEM_NAME = "Name of the system"
ADD_SYSTEM = "Add the system"
SET_ADDED = ("{name}: {count} sentence added. {next}", "{name}: {count} sentences added. {next}")
MEASURE_NEXT = "Measure checkpoints on it below."
SYSTEM_ADDED = ("{name}: {count} translation of {test_set} added.", "{name}: {count} translations of {test_set} added.")
SAME_SET = "These are the sentences of {name}, which is already here"
NAME_TAKEN = "There is already a test set {name}; give another name"
CHOOSE_SENTENCES = "Choose the file with the sentences first"
CHOOSE_REFERENCES = "Choose the file with the references, too, or a single file that ends with .tsv"
CHOOSE_TRANSLATIONS = "Choose the file with the translations first"
NAME_OF_CHECKPOINT = "{name} is a checkpoint; give another name"
GIVE_NAME = "Give the system a name"
SAME_TEXT = "{file} has the same sentences as the other file; choose their translations"
SIDES_LOOK_SWAPPED = (
    "The sentences of {test_set} look like {target}, not {source}. Perhaps the two files are swapped; if so, add them "
    "again under another name."
)
OTHER_LENGTH = "{file} has {lines:,} lines, but {test_set} has {sentences:,} sentences"

# What is not measured yet
ON_TEST_SET = "{name} on {test_set}"
SCORE_AGAIN = "Score {output}"
NEEDS_CHECKPOINT = (
    "“Sentences without unknown words” needs a checkpoint: unknown words are those that its vocabulary lacks."
)
ALL_HAVE_UNKNOWN = "Every sentence has a word that is unknown to one of the checkpoints, so there is nothing to show."
NOT_MEASURED = "Not measured on {test_set}: {names}."
NOT_MEASURED_KNOWN = "Not measured on {test_set} for sentences without unknown words: {names}."
SENTENCES_NOT_HERE = "The sentences of {test_set} are not here. {how_to_get}"
EXTERNAL_SYSTEM = "An external system is measured by its translations: add them under “Add your own”."
MEASURE = "Measure {names} on {test_sets}"
MEASURE_HELP = (
    "Runs in the background, with each checkpoint's own search settings. Finished sentences are cached, so you can "
    "stop and continue at any time."
)
TO_MEASURE = (
    "{count} sentence has to be translated and scored; you can go on using the app meanwhile.",
    "{count} sentences have to be translated and scored; you can go on using the app meanwhile.",
)
SCORING_STAGE = "score"
READING_STAGE = "align with {name}"

# The curve
COMPUTING_CURVES = "Computing the curves …"
TESTING = "Testing …"
MAKING_TABLES = "Making the tables …"
CURVE_ALT = "{metric} over words of the {side}, a line for each of {names}; the same numbers are under “Tables”"
CLICK_A_POINT = "Click a point to see its sentences."
ONE_RANGE = "There are too few sentences for several ranges. Click the point to see all of them."
POINTS = "Each point is the {metric} of all sentences of a range together, drawn at their mean length."
BANDS = "Bands are 95 % intervals by 1,000 bootstrap resamples."
EXPECTED = (
    "Dotted grey: what the training texts alone lead us to expect. The line starts from the best score at about 15 "
    "words; from there it follows the share of the references' n-grams that occur in the training texts."
)
OVERALL = "All {sentences:,} sentences: {scores}."
SCORE_OF = "{name} {score:.1f}"
OR_MORE = "{first} or more"
SHARE_KEPT = "Share of {metric} kept from {first} to {last} words: {systems}."
KEEPS = "**{name}** {percent:.0f}\u00a0% ({first:.1f} → {last:.1f})"
SCORES_CHANGE = "{metric} from {first} to {last} words: {systems}."
CHANGES = "**{name}** {first:.1f} → {last:.1f}"
BELOW = "Below"
SECTIONS = {"real": "Is it real?", "tables": "Tables"}

# Is it real?
CHOOSE_TWO = "Choose two checkpoints to compare."
OVERALL_TEST = "{icon} **{first}** and **{second}**, sentences of all lengths: {result}."
ROLLING_NOT_TESTED = "Rolling windows share their sentences, so their differences are not tested one by one."
WORDS = "Words"
DIFFERENCE = "Difference"
INTERVAL = "95 %"
INTERVAL_TO = "{low} to {high}"
P = "p"
P_HELP = "Of this range alone."
CORRECTED_P = "p, corrected"
CORRECTED_P_HELP = "For as many tests as there are ranges, by Holm's method."
VERDICT = "Verdict"
NO_SENTENCES = "no sentences"
TOO_FEW = "too few sentences to test"
MAY_BE_CHANCE = "may be chance"
IS_BETTER = "{name} is better"
DIFFERENCE_EXPLAINED = (
    "Difference: {metric} of {first} minus that of {second}, with its 95 % interval by bootstrap. p: how often "
    "chance alone would make a difference as large; below {level:g}, after correction, it counts as real. Ranges of "
    "fewer than ten sentences are not tested."
)
LOWER_IS_BETTER = "Lower {metric} is better."

# Export
FIGURE = "**Figure** as in the paper's Figure 2"
FIGURE_CAPTION = "The figure for print"
TABLES = "**Tables** 1 and 2 of the paper, scores by length, tests and signatures"
SIGNATURE = "**Signature** of the scores"
COMMAND = "**Command** that draws the figure again"

# The sentences beside the curve
SENTENCES_BY = "Sentences by words of the {side}"
ALL_LENGTHS = "All lengths"
RANGE = "{range} words"
CLOSE = "Close"
SENTENCE = "Sentence"
SENTENCE_PLACEHOLDER = "No."
SENTENCE_HELP = "Number of the sentence. A click at the left of its row in the table chooses it, too."
PREVIOUS = "Previous sentence"
NEXT = "Next sentence"
NO_SUCH_RANGE = "There is no range “{name}”; all sentences are shown."
NO_SUCH_LENGTH = "No sentence has such a length."
ORDER = "Order"
SORTED_BY = "Sorted by"
DIRECTION = "Direction"
DIRECTIONS = {"largest": "Largest first", "smallest": "Smallest first"}
TABLE_COLUMNS = {
    "no": "No.",
    "words": "Words",
    "sentence": "Sentence",
    "difference": "Difference",
    "length-ratio": "Length ratio",
    "unknown-words": "Unknown words",
    "least-coverage": "Least coverage",
    "entropy": "Entropy",
    "attention-apart": "Divergence",
}
COLUMNS_EXPLAINED = {
    "difference": "how much better the first system scores than the second; below 0 it is worse",
    "length-ratio": "length of the first system's translation, divided by that of the reference",
    "unknown-words": "words of the source that the first checkpoint's vocabulary lacks",
    "least-coverage": "least attention that a source word got in the first checkpoint's translation",
    "entropy": "mean entropy of the rows of alpha, in bits, in the first checkpoint's translation",
    "attention-apart": "mean Jensen-Shannon divergence, in bits, between the rows of alpha of both checkpoints, when "
    "both are made to write the reference",
    "no": "order of the test set",
    "words": "length",
}
COLUMN_EXPLAINED = "- {column}: {explained}"
ONLY = "Only {name}"
ONLY_HELP = "Words and n-grams of the reference that this translation has and the other one lacks."
NGRAMS = " · "
SENTENCES_SHOWN = ("{count} sentence, with its own {metric}.", "{count} sentences, each with its own {metric}.")
SENTENCES_HELP = (
    "The score of each sentence alone, so that you can sort by it. The curve is not a mean of these values."
)
ONLY_STATISTICS = "The sentences of {test_set} are not here, only their scores. {how_to_get}"
NOT_THE_MEASURED = "The sentences of {test_set} that are here are not those that were measured, so they are not shown."
SHOW_OTHER_SET = "Show {test_set}, whose sentences are here"
COMPARE_ATTENTION = "Compare their attention"
COMPARE_ATTENTION_HELP = "Adds a column to sort by: {explained}."
TWO = "{first} and {second}"

# One sentence
LINE = "**{test_set}, line {line:,}**"
SENTENCE_NOT_HERE = "The sentence is not here; see above how to get it."
SOURCE = "Source"
REFERENCE = "Reference"
SENTENCE_SCORE = "{name}: {metric} {score:.1f}"
NOT_KEPT = "Its translation is not kept here."
SEGMENTS = "Cut into segments, each translated on its own, in order:"
MARKS = "Green: gained against the other. Orange: lost. Underlined: not in the reference. Struck out: only in it."
MARKS_HELP = (
    "Of {first} and {second}. Gained: words and n-grams of the reference that the other one lacks; lost: those that "
    "only the other one has."
)
WHERE_THEY_LOOKED = "See where they looked"
TRANSLATE_SENTENCES = ("Translate this sentence with {names}", "Translate {count} sentences with {names}")
TRANSLATE_HELP = (
    "Their translations were scored on another machine and are not kept here. They are made again in the background, "
    "and kept."
)
