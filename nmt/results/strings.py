"""Sentences in which records describe themselves, for the app and the commands."""

# A paired test
SENTENCES = ("{count:,} sentence", "{count:,} sentences")
"""For one, and for any other number."""
NOTHING_TO_COMPARE = "no sentences to compare"
BETTER = "{name} is better by {lead}"
AHEAD = "not distinguishable with {sentences}: {name} is ahead by {lead}"
EQUAL = "not distinguishable with {sentences}: both have the same {metric}"
LEAD = "{points} {metric}{details}"
INTERVAL = " (95 %: {low} to {high})"
TOO_FEW = ", too few to test"
P = ", {p}"
P_CORRECTED = ", {p} (corrected for {tests} tests)"
P_VALUE, P_TINY = "p = {p:.3f}", "p < 0.001"

# One cell of alpha
ATTENDED = "“{word}” gave {share:.0%} of its attention to “{source_word}”"
NOT_ATTENDED = "“{word}” was written without looking at any single word"
PROBABILITY = "{begin}; its probability is {p:.2f}."
PROBABILITY_STAYS = "{begin}; without “{removed}” its probability stays {p:.2f}."
PROBABILITY_FALLS = "{begin}; without “{removed}” its probability falls from {p:.2f} to {without:.2f}."
PROBABILITY_RISES = "{begin}; without “{removed}” its probability rises from {p:.2f} to {without:.2f}."
