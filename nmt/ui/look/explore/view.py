"""A reader's choices on Look: sentence, checkpoints, settings and target, and their parameters in the address."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from nmt.answers.shipped import GALLERY, SENTENCES, SceneSentence
from nmt.results import Languages
from nmt.runs.folder import RunInfo
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import language
from nmt.ui.look.explore.files import Imported
from nmt.ui.tasks import Unknown

TargetKind = Literal["best", "list", "typed"]

DIFFERENCE, COMMITTEE, HARD = "difference", "committee", "hard"

KIND, RANK, TARGET, PIN, CHANGES, SEEN = "of", "rank", "t", "pin", "change", "see"
GOLD, GOLD_BASE, EFFECT = "gold", "gold-base", "effect"
NUMBER, OWN = "k", "own"
OF_A_TEXT = {KIND: "best", RANK: "1", TARGET: "", PIN: "", CHANGES: "", SEEN: "", GOLD: "", GOLD_BASE: "", EFFECT: ""}
OF_A_SENTENCE: dict[str, str] = {**OF_A_TEXT, NUMBER: "", OWN: ""}
"""Parameters of the address that belong to a sentence, each with its default: target, pin, changes and their shown
side, gold links, number of sentences translated as one, and the reader's following sentences. Another sentence resets
all of them. Another number of sentences resets all but the last two. Other parameters stay."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a sentence is translated.

    Attributes:
        target: kind of the target that is shown.
        beam: hypotheses kept at each step.
        unknown: treatment of [UNK].
        options: chosen names of ``look.option_choices``.
    """

    target: TargetKind = "best"
    beam: int = 12
    unknown: Unknown = "keep"
    options: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class TargetChoice:
    """The target that the reader chose.

    Attributes:
        rank: rank of the translation in the list, from 1.
        listed: length of the list, at most the beam. 1 if there is no list.
        typed: the target that was typed, on one line, or "" for the models' own translations.
    """

    rank: int = 1
    listed: int = 1
    typed: str = ""


@dataclass(frozen=True, kw_only=True)
class ExplorerView:
    """All choices that decide what is shown.

    Attributes:
        sentence: the source sentence on one line. Blank if there are only files.
        parts: the sentences that ``sentence`` consists of.
        following: the sentences that can be added to ``parts``.
        runs: the checkpoints by name, in the order chosen. Empty if there are only files.
        imported: alignments from opened files, and translations by phrase-based systems.
        draft: whether the reader is still typing the sentence. The address then has the sentence before.
    """

    sentence: str
    parts: tuple[str, ...] = ()
    following: tuple[str, ...] = ()
    runs: dict[str, RunInfo]
    settings: Settings = field(default_factory=Settings)
    target: TargetChoice = field(default_factory=TargetChoice)
    imported: tuple[Imported, ...] = ()
    draft: bool = False

    @property
    def lesson(self) -> SceneSentence | None:
        """The lesson about this sentence in the languages of the first checkpoint, or None."""
        return lesson_of(self.sentence, self.runs)

    def target_named(self, run: RunInfo) -> str:
        """The target language of a checkpoint, if the chosen checkpoints have several target languages. Else ""."""
        several = len({each.target_language for each in self.runs.values()}) > 1
        return language(run.target_language) if several else ""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Choices outside of the sentence field.

    Attributes:
        checkpoints: all available checkpoints.
        pair: the first of the chosen language pairs.
        runs: the checkpoints by name, in the order chosen.
        settings: settings of the translation.
        imported: alignments from the files that the reader opened.
        choices: the choices of the widgets around the sentence, as ``address.chosen_now`` returned them.
    """

    checkpoints: Checkpoints
    pair: Languages
    runs: dict[str, RunInfo]
    settings: Settings
    imported: tuple[Imported, ...]
    choices: Mapping[str, list[str]]


def lesson_of(sentence: str, runs: Mapping[str, RunInfo]) -> SceneSentence | None:
    """The lesson about a sentence in the languages of the first of some checkpoints, or None."""
    pairs = [(run.source_language, run.target_language) for run in runs.values()][:1]
    taught = (each for each in (*SENTENCES, *GALLERY) if each.sentence == sentence and each.languages in pairs)
    return next(taught, None)
