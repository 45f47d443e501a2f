"""Texts of the place Look. A template has named fields; a pair is singular and plural."""

# Languages, checkpoints, sentence or text
CHECKPOINTS = "Checkpoints to compare"
CHOOSE_CHECKPOINTS = "Choose checkpoints"
WRITES = "{name}: {language}"
READ_AS = "The text is read as {language}. Left out, because they read another language: {names}."
MODE = "What to translate"
MODES = {"sentence": "Sentence", "text": "Text or file"}
AS_TEXT = ("As a text", "As {count} sentences")
ONE_BY_ONE = "Add them one by one"
TRANSLATE = "Translate"

# The picture of a sentence
INTRODUCTION = (
    "Jointly: the two models of Bahdanau, Cho and Bengio (2014), RNNsearch with attention and RNNencdec without. They "
    "are small and make mistakes."
)
HINT = "Point at a word to see where the model looked. A click keeps it. Arrow keys work too."
HINT_DRAG = "Point at a word to see where the model looked. A click keeps it. Drag a ribbon to make it look elsewhere."
KIND_IN = "{language} · {kind}"
KIND_WITHOUT_ALPHA = "{kind}: the whole sentence in one vector, without attention"
LOST = "RNNencdec lost its way here: most of its words are others than RNNsearch's, which is sure of its own."
HARDLY_SEEN = "Hardly seen in training: {words}."
REPLACED = (
    "With each [UNK] replaced by the dictionary's entry for the source word with the largest alpha, or by that word "
    "itself if it has no entry: {text}"
)
LOOKED = "[UNK] looked most at {places}. With that in its place: {text}"
LOOKED_AT = "“{word}” ({weight})"
NOT_REPLACED = "RNNencdec has no alpha, so its [UNK] cannot be replaced."
LONGER_THAN_TRAINED = "The sentence has {words} words; sentences in training had up to {most}."

# The small Figure 2
FIGURE_SIGNATURE = "sacreBLEU {signature}"
FIGURE_SPOKEN = "{curves} The sentence above has {words} words."
WORDS = ("This sentence has {count} word.", "This sentence has {count} words.")
STANDING = (
    "{here} {name} has translated {sentences} test sentences of {shortest} to {longest} words. Its translation here "
    "has a higher log p per token than {share} of those."
)
CURVE_BEGINS = "The curve begins at {words} words, the mean length of the shortest texts that were scored."
CURVE_ENDS = "The curve ends at {words} words, the mean length of the longest texts that were scored."
WITHOUT_CURVE = (
    "{names} has no curve: it was not scored on concatenated sentences of {test_set}.",
    "{names} have no curve: they were not scored on concatenated sentences of {test_set}.",
)
NO_CURVE = "No curve is stored with these checkpoints. The page Length can measure one."

# Whole texts: the form
TEXT = "Text"
TEXT_PLACEHOLDER = "Type or paste paragraphs, up to {most} characters …"
EXAMPLE = "Example"
EXAMPLE_TEXT = (
    "The harbour of the town\n\n"
    "Every morning two old men sit by the water and look at the boats. One of them was a sailor. He has seen many "
    "countries, but he says that this is the most beautiful place in the world.\n\n"
    "When it rains, they drink coffee in a small house near the church. Nobody knows what they talk about."
)
FILE = "A text file in UTF-8 instead"
SPLIT = "Split"
SPLITS = {"sentences": "By sentence", "lines": "By line"}
SPLIT_HELP = (
    "By sentence: the program sentencex finds where each sentence ends; it knows abbreviations and numbers. By line: "
    "each line is one sentence, as in a test set."
)
CUT_OFF = "The field holds {most} characters; the rest of the text was cut off."
NO_TEXT = (
    "Type a text above, or choose a file under Settings. It is split into sentences, each is translated, and the text "
    "is put together again with its paragraphs."
)
FILE_FIRST = "The file is translated, not the text above. Remove the file to go back to the text."
SPLITTING = "Looking for sentences …"
READ_TEXT = "{sentences}, {words}, read as {language}."
SENTENCE_COUNT = ("{count} sentence", "{count} sentences")
WORD_COUNT = ("{count} word", "{count} words")
LONG_SENTENCE = "{number} ({words} words)"
AND_MORE = "{named} and {count} more"
LEFT_AS_THEY_ARE = (
    "Too long to be translated, and left as they are: sentence {numbers}. A sentence may have up to {most_words} words "
    "and {most_characters} characters here."
)

# Whole texts: progress and results
PROGRESS_IS_SAVED = "Progress is saved: you can leave this page and continue later."
PARTLY_DONE = "{done} of {total} different sentences are translated."
FIRST_CHARACTERS = "The first {shown} of {total} characters; the file has all of them."
LOG_PROBABILITY = "Log-probability per token"
LOG_PROBABILITY_HELP = (
    "Natural logarithm of the probability of all translations, divided by the number of words or subwords that the "
    "model wrote, end-of-sentence tokens included."
)
SAVE_TSV = "Sentences as TSV"
SAVE_TSV_HELP = "One line for each sentence: source, translation and log-probability."
BY_SENTENCE = "Sentence by sentence"
NUMBERED = "{number} · {language}"
LOOK_CLOSER = "Look closer"
LEFT_AS_IT_IS = "Too long, left as it is."
NOT_TRANSLATED = "Not translated yet."
PER_WORD = "{name} · {nats} per token"


# The page and its sections
BACK_TO_LENGTH = "Back to BLEU against length"
SECTIONS = {"explain": "Explain", "what-if": "What if", "gold": "Gold links", "length": "Length", "export": "Export"}
ABOUT_CURVE = "Higher is better. The dotted line marks the length of this sentence."

# The form
SENTENCE = "Sentence in {language}"
SENTENCE_PLACEHOLDER = "Type one sentence in {language} …"
TARGET_KIND = "Translation shown"
TARGET_KINDS = {"best": "Best translation", "list": "From the list", "typed": "Typed target"}
TARGET_KIND_HELP = (
    "Best translation: the one that the search finds most probable. From the list: choose another translation that "
    "the search found. Typed target: type a translation, and the model is made to write it, word by word."
)
SHOWN = "Below the ribbons"
SHOWN_CHOICES = {"matrix": "Matrix", "links": "Links", "both": "Both"}
SCALE = "Scale"
LAYOUT = "Layout of the links"
LAYOUTS = {"auto": "As it fits", "horizontal": "One above the other", "vertical": "Side by side"}
PRUNE = "Keep links by"
PRUNE_CHOICES = {"weight": "Weight", "mass": "Share"}
PRUNE_HELP = (
    "Weight: every link with at least this alpha. Share: for each target word the fewest links that together have at "
    "least this share of its attention."
)
AT_LEAST = "At least"
OPTIONS = "Also show"
OPTION_CHOICES = {
    "bars": "Bars",
    "end": "End mark",
    "punctuation": "Punctuation",
    "pieces": "Subwords",
    "transposed": "Target on top",
    "difference": "Difference",
    "committee": "Committee",
    "hard": "Hard attention",
}
OPTIONS_HELP = (
    "Where the end-of-sentence token or punctuation is not shown, the rest of each row is divided by its sum. "
    "Difference: the weights of the second checkpoint minus those of the first, both for the first one's translation. "
    "Committee, of checkpoints with the same vocabularies: what they write together, by the mean of their "
    "log-probabilities, and where the first of them looks. Hard attention: what a checkpoint writes where each step "
    "reads one word only, that of its largest weight."
)
NO_DIFFERENCE_YET = "Choose a second checkpoint with alpha to see how its weights differ from those of the first."
NO_DIFFERENCE_LINE = (
    "Difference: choose a second checkpoint with alpha to see how its weights differ from those of the first. "
    "RNNencdec has none."
)

SENTENCE_NUMBER = "number of sentences"

# The target
TARGET = "Target"
TARGET_WANTED = "Type the target sentence whose alignment you want to see."
LIST = "Translations by {name}, the most probable first"
LISTED = "{rank} · log p {nats} · {text}"
LISTED_NOTHING = "(nothing)"
LIST_OF_OTHERS = "Each other checkpoint shows the translation with the same number in its own list."
OTHER_TARGET_LANGUAGE = "Left out, because they do not write {language} as the first checkpoint does: {names}."

# Several sentences as one
KEPT_ALL = "{count} sentences as one: all {words} words that it writes for them one by one are kept."
KEPT_SOME = "{count} sentences as one: {kept} of the {words} words that it writes for them one by one are kept:"

# Panels
EFFECT = "What did it depend on?"
STAND_IN_NOTE = (
    "RNNencdec has no alpha. In its place you see how much less probable each word that it wrote becomes when a source "
    "word is left out; each row is divided by its sum."
)
MATRIX_HINT = "Clicks on more words add their weights."
COMMITTEE = "mean of their log-probabilities"
ALPHA_OF = ", alpha of {name}"
HARD = "hard attention: each step reads the word of the largest weight only"
NOT_EXPLAINED = "Only what a checkpoint writes alone and by soft attention is explained. Pin a word in its own panel."
FORCED = "forced to write {name}'s translation"
OWN_TRANSLATION = "Its own translation, log p = {nats}: {text}"
EFFECT_LETTER = "effect"
FROM_FILE = "from a file"
LINKS_FROM_FILE = "links from a file: 1 sure, 0.5 possible"
VALUES_OF_FILE = "weights of a file"
VALUES_OF_LINKS = "links of a file"
WEIGHT_LETTER = "weight"
WRITTEN_WITH = "Written with: {history}."
REPEATED = "repeats earlier words"
OFTEN = "looked at often: perhaps translated more than once"
OFTEN_STAND_IN = "much depends on it: perhaps translated more than once"
HARDLY = "hardly looked at: perhaps not translated"
HARDLY_STAND_IN = "little depends on it: perhaps not translated"
DIFFERENCE_TITLE = "{second} − {first}"
NO_DIFFERENCE = "No difference: {reason}."
DIFFERENCE_VALUES = "difference that involves the {effect}"
ONLY_BEFORE = "only before the change"
ONLY_AFTER = "only after the change"
CHANGE_TITLE = "{name}: {change}"

# Explain a cell, and what can be done with it
PIN_A_CELL = "Click a word of a translation, or a cell of a matrix, to see how it came about."
CELL_OR_WORD = "cell or word"
NO_CHECKPOINT_OF_PANEL = "This panel shows a difference or a file. Pin a cell in the panel of a checkpoint."
NUMBERS = "The numbers behind it"
WEIGHT = "Weight of this source word."
ENERGY = "Score before the softmax: how well the source position fits the next word."
STATE = "Norm of the decoder's state before this word."
CONTEXT = "Norm of the context vector, the weighted sum of the annotations."
ANNOTATION = "Norm of the annotation of this source word."
BEFORE_SOFTMAX = "Before the softmax."
NO_ENERGIES = "This model has no attention, so there are no scores e."
SOURCE_COLUMN = "Source"
NEXT_COLUMN = "Next"
P_COLUMN = "p"
WITHOUT_COLUMN = "p without “{words}”"
NEXT_WORDS = "The most probable next words at this step, and their probabilities when that source word is left out."
GATE_COLUMN = "Gate"
MEAN_COLUMN = "Mean"
UNITS_COLUMN = "Units by value, 0 to 1"
GATES = "Gates of the decoder at this word, from 0 (shut) to 1 (open). The bars count the units with each value."
OTHER_WORDS = "Write another word here, and let the model go on:"
OTHER_WORD = "{word} · {probability}"
OTHER_WORD_HELP = "The translation up to here and this word are kept; the search writes a new ending."
MOVE = "Make it look at “{word}”"
MOVE_HELP = "All weight of this target word goes to this source word, and the model writes a new ending."

# Is alpha an explanation?
MAPS = "Is alpha an explanation?"
MAPS_OF_TYPED = "The other maps are computed for what a model writes, not for a typed target."
ALPHA = "alpha"
MAPS_VALUES = "weights of one target word by several maps"
MAPS_TITLE = "{name}: {word}"
MAPS_RING = "here this map points at another word than {map}"
MAPS_AXIS = "map"
MAPS_AGREE = "For **{word}** all maps point at {place}."
MAPS_DISAGREE = "For **{word}** the maps disagree: {map} points at {place}, {others}."
MAP_AT = "{map} at {place}"
MAPS_ABOUT = (
    "Each map divides a weight of 1 among the source words. **alpha** is what the model used when it wrote the word. "
    "The **posterior** is alpha corrected by the word that was then written. **Leave-one-out** is how much less "
    "probable the word becomes without a source word. An **aligner** combines posteriors of one or "
    "more checkpoints with counts of linked words. Each map has colours of its own."
)
MAPS_LEFT_OUT = (
    "This pair is too long for a map that is missing: the work grows with the product of the lengths of both sentences."
)

# What if
RESET = "Reset"
NO_EFFECT = "The change concerns none of these translations."
SEEN = "What is shown"
SEEN_CHOICES = {"after": "After", "before": "Before", "change": "After − before", "same": "New source, same target"}
SOURCE_CHANGED = "The models read “{text}”."
BEGIN_CHANGED = "The translation begins with “{text}”."
WITHOUT_CHANGED = "It may not have: {text}."
WORD_CHANGED = "Its word {number} must be “{text}”."
LOOKS = "{name} looks at “{source}” when it writes “{word}”."
ONLY_SOURCE = "The target is typed, so only the source can change. Choose “Best translation” to let the models go on."
OTHER_SOURCE = "Another source"
OTHER_SOURCE_HELP = "You also see how alpha changes for the same translation, from one source to the other."
PREFIX = "The translation begins with"
CHOSEN = "{name} writes “{word}” in place of “{own}”; its words before that stay."
FORBIDDEN = "Words it may not use"
BY_SPACES = "Separated by spaces."
POSITION = "Word number"
IS = "must be"
AFTER_MINUS_BEFORE = "after − before"
NEW_SOURCE = "new source − before, same target"
PIN_TO_MOVE = "To move attention, drag a ribbon, or a bright cell of a matrix, to another source word."
ROW = "Weights of target word {number}, “{word}”: change any of them; they are made to sum to 1."
CHANGED = "**{name}** · {words}"
COST = "log p {now} (before: {before}); {kept}"
KEPT = ("{count} word kept", "{count} words kept")
MOVED = "{text}; of their weights, {total} in all moved to other source words"

# Gold links
GOLD_PLACEHOLDER = "0-0 1-2 2p1"
GOLD_HELP = (
    "Gold links are word links made by hand, which count as correct. Type i-j for a sure link and ipj for a possible "
    "one (Pharaoh format): i is the number of the source word and j that of the target word over the words shown, from "
    "the number chosen here."
)
GOLD_FILE = "or a file of gold links, of which the first sentence is used"
GOLD_WEIGHTS = "This file has weights, not links."
GOLD_NO_TEXT = "This file is not a text in UTF-8."
GOLD_NO_LINKS = "The first line of this file is empty."
GOLD_TOO_LARGE = "This file has more than {megabytes} MB, which is the limit."
GOLD_BEYOND = "The link {source}-{target} (from 0) is beyond the {sources} source and {targets} target words of {name}."
LOWEST_COLUMN = "lowest AER"
AT_WEIGHT_COLUMN = "at weight"
RATES = (
    "In per cent, for the links with a weight of at least {least}, over whole words, including those that the view "
    "leaves out. There are {sure} sure and {possible} possible gold links. The curves show AER as a "
    "function of this least weight."
)

# Export
PANEL = "Panel"
RIBBONS = "{title}: ribbons"
EVERYTHING = "All: ribbons, panels, tables"
FORMAT = "Format"
SAVE_AS = "Save as {format}"
METADATA = "The file's metadata name the checkpoint, its weights, the settings and the command that draws it again."
METADATA_ALONE = "The file's metadata name the checkpoint, its weights and the settings."
DRAW_AGAIN = "To draw the figure again:"
PAPER_FIGURE = "Save the paper's Figure 3"
PAPER_FIGURE_MEANS = (
    "Figure 3 of the paper has four panels: a chosen sentence, and three test sentences of 10 to 20 known words drawn "
    "at random. Here {name} translates the same first sentence, and three of testsets/jointly-300."
)
LATEX = "Copy LaTeX, with caption and alternative text:"
FIGURE_CAPTION = "{title}: {values}"
PAGE = "All panels as one file, which opens in any browser and loads nothing from elsewhere."
PAGE_WEIGHTS = "update {update}, weights SHA-256 {sha256}"
LINKS_BY = "Links by"
COUNT_FROM = "Count from"
ORDER = "Order"

# Alignments from files
FILES = "Alignments from files"
FILE_FORMATS = "Weights or links of this program, Marian, fairseq, OpenNMT, Hugging Face and others"
FILES_HELP = (
    "Files written by “Export” or by other programs: JSON, CSV, Nematus, SoftAlignments, Pharaoh, the output of "
    "Marian, fairseq, OpenNMT, eole, CTranslate2, Sockeye, GIZA++, SimAlign and awesome-align, cross-attentions of "
    "Hugging Face, and gold links of NAACL and WPT. The content decides how a file is read. They are shown beside the "
    "checkpoints."
)
FILES_OF_WORDS = {
    "source": "File of source words, for files without them",
    "target": "File of target words, if the file's own are not its tokens",
}
FILE_OF_WORDS_HELP = "One sentence per line, in the tokens that the other program read and wrote, separated by spaces."
PART = "Which map of each file"
MEAN_OF_HEADS = "mean of all heads"
MEAN_OF_LAYER = "layer {layer}, mean of its heads"
HEAD = "layer {layer}, head {head}, from 0"
FIRST_FILES = "Only the first {most} files are shown."
SENTENCE_OF_FILE = "Sentence of each file"
FILE_PROBLEM = "{file}: {problem}"
LINKS_COUNT_FROM = "Links count from"
SOURCE_WORDS = "Source words of the links"
TARGET_WORDS = "Target words of the links"
LINKS_WITHOUT_WORDS = "A file of links contains no words. Type them here, separated by spaces."
NO_SENTENCE = "there is no sentence {number}; the file has {count}"
NO_WORDS = "sentence {number} has no words"
TOO_MANY_WEIGHTS = "sentence {number} has {weights} weights; {most} can be drawn"
NO_LINK = "this sentence has no link"
TOO_LARGE = "a matrix of {rows} x {columns} words is too large to be drawn"
NAME_AND_RUN = "{name} ({run})"
TAKE_PAIR = "Give this sentence pair to the checkpoints"
TAKE_PAIR_HELP = "The checkpoints must then write the target of the first file, so that alpha can be compared with it."
