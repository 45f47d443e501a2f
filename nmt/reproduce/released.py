"""The released runs, the corpora they are trained on, and the test sets they are evaluated on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from nmt.evaluation.length_retention import CONCATENATED
from nmt.recipes import recipe

LANGUAGES = ("en", "fr")
"""Languages of the first released runs, and of the app if there is no run at all."""


@dataclass(frozen=True, kw_only=True)
class KnownTestSet:
    """Test set that the released runs are evaluated on.

    Attributes:
        name: its name in evaluations and tables, the same in both directions of translation.
        stem: its place in the corpora, or in this repository if it is ``own``; a language code follows.
        languages: the two languages that it exists in.
        own: whether it is part of this repository.
        pooled: whether it counts among "all test sets". Sets of this repository do not, and neither do sets of
            another domain than every training corpus: their scores stand beside the others'.
        concatenated: whether it is the concatenated version of the set at ``stem`` (``evaluate --concatenate``).
    """

    name: str
    stem: str
    languages: tuple[str, str] = LANGUAGES
    own: bool = False
    pooled: bool = True
    concatenated: bool = False

    @property
    def in_table_1(self) -> bool:
        """Whether it has a column in Table 1: as a corpus has it, and not made for something else."""
        return not self.own and not self.concatenated

    @property
    def corpus(self) -> str:
        """Name of the corpus that it is part of, as ``corpus get`` takes it; "" for a set of this repository."""
        return "" if self.own else self.stem.partition("/")[0]


def _corpus_set(stem: str, languages: tuple[str, str] = LANGUAGES) -> KnownTestSet:
    return KnownTestSet(name=stem.replace("/", "-"), stem=stem, languages=languages)


def _news(name: str, stem: str) -> KnownTestSet:
    return KnownTestSet(name=name, stem=stem, pooled=False)


def _concatenated(stem: str, languages: tuple[str, str] = LANGUAGES) -> KnownTestSet:
    name = f"{stem.replace('/', '-')}{CONCATENATED}"
    return KnownTestSet(name=name, stem=stem, languages=languages, pooled=False, concatenated=True)


def _own(name: str, languages: tuple[str, str] = LANGUAGES) -> KnownTestSet:
    stem = f"testsets/{name}/sentences"
    return KnownTestSet(name=name, stem=stem, languages=languages, own=True, pooled=False)


_GERMAN, _JAPANESE = ("en", "de"), ("en", "ja")


KNOWN_TEST_SETS = {
    known.name: known
    for known in (
        _corpus_set("canada-laws/test"),
        _corpus_set("tatoeba/test"),
        _corpus_set("multi30k/test2016"),
        _corpus_set("multi30k/test2017"),
        _corpus_set("multi30k/test2017-mscoco"),
        _news("newstest2014", "news/newstest2014"),
        _news("newstest2012-2013", "news/dev"),
        _corpus_set("tatoeba-de/test", _GERMAN),
        _corpus_set("multi30k-de/test2016", _GERMAN),
        _corpus_set("multi30k-de/test2017", _GERMAN),
        _corpus_set("multi30k-de/test2017-mscoco", _GERMAN),
        _corpus_set("tatoeba-ja/test", _JAPANESE),
        _concatenated("multi30k/test2016"),
        _concatenated("multi30k-de/test2016", _GERMAN),
        _concatenated("tatoeba-ja/test", _JAPANESE),
        _own("jointly-300"),
        _own("jointly-100-de", _GERMAN),
        _own("jointly-100-ja", _JAPANESE),
    )
}
"""All known test sets by name, in the order of tables. newstest2014 is the paper's test set, newstest2012 and 2013
together are its development set (section 4.1 of the paper)."""


STRESS_WORDS = 16
"""Most words of a sentence in the stress tests that are stored with runs."""

NOT_POOLED = tuple(name for name, known in KNOWN_TEST_SETS.items() if not known.pooled)
"""Names of the known sets that do not count among "all test sets"."""


@dataclass(frozen=True, kw_only=True)
class GoldLinks:
    """Sentence pairs whose words are linked by hand.

    Attributes:
        name: its name in results.
        stem: place of the tokens in the corpora, or in this repository if it is ``own``; a language code follows.
        gold: place of the links.
        languages: the two languages, in the order of the links.
        own: whether it is part of this repository; otherwise it is used if it exists.
    """

    name: str
    stem: str
    gold: str
    languages: tuple[str, str] = LANGUAGES
    own: bool = True


def _own_gold(name: str, languages: tuple[str, str] = LANGUAGES) -> GoldLinks:
    return GoldLinks(name=name, stem=f"testsets/{name}/tokens", gold=f"testsets/{name}/gold", languages=languages)


def _corpus_gold(name: str, languages: tuple[str, str] = LANGUAGES) -> GoldLinks:
    stem = f"alignment-gold/{name}"
    return GoldLinks(name=name, stem=stem, gold=f"{stem}.gold", languages=languages, own=False)


GOLD_LINKS = (
    _own_gold("jointly-150"),
    _own_gold("jointly-100-de", _GERMAN),
    _own_gold("jointly-100-ja", _JAPANESE),
    _corpus_gold("hansards"),
    _corpus_gold("europarl-de", _GERMAN),
    _corpus_gold("kftt", _JAPANESE),
)
"""Word-aligned test sets that every run of their languages is measured on. Alibi is not among them: it is kept for
the aligner, which is measured on it once."""


@dataclass(frozen=True, kw_only=True)
class TrainingData:
    """Prepared folder of the released runs.

    Attributes:
        languages: source and target language.
        options: options for vocabularies, segmentation and length.
        train: places of the training corpora, with the number of times each occurs per epoch.
        dev: places of the development sets.
        linked: whether the training pairs come with word links.
    """

    languages: tuple[str, str] = LANGUAGES
    options: tuple[str, ...]
    train: tuple[tuple[str, int], ...]
    dev: tuple[str, ...]
    linked: bool = False


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
    languages=_GERMAN,
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
    "subwords-de-captions": replace(_GERMAN_SUBWORDS, train=(("tatoeba-de/train", 1), ("multi30k-de/train", 4))),
    "subwords-ja": TrainingData(
        languages=_JAPANESE, options=_BPE_DROPOUT, train=(("tatoeba-ja/train", 1),), dev=("tatoeba-ja/dev",)
    ),
}
"""The prepared folders by name."""


@dataclass(frozen=True, kw_only=True)
class ReleasedRun:
    """Run that is released with the program.

    Attributes:
        name: name of the run folder.
        recipe: name of the recipe it is trained with.
        data: the prepared folder, a key of ``TRAINING_DATA``.
        share: its share of a time budget.
        domains: the corpora whose test sets it is evaluated on; None = all of its languages. None at all for a run
            that only demonstrates learning.
        by_length: whether it is evaluated on the concatenated test set of its languages, which measures length.
        dictionary: whether it gets a dictionary for [UNK].
        search: the search settings it is released with, "KEY=VALUE" each, chosen on its development set.
    """

    name: str
    recipe: str
    data: str = "words"
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
    def test_sets(self) -> tuple[KnownTestSet, ...]:
        """The test sets that it is evaluated on, those of this repository last."""
        if self.domains == ():
            return ()
        mine = [known for known in KNOWN_TEST_SETS.values() if {*known.languages} == {*self.languages}]
        chosen = (one for one in mine if one.own or self.domains is None or one.corpus in self.domains)
        return tuple(one for one in chosen if self.by_length or not one.concatenated)

    @property
    def gold_links(self) -> tuple[GoldLinks, ...]:
        """The word-aligned test sets that it is measured on."""
        return tuple(gold for gold in GOLD_LINKS if {*gold.languages} == {*self.languages})


OPENS_FIRST = ("rnnsearch-en-fr", "rnnencdec-en-fr")
"""Names of the runs that the app opens with, if they are there."""

_NO_NEWS = ("canada-laws", "tatoeba", "multi30k")
"""Domains of runs that are not evaluated on news."""

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
        search=("length_penalty=1",),
    ),
    ReleasedRun(name="scrubber-128", recipe="scrubber_128", data="everyday", share=0.3, domains=(), dictionary=False),
    ReleasedRun(name="rnnsearch-50-concatenated", recipe="rnnsearch_50_concatenated", domains=_NO_NEWS, by_length=True),
    ReleasedRun(name="rnnsearch-en-fr", recipe="rnnsearch_subwords", data="subwords", by_length=True, dictionary=False),
    ReleasedRun(name="rnnencdec-en-fr", recipe="rnnencdec_subwords", data="subwords", by_length=True, dictionary=False),
    ReleasedRun(
        name="rnnsearch-en-de", recipe="rnnsearch_small_corpora", data="subwords-de", by_length=True, dictionary=False
    ),
    ReleasedRun(
        name="rnnsearch-en-ja", recipe="rnnsearch_tiny_corpus", data="subwords-ja", by_length=True, dictionary=False
    ),
)
"""The released runs in the order in which colours and markers are given out: new ones come last."""
