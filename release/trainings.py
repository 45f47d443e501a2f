"""How the released runs are trained, on which prepared folders, and what each is measured on, from trainings.toml."""

from dataclasses import dataclass
from pathlib import Path

from nmt.files import read_toml
from nmt.recipes import recipe
from nmt.released import GOLD_LINKS, KNOWN_TEST_SETS, LANGUAGES, GoldLinks, KnownTestSet


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


@dataclass(frozen=True, kw_only=True)
class Mean:
    """Weights that a training begins with: ``share`` of those of the training before it, and the rest of those of an
    earlier one, ``part``, counted from 1."""

    part: int
    share: float


@dataclass(frozen=True)
class TrainingPart:
    """Training of a chain: a recipe, a key of ``TRAINING_DATA``, and the settings that differ from the recipe.

    ``mean``: what it begins with, if not with the weights of the training before it.
    """

    recipe: str
    data: str
    settings: tuple[str, ...] = ()
    mean: Mean | None = None


@dataclass(frozen=True, kw_only=True)
class ReleasedRun:
    """Run that is released with the program.

    Attributes:
        name: name of the run folder.
        recipe: name of the recipe it is trained with.
        settings: those of its training (the last, if there are several) that differ from the recipe, "KEY=VALUE" each.
        data: the prepared folder, a key of ``TRAINING_DATA``.
        before: the trainings before it, in order; it begins with the weights of the last. () = with random weights.
        mean: that of its last training.
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
    mean: Mean | None = None
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
        """The trainings in order; each but the first begins with the weights of the one before, or with a mean."""
        return (*self.before, TrainingPart(self.recipe, self.data, self.settings, self.mean))

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
    data: dict[str, TrainingData]
    runs: tuple[ReleasedRun, ...]


_TRAININGS = read_toml(_File, Path(__file__).with_suffix(".toml"))

RELEASED_RUNS, TRAINING_DATA = _TRAININGS.runs, _TRAININGS.data
