"""Tasks of pages for checkpoints and aligners: translations, scores, maps and links of given pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar, cast

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nmt.answers.keys import (
    DOUBTS,
    LEAVE_ONE_OUT,
    SearchKey,
    Text,
    doubts_key,
    leave_one_out_key,
    search_key,
    task_key,
)
from nmt.answers.request import LOADING, Progress, ProgressReporter, Task
from nmt.answers.shipped import PRECISION as SHIPPED_PRECISION
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.files import changed_at
from nmt.inference.phrase_based import PHRASES, PhraseBased, load_phrase_based
from nmt.results import (
    END,
    Alignment,
    CellExplanation,
    Encoded,
    FinishedTranslation,
    ForcedScore,
    Intervention,
    Translation,
)
from nmt.results.alignment import joined
from nmt.results.inspection import WordScores
from nmt.results.links import POSTERIOR
from nmt.results.record import System
from nmt.runs.fingerprint import Fingerprint
from nmt.runs.folder import RunInfo
from nmt.texts import say
from nmt.ui.resources import (
    aligner_digest,
    compute_service,
    fingerprint,
    load_aligner,
    load_translator,
    shipped_answers,
    translation_cache,
)

if TYPE_CHECKING:
    from nmt.inference.hugging_face import HuggingFace
    from nmt.inference.translator import Translator

Unknown = Literal["keep", "forbid", "replace"]
"""Treatment of [UNK], as the address has it."""

Result = TypeVar("Result", covariant=True)


def chosen_settings(run: RunInfo, beam: int, unknown: Unknown, n_best: int = 1) -> SearchSettings:
    """The run's own search settings with the reader's choices. [UNK] is replaced only if the model has alpha."""
    replace = unknown == "replace" and run.has_alignment
    chosen = run.config.search.changed(beam=beam, n_best=n_best, no_unk=unknown == "forbid", replace_unk=replace)
    return chosen.resolved(dictionary=run.has_dictionary)


def shipped_texts(run: RunInfo, settings: SearchSettings, sources: Iterable[str]) -> dict[str, str]:
    """Look up the translations that come with the program, by source."""
    key = search_key(settings.resolved(dictionary=run.has_dictionary), fingerprint(run))
    translations = shipped_answers().find(key, sources)
    return {source: translation.text for source, translation in translations.items()}


@dataclass(frozen=True)
class ModelTask(Task[Result]):
    """A task for the model of a checkpoint. ``run`` loads torch and the model, while the page says so, and calls
    ``ask``, which imports other modules. The fingerprint is computed once for a task. The key depends on all fields
    unless a task overrides it."""

    checkpoint: RunInfo

    @cached_property
    def key(self) -> str:
        """Key from the kind of the task, the checkpoint with its own search settings, and all other fields."""
        asked = [getattr(self, field.name) for field in fields(self) if field.name != "checkpoint"]
        return task_key(type(self).__name__, self.fingerprint, self.checkpoint.config.search, *asked)

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """The fingerprint of the run: all that determines what its model computes."""
        return fingerprint(self.checkpoint)

    def search_key(self, settings: SearchSettings) -> SearchKey:
        """Make the key of searches with these settings."""
        precision = "fp32" if self.checkpoint.guest else None
        return search_key(settings.resolved(dictionary=self.checkpoint.has_dictionary), self.fingerprint, precision)

    def written(self, done: int, limit: int) -> Progress:
        """Describe the progress of a search: target words so far, and the largest possible number of them."""
        words = self.checkpoint.target_vocabulary.kind == "words"
        return Progress(done, limit, unit="words-at-most" if words else "subwords-at-most")

    def ask(self, model: Translator, progress: ProgressReporter) -> Result:
        """Compute the answer."""
        raise NotImplementedError

    def run(self, progress: ProgressReporter) -> Result:
        model = load_translator(self.checkpoint, progress, self.fingerprint)
        progress.checkpoint()
        return self.ask(model, progress)


@dataclass(frozen=True)
class TranslateTask(ModelTask[Translation]):
    """Translation of one sentence by beam search, with alpha. The sentence must not be blank. Waiting tasks with the
    same checkpoint and settings share a search. A text that contains the sentence uses its translation."""

    sentence: str
    settings: SearchSettings

    alone = False

    @cached_property
    def key(self) -> str:
        return task_key("translate", self._search.text(), self.settings.n_best, self.sentence)

    def stored(self) -> Translation | None:
        asked = self._search, self.sentence, self.settings.n_best
        return shipped_answers().find_whole(*asked) or translation_cache().find_whole(*asked)

    def ask(self, model: Translator, progress: ProgressReporter) -> Translation:
        from nmt.answers.searches import Translating

        work, sentence = Translating(model, model.resolved(self.settings)), model.read(self.sentence)
        queue = compute_service().queue
        translation: Translation | None = compute_service().typed(self.key)
        if translation is None:
            with progress.stage("translate", 0) as show:
                translation = queue.result(work, sentence, lambda i, most: show(self.written(i, most)), progress.wait)
        translation_cache().add(self._search, [translation], self.settings.n_best)
        return translation

    @property
    def quick(self) -> bool:
        """Whether the sentence may be translated while it is typed."""
        return not self.checkpoint.guest and compute_service().quick(self._pace)

    def typed(self, check: Callable[[], None]) -> Translation | None:
        """Translate the sentence while it is typed, without a trace on disk or on the page. None if the search takes
        too long. ``check`` is called at each step. If ``check`` raises an exception, the work ends."""
        from nmt.answers.searches import Translating

        answer: Translation | None = compute_service().find(self) or compute_service().typed(self.key)
        if answer is None and self.quick:
            model = load_translator(self.checkpoint, None, self.fingerprint)
            work, sentence = Translating(model, model.resolved(self.settings)), model.read(self.sentence)
            answer = compute_service().compute_typed(self.key, self._pace, work, sentence, check)
        return answer

    @property
    def _pace(self) -> str:
        """A name for all searches that are equally fast, made without reading a file."""
        return f"{self.checkpoint.path} {self.settings}"

    @property
    def precision(self) -> str:
        """Precision of the search that made the answer."""
        shipped = shipped_answers().find_whole(self._search, self.sentence, self.settings.n_best)
        return self._search.precision if shipped is None else SHIPPED_PRECISION

    @cached_property
    def _search(self) -> SearchKey:
        return self.search_key(self.settings)


@dataclass(frozen=True)
class CommitteeTask(ModelTask[Translation]):
    """Translation of one sentence by a committee of checkpoints with common vocabularies, ranked by the mean of their
    log-probabilities. Alpha is that of the first checkpoint."""

    others: tuple[RunInfo, ...]
    sentence: str
    settings: SearchSettings

    @cached_property
    def key(self) -> str:
        others = [fingerprint(run) for run in self.others]
        return task_key("committee", self.fingerprint, others, self.settings, self.sentence)

    def ask(self, model: Translator, progress: ProgressReporter) -> Translation:
        committee = model.with_committee([load_translator(run, progress) for run in self.others])
        with progress.stage("translate", 0):
            return committee.translate(self.sentence, self.settings)


@dataclass(frozen=True)
class TextTask(ModelTask[list[FinishedTranslation]]):
    """Translation of many sentences, in order. A sentence may be blank. Each translation is saved on its own."""

    sentences: tuple[str, ...]
    settings: SearchSettings

    @cached_property
    def key(self) -> str:
        return task_key("text", self._search.text(), self.sentences)

    def partial(self) -> dict[str, FinishedTranslation]:
        """Look up the translations that were finished before, by source."""
        return translation_cache().find(self._search, [sentence for sentence in self.sentences if sentence.strip()])

    def stored(self) -> list[FinishedTranslation] | None:
        done = self.partial()
        for blank in [sentence for sentence in self.sentences if not sentence.strip()]:
            done[blank] = FinishedTranslation(source=blank, text="", tokens=0, log_probability=0.0)
        return [done[source] for source in self.sentences] if all(source in done for source in self.sentences) else None

    def ask(self, model: Translator, progress: ProgressReporter) -> list[FinishedTranslation]:
        from nmt.answers.searches import CachedSearch

        search = CachedSearch(model, self.settings, translation_cache())
        with progress.stage("translate", len(self.sentences)) as show:
            return search.translate(self.sentences, show, progress.checkpoint)

    @cached_property
    def _search(self) -> SearchKey:
        return self.search_key(self.settings)


@dataclass(frozen=True)
class ForceTask(ModelTask[ForcedScore]):
    """Log-probabilities of a given pair, and alpha if the model has any."""

    source: Text
    target: Text

    def ask(self, model: Translator, progress: ProgressReporter) -> ForcedScore:
        return next(model.score_stream([(self.source, self.target)]))


@dataclass(frozen=True)
class LeaveOneOutTask(ModelTask[Alignment]):
    """Leave-one-out attribution of a given pair, in place of alpha, over whole words."""

    source: Text
    target: Text

    @cached_property
    def key(self) -> str:
        return leave_one_out_key(self.fingerprint, self.source, self.target)

    def stored(self) -> Alignment | None:
        return shipped_answers().find_record(LEAVE_ONE_OUT, self.key, Alignment)

    def ask(self, model: Translator, progress: ProgressReporter) -> Alignment:
        from nmt.inspection.maps import leave_one_out_of

        return next(leave_one_out_of(model, [model.pair(self.source, self.target)]))


@dataclass(frozen=True)
class ReadOutputTask(ModelTask[Encoded]):
    """Output of a checkpoint, encoded for the checkpoint of this task. Both must have the same target language."""

    output: Encoded

    def ask(self, model: Translator, progress: ProgressReporter) -> Encoded:
        return model.target.encode_output(self.output)


@dataclass(frozen=True)
class DoubtTask(ModelTask[WordScores]):
    """Log-probabilities, by this checkpoint, of the words that another checkpoint wrote.

    Attributes:
        source: the sentence as this checkpoint reads it.
        output: the translation as the other checkpoint wrote it.
    """

    source: Encoded
    output: Encoded

    @cached_property
    def key(self) -> str:
        return doubts_key(self.fingerprint, self.source, self.output)

    def stored(self) -> WordScores | None:
        return shipped_answers().find_record(DOUBTS, self.key, WordScores)

    def ask(self, model: Translator, progress: ProgressReporter) -> WordScores:
        from nmt.inspection.maps import word_scores

        return word_scores(model, self.source, self.output)


@dataclass(frozen=True, kw_only=True)
class ExplainTask(ModelTask[CellExplanation]):
    """Explanation of one cell of a given pair.

    Attributes:
        row, column: numbers of the target and of the source token, from 0.
    """

    source: Text
    target: Text
    row: int
    column: int

    def ask(self, model: Translator, progress: ProgressReporter) -> CellExplanation:
        from nmt.inspection.steps import explain_cell

        if self.checkpoint.guest:
            raise InputError(say("errors.many_heads", name=self.checkpoint.name))
        return explain_cell(model, *model.pair(self.source, self.target), self.row, self.column)


@dataclass(frozen=True, kw_only=True)
class WhatIfTask(ModelTask[Translation], Intervention):
    """A translation under constraints. Without attention, weights and blocked words have no effect."""

    sentence: str
    settings: SearchSettings

    def ask(self, model: Translator, progress: ProgressReporter) -> Translation:
        from nmt.inspection.what_if import what_if

        with progress.stage("translate", 0) as show:
            return what_if(
                model,
                self.sentence,
                self if model.has_alignment else replace(self, weights=(), blocked=()),
                self.settings,
                on_step=lambda done, limit: show(self.written(done, limit)),
            )


@st.cache_resource(max_entries=2, show_spinner=False)
def _phrase_based(folder: Path, stamp: int) -> PhraseBased:
    return load_phrase_based(folder)


@dataclass(frozen=True)
class PhrasesTask(Task[System]):
    """Translation of one sentence by a phrase-based system. The sentence must not be blank."""

    folder: Path
    sentence: str

    @property
    def key(self) -> str:
        return task_key("phrases", str(self.folder), changed_at(self.folder / PHRASES), self.sentence)

    def run(self, progress: ProgressReporter) -> System:
        with progress.stage(LOADING, 0):
            system = _phrase_based(self.folder, changed_at(self.folder / PHRASES))
        progress.checkpoint()
        written = system.translate(self.sentence)
        assert written is not None
        return written


@dataclass(frozen=True)
class HeadsTask(ModelTask[NDArray[np.float32]]):
    """Weights of all heads of a Transformer for a given pair, [layers, heads, T_y, T_x]."""

    source: Text
    target: Text

    def ask(self, model: Translator, progress: ProgressReporter) -> NDArray[np.float32]:
        return cast("HuggingFace", model).every_head(*model.pair(self.source, self.target))


@dataclass(frozen=True)
class AlignTask(ModelTask[Alignment]):
    """Alpha of a given pair of words, over these words. The end marks are words of their own."""

    source: tuple[str, ...]
    target: tuple[str, ...]

    def ask(self, model: Translator, progress: ProgressReporter) -> Alignment:
        return model.align(" ".join(self.source), " ".join(self.target), pretokenised=True).merged()


@dataclass(frozen=True)
class AlignerTask(Task[frozenset[tuple[int, int]]]):
    """Links of a given pair of words by an aligner: source word and target word, from 0."""

    aligner: Path
    source: tuple[str, ...]
    target: tuple[str, ...]

    @cached_property
    def key(self) -> str:
        return task_key("aligner", str(self.aligner), aligner_digest(self.aligner), self.source, self.target)

    def run(self, progress: ProgressReporter) -> frozenset[tuple[int, int]]:
        aligner = load_aligner(self.aligner, progress)
        progress.checkpoint()
        return frozenset(aligner.align(" ".join(self.source), " ".join(self.target), pretokenised=True).links)


@dataclass(frozen=True, kw_only=True)
class OtherMapsTask(ModelTask[dict[str, Alignment]]):
    """Compute the maps of a given pair other than alpha, over whole words. The result has them by name: posterior,
    leave-one-out attribution, and an aligner's weights if there is one. A long pair gets the attribution alone.

    Attributes:
        source, target: the pair as the model read and wrote it.
        aligner: folder of the aligner, or None.
    """

    source: Encoded
    target: Encoded
    aligner: Path | None

    @cached_property
    def key(self) -> str:
        return task_key("maps", super().key, self.aligner and aligner_digest(self.aligner))

    def ask(self, model: Translator, progress: ProgressReporter) -> dict[str, Alignment]:
        from nmt.aligners.pairs import MOST_COST, RunAligner
        from nmt.inspection.maps import leave_one_out_of, posterior

        sides = [joined(side.tokens, side.words) for side in (self.source, self.target)]
        source, target = (" ".join(word for word in side if word != END) for side in sides)
        maps: dict[str, Alignment] = {}
        recurrent = model.has_alignment and not self.checkpoint.guest
        if recurrent and RunAligner(model, POSTERIOR).cost(source, target, pretokenised=True) <= MOST_COST:
            progress.checkpoint()
            maps[POSTERIOR] = next(posterior(model, [(source, target)], pretokenised=True)).merged()
        progress.checkpoint()
        maps[LEAVE_ONE_OUT] = next(iter(leave_one_out_of(model, [(self.source, self.target)])))
        if self.aligner is not None:
            progress.checkpoint()
            aligner = load_aligner(self.aligner, progress)
            if aligner.cost(source, target, pretokenised=True) <= MOST_COST:
                (weighed,) = aligner.pair_maps([(source, target)], pretokenised=True)
                maps[aligner.name] = weighed.mean()
        return maps
