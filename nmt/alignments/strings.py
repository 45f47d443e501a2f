"""Sentences about alignments, for the app and for exported files."""

CROSSING = "“{target}” has the words of “{source}” in the reverse order: their ribbons cross."

WITHOUT = {
    (True, False): "Without the end-of-sentence token",
    (False, True): "Without punctuation",
    (True, True): "Without the end-of-sentence token and punctuation",
}
"""By what was removed: the end-of-sentence token, punctuation."""
DIVIDED = "{without}: each row is divided by its remaining sum, so that it sums to 1 again."
ONE_ROW_EMPTY = "{text} One row is empty: all its weight was on removed tokens."
ROWS_EMPTY = "{text} {rows} rows are empty: all their weight was on removed tokens."
