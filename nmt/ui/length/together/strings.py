"""Texts of the view "Concatenate sentences". A template has named fields; a pair is singular and plural."""

# The form
EXCLUDED = "Left out, because they do not translate {languages}: {names}."
WORDS = "Words per sentence, at most"
WORDS_HELP = "Only short sentences, so that the curve begins with what every model can do."
SENTENCES = "Sentences, at most"
SENTENCES_HELP = "The first ones of the test set. With 80 or more, every point has an interval."

# The curves
TITLE = "BLEU against the number of concatenated sentences: {sentences} of {test_set}"
MEASURE = "Measure"
MEASURES = {
    "bleu": "BLEU",
    "kept": "Share of BLEU kept",
    "log_probability": "log p per word",
    "length_ratio": "Length ratio",
    "least_coverage": "Least coverage",
    "mean_coverage": "Mean coverage",
}
SEE_IT = "Add sentences one by one, and see what is lost"
NO_TEST_SET = "There is no test set of these languages in testsets/."
COMPUTE = "Compute the curve of {names}"
COMPUTE_HELP = "A few minutes on two processors; what was translated before is read from disk."
NOT_STORED = "For these settings, no curve is stored with the checkpoint."
CURVE_ALT = (
    "{measure} over the number of concatenated sentences, a line for each of {names}; the same numbers are under “As "
    "a table”"
)
FROM_SINGLE = "BLEU from single sentences to {most} as one: {changes}."
CHANGE = "**{name}** {first:.1f} → {last:.1f}"
CURVE_CAPTION = (
    "{measure} The sentences have up to {words} words ({average:.1f} on average) and are concatenated in the "
    "order of the test set, the same groups for every checkpoint."
)
AS_TABLE = "As a table"
TABLE_CAPTION = (
    "Concatenated: sentences per text. Words: of a concatenated source. One by one: BLEU of the same sentences "
    "translated one by one. Log p: of the reference, nats per word. Length: of the translation, divided by that of the "
    "reference. Least, mean: coverage by alpha."
)
TABLE = "**Table** of all measures"
