"""The released runs by name, and the test sets and gold links that they are measured on, from released.toml."""

from dataclasses import dataclass
from pathlib import Path

from nmt.files import read_toml
from nmt.results import CONCATENATED

LANGUAGES = ("en", "fr")
"""Languages of the first released runs, and of the app if there is no run at all."""

STRESS_WORDS = 16
"""Most words of a sentence in the stress tests that are stored with runs."""

_TEST_SETS = "testsets/"
"""Folder of the test sets of this repository."""


@dataclass(frozen=True, kw_only=True)
class KnownTestSet:
    """Test set that the released runs are evaluated on.

    Attributes:
        stem: its place in the corpora or in this repository; a language code follows.
        called: its name, if that does not follow from its place.
        languages: the two languages that it exists in.
        pooled: whether it counts among "all test sets". Sets of this repository do not, and neither do sets of
            another domain than every training corpus: their scores stand beside the others'.
        concatenated: whether it is the concatenated version of the set at ``stem`` (``evaluate --concatenate``).
    """

    stem: str
    called: str = ""
    languages: tuple[str, str] = LANGUAGES
    pooled: bool = True
    concatenated: bool = False

    @property
    def name(self) -> str:
        """Its name in evaluations and tables, the same in both directions of translation."""
        return self.called or f"{self.stem.replace('/', '-')}{CONCATENATED if self.concatenated else ''}"

    @property
    def own(self) -> bool:
        """True if it is part of this repository."""
        return self.stem.startswith(_TEST_SETS)

    @property
    def in_table_1(self) -> bool:
        """True if it has a column in Table 1: a test set of a corpus, and not its concatenated version."""
        return not self.own and not self.concatenated

    @property
    def corpus(self) -> str:
        """Name of the corpus that it is part of, as ``corpus get`` takes it; "" for a set of this repository."""
        return "" if self.own else self.stem.partition("/")[0]


@dataclass(frozen=True, kw_only=True)
class GoldLinks:
    """A set of sentence pairs whose words were linked by people.

    Attributes:
        name: its name in results.
        languages: the two languages, in the order of the links.
        own: whether it is part of this repository; otherwise it is used if it exists.
    """

    name: str
    languages: tuple[str, str] = LANGUAGES
    own: bool = True

    @property
    def stem(self) -> str:
        """Place of the tokens in the corpora, or in this repository; a language code follows."""
        return f"{_TEST_SETS}{self.name}/tokens" if self.own else f"alignment-gold/{self.name}"

    @property
    def gold(self) -> str:
        """Place of the links."""
        return f"{_TEST_SETS}{self.name}/gold" if self.own else f"{self.stem}.gold"


@dataclass(frozen=True, kw_only=True)
class _File:
    opens_first: tuple[str, ...]
    inside: str
    runs: tuple[str, ...]
    test_sets: tuple[KnownTestSet, ...]
    gold_links: tuple[GoldLinks, ...]


_RELEASED = read_toml(_File, Path(__file__).with_name("released.toml"))

RELEASED = _RELEASED.runs
"""Names of the released runs, in the order in which colours and markers are given out."""

GOLD_LINKS = _RELEASED.gold_links

OPENS_FIRST = _RELEASED.opens_first
"""Names of the runs that the app opens with, if they are there."""

INSIDE = _RELEASED.inside
"""Name of the run whose weights are in the package; commands that are given none use it."""

KNOWN_TEST_SETS = {known.name: known for known in _RELEASED.test_sets}
"""All known test sets by name, in the order of tables."""

NOT_POOLED = tuple(name for name, known in KNOWN_TEST_SETS.items() if not known.pooled)
"""Names of the known sets that do not count among "all test sets"."""
