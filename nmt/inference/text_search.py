"""Decoding steps of a model, prepared once for its current weights."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import torch

from nmt import native
from nmt.data.links import Dictionary
from nmt.data.vocabulary import Encoded
from nmt.errors import InputError
from nmt.inference.batching import WINDOW, groups, in_groups, windows
from nmt.inference.text_codec import PaddedTokens, TextCodec, forced_score, hypothesis
from nmt.model import TranslationModel
from nmt.model.kernels import threads_for
from nmt.model.native_steps import NativeSteps, search_steps
from nmt.model.steps import DecodingSteps
from nmt.results import ForcedScore, Hypothesis, Translation
from nmt.search.beam import BeamSettings, beam_search
from nmt.search.constrained import Constrained, OutputConstraints
from nmt.search.history import Candidate
from nmt.search.stepwise import Ensemble, Joinable


class PreparedSteps:
    """Model prepared for search. Safe to share between threads.

    As long as the model is in evaluation mode and no weight changes, the steps are prepared only once. Changes by a
    fused optimizer cannot be detected: training must create a new object for every validation.

    Attributes:
        model: the model.
        precision: precision of the factors of the matrix products, as in ``DecodingSteps``; None = that of the weights.
    """

    def __init__(self, model: TranslationModel, precision: torch.dtype | None = None) -> None:
        self.model, self.precision = model, precision
        self._prepared: tuple[object, DecodingSteps] | None = None

    @property
    def device(self) -> torch.device:
        return self.model.decoder.E.device

    def steps(self) -> DecodingSteps:
        """Return the steps for the current weights."""
        prepared = self._prepared
        weights = [(p.data_ptr(), p._version) for p in self.model.parameters()]
        if self.model.training or prepared is None or prepared[0] != weights:
            with threads_for(0):
                prepared = self._prepared = (weights, search_steps(self.model, self.precision))
        return prepared[1]

    @property
    def engine(self) -> str:
        """What computes steps of few hypotheses, "torch" or ``nmt.native.name()``."""
        return native.name() if isinstance(self.steps(), NativeSteps) else "torch"

    def threads(self, rows: int) -> AbstractContextManager[None]:
        """Within it torch has the number of threads that suits steps of ``rows`` hypotheses."""
        return _threads(self.model, rows)


def _threads(model: TranslationModel, rows: int) -> AbstractContextManager[None]:
    weights = sum(p.numel() for part in (model.decoder, model.readout) for p in part.parameters())
    return threads_for(rows * (weights - model.decoder.E.numel()))


_PROBABILITIES = 2**24
"""Maximum number of next-word probabilities in memory at a time; a search needs a few copies of them."""


@dataclass(frozen=True)
class Sentence:
    """Text with its encoding."""

    text: str
    encoded: Encoded

    @property
    def blank(self) -> bool:
        return not self.text.strip()

    def __len__(self) -> int:
        return len(self.encoded.ids)


@dataclass(frozen=True, kw_only=True)
class TextSearch:
    """Beam search from text to records; InputError for a beam that does not fit in memory.

    Attributes:
        steps: steps of a model in evaluation mode.
        target: codec of the target language.
        settings: search settings; with alpha if ``alpha`` or ``replace_unk`` is set.
        replace_unk: replace each [UNK] by this dictionary's entry for the most attended source word; None = keep [UNK].
        alpha: include the alignment weights in the records.
        hard: let each row of alpha be its argmax.
        committee: steps of more models, with which outputs are ranked (``Ensemble``).
    """

    steps: PreparedSteps
    target: TextCodec
    settings: BeamSettings
    replace_unk: Dictionary | None
    alpha: bool
    hard: bool = False
    committee: tuple[PreparedSteps, ...] = ()

    def __post_init__(self) -> None:
        most = _PROBABILITIES // len(self.target.vocabulary)
        if self.settings.beam > most:
            raise InputError(
                f"a beam of {self.settings.beam:,} is too wide for this machine's memory; the maximum is {most:,}"
            )

    def translate(
        self,
        sentences: Sequence[Sentence],
        on_step: Callable[[int, int], None] | None = None,
        steerings: Sequence[OutputConstraints] | None = None,
    ) -> list[Translation]:
        """Translate non-blank sentences in one batch.

        ``on_step`` is passed to ``beam_search``; ``steerings``, one per sentence, constrain it.
        """
        batch = PaddedTokens([sentence.encoded for sentence in sentences], self.steps.device)
        with torch.inference_mode(), self.steps.threads(len(sentences) * self.settings.beam):
            if steerings is None:
                candidates = beam_search(self.model(), batch.ids, batch.mask, self.settings, on_step)
            else:
                assert not self.committee, "only a model alone is steered"
                steered = Constrained(self.own_steps(), steerings)
                candidates = beam_search(steered, batch.ids, batch.mask, self.settings, on_step)
        return [self.translation(*each) for each in zip(sentences, candidates, strict=True)]

    def model(self) -> Joinable[Any]:
        """The model that is searched, or the ``Ensemble`` of it and the committee."""
        steps = self.own_steps()
        return Ensemble([steps, *(other.steps() for other in self.committee)]) if self.committee else steps

    def own_steps(self) -> DecodingSteps:
        """The steps of the model alone."""
        steps = self.steps.steps()
        return steps.with_hard_attention() if self.hard else steps

    def translation(self, sentence: Sentence, candidates: Sequence[Candidate]) -> Translation:
        """Make the record of a sentence from the outputs of its search, best first."""
        return Translation(
            sentence.text,
            tuple(
                hypothesis(sentence.encoded, c, self.target, replace_unk=self.replace_unk, alpha=self.alpha)
                for c in candidates
            ),
            sentence.encoded.unknown,
            encoded=sentence.encoded,
            unk_in_beam=candidates[0].watched,
        )

    def stream(
        self,
        sentences: Iterable[Sentence],
        *,
        first: int | None = None,
        most: int = WINDOW,
        at_hand: Callable[[], bool] | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[Translation]:
        """Translate window by window, in the given order; the arguments are those of ``windows``. A blank sentence
        gives a blank translation.

        ``on_progress`` is called with the number of sentences done, after each batch.
        """
        done = 0

        def progress(number: int) -> None:
            nonlocal done
            done += number
            if on_progress is not None:
                on_progress(done)

        for window in windows(sentences, self._cost, first=first, most=most, at_hand=at_hand):
            yield from self._window(window, progress)

    def _cost(self, sentence: Sentence) -> int:
        tokens = len(sentence)
        return self.settings.n_best * tokens * (64 + self.alpha * tokens)

    def batches(self, sentences: Sequence[Sentence], most: int = WINDOW) -> Iterator[list[int]]:
        """Group the indices of the non-blank sentences into batches that fit in memory: similar lengths together,
        longest first, at most ``most`` per batch."""
        nonblank = [i for i, sentence in enumerate(sentences) if not sentence.blank]
        most = min(most, self.most_together)
        for group in groups([len(sentences[i]) for i in nonblank], most):
            yield [nonblank[k] for k in group]

    @property
    def most_together(self) -> int:
        """Number of sentences whose probabilities fit in memory at a time."""
        return _PROBABILITIES // (self.settings.beam * len(self.target.vocabulary))

    def _window(self, window: Sequence[Sentence], progress: Callable[[int], None]) -> list[Translation]:
        results = [blank_translation(sentence.text) for sentence in window]
        blank = sum(sentence.blank for sentence in window)
        if blank:
            progress(blank)
        for places in self.batches(window):
            for i, translation in zip(places, self.translate([window[i] for i in places]), strict=True):
                results[i] = translation
            progress(len(places))
        return results


def blank_translation(text: str) -> Translation:
    """Make the translation of a blank text."""
    return Translation(
        text, (Hypothesis(text="", tokens=(), log_probability=0.0, score=0.0, token_log_probabilities=()),)
    )


EncodedPair = tuple[Encoded, Encoded]
"""Encoded source and target."""


def score_pairs(
    model: TranslationModel,
    pairs: Iterable[EncodedPair],
    *,
    alpha: bool = True,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[ForcedScore]:
    """Yield log p(target | source) of each pair, in order. At most one window of pairs is read ahead.

    Args:
        model: the model, in evaluation mode.
        pairs: encoded pairs, possibly endless.
        alpha: include the alignment weights in the records.
        on_progress: called with the number of pairs done, after each group.
    """

    def cost(pair: EncodedPair) -> int:
        source, target = (len(side.ids) for side in pair)
        return target * (64 + alpha * source)

    return in_groups(
        pairs, lambda group: _force(model, group, alpha), cost=cost, length=_longer, on_progress=on_progress
    )


def _longer(pair: EncodedPair) -> int:
    return max(len(side.ids) for side in pair)


def _force(model: TranslationModel, pairs: Sequence[EncodedPair], with_alpha: bool) -> list[ForcedScore]:
    device = model.decoder.E.device
    source = PaddedTokens([source for source, _ in pairs], device)
    target = PaddedTokens([target for _, target in pairs], device)
    with _threads(model, len(pairs)):
        output = model.forced(source.ids, source.mask, target.ids, target.mask)
    values = output.token_log_probabilities.double().cpu().numpy()
    alpha = output.alpha.cpu().numpy() if with_alpha and output.alpha is not None else None
    return [
        forced_score(read, written, values[k], None if alpha is None else alpha[k])
        for k, (read, written) in enumerate(pairs)
    ]
