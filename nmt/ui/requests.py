"""What a page asks of a checkpoint. Two equal requests are computed once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from nmt.results import Alignment, ForcedScore, Translation

if TYPE_CHECKING:
    from nmt.data.vocabulary import Encoded
    from nmt.translator import Translator

Result = TypeVar("Result", covariant=True)
OnStep = Callable[[int, int], None]
"""Called again and again as on_step(done, limit); what it raises ends the work."""

Unknown = Literal["Keep", "Forbid", "Replace"]
"""What happens to [UNK]."""


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
        beam, n_best: as in ``Translator.translate``.
        unknown: whether [UNK] is kept, forbidden, or replaced where the model has alpha.
    """

    sentence: str
    beam: int
    n_best: int
    unknown: Unknown

    def compute(self, model: Translator, on_step: OnStep) -> Translation:
        return model.translate(
            self.sentence,
            beam=self.beam,
            n_best=self.n_best,
            no_unk=self.unknown == "Forbid",
            replace_unk=self.unknown == "Replace" and model.has_alignment,
            on_step=on_step,
        )


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


def encoded_pair(model: Translator, source: str, target: str | tuple[str, ...]) -> tuple[Encoded, Encoded]:
    """As the model reads them. InputError for a token that it does not know."""
    written = model.target.encode(target) if isinstance(target, str) else model.target.encode_tokens(target)
    return model.source.encode(source), written
