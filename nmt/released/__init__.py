"""The names of the released runs, and the test sets and gold links for measuring them, from released.toml."""

from dataclasses import dataclass
from pathlib import Path

from nmt.files import read_toml
from nmt.results import CONCATENATED

LANGUAGES = ("en", "fr")
"""Languages of the first released runs, English to French. The app uses them if there are no runs."""

STRESS_WORDS = 16
"""The stored stress tests of the released runs use sentences of at most this number of words."""

_TEST_SETS = "testsets/"
"""Folder of the test sets of this repository."""


@dataclass(frozen=True, kw_only=True)
class KnownTestSet:
    """A test set that the released runs are evaluated on.

    Attributes:
        stem: path in the corpora or in this repository, without the language code at the end.
        called: name of the test set. "" if the name follows from the path.
        languages: the two languages of the test set.
        pooled: whether the test set counts among "all test sets". Sets of this repository do not count, nor do sets of
            a domain that no training corpus has.
        concatenated: whether this is the concatenated version of the set at ``stem`` (``evaluate --concatenate``).
    """

    stem: str
    called: str = ""
    languages: tuple[str, str] = LANGUAGES
    pooled: bool = True
    concatenated: bool = False

    @property
    def name(self) -> str:
        """Name in evaluations and tables, the same in both directions of translation."""
        return self.called or f"{self.stem.replace('/', '-')}{CONCATENATED if self.concatenated else ''}"

    @property
    def own(self) -> bool:
        """True if the test set is part of this repository."""
        return self.stem.startswith(_TEST_SETS)

    @property
    def in_table_1(self) -> bool:
        """True if Table 1 has a column for this set. Sets of corpora have a column, but not concatenated versions."""
        return not self.own and not self.concatenated

    @property
    def corpus(self) -> str:
        """Name of the test set's corpus for ``corpus get``. "" for a set of this repository."""
        return "" if self.own else self.stem.partition("/")[0]


@dataclass(frozen=True, kw_only=True)
class GoldLinks:
    """A set of sentence pairs whose words were linked by people.

    Attributes:
        name: name in results.
        languages: the two languages, in the order of the links.
        own: whether the set is part of this repository. Any other set is used only if its files exist.
    """

    name: str
    languages: tuple[str, str] = LANGUAGES
    own: bool = True

    @property
    def stem(self) -> str:
        """Path of the tokenised sentences in the corpora or this repository, without the language code at its end."""
        return f"{_TEST_SETS}{self.name}/tokens" if self.own else f"alignment-gold/{self.name}"

    @property
    def gold(self) -> str:
        """Path of the file of links, in the corpora or in this repository."""
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
"""Names of the released runs. Their order decides their colours and markers."""

GOLD_LINKS = _RELEASED.gold_links

OPENS_FIRST = _RELEASED.opens_first
"""Names of the runs that the app opens with, if they are available."""

INSIDE = _RELEASED.inside
"""Name of the run whose weights are in the package. It is the default of commands that need a run."""

KNOWN_TEST_SETS = {test_set.name: test_set for test_set in _RELEASED.test_sets}
"""All known test sets by name, in the order of tables."""

NOT_POOLED = tuple(name for name, test_set in KNOWN_TEST_SETS.items() if not test_set.pooled)
"""Names of the known test sets that "all test sets" leaves out (``KnownTestSet.pooled``)."""
