"""A tiny phrase-based system, and what it must write by brute force."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from experiments.phrase_based.pack import PAIR_FEATURES, Draft, Table, assembled, pruned_ngrams, write
from experiments.phrase_based.system import PhraseBased
from experiments.selection import LanguageModel, WordIds
from nmt.evaluation.evaluation_files import write_system

TABLE = {
    "a": {"un": 0.5, "une": 0.5},
    "cat": {"chat": 0.9, "félin": 0.1},
    "red": {"rouge": 1.0},
    "red cat": {"chat rouge": 0.8, "chat roux": 0.2},
    "a red cat": {"un chat roux": 0.6},
    "sees": {"voit": 0.7, "regarde bien": 0.3},
    ".": {".": 1.0},
}
TEXTS = ["un chat rouge voit un chat .", "une mer rouge .", "un félin regarde bien un chat roux .", "il voit ."]
WEIGHTS = (1.0, 0.0, 0.0, 0.0, 0.3, -0.2, -4.0)
"""log p(y | x), and the numbers of phrases, of words and of copied words."""


def made(source: str = "en", target: str = "fr") -> Draft:
    """The system between two languages, all n-grams kept."""
    pairs = [(x, y, p) for x, found in TABLE.items() for y, p in found.items()]
    read = [text.split() for text in TEXTS]
    words = WordIds(sorted({word for text in read for word in text} | {w for _, t, _ in pairs for w in t.split()}))
    model = LanguageModel(words.encode(read), words, 3)
    counts = np.array([100 * p for *_, p in pairs])
    rows = Table(
        sources=[x for x, *_ in pairs],
        targets=[y for _, y, _ in pairs],
        joint=counts,
        of_source=counts,
        of_target=counts,
    )
    features = np.zeros((len(pairs), len(PAIR_FEATURES)))
    features[:, 0] = [math.log(p) for *_, p in pairs]
    features[:, 4] = 1
    features[:, 5] = [len(y.split()) for _, y, _ in pairs]
    settings = PhraseBased(source_language=source, target_language=target, max_length=None, train=())
    return assembled(settings, rows, features, words, pruned_ngrams(model, words.predicted, (10**6, 10**6)))


def write_tiny(folder: Path, source: str = "en", target: str = "fr") -> None:
    """Write it as the folder of a system between two languages."""
    draft = made(source=source, target=target)
    write(draft, draft.weighted(WEIGHTS), folder)
    write_system(folder, folder.name, "tiny")


def derivations(words: Sequence[str], table: Mapping[str, Mapping[str, float]]) -> Iterator[tuple[float, list[str]]]:
    """Every way to translate the words: its score without the n-grams, and its words."""
    if not words:
        yield 0.0, []
    for n in range(1, len(words) + 1):
        copied = {words[0]: None} if n == 1 and words[0] not in table else {}
        for target, p in {**table.get(" ".join(words[:n]), {}), **copied}.items():
            written = target.split()
            own = 0.3 - 0.2 * len(written) + (-4.0 if p is None else math.log(p))
            for score, rest in derivations(words[n:], table):
                yield own + score, [*written, *rest]
