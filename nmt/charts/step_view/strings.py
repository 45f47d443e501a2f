"""Texts of the boxes of the drawing: title, meaning and the rest that is no equation."""

from __future__ import annotations

ONE_WORD = "one of K_y words"

WORD_BEFORE = "Word before"
WORD_BEFORE_MEANS = (
    "The word that was written last enters through its embedding, its row of the matrix E. Before the first word it is "
    "the zero vector."
)
DECODER_STATE = "Decoder state"
DECODER_STATE_MEANS = "All that the decoder remembers of the words written so far."
READOUT = "Readout"
READOUT_MEANS = "State, last word and context together give every word of the vocabulary a probability."
LARGER_OF_PAIRS = "t_i = max of each pair of t̃_i"
NEXT_WORD = "Next word"
NEXT_WORD_CHOSEN = "y_i, chosen by the beam search from p(y_i)"
NEXT_WORD_MEANS = "The search writes a word, and the next step begins."
NEXT_STATE = "Next state"
NEXT_STATE_MEANS = "The update gate z_i decides for each unit how much of its old value is replaced."
ORDER_OF_THE_PROGRAM = "This checkpoint updates its state with y_i, as the authors' program does; A.2.2 prints y_{i−1}."

# With attention
ANNOTATION = "Annotation"
ANNOTATION_MEANS = (
    "The forward state has read up to word j, the backward state from the end down to it: together they describe the "
    "word in its sentence."
)
SCORES = "Scores"
SCORES_MEAN = "How well source word j fits the word that comes next; any real number."
WEIGHTS, WEIGHTS_SHORT = "Attention weights", "Weights"
WEIGHTS_MEAN = "The scores as shares: all positive, with sum 1."
CONTEXT = "Context"
CONTEXT_MEANS = (
    "The annotations, mixed by their weights: what the decoder sees of the source at this word. Another one for each "
    "word."
)

# Without
ENCODER_STATE, ENCODER_STATE_SHORT = "Encoder state", "State"
ENCODER_STATE_MEANS = (
    "The encoder reads from left to right. Only its last state is handed over; the others are dropped."
)
ONE_VECTOR = "The one vector"
ONE_VECTOR_MEANS = "All that the decoder ever knows of the source, however long it is; the same at every word."
FOR_ALL = "c_i = c for all i"
