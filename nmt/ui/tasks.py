"""Tasks of pages for a checkpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from nmt.answers.keys import SearchKey, search_key
from nmt.answers.request import Progress, ProgressReporter, Share, SharedTask, Task, task_key
from nmt.config import SearchSettings
from nmt.results import Alignment, CellExplanation, Encoded, FinishedTranslation, ForcedScore, Translation
from nmt.runs.folder import RunInfo
from nmt.ui import strings
from nmt.ui.resources import fingerprint, load_translator, stored_results, translation_cache
from nmt.ui.search_choice import resolved

if TYPE_CHECKING:
    from nmt.inference.translator import Translator

Text = str | Encoded
"""A sentence as typed, or as a model read or wrote it, which is not tokenised again."""


def run_key(run: RunInfo) -> dict[str, str]:
    """Return everything about a run that determines what its model computes."""
    return asdict(fingerprint(run))


@dataclass(frozen=True)
class TranslateTask(SharedTask[Translation]):
    """Translation of one sentence by beam search, with alpha; not blank. All who wait for the same checkpoint and
    settings share a search; the translation is shared with every text that contains the sentence."""

    checkpoint: RunInfo
    sentence: str
    settings: SearchSettings

    stage = strings.TRANSLATE_STAGE

    @property
    def key(self) -> str:
        return task_key("translate", self._search.text(), self.settings.n_best, self.sentence)

    def stored(self) -> Translation | None:
        settings = resolved(self.checkpoint, self.settings)
        shipped = stored_results().translation(fingerprint(self.checkpoint), settings, self.sentence)
        return shipped or translation_cache().find_whole(self._search, self.sentence, self.settings.n_best)

    def share(self, progress: ProgressReporter) -> Share:
        model = load_translator(self.checkpoint, progress)

        from nmt.answers.shared_search import Translating

        return Share(Translating(model, model.resolved(self.settings)), model.read(self.sentence))

    def keep(self, result: Translation) -> None:
        translation_cache().add(self._search, [result], self.settings.n_best)

    def steps(self, done: int, most: int) -> Progress:
        return _progress(self.checkpoint, done, most)

    @property
    def _search(self) -> SearchKey:
        return _search_key(self.checkpoint, self.settings)


@dataclass(frozen=True)
class TextTask(Task[list[FinishedTranslation]]):
    """Many sentences, in order; blank ones may be among them. Each is saved on its own."""

    checkpoint: RunInfo
    sentences: tuple[str, ...]
    settings: SearchSettings

    @cached_property
    def key(self) -> str:
        return task_key("text", _search_key(self.checkpoint, self.settings).text(), self.sentences)

    def partial(self) -> dict[str, FinishedTranslation]:
        """Look up the sentences that were translated before, by source."""
        nonblank = [sentence for sentence in self.sentences if sentence.strip()]
        return translation_cache().find(_search_key(self.checkpoint, self.settings), nonblank)

    def stored(self) -> list[FinishedTranslation] | None:
        done = self.partial()
        for blank in [sentence for sentence in self.sentences if not sentence.strip()]:
            done[blank] = FinishedTranslation(source=blank, text="", tokens=0, log_probability=0.0)
        return [done[each] for each in self.sentences] if all(each in done for each in self.sentences) else None

    def run(self, progress: ProgressReporter) -> list[FinishedTranslation]:
        model = load_translator(self.checkpoint, progress)  # first, since it is shown while torch is imported

        from nmt.answers.cached import CachedSearch

        search = CachedSearch(model, self.settings, translation_cache())
        with progress.stage(strings.TRANSLATE_STAGE, len(self.sentences)) as show:
            return search.translate(self.sentences, show, progress.checkpoint)


@dataclass(frozen=True)
class ForceTask(Task[ForcedScore]):
    """A given pair: log-probabilities, and alpha if the model has any."""

    checkpoint: RunInfo
    source: Text
    target: Text

    @property
    def key(self) -> str:
        return task_key("force", run_key(self.checkpoint), _text(self.source), _text(self.target))

    def run(self, progress: ProgressReporter) -> ForcedScore:
        model = load_translator(self.checkpoint, progress)
        progress.checkpoint()
        return next(model.score_encoded([_pair(model, self.source, self.target)]))


@dataclass(frozen=True)
class LeaveOneOutTask(Task[Alignment]):
    """A given pair: the leave-one-out attribution that takes the place of alpha, over whole words."""

    checkpoint: RunInfo
    source: Text
    target: Text

    @property
    def key(self) -> str:
        return task_key("leave-one-out", run_key(self.checkpoint), _text(self.source), _text(self.target))

    def stored(self) -> Alignment | None:
        return stored_results().leave_one_out(fingerprint(self.checkpoint), self.source, self.target)

    def run(self, progress: ProgressReporter) -> Alignment:
        model = load_translator(self.checkpoint, progress)

        from nmt.inspection.maps import leave_one_out_of

        progress.checkpoint()
        return next(leave_one_out_of(model, [_pair(model, self.source, self.target)]))


@dataclass(frozen=True)
class ReadTask(Task[Encoded]):
    """A source sentence as the model reads it."""

    checkpoint: RunInfo
    source: str

    @property
    def key(self) -> str:
        return task_key("read", run_key(self.checkpoint), self.source)

    def run(self, progress: ProgressReporter) -> Encoded:
        return load_translator(self.checkpoint, progress).source.encode(self.source)


@dataclass(frozen=True)
class ReadOutputTask(Task[Encoded]):
    """Output of any checkpoint of the same target language, in the vocabulary of this one."""

    checkpoint: RunInfo
    written: Encoded

    @property
    def key(self) -> str:
        return task_key("read-output", run_key(self.checkpoint), [*_text(self.written), self.written.words])

    def run(self, progress: ProgressReporter) -> Encoded:
        return load_translator(self.checkpoint, progress).target.encode_output(self.written)


@dataclass(frozen=True, kw_only=True)
class ExplainTask(Task[CellExplanation]):
    """Explanation of one cell of a given pair.

    Attributes:
        row, column: numbers of the target and of the source word, as in ``Alignment.target_words``, whose first tokens
            are the cell; or numbers of tokens.
        of_tokens: True for numbers of tokens.
    """

    checkpoint: RunInfo
    source: Text
    target: Text
    row: int
    column: int
    of_tokens: bool

    @property
    def key(self) -> str:
        cell = (self.row, self.column, self.of_tokens)
        return task_key("explain", run_key(self.checkpoint), _text(self.source), _text(self.target), cell)

    def run(self, progress: ProgressReporter) -> CellExplanation:
        model = load_translator(self.checkpoint, progress)

        from nmt.inspection.steps import explain_cell

        progress.checkpoint()
        source, target = _pair(model, self.source, self.target)
        i = self.row if self.of_tokens else target.words.index(self.row)
        j = self.column if self.of_tokens else source.words.index(self.column)
        return explain_cell(model, source, target, i, j)


@dataclass(frozen=True, kw_only=True)
class WhatIfTask(Task[Translation]):
    """A translation under constraints.

    Attributes:
        prefix: beginning of the translation: a text, or tokens as the model wrote them.
        forbidden: words that it may not have.
        forced: (position, word), positions from 0.
        weights: (step, weights): the row of alpha that a target token is written with, over source words or tokens.
    """

    checkpoint: RunInfo
    sentence: str
    settings: SearchSettings
    prefix: str | tuple[str, ...] = ""
    forbidden: tuple[str, ...] = ()
    forced: tuple[tuple[int, str], ...] = ()
    weights: tuple[tuple[int, tuple[float, ...]], ...] = ()

    @property
    def key(self) -> str:
        constraints = (self.prefix, self.forbidden, self.forced, self.weights)
        return task_key("what-if", run_key(self.checkpoint), asdict(self.settings), self.sentence, constraints)

    def run(self, progress: ProgressReporter) -> Translation:
        model = load_translator(self.checkpoint, progress)

        from nmt.inspection.what_if import Intervention, what_if

        weights = self.weights if model.has_alignment else ()
        intervention = Intervention(prefix=self.prefix, forbidden=self.forbidden, forced=self.forced, weights=weights)
        with progress.stage(strings.TRANSLATE_STAGE, 0) as show:
            return what_if(model, self.sentence, intervention, self.settings, on_step=_steps(self.checkpoint, show))


def _search_key(run: RunInfo, settings: SearchSettings) -> SearchKey:
    return search_key(resolved(run, settings), fingerprint(run))


def _steps(run: RunInfo, show: Callable[[Progress], None]) -> Callable[[int, int], None]:
    return lambda done, limit: show(_progress(run, done, limit))


def _progress(run: RunInfo, done: int, limit: int) -> Progress:
    unit = strings.WORDS_AT_MOST if run.target_vocabulary.kind == "words" else strings.SUBWORDS_AT_MOST
    return Progress(done, limit, unit=unit)


def _text(text: Text) -> list[object]:
    return [text] if isinstance(text, str) else [text.ids, text.tokens]


def _pair(model: Translator, source: Text, target: Text) -> tuple[Encoded, Encoded]:
    return (
        model.source.encode(source) if isinstance(source, str) else source,
        model.target.encode(target) if isinstance(target, str) else target,
    )
