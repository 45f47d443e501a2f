"""What a page asks of a checkpoint. Two equal requests are computed once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from nmt.config import SearchSettings
from nmt.results import Alignment, CellExplanation, ForcedScore, Translation
from nmt.runs.folder import DICTIONARY, RunInfo

if TYPE_CHECKING:
    from nmt.data.vocabularies.vocabulary import Encoded
    from nmt.inference.translator import Translator

Result = TypeVar("Result", covariant=True)
OnStep = Callable[[int, int], None]
"""Called again and again as on_step(done, limit); what it raises ends the work."""

Unknown = Literal["Keep", "Forbid", "Replace"]
"""What happens to [UNK]."""


def chosen_settings(run: RunInfo, beam: int, unknown: Unknown, n_best: int = 1) -> SearchSettings:
    """The run's own search settings with what the reader chose on the page. [UNK] is replaced only where the model has
    alpha: by the run's dictionary if it has one, else by the source word."""
    replacement: Literal["copy", "dictionary", False] = False
    if unknown == "Replace" and run.has_alignment:
        replacement = "dictionary" if (run.path / DICTIONARY).is_file() else "copy"
    return run.config.search.changed(beam=beam, n_best=n_best, no_unk=unknown == "Forbid", replace_unk=replacement)


@dataclass(frozen=True)
class Request(ABC, Generic[Result]):
    """Attributes:
    run: the run folder.
    stamp: when its weights were written, in nanoseconds: other weights are another request.
    """

    run: Path
    stamp: int

    @abstractmethod
    def compute(self, model: Translator, on_step: OnStep) -> Result:
        """Do it. Raises InputError as the model does."""


@dataclass(frozen=True)
class TranslationRequest(Request[Translation]):
    """A translation by beam search.

    Attributes:
        sentence: one sentence, not blank.
        settings: of the search.
    """

    sentence: str
    settings: SearchSettings

    def compute(self, model: Translator, on_step: OnStep) -> Translation:
        return model.translate(self.sentence, self.settings, on_step=on_step)


@dataclass(frozen=True)
class ForcedRequest(Request[ForcedScore]):
    """A given pair: log-probabilities, and alpha if the model has any.

    Attributes:
        source: one sentence.
        target: a text, or the tokens of a hypothesis.
    """

    source: str
    target: str | tuple[str, ...]

    def compute(self, model: Translator, on_step: OnStep) -> ForcedScore:
        on_step(0, 1)
        return next(model.score_encoded([encoded_pair(model, self.source, self.target)]))


@dataclass(frozen=True)
class StandInRequest(Request[Alignment]):
    """A given pair, as in ``ForcedRequest``: the map that stands in where there is no alpha, over whole words."""

    source: str
    target: str | tuple[str, ...]

    def compute(self, model: Translator, on_step: OnStep) -> Alignment:
        from nmt.inspection.leave_one_out import leave_one_out_of

        on_step(0, 1)
        return next(leave_one_out_of(model, [encoded_pair(model, self.source, self.target)]))


@dataclass(frozen=True)
class UnknownWordsRequest(Request[tuple[str, ...]]):
    """The words of a source sentence that the vocabulary does not hold."""

    source: str

    def compute(self, model: Translator, on_step: OnStep) -> tuple[str, ...]:
        return model.unknown_words(self.source)


def encoded_pair(model: Translator, source: str, target: str | tuple[str, ...]) -> tuple[Encoded, Encoded]:
    """As the model reads them. InputError for a token that it does not know."""
    written = model.target.encode(target) if isinstance(target, str) else model.target.encode_tokens(target)
    return model.source.encode(source), written


@dataclass(frozen=True)
class CellRequest(Request[CellExplanation]):
    """One cell of a given pair explained.

    Attributes:
        source, target: as in ``ForcedRequest``.
        row, column: numbers of the target and of the source word, as in ``Alignment.target_words``, of which the first
            token is meant; or of the tokens themselves.
        of_tokens: which of the two.
    """

    source: str
    target: str | tuple[str, ...]
    row: int
    column: int
    of_tokens: bool

    def compute(self, model: Translator, on_step: OnStep) -> CellExplanation:
        from nmt.inspection.explain_cell import explain_cell

        on_step(0, 1)
        read, written = encoded_pair(model, self.source, self.target)
        i = self.row if self.of_tokens else written.words.index(self.row)
        j = self.column if self.of_tokens else read.words.index(self.column)
        return explain_cell(model, read, written, i, j)


@dataclass(frozen=True)
class WhatIfRequest(Request[Translation]):
    """A translation with something laid down by hand.

    Attributes:
        sentence, settings: as in ``TranslationRequest``.
        prefix: how the translation begins, a text.
        forbidden: words that it may not have.
        forced: (position, word), positions from 0.
        weights: (step, weights): the row of alpha that a target token is written with, over source words or tokens.
    """

    sentence: str
    settings: SearchSettings
    prefix: str = ""
    forbidden: tuple[str, ...] = ()
    forced: tuple[tuple[int, str], ...] = ()
    weights: tuple[tuple[int, tuple[float, ...]], ...] = ()

    def compute(self, model: Translator, on_step: OnStep) -> Translation:
        from nmt.inspection.what_if import Intervention, what_if

        return what_if(
            model,
            self.sentence,
            Intervention(
                prefix=self.prefix,
                forbidden=self.forbidden,
                forced=self.forced,
                weights=self.weights if model.has_alignment else (),
            ),
            self.settings,
            on_step=on_step,
        )
