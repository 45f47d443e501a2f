"""The prepared folders that the released runs are trained on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nmt.reproduce.test_sets import GERMAN, JAPANESE, LANGUAGES


@dataclass(frozen=True, kw_only=True)
class TrainingData:
    """Prepared folder of the released runs.

    Attributes:
        languages: source and target language.
        options: options for vocabularies, segmentation and length.
        train: places of the training corpora, with the number of times each occurs per epoch.
        dev: places of the development sets.
        linked: whether the training pairs come with word links.
        vocabularies_of: the prepared folder whose vocabularies these data take; None = they make their own.
    """

    languages: tuple[str, str] = LANGUAGES
    options: tuple[str, ...]
    train: tuple[tuple[str, int], ...]
    dev: tuple[str, ...]
    linked: bool = False
    vocabularies_of: str | None = None


_WORDS = TrainingData(
    options=("--vocabulary", "words", "--vocabulary-size", "10000"),
    train=(("canada-laws/train", 1), ("tatoeba/train", 1), ("multi30k/train", 2)),
    dev=("tatoeba/dev", "multi30k/dev", "canada-laws/dev"),
)
_BPE = ("--vocabulary", "bpe", "--vocabulary-size", "8000")
_BPE_DROPOUT = (*_BPE, "--bpe-dropout", "0.1")
_SUBWORDS = TrainingData(
    options=(*_BPE, "--max-length", "80"),
    train=(("canada-laws/train", 1), ("tatoeba/train", 2), ("multi30k/train", 4), ("news/train", 2)),
    dev=("tatoeba/dev", "multi30k/dev", "canada-laws/dev"),
)
_GERMAN_SUBWORDS = TrainingData(
    languages=GERMAN,
    options=_BPE_DROPOUT,
    train=(("tatoeba-de/train", 1), ("multi30k-de/train", 2)),
    dev=("tatoeba-de/dev", "multi30k-de/dev"),
)

TRAINING_DATA = {
    "words": _WORDS,
    "words-and-links": replace(_WORDS, linked=True),
    "everyday": replace(
        _WORDS, train=(("tatoeba/train", 1), ("multi30k/train", 1)), dev=("tatoeba/dev", "multi30k/dev")
    ),
    "captions": TrainingData(
        options=_BPE_DROPOUT, train=(("multi30k/train", 8), ("tatoeba/train", 2)), dev=("multi30k/dev",)
    ),
    "subwords": _SUBWORDS,
    "subwords-fr-en": replace(_SUBWORDS, languages=("fr", "en")),
    "subwords-de": _GERMAN_SUBWORDS,
    "subwords-de-captions": TrainingData(
        languages=GERMAN,
        options=("--bpe-dropout", "0.1"),
        train=(("tatoeba-de/train", 1), ("multi30k-de/train", 4)),
        dev=_GERMAN_SUBWORDS.dev,
        vocabularies_of="subwords-de",
    ),
    "subwords-ja": TrainingData(
        languages=JAPANESE, options=_BPE_DROPOUT, train=(("tatoeba-ja/train", 1),), dev=("tatoeba-ja/dev",)
    ),
}
"""The prepared folders by name."""
