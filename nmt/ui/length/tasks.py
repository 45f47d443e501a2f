"""Background work of the page: checkpoints and other systems measured on test sets, and attention compared."""

import json
import zlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import sacrebleu
import streamlit as st

from nmt.alignments.measures import jensen_shannon
from nmt.answers.keys import task_key
from nmt.answers.request import Progress, ProgressReporter, Task
from nmt.answers.store import Store, StoredValue, keeps_translations
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.evaluation.evaluation_files import evaluate_external_system
from nmt.evaluation.metrics import bleu_tokeniser
from nmt.evaluation.test_set import TestSet
from nmt.files import cache_folder
from nmt.records import as_record
from nmt.results import Alignment, Evaluation
from nmt.runs.folder import RunInfo
from nmt.texts import LENGTH
from nmt.ui.resources import fingerprint, load_translator, translation_cache
from nmt.ui.tasks import ModelTask

if TYPE_CHECKING:
    from nmt.inference.translator import Translator


@st.cache_resource(show_spinner=False)
def _evaluations() -> Store:
    """Return the server's store of evaluations, of at most 64 MB."""
    return Store(cache_folder(), "evaluations-1", 64 * 2**20, in_memory=not keeps_translations())


@dataclass(frozen=True, kw_only=True)
class EvaluateTask(ModelTask[Evaluation]):
    """Evaluation of a checkpoint on a test set, by sacreBLEU.

    Attributes:
        settings: search settings of the column "All".
        no_unk: whether the column "No UNK" of Table 1 is also measured.
    """

    test: TestSet
    settings: SearchSettings
    no_unk: bool

    @cached_property
    def key(self) -> str:
        counted = sacrebleu.__version__, bleu_tokeniser(self.test.languages.target)
        return task_key("evaluate", counted, _test(self.test), self._request)

    def stored(self) -> Evaluation | None:
        with suppress(KeyError, InputError):  # an evaluation of an older version, which may lack counts, is made again
            body = _evaluations().parts(self.key, [b""], "body")[b""]
            return as_record(Evaluation, json.loads(zlib.decompress(body)), self.key)
        return None

    def ask(self, model: "Translator", progress: ProgressReporter) -> Evaluation:
        from nmt.evaluation.evaluate import Evaluator

        evaluator = Evaluator(
            model=model,
            settings=self.settings,
            both_columns=self.no_unk,
            reporter=progress,
            cache=translation_cache(),
        )
        evaluation = evaluator.evaluate(self.test).evaluation
        body = zlib.compress(json.dumps(evaluation.to_dict()).encode())
        _evaluations().put(self.key, {b"": StoredValue(b"", body)}, replace=True)
        return evaluation

    @cached_property
    def _request(self) -> list[str]:
        search = self.search_key(self.settings).text()
        return [self.checkpoint.name, str(self.checkpoint.weights.update), search, str(self.no_unk)]


@dataclass(frozen=True)
class CountTask(Task[Evaluation]):
    """Evaluation of another system's output on a test set. ``hypotheses`` has a line for each sentence."""

    system: str
    test: TestSet
    hypotheses: tuple[str, ...]

    @cached_property
    def key(self) -> str:
        return task_key("count", self.system, _test(self.test), self.hypotheses)

    def run(self, progress: ProgressReporter) -> Evaluation:
        with progress.stage("score", len(self.test)) as show:
            return evaluate_external_system(
                self.system,
                self.test,
                self.hypotheses,
                languages=self.test.languages,
                on_progress=lambda done: show(Progress(done, len(self.test))),
            )


@dataclass(frozen=True)
class DivergenceTask(Task[list[float]]):
    """Differences in attention: for each pair, ``mean_divergence`` of alpha of two checkpoints that are forced to the
    reference, over whole words. It is 0 for equal alpha, and 1 bit if they look at different words.

    Attributes:
        first, second: checkpoints with attention.
        pairs: sources and references, none of them blank.
    """

    first: RunInfo
    second: RunInfo
    pairs: tuple[tuple[str, str], ...]

    @cached_property
    def key(self) -> str:
        return task_key("divergence", fingerprint(self.first), fingerprint(self.second), self.pairs)

    def run(self, progress: ProgressReporter) -> list[float]:
        ours, others = self._aligned(self.first, progress), self._aligned(self.second, progress)
        return [mean_divergence(a.merged(), b.merged()) for a, b in zip(ours, others, strict=True)]

    def _aligned(self, run: RunInfo, progress: ProgressReporter) -> list[Alignment]:
        model, total = load_translator(run, progress), len(self.pairs)
        with progress.stage(LENGTH.reading_stage.format(name=run.name), total) as show:
            show(Progress(0, total))
            return list(model.align_stream(self.pairs, on_progress=lambda done: show(Progress(done, total))))


def mean_divergence(first: Alignment, second: Alignment) -> float:
    """The mean Jensen-Shannon divergence of the rows of two alignments, in bits. The caller must pass alignments of the
    same words, since the texts of the tokens are not compared. Rows without weight are left out."""
    assert first.weights.shape == second.weights.shape
    return float(np.nanmean(jensen_shannon(first.weights.astype(np.float64), second.weights.astype(np.float64))))


def _test(test: TestSet) -> list[str | None]:
    return [test.name, test.source_sha256, test.reference_sha256, str(test.languages)]
