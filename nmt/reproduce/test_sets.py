"""The test sets that the released runs are evaluated on, and the gold links of words they are measured on."""

from __future__ import annotations

from dataclasses import dataclass

from nmt.evaluation.concatenation import CONCATENATED

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
        """True if it has a column in Table 1: a test set of a corpus, and not its concatenated version."""
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


GERMAN, JAPANESE, KOREAN = ("en", "de"), ("en", "ja"), ("en", "ko")

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
        _corpus_set("tatoeba-de/test", GERMAN),
        _corpus_set("multi30k-de/test2016", GERMAN),
        _corpus_set("multi30k-de/test2017", GERMAN),
        _corpus_set("multi30k-de/test2017-mscoco", GERMAN),
        _corpus_set("tatoeba-ja/test", JAPANESE),
        _corpus_set("tatoeba-ko/test", KOREAN),
        _corpus_set("grammar-ko/test", KOREAN),
        _concatenated("multi30k/test2016"),
        _concatenated("multi30k-de/test2016", GERMAN),
        _concatenated("tatoeba-ja/test", JAPANESE),
        _concatenated("tatoeba-ko/test", KOREAN),
        _own("jointly-300"),
        _own("jointly-100-de", GERMAN),
        _own("jointly-100-ja", JAPANESE),
        _own("jointly-100-ko", KOREAN),
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
    _own_gold("jointly-100-de", GERMAN),
    _own_gold("jointly-100-ja", JAPANESE),
    _own_gold("jointly-100-ko", KOREAN),
    _corpus_gold("hansards"),
    _corpus_gold("europarl-de", GERMAN),
    _corpus_gold("kftt", JAPANESE),
)
"""Word-aligned test sets that every run of their languages is measured on. Alibi is not among them: it is kept for
the aligner, which is measured on it once."""
