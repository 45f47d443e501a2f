"""The hidden Markov model of word alignment by enumeration: every path through the source words, weighed and added."""

from collections.abc import Sequence
from itertools import product

Rows = list[list[float]]


def state_probabilities(weights: Sequence[Sequence[float]], counts: Sequence[int], mu: float) -> Rows:
    """p(j_i = j), with p(j_1 .. j_I) proportional to E[1][j_1] times the product over i of A[j_{i-1}][j_i] E[i][j_i].

    counts: of jumps from -(len(counts) // 2) on; A[k][j] = (count(j - k) + 1/2)^mu, each row divided by its sum.
    """
    words = len(weights[0])
    longest = len(counts) // 2
    transitions = []
    for k in range(words):
        row = [(counts[max(-longest, min(longest, j - k)) + longest] + 0.5) ** mu for j in range(words)]
        transitions.append([value / sum(row) for value in row])
    totals = [[0.0] * words for _ in weights]
    for path in product(range(words), repeat=len(weights)):
        value = weights[0][path[0]]
        for i in range(1, len(weights)):
            value *= transitions[path[i - 1]][path[i]] * weights[i][path[i]]
        for i, j in enumerate(path):
            totals[i][j] += value
    return [[value / sum(row) for value in row] for row in totals]
