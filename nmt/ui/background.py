"""What the server computes while pages come and go: whole files and test sets, decoded once and kept on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from nmt.cache.database import TranslationCache
from nmt.cache.keys import search_key
from nmt.config import SearchSettings
from nmt.evaluation.evaluation_cache import EvaluationCache
from nmt.evaluation.external_system import evaluate_external_system
from nmt.evaluation.test_set import TestSet
from nmt.results import Evaluation, FinishedTranslation
from nmt.runs.fingerprint import Fingerprint, read_fingerprint
from nmt.runs.folder import RunInfo
from nmt.tasks.jobs import Job, Jobs
from nmt.tasks.progress import Progress, ProgressReporter
from nmt.ui.compute import compute_service, load_translator

if TYPE_CHECKING:
    from nmt.inference.translator import Translator


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """The server's jobs; they let the desk go first."""
    return Jobs(compute_service().priority_lock)


@st.cache_resource(show_spinner=False)
def translation_cache() -> TranslationCache:
    """The server's store of translations."""
    return TranslationCache()


@dataclass(frozen=True)
class TextTranslation:
    """The translation of many sentences.

    Attributes:
        run: the checkpoint.
        stamp: when its weights were written, in nanoseconds.
        sentences: in their order; blank ones may be among them.
        settings: of the search.
    """

    run: RunInfo
    stamp: int
    sentences: tuple[str, ...]
    settings: SearchSettings

    def start(self) -> Job[list[FinishedTranslation]]:
        """The job that does this; the same one for equal questions."""
        return jobs().start(self, self.do)

    def find(self) -> Job[list[FinishedTranslation]] | None:
        """The job, if it was started."""
        return jobs().find(self)

    def do(self, reporter: ProgressReporter) -> list[FinishedTranslation]:
        """Do it now, in this thread."""
        model = _loaded(self.run, self.stamp, reporter)  # first, since it is said while torch is imported

        from nmt.cache.translations import CachedSearch

        with reporter.stage("translate", len(self.sentences)) as show:
            return CachedSearch(model, self.settings, translation_cache()).translate(
                self.sentences, show, reporter.checkpoint
            )


@dataclass(frozen=True)
class RunEvaluation:
    """A checkpoint on a test set, by sacreBLEU, both columns of Table 1 if ``no_unk`` is asked for.

    Attributes:
        run, stamp: the checkpoint, and when its weights were written, in nanoseconds.
        test: the sentences.
        settings: of the search of the column "All".
        no_unk: whether the column "No UNK" is measured too.
    """

    run: RunInfo
    stamp: int
    test: TestSet
    settings: SearchSettings
    no_unk: bool = False

    def start(self) -> Job[Evaluation]:
        """The job that does this; the same one for equal questions."""
        return jobs().start(self, self.do)

    def find(self) -> Job[Evaluation] | None:
        """The job, if it was started."""
        return jobs().find(self)

    def do(self, reporter: ProgressReporter) -> Evaluation:
        """Do it now, in this thread; what was measured before is read from disk."""
        model = _loaded(self.run, self.stamp, reporter)  # first, since it is said while torch is imported

        from nmt.evaluation.evaluate import Evaluator

        assert model.fingerprint is not None
        asked = self._asked(model.fingerprint)
        kept = EvaluationCache().read(self.test, asked)
        if kept is not None:
            return kept
        evaluator = Evaluator(
            model=model,
            info=self.run,
            settings=self.settings,
            both_columns=self.no_unk,
            by_length=True,
            reporter=reporter,
            cache=translation_cache(),
        )
        evaluation = evaluator.evaluate(self.test).evaluation
        EvaluationCache().write(self.test, asked, evaluation)
        return evaluation

    def kept(self) -> Evaluation | None:
        """What was measured before, from disk; loads no model."""
        return EvaluationCache().read(self.test, self._asked(_fingerprint(self.run)))

    def _asked(self, fingerprint: Fingerprint) -> list[str]:
        return [
            self.run.name,
            str(self.run.weights.update),
            search_key(self.settings, fingerprint).text(),
            str(self.no_unk),
        ]


@dataclass(frozen=True)
class OutputEvaluation:
    """The output of another system on a test set.

    Attributes:
        system: its name.
        test: the sentences.
        hypotheses: its translations of them.
    """

    system: str
    test: TestSet
    hypotheses: tuple[str, ...]

    def start(self) -> Job[Evaluation]:
        """The job that does this; the same one for equal questions."""
        return jobs().start(self, self.do)

    def find(self) -> Job[Evaluation] | None:
        """The job, if it was started."""
        return jobs().find(self)

    def do(self, reporter: ProgressReporter) -> Evaluation:
        """Do it now, in this thread."""
        with reporter.stage("count", len(self.test)) as show:
            return evaluate_external_system(
                self.system,
                self.test,
                self.hypotheses,
                languages=self.test.languages,
                by_length=True,
                on_progress=lambda done: show(Progress(done, len(self.test))),
            )


def finished(run: RunInfo, settings: SearchSettings, sentences: Sequence[str]) -> dict[str, FinishedTranslation]:
    """Those of the sentences that the checkpoint has translated so at some time, by source; loads no model."""
    return translation_cache().find(search_key(settings, _fingerprint(run)), sentences)


def _fingerprint(run: RunInfo) -> Fingerprint:
    """Read anew when a file of the run has changed."""
    files = sorted(path for path in run.path.iterdir() if path.is_file())
    return _read_fingerprint(str(run.path), tuple((path.name, path.stat().st_mtime_ns) for path in files), run)


@st.cache_data(max_entries=64, show_spinner=False)
def _read_fingerprint(path: str, stamps: tuple[tuple[str, int], ...], _run: RunInfo) -> Fingerprint:
    return read_fingerprint(_run)


def _loaded(run: RunInfo, stamp: int, reporter: ProgressReporter) -> Translator:
    with reporter.stage("load the model", 0):
        return load_translator(run.path, stamp)
