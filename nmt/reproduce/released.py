"""The released runs: how they are trained, on which prepared folders, and what they are evaluated on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nmt.recipes import recipe
from nmt.reproduce.test_sets import (
    GERMAN,
    GOLD_LINKS,
    JAPANESE,
    KNOWN_TEST_SETS,
    KOREAN,
    LANGUAGES,
    GoldLinks,
    KnownTestSet,
)


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

_EVERYDAY_KOREAN = ("tatoeba-ko", "talpco-ko", "stories-ko", "dialogues-ko", "grammar-ko")
_SOFTWARE_KOREAN = ("python-docs-ko", "web-docs-ko", "django-docs-ko", "mozilla-www-ko")
_KOREAN_SUBWORDS = TrainingData(
    languages=KOREAN,
    options=("--vocabulary", "bpe", "--vocabulary-size", "4000", "--bpe-dropout", "0.1"),
    train=(
        *((f"{corpus}/train", 4) for corpus in _EVERYDAY_KOREAN),
        *((f"{corpus}/train", 1) for corpus in _SOFTWARE_KOREAN),
    ),
    dev=("tatoeba-ko/dev", "grammar-ko/dev"),
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
    "subwords-ko": _KOREAN_SUBWORDS,
    "subwords-ko-en": replace(_KOREAN_SUBWORDS, languages=("ko", "en")),
}
"""The prepared folders by name."""


@dataclass(frozen=True)
class TrainingPart:
    """Training of a chain: a recipe, and a key of ``TRAINING_DATA``."""

    recipe: str
    data: str


@dataclass(frozen=True, kw_only=True)
class ReleasedRun:
    """Run that is released with the program.

    Attributes:
        name: name of the run folder.
        recipe: name of the recipe it is trained with.
        data: the prepared folder, a key of ``TRAINING_DATA``.
        first: the training whose weights this one begins with; None = it begins with random weights.
        share: its share of a time budget.
        domains: the corpora whose test sets it is evaluated on; None = all corpora of its languages; () for a run that
            only demonstrates learning.
        by_length: whether it is evaluated on the concatenated test set of its languages, which measures length.
        dictionary: whether it gets a dictionary for [UNK].
        search: the search settings it is released with, "KEY=VALUE" each, chosen on its development set.
    """

    name: str
    recipe: str
    data: str = "words"
    first: TrainingPart | None = None
    share: float = 1.0
    domains: tuple[str, ...] | None = None
    by_length: bool = False
    dictionary: bool = True
    search: tuple[str, ...] = ()

    @property
    def architecture(self) -> str:
        return recipe(self.recipe).model.architecture

    @property
    def languages(self) -> tuple[str, str]:
        return TRAINING_DATA[self.data].languages

    @property
    def parts(self) -> tuple[TrainingPart, ...]:
        """The trainings in order; each but the first begins with the weights of the one before."""
        last = TrainingPart(self.recipe, self.data)
        return (last,) if self.first is None else (self.first, last)

    @property
    def linked(self) -> bool:
        """True if a part of its training needs the links of an aligner."""
        return any(TRAINING_DATA[part.data].linked for part in self.parts)

    @property
    def test_sets(self) -> tuple[KnownTestSet, ...]:
        """The test sets that it is evaluated on, those of this repository last."""
        if self.domains == ():
            return ()
        of_languages = [known for known in KNOWN_TEST_SETS.values() if {*known.languages} == {*self.languages}]
        chosen = (known for known in of_languages if known.own or self.domains is None or known.corpus in self.domains)
        return tuple(known for known in chosen if self.by_length or not known.concatenated)

    @property
    def gold_links(self) -> tuple[GoldLinks, ...]:
        """The word-aligned test sets that it is measured on."""
        return tuple(gold for gold in GOLD_LINKS if {*gold.languages} == {*self.languages})


OPENS_FIRST = ("rnnsearch-en-fr", "rnnencdec-en-fr")
"""Names of the runs that the app opens with, if they are there."""

_NO_NEWS = ("canada-laws", "tatoeba", "multi30k")
"""Domains of runs that are not evaluated on news."""

_LENGTH_PENALTY = ("length_penalty=1",)
"""Search settings of the runs over subwords, chosen on dev (docs/log.md); the rest is as for the others."""

RELEASED = (
    ReleasedRun(name="rnnsearch-50", recipe="rnnsearch_50_modern", domains=_NO_NEWS, by_length=True),
    ReleasedRun(name="rnnsearch-30", recipe="rnnsearch_30_modern", domains=_NO_NEWS),
    ReleasedRun(name="rnnencdec-50", recipe="rnnencdec_50_modern", domains=_NO_NEWS, by_length=True, dictionary=False),
    ReleasedRun(name="rnnencdec-30", recipe="rnnencdec_30_modern", domains=_NO_NEWS, dictionary=False),
    ReleasedRun(name="rnnsearch-50-star", recipe="rnnsearch_50_star_modern", share=1.7),
    ReleasedRun(name="rnnsearch-50-guided", recipe="rnnsearch_50_guided", data="words-and-links", domains=_NO_NEWS),
    ReleasedRun(
        name="rnnsearch-multi30k",
        recipe="multi30k",
        data="captions",
        domains=("tatoeba", "multi30k"),
        dictionary=False,
        search=_LENGTH_PENALTY,
    ),
    ReleasedRun(name="scrubber-128", recipe="scrubber_128", data="everyday", share=0.3, domains=(), dictionary=False),
    ReleasedRun(name="rnnsearch-50-concatenated", recipe="rnnsearch_50_concatenated", domains=_NO_NEWS, by_length=True),
    ReleasedRun(
        name="rnnsearch-en-fr",
        recipe="rnnsearch_subwords_continued",
        data="subwords",
        first=TrainingPart("rnnsearch_subwords", "subwords"),
        search=_LENGTH_PENALTY,
        by_length=True,
        dictionary=False,
    ),
    ReleasedRun(
        name="rnnencdec-en-fr",
        recipe="rnnencdec_subwords",
        data="subwords",
        search=_LENGTH_PENALTY,
        by_length=True,
        dictionary=False,
    ),
    ReleasedRun(
        name="rnnsearch-en-de",
        recipe="rnnsearch_small_corpora_continued",
        data="subwords-de-captions",
        first=TrainingPart("rnnsearch_small_corpora", "subwords-de"),
        search=_LENGTH_PENALTY,
        by_length=True,
        dictionary=False,
    ),
    ReleasedRun(
        name="rnnsearch-en-ja",
        recipe="rnnsearch_tiny_corpus",
        data="subwords-ja",
        search=_LENGTH_PENALTY,
        by_length=True,
        dictionary=False,
    ),
    ReleasedRun(
        name="rnnsearch-fr-en",
        recipe="rnnsearch_subwords_short",
        data="subwords-fr-en",
        search=_LENGTH_PENALTY,
        by_length=True,
        dictionary=False,
    ),
    ReleasedRun(name="lstm-encdec-50", recipe="lstm_encdec_50", domains=_NO_NEWS, by_length=True, dictionary=False),
    ReleasedRun(name="rnnsearch-lstm-50", recipe="rnnsearch_lstm_50", domains=_NO_NEWS, by_length=True),
    ReleasedRun(name="rnnsearch-forward-50", recipe="rnnsearch_forward_50", domains=_NO_NEWS, by_length=True),
    ReleasedRun(name="rnnsearch-gaussian-50", recipe="rnnsearch_gaussian_50", domains=_NO_NEWS, by_length=True),
)
"""The released runs in the order in which colours and markers are given out: new ones come last."""
