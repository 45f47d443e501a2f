"""Texts of the place Look, but for those of its matrices and sections, which are in ``explore/strings.py``. A template
has named fields; a pair is singular and plural."""

# Languages, checkpoints, sentence or text
CHECKPOINTS = "Checkpoints to compare"
CHOOSE_CHECKPOINTS = "Choose checkpoints"
WRITES = "{name}: {language}"
READ_AS = "The text is read as {language}. Left out, because they read another language: {names}."
MODE = "What to translate"
MODES = {"sentence": "Sentence", "text": "Text or file"}
AS_TEXT = ("Translate as a text", "Translate as a text of {count} sentences")
ONE_BY_ONE = "One sentence, then one more at a time"
TRANSLATE = "Translate"

# The picture of a sentence
INTRODUCTION = (
    "Jointly: the two models of Bahdanau, Cho and Bengio (2014), RNNsearch with attention and RNNencdec without. They "
    "are small and make mistakes."
)
HINT = "Point at a word to see where the model looked. A click keeps it. Arrow keys work too."
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
LONGER_THAN_TRAINED = "The sentence has {words} words; this model was trained on sentences of up to {most}."

# The small Figure 2
FIGURE = "BLEU on {test_set}, concatenated sentences"
FIGURE_SIGNATURE = "sacreBLEU {signature}"
FIGURE_X = "words of the source text"
FIGURE_ENDS = "{name} from {first} at {from_words} words to {last} at {to_words}"
FIGURE_CURVES = "{title}: {ends}."
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
SENTENCES = "Sentences"
SAVE_TEXT = "Text"
SAVE_TSV = "Sentences as TSV"
SAVE_TSV_HELP = "One line for each sentence: source, translation and log-probability."
BY_SENTENCE = "Sentence by sentence"
NUMBERED = "{number} · {language}"
LOOK_CLOSER = "Look closer"
LEFT_AS_IT_IS = "Too long, left as it is."
NOT_TRANSLATED = "Not translated yet."
PER_WORD = "{name} · {nats} per token"
