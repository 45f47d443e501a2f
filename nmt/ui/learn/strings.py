"""Texts of the place Learn. A template has named fields; a pair is singular and plural.

Those of its drawings are in ``strings.js`` of ``nmt/charts/step_view``, ``beam_view`` and ``film_view``.
"""

# The views, and the line at their top
VIEWS = {
    "how": "How it works",
    "beam": "How it searches",
    "explanation": "What alpha is not",
    "training": "How it learned",
    "draw": "Draw it first",
}
SENTENCE = "Sentence"

# How it works: the form
CHOOSE = {"rnnsearch": "With attention (RNNsearch)", "rnnencdec": "Without attention (RNNencdec)"}
TOO_LONG_TO_DRAW = (
    "This sentence has {words} words; a drawing of more than {most} cannot be read. “Look” translates longer ones."
)
UNKNOWN_TO_MODELS = "Unknown to the models, read as [UNK]: {words}."
AFTER_FIGURE_1 = "After Figure 1 of the paper. The numbers are those of {names} on this sentence."
PREDICTS_FROM_NEW_STATE = (
    "{name} predicts y_i from s_i, as eq. 4 has it; this drawing shows models that predict it from s_{{i−1}}."
)
UNITS = "Units"
UNITS_CHOICES = {"words": "Whole words", "pieces": "Subwords, as the models have them"}
IN_WORDS = (
    " These models read and write subwords; those of a word are shown as one. Weights are added over the subwords of a "
    "source word. Over those of a word of the translation, weights and vectors are averages, and its probability is "
    "their product."
)
QUERY_KEY_VALUE = (
    " In the words of later papers, the state sᵢ₋₁ is the query, the annotations hⱼ are the keys, as Uₐhⱼ, and also "
    "the values."
)
PIECES = " These models read and write subwords; one with a dot before it continues a word."

# How it works: what to see at each stage of a step
READ = (
    "The encoder has read all {count} tokens of the source in both directions, the end-of-sentence token {end} "
    "included. It keeps one annotation of {numbers:,} numbers for each of them. Nothing is written yet."
)
READ_WITHOUT_ATTENTION = (
    "The encoder has read all {count} tokens of the source from left to right, the end-of-sentence token {end} "
    "included. It hands over its last state alone: {numbers:,} numbers, however long the sentence is."
)
FIRST_STATE = (
    "The first state s₀ is made from the backward state of “{word}”, which has seen the whole sentence from its end."
)
FIRST_STATE_WITHOUT_ATTENTION = "The first state s₀ is made from the encoder's last state."
STATE = "The state now stands for what is written so far: “{written}”."
RENEWED = " On average, the last step renewed {share:.0%} of each unit and kept the rest."
SCORES = (
    "The state is compared with every annotation. The scores run from {low} for “{low_word}” to {high} for "
    "“{high_word}”, which fits the next word best."
)
WEIGHTS = "The softmax turns the scores into weights that sum to 1: “{word}” gets {share:.0%}."
WEIGHTS_OF_TWO = (
    "The softmax turns the scores into weights that sum to 1: “{word}” gets {share:.0%}, then “{second}” "
    "{second_share:.0%}."
)
SPREAD = " About {words:.0f} words share the weight."
CONTEXT = (
    "The annotations, mixed by these weights, make the context c. It {likeness} the annotation of “{word}” (cosine "
    "{cosine:.2f})."
)
LIKENESS = {"equal": "almost equals", "alike": "resembles", "mixed": "is only partly like"}
CONTEXT_WITHOUT_ATTENTION = (
    "The decoder gets the same {numbers:,} numbers c as at every other word. There are no scores and no weights: it "
    "cannot look at single words of the source."
)
WORD = "“{word}” is the most probable next word, with p = {p}."
WORD_BEFORE = "“{word}” is the most probable next word, with p = {p}; the second is “{second}”, with {second_p}."
WORD_WRITTEN = "The search writes “{word}”, with p = {p}."
WORD_OF_LOWER_RANK = (
    "The search writes “{word}” with p = {p}. By probability, that is only number {rank} here, after “{first}” with "
    "{first_p}; but the search compares whole translations, and this one came out best."
)
WENT_BACK = " To write it, attention went back by {places} to “{word}”."
JUMPED_AHEAD = " To write it, attention jumped ahead by {places} to “{word}”."
VERY_SMALL = "less than 0.01"

# How it searches
MODEL = "Model"
FIRST_WORDS = "First words of the search"
HAD_TO_BEGIN = "The search had to begin with: {words}"
FROM_THE_START = "Search from the start"
WEIGHTS_OF_CHOSEN = "Weights of the hypothesis chosen"
SAME_AS_GREEDY = "The result has the most probable next word at every step: a beam of 1 would have found the same."
NOT_GREEDY = (
    "The result is not made of the most probable next words alone. At word {number}, the search also kept a less "
    "probable one, and with it the whole came out best. A beam of 1 would have written something else."
)

# What alpha is not
WHAT_ALPHA_IS_NOT = (
    "Alpha says how the annotations were mixed **before** the word was chosen. It does not say which source words "
    "caused the choice: an annotation also describes its neighbours, and the decoder knows what it has written. So "
    "here is a second look: one source word is left out, the rest is read again, and the same word of the "
    "translation becomes less probable, or not. Neither of the two is the whole explanation."
)
NO_ATTENTION = "No checkpoint here has attention, so there is no alpha to question."
NOTHING_WRITTEN = "The model wrote nothing, so there is no word to ask about."
WORD_OF_TRANSLATION = "Word of the translation"
DIFFERS = "≠ {word}"
DISAGREEMENT = (
    "{name}: for {differing} of {words} words, marked ≠, alpha points to another source word than the effect of "
    "leaving words out."
)
END_OF_SENTENCE = "(end)"
TO_WRITE = "To write “{word}”: {said}"
FALLS = "“{source}” has {weight:.0%} of the weight; without it, the probability falls from {before:.2f} to {after:.2f}."
RISES = "“{source}” has {weight:.0%} of the weight; without it, the probability rises from {before:.2f} to {after:.2f}."

# How it learned
NO_STEPS = (
    "No checkpoint here saved weights during its training. `jointly train scrubber_128 --data PREPARED --run "
    "NAME` trains one that does; `--keep` chooses the updates."
)
TRAINING = "Training"
A_TRAINING = "training run"
FOLLOW = "Follow"
FOLLOW_CHOICES = {
    "own": "Its own translation at each snapshot",
    "final": "The final translation",
    "mine": "A sentence of mine",
}
FOLLOW_HELP = (
    "Its own translation: each matrix is over what the model writes at that snapshot. The final translation, or a "
    "sentence of mine: the model has to write the same at every snapshot, so only alpha changes, and snapshots can be "
    "compared row by row."
)
TARGET = "Translation that all snapshots align"
TARGET_PLACEHOLDER = "The final translation, until you type another"
TOO_LONG_FOR_FILM = (
    "A sentence of {words} words is too long for small matrices; up to {most} can be shown. “Look” translates "
    "longer ones."
)
A_SNAPSHOT = "snapshot"
SNAPSHOT = "Snapshot"
STEPS_UNIT = "snapshots"
ALL_STEPS = "All snapshots as a table"
SAME_TARGET = "The entropy and the last log-probability are those of the same translation at every snapshot:"
PANEL = "{name}, {updates:,} updates"
LOG_P = "log p = {nats}"
WHICH_TRAINING = "This is the training of {name}."
WHICH_TRAINING_AND_WHAT = "This is the training of {name}, {about}."
ABOUT_RECIPES = {
    "scrubber_128": "a small RNNsearch of 128 units trained to show how alpha is learnt (a scrubber is the slider of "
    "a video player)"
}
NOT_SHARPER = "Alpha does not become sharper: its entropy stays at {bits:.1f} of {most:.1f} bits."
SHARPER = (
    "Alpha sharpens most between {before:,} and {after:,} updates: its mean entropy falls from {from_bits:.1f} to "
    "{to_bits:.1f} bits. {most:.1f} bits would be the same weight for every word of the source, 0 bits all weight on "
    "one word."
)
TRANSLATION = "Translation"
ITS_LOG_PROBABILITY = "Its log-probability"
SAME_LOG_PROBABILITY = "Log-probability of the same target"
MEAN_ENTROPY = "Mean entropy of alpha"
BITS = "{bits:.2f} bits"

# Draw it first
NO_PAIRS = "The sentence pairs of testsets/jointly-150 are not here."
ANOTHER_PAIR = "Another pair"
TASK = "Pair {number} of {count}. Click the cells whose words belong together, then uncover alpha."
UNCOVER = "Uncover alpha"
COVER = "Cover alpha again"
BEGIN_AGAIN = "Clear my links"
YOU = "You"
HINT = "Click a cell to link its two words, and again to take the link away. Arrow keys and Enter do the same."
OWN_LINKS = "your own links"
WHO = "Who"
AER_HELP = "Alignment error rate: at 0 %, the links are those that were made by hand."
AGAINST_GOLD = (
    "Compared with the links made by hand in testsets/jointly-150. A checkpoint links each target word to the source "
    "word with the largest alpha; the aligner combines the posteriors of several checkpoints."
)
