"""Texts of the drawing: for each box its name, the label beside its row if it has one, and its meaning in a sentence.

The equations are in ``boxes.py``, beside their boxes, except for those that contain words.
"""

PREVIOUS = "Previous word"
PREVIOUS_MEANS = (
    "The word that was written last enters through its embedding, its row of the matrix E. Before the first word it is "
    "the zero vector."
)
STATE = "Decoder state"
STATE_MEANS = "All that the decoder remembers of the words written so far."
READOUT = "Readout"
READOUT_MEANS = "State, last word and context together give every word of the vocabulary a probability."
WORD = "Next word"
WORD_MEANS = "The search writes a word, and the next step begins."
NEXT = "Next state"
NEXT_MEANS = "The update gate z_i decides for each unit how much of its old value is replaced."
PROGRAM_ORDER = "This checkpoint updates its state with y_i, as the authors' program does; A.2.2 prints y_{i−1}."

# With attention
ANNOTATIONS = "Annotation"
ANNOTATIONS_ROW = "Annotation"
ANNOTATIONS_MEAN = (
    "The forward state has read up to word j, the backward state from the end down to it: together they describe the "
    "word in its sentence."
)
ENERGIES = "Scores"
ENERGIES_ROW = "Scores"
ENERGIES_MEAN = "How well source word j fits the word that comes next; any real number."
ALPHA = "Attention weights"
ALPHA_ROW = "Weights"
ALPHA_MEANS = "The scores as shares: all positive, with sum 1."
CONTEXT = "Context"
CONTEXT_MEANS = (
    "The annotations, mixed by their weights: what the decoder sees of the source at this word. It differs from "
    "word to word."
)

# Without
ENCODER_STATES = "Encoder state"
ENCODER_STATES_ROW = "State"
ENCODER_STATES_MEAN = (
    "The encoder reads from left to right. Only its last state is handed over; the others are dropped."
)
ONE_VECTOR = "The one vector"
ONE_VECTOR_MEANS = "All that the decoder ever knows of the source, however long it is; the same at every word."

# Equations and shapes with words in them
MAXOUT = "t_i = max of each pair of t̃_i"
CHOSEN = "y_i, chosen by the beam search from p(y_i)"
SAME_CONTEXT = "c_i = c for all i"
ONE_WORD = "one of K_y words"
