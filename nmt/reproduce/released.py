"""The released runs: how they are trained, on which prepared folders, and the test sets and gold links of words that
they are measured on. All of them are in released.toml."""

from dataclasses import dataclass
from pathlib import Path

from nmt.files import read_toml
from nmt.recipes import recipe
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
    """Sentence pairs whose words are linked by hand.

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


@dataclass(frozen=True)
class TrainingPart:
    """Training of a chain: a recipe, a key of ``TRAINING_DATA``, and the settings that differ from the recipe."""

    recipe: str
    data: str
    settings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ReleasedRun:
    """Run that is released with the program.

    Attributes:
        name: name of the run folder.
        recipe: name of the recipe it is trained with.
        settings: those of its training (the last, if there are several) that differ from the recipe, "KEY=VALUE" each.
        data: the prepared folder, a key of ``TRAINING_DATA``.
        before: the trainings before it, in order; it begins with the weights of the last. () = with random weights.
        share: its share of a time budget.
        domains: the corpora whose test sets, or the test sets, it is evaluated on; None = all corpora of its languages;
            () for a run that only demonstrates learning.
        by_length: whether it is evaluated on the concatenated test set of its languages, which measures length.
        dictionary: whether it gets a dictionary for [UNK].
        search: the search settings it is released with, "KEY=VALUE" each, chosen on its development set.
    """

    name: str
    recipe: str
    settings: tuple[str, ...] = ()
    data: str = "words"
    before: tuple[TrainingPart, ...] = ()
    share: float = 1.0
    domains: tuple[str, ...] | None = None
    by_length: bool = False
    dictionary: bool = False
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
        return (*self.before, TrainingPart(self.recipe, self.data, self.settings))

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
        of_length = [known for known in of_languages if self.by_length or not known.concatenated]
        chosen = {*(self.domains or ())}
        return tuple(k for k in of_length if k.own or self.domains is None or chosen & {k.corpus, k.name})

    @property
    def gold_links(self) -> tuple[GoldLinks, ...]:
        """The word-aligned test sets that it is measured on."""
        return tuple(gold for gold in GOLD_LINKS if {*gold.languages} == {*self.languages})


@dataclass(frozen=True, kw_only=True)
class _File:
    opens_first: tuple[str, ...]
    inside: str
    data: dict[str, TrainingData]
    runs: tuple[ReleasedRun, ...]
    test_sets: tuple[KnownTestSet, ...]
    gold_links: tuple[GoldLinks, ...]


_RELEASED = read_toml(_File, Path(__file__).with_suffix(".toml"))

RELEASED, TRAINING_DATA, GOLD_LINKS = _RELEASED.runs, _RELEASED.data, _RELEASED.gold_links

OPENS_FIRST = _RELEASED.opens_first
"""Names of the runs that the app opens with, if they are there."""

INSIDE = _RELEASED.inside
"""Name of the run whose weights are in the package; commands that are given none use it."""

KNOWN_TEST_SETS = {known.name: known for known in _RELEASED.test_sets}
"""All known test sets by name, in the order of tables."""

NOT_POOLED = tuple(name for name, known in KNOWN_TEST_SETS.items() if not known.pooled)
"""Names of the known sets that do not count among "all test sets"."""
