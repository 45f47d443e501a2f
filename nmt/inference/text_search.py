"""Windows of input in batches of similar length, decoding steps prepared once per model, and the search of a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import torch

from nmt import native
from nmt.data.vocabulary import Encoded
from nmt.errors import InputError
from nmt.inference.checkpoint import leave_memory, return_free_memory
from nmt.inference.text_codec import PaddedTokens, TextCodec, forced_score, hypothesis
from nmt.model import ForcedOutput, TranslationModel
from nmt.model.kernels import threads_for
from nmt.model.native_steps import NativeSteps, search_steps
from nmt.model.steps import DecodingSteps, factors
from nmt.results import ForcedScore, Hypothesis, Translation
from nmt.results.record import Writer
from nmt.search.beam import BeamSettings, beam_search
from nmt.search.constrained import Constrained, OutputConstraints
from nmt.search.history import Candidate
from nmt.search.sampling import draw_outputs
from nmt.search.stepwise import Ensemble

Item = TypeVar("Item")
Result = TypeVar("Result")

WINDOW = 4096
"""Maximum number of sentences in a window."""

_FIRST = 64
"""Number of sentences in the first window."""
WINDOW_COST = 2**24
"""Largest amount of numbers in all records of a window, estimated. The last sentence may exceed it."""
PADDED_TOKENS = 4000
"""Maximum number of tokens in a batch, padding included. A longer sentence forms a batch of its own."""


def windows(
    items: Iterable[Item],
    cost: Callable[[Item], int],
    *,
    first: int | None = None,
    most: int = WINDOW,
    at_hand: Callable[[], bool] | None = None,
) -> Iterator[list[Item]]:
    """Split a possibly endless stream of items into lists. The items of a list are read when the list is requested.

    Args:
        items: the stream. If it raises, the items read before are yielded first.
        cost: approximate size of an item's record, in numbers (``WINDOW_COST``).
        first, most: number of items in the first window (None = a few) and in the largest window. After a full window,
            the next may have twice as many items.
        at_hand: returns whether the next item is available without waiting. If not, the window ends early.

    >>> [len(window) for window in windows(range(10), lambda _: 1, first=1, most=4)]
    [1, 2, 4, 3]
    """
    size = min(_FIRST if first is None else first, most)
    window: list[Item] = []
    total = 0
    try:
        for item in items:
            window.append(item)
            total += cost(item)
            full = len(window) >= size or total >= WINDOW_COST
            if full or (at_hand is not None and not at_hand()):
                yield window
                window, total = [], 0
                if full:
                    size = min(2 * size, most)
    except Exception:
        if window:
            yield window
        raise
    if window:
        yield window


def groups(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Group the indices of ``lengths`` (in tokens) by similar length, longest first. A group has at most ``most``
    indices. A group of several indices has at most ``PADDED_TOKENS`` tokens, padding included."""
    group: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        if group and (len(group) >= most or lengths[group[0]] * (len(group) + 1) > PADDED_TOKENS):
            yield group
            group = []
        group.append(i)
    if group:
        yield group


def in_groups(
    items: Iterable[Item],
    work: Callable[[list[Item]], Iterable[Result]],
    *,
    cost: Callable[[Item], int],
    length: Callable[[Item], int],
    first: int | None = WINDOW,
    most: int = WINDOW,
    together: int = WINDOW,
    at_hand: Callable[[], bool] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[Result]:
    """Work on a possibly endless stream in groups of similar length, and yield the results in the order of the items.

    Args:
        work: returns a result for each item of a group, in order.
        cost, first, most, at_hand: as for ``windows``. At most one window is read ahead.
        length: number of tokens of an item, padding excluded.
        together: number of items in the largest group.
        on_progress: called with the number of items done, after each group.
    """
    done = 0
    for window in windows(items, cost, first=first, most=most, at_hand=at_hand):
        results: dict[int, Result] = {}
        for group in groups([length(item) for item in window], together):
            results.update(zip(group, work([window[i] for i in group]), strict=True))
            done += len(group)
            if on_progress is not None:
                on_progress(done)
        yield from (results[i] for i in range(len(window)))


class PreparedSteps:
    """A model prepared for search. Safe to share between threads.

    While the model is in evaluation mode and no weight changes, the steps are prepared only once. The object does not
    notice changes by a fused optimizer, so training must create a new object for every validation.

    Attributes:
        precision: precision of the factors of the matrix products, as in ``DecodingSteps``.
        others: the other models of a committee. () for a model alone.
    """

    def __init__(self, model: TranslationModel, precision: torch.dtype | None = None) -> None:
        self.model, self.precision = model, precision
        self.others: tuple[PreparedSteps, ...] = ()
        self._prepared: tuple[object, DecodingSteps] | None = None
        self._factors = factors(model)

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
            if isinstance(prepared[1], NativeSteps):
                leave_memory(self.model)
            return_free_memory()
        return prepared[1]

    @property
    def kind(self) -> str:
        """The architecture."""
        return self.model.config.architecture

    @property
    def has_alpha(self) -> bool:
        return self.model.attention is not None

    def joined_by(self, others: Sequence[PreparedSteps]) -> PreparedSteps:
        """A committee of this model and ``others``. It ranks outputs by the mean log-probability (``Ensemble``)."""
        together = copy(self)
        together.others = tuple(others)
        return together

    def searched(self, hard: bool = False) -> Any:
        """The steps for a search: this model's, or for a committee an ``Ensemble``. hard: whether this model's alpha is
        hard, with all weight on the largest entry of each row."""
        alone = self.steps().with_hard_attention() if hard else self.steps()
        return Ensemble([alone, *(other.steps() for other in self.others)]) if self.others else alone

    def forced(self, source: PaddedTokens, target: PaddedTokens) -> ForcedOutput:
        """Log-probabilities and alpha of given targets by this model, without ``others``, in its weights' precision."""
        with threads_for(len(source.ids) * self._factors):
            return self.model.forced(source.ids, source.mask, target.ids, target.mask)

    @property
    def engine(self) -> str:
        """The program that computes steps of few hypotheses, "torch" or ``nmt.native.name()``."""
        return native.name() if isinstance(self.steps(), NativeSteps) else "torch"

    def threads(self, rows: int) -> AbstractContextManager[None]:
        """A context that sets the threads of torch and the native engine for steps of ``rows`` hypotheses."""
        steps = self.steps() if self._prepared is None else self._prepared[1]
        return threads_for(rows * self._factors, isinstance(steps, NativeSteps) and rows <= steps.most_rows)


_PROBABILITIES = 2**24
"""Maximum number of next-word probabilities in memory at a time. A search needs a few copies of them."""


@dataclass(frozen=True)
class EncodedSentence:
    """A text with its encoding."""

    text: str
    encoded: Encoded

    @property
    def blank(self) -> bool:
        return not self.text.strip()

    def __len__(self) -> int:
        return len(self.encoded.ids)


@dataclass(frozen=True, kw_only=True)
class TextSearch:
    """A beam search from text to records. InputError for a beam that does not fit in memory.

    Attributes:
        steps: steps of a model in evaluation mode.
        target: codec of the target language.
        settings: settings of the beam search. They must ask for alpha if ``alpha`` is True or ``replace_unk`` is set.
        replace_unk: dictionary by which ``without_unknown`` replaces each [UNK]. None = keep [UNK].
        alpha: include the alignment weights in the records.
        hard: put all weight of a row of alpha on its largest entry.
        writer: the model's entry in the records.
    """

    steps: PreparedSteps
    target: TextCodec
    settings: BeamSettings
    replace_unk: Mapping[str, str] | None
    alpha: bool
    hard: bool
    writer: Writer

    def __post_init__(self) -> None:
        most = _PROBABILITIES // len(self.target.vocabulary)
        if self.settings.beam > most:
            raise InputError(
                f"a beam of {self.settings.beam:,} is too wide for this machine's memory; the maximum is {most:,}"
            )

    def translate(
        self,
        sentences: Sequence[EncodedSentence],
        on_step: Callable[[int, int], None] | None = None,
        steerings: Sequence[OutputConstraints] | None = None,
    ) -> list[Translation]:
        """Translate non-blank sentences in one batch. ``on_step``: as for ``beam_search``. ``steerings``: constraints
        on the outputs of each sentence."""
        with torch.inference_mode(), self.steps.threads(len(sentences) * self.settings.beam):
            model: Any = self.model()
            if steerings is not None:
                assert not self.steps.others, "only a model alone is steered"
                model = Constrained(model, steerings)
            if isinstance(model, NativeSteps) and model.searches(self.settings, len(sentences), on_step is not None):
                ids = [sentence.encoded.ids for sentence in sentences]
                candidates = [[candidate] for candidate in model.search_all(ids, self.settings, on_step)]
            else:
                batch = PaddedTokens([sentence.encoded for sentence in sentences], self.steps.device)
                candidates = beam_search(model, batch.ids, batch.mask, self.settings, on_step)
        return [self.translation(*pair) for pair in zip(sentences, candidates, strict=True)]

    def sample(self, sentence: EncodedSentence, number: int, temperature: float, seed: int) -> Translation:
        """Draw outputs of a non-blank sentence (``draw_outputs``). Of ``settings`` only ``forbidden`` has an effect."""
        batch = PaddedTokens([sentence.encoded], self.steps.device)
        with torch.inference_mode(), self.steps.threads(number):
            drawn = draw_outputs(
                self.model(),
                batch.ids,
                batch.mask,
                number,
                temperature=temperature,
                seed=seed,
                forbidden=self.settings.forbidden,
            )
        return self.translation(sentence, drawn)

    def model(self) -> Any:
        """The decoding steps with which ``translate`` searches."""
        return self.steps.searched(self.hard)

    def translation(self, sentence: EncodedSentence, candidates: Sequence[Candidate]) -> Translation:
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
            writer=self.writer,
        )

    def blank(self, text: str) -> Translation:
        """The translation of a blank text."""
        return replace(blank_translation(text), writer=self.writer)

    def stream(
        self,
        sentences: Iterable[EncodedSentence],
        *,
        first: int | None = None,
        most: int = WINDOW,
        at_hand: Callable[[], bool] | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> Iterator[Translation]:
        """Translate a stream of sentences, in order. Blank ones stay blank. For other arguments see ``in_groups``."""
        return in_groups(
            sentences,
            self._some_blank,
            cost=self._cost,
            length=len,
            first=first,
            most=most,
            together=self.most_together,
            at_hand=at_hand,
            on_progress=on_progress,
        )

    def _some_blank(self, sentences: Sequence[EncodedSentence]) -> list[Translation]:
        """Translate one batch of sentences, some of which may be blank."""
        full = [sentence for sentence in sentences if not sentence.blank]
        translations = iter(self.translate(full) if full else ())
        return [self.blank(sentence.text) if sentence.blank else next(translations) for sentence in sentences]

    def _cost(self, sentence: EncodedSentence) -> int:
        tokens = len(sentence)
        return self.settings.n_best * tokens * (64 + self.alpha * tokens)

    def batches(self, sentences: Sequence[EncodedSentence], most: int = WINDOW) -> Iterator[list[int]]:
        """Group the indices of sentences by length, longest first, in batches of up to ``most`` that fit in memory."""
        return groups([len(sentence) for sentence in sentences], min(most, self.most_together))

    @property
    def most_together(self) -> int:
        """Largest number of sentences whose next-word probabilities fit in memory together."""
        return _PROBABILITIES // (self.settings.beam * len(self.target.vocabulary))


def blank_translation(text: str) -> Translation:
    """Make the translation of a blank text."""
    return Translation(
        text, (Hypothesis(text="", tokens=(), log_probability=0.0, score=0.0, token_log_probabilities=()),)
    )


EncodedPair = tuple[Encoded, Encoded]
"""An encoded source and an encoded target."""


def score_pairs(
    steps: PreparedSteps,
    pairs: Iterable[EncodedPair],
    *,
    alpha: bool,
    on_progress: Callable[[int], None] | None = None,
) -> Iterator[ForcedScore]:
    """Yield the forced score of each pair, in order: log p(target | source). At most one window of pairs, possibly
    endless, is read ahead. ``alpha``: include the alignment weights. ``on_progress``: as for ``in_groups``."""

    def cost(pair: EncodedPair) -> int:
        source, target = (len(side.ids) for side in pair)
        return target * (64 + alpha * source)

    return in_groups(
        pairs,
        lambda group: _force(steps, group, alpha),
        cost=cost,
        length=lambda pair: max(len(side.ids) for side in pair),
        on_progress=on_progress,
    )


def _force(steps: PreparedSteps, pairs: Sequence[EncodedPair], with_alpha: bool) -> list[ForcedScore]:
    source, target = (PaddedTokens([pair[side] for pair in pairs], steps.device) for side in (0, 1))
    output = steps.forced(source, target)
    values = output.token_log_probabilities.double().cpu().numpy()
    alpha = output.alpha.cpu().numpy() if with_alpha and output.alpha is not None else None
    return [
        forced_score(read, written, values[k], None if alpha is None else alpha[k])
        for k, (read, written) in enumerate(pairs)
    ]
