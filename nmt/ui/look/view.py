"""A reader's choices on Look (sentence, checkpoints, settings and target), their parameters in the address, and the
translations that are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.answers.shipped import GALLERY, SENTENCES, SceneSentence
from nmt.config import SearchSettings
from nmt.instrument import About
from nmt.results import Alignment, Encoded, Languages
from nmt.results.record import ALPHA, LEAVE_ONE_OUT, System, map_of, maps_of_heads, over_tokens
from nmt.runs.folder import RunInfo
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.tasks import Unknown, chosen_settings

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
        options: chosen names of ``look.option_choices``.
    """

    target: TargetKind = "best"
    beam: int = 12
    unknown: Unknown = "keep"
    options: frozenset[str] = frozenset()

    def of(self, run: RunInfo, n_best: int = 1) -> SearchSettings:
        """The settings of a run's search for ``n_best`` translations."""
        return chosen_settings(run, self.beam, self.unknown, n_best)


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


@dataclass(frozen=True, eq=False, kw_only=True)
class Shown:
    """A translation as it is shown: by a checkpoint (``Decoded``), by a phrase-based system, or from a file.

    Attributes:
        written: the translation's part of the record. It lacks maps if a checkpoint made it.
        weights: alpha or a file's weights, over all tokens, or a leave-one-out attribution in place of alpha. None if
            there is no map, as for a model without attention until its attribution is requested.
        stands_in: whether the system has no attention. Its map is then leave-one-out or missing.
        about: facts on it that the record lacks, such as the kind of its system, and notes.
    """

    written: System
    weights: Alignment | None
    stands_in: bool
    about: About

    @staticmethod
    def of_file(system: System, about: About) -> Shown:
        """A translation that no checkpoint made, with its first map. ``decode_all`` gives it a unique title."""
        first = system.main_map
        return Shown(
            written=system,
            weights=None if first is None else system.alignment(first),
            stands_in=first is not None and first.kind == LEAVE_ONE_OUT,
            about=about,
        )

    @property
    def title(self) -> str:
        """Name of the checkpoint or of the file, by which the address names it."""
        return self.written.name

    def units(self, *, pieces: bool) -> Alignment:
        """The weights, over tokens if ``pieces``, else over whole words. Without a map, all weights are 0."""
        alignment = self.weights or self.written.alignment(None)
        return alignment if pieces else alignment.merged()

    def system(self, *, exact: bool = False) -> System:
        """The translation's part of the record. ``exact``: whether weights have as many digits as float32 needs."""
        return self.written


@dataclass(frozen=True, eq=False, kw_only=True)
class Decoded(Shown):
    """A checkpoint's translation of the sentence, or its score of a given target.

    Attributes:
        source: the sentence as the model read it.
        target: the target as the model read or wrote it.
        heads: weights of all heads of a Transformer, [layers, heads, T_y, T_x]. None for other systems.
        manner: "" for a usual search. Else a text on what wrote the target: hard attention, or a committee with ``run``
            as first checkpoint. Such a target cannot be explained or changed.
    """

    run: RunInfo
    source: Encoded
    target: Encoded
    heads: NDArray[np.float32] | None = None
    manner: str = ""

    @property
    def has_alpha(self) -> bool:
        """Whether ``weights`` are alpha."""
        return self.weights is not None and not self.stands_in

    def units(self, *, pieces: bool) -> Alignment:
        return super().units(pieces=pieces and not self.stands_in)

    def system(self, *, exact: bool = False) -> System:
        source, target = self.written.source, self.written.target
        weights = None if self.weights is None else over_tokens(self.weights, source, target)
        maps = map_of(LEAVE_ONE_OUT if self.stands_in else ALPHA, weights, exact=exact)
        if weights is not None and self.heads is not None:
            maps += maps_of_heads(weights, self.heads)
        return replace(self.written, maps=maps)


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
    imported: tuple[Shown, ...] = ()
    draft: bool = False

    @property
    def lesson(self) -> SceneSentence | None:
        """The lesson about this sentence in the languages of the first checkpoint, or None."""
        pairs = [(run.source_language, run.target_language) for run in self.runs.values()][:1]
        lessons = (lesson for lesson in (*SENTENCES, *GALLERY) if lesson.sentence == self.sentence)
        return next((lesson for lesson in lessons if lesson.languages in pairs), None)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Choices outside of the sentence field.

    Attributes:
        pair: the first of the chosen language pairs.
        view: the view as far as it is known without the sentence.
        choices: the choices of the widgets around the sentence, as ``address.chosen_now`` returned them.
    """

    checkpoints: Checkpoints
    pair: Languages
    view: ExplorerView
    choices: Mapping[str, list[str]]
