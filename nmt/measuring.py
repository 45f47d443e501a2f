"""A model on a test set: what it writes, what it thinks of the reference, and the scores and statistics of that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import numpy as np

from nmt.data.dictionary import Replacement
from nmt.errors import InputError
from nmt.evaluation.bleu import signed_scores
from nmt.evaluation.by_length import bleu_by_length
from nmt.evaluation.counting import checked, count, hypothesis_statistics, pair_statistics
from nmt.evaluation.stored import digest
from nmt.processes import Processes
from nmt.results import Condition, Evaluation, PairStatistics, Scores, SentenceStatistics
from nmt.results.statistics import Counts
from nmt.run_folder import RunInfo
from nmt.translator import Translator

Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Called with what is done and for how many sentences; gives what is to be told how many of them are done."""


@dataclass(frozen=True)
class Lines:
    """A test set: its name, if it has one, and as many sources as references."""

    name: str | None
    sources: Sequence[str]
    references: Sequence[str]


@dataclass(frozen=True)
class Columns:
    """What is measured, and how.

    Attributes:
        beam, length_penalty, precision: of the search; precision is that of the model, for the signature.
        everything, no_unk: which columns of Table 1; each takes a search of its own.
        by_length: whether the scores have buckets.
        replace_unk: what stands in the place of [UNK]; None for [UNK] itself.
    """

    beam: int
    length_penalty: float
    precision: str
    everything: bool
    no_unk: bool
    by_length: bool
    replace_unk: Replacement | None = None


@dataclass(frozen=True)
class _Written:
    text: str
    tokens: int
    log_probability: float


@dataclass(frozen=True)
class _Forced:
    tokens: int
    log_probability: float


@dataclass(frozen=True)
class Measurement:
    """A run under measurement; all processes must call the same methods in the same order.

    Attributes:
        model: the run, loaded.
        info: the run.
        columns: what is measured.
        processes: who share the work.
        progress: for those who watch.
    """

    model: Translator
    info: RunInfo
    columns: Columns
    processes: Processes
    progress: Progress

    def of(self, lines: Lines, weights_sha256: str) -> Evaluation:
        """Measure the run on a test set. Each column is translated once, each reference scored once.

        Raises:
            InputError: only "No UNK" is asked for and no pair is without unknown words, or a setting of the search is
                out of range.
        """
        pairs = pair_statistics(
            lines.sources,
            lines.references,
            source_unknown=self.model.count_unknown("source", lines.sources),
            reference_unknown=self.model.count_unknown("target", lines.references),
        )
        kept = pairs.without_unknown()
        assert kept is not None
        if not len(kept) and not self.columns.everything:
            raise InputError("every sentence has an unknown word in source or reference, so there is nothing to score")
        pairs = self._forced(lines, pairs)
        everything, no_unk = None, None
        if self.columns.everything:
            everything = self._column(lines, pairs, False)
        if self.columns.no_unk and len(kept):
            some = Lines(lines.name, [lines.sources[i] for i in kept], [lines.references[i] for i in kept])
            no_unk = self._column(some, pairs.take(kept), True)
        return Evaluation(
            self.info.name,
            lines.name,
            len(lines.sources),
            everything,
            no_unk,
            pairs,
            digest(lines.sources),
            digest(lines.references),
            weights_sha256,
        )

    def signed(self, statistics: SentenceStatistics, no_unk: bool, test_set: str | None) -> Scores:
        """The scores of this run over these sentences, with signatures, and by length where asked for."""
        extras = {
            "run": self.info.name,
            "update": str(self.info.weights.update),
            "beam": str(self.columns.beam),
            "lp": f"{self.columns.length_penalty:g}",
            "unk": "no" if no_unk else self.columns.replace_unk or "yes",
            "n": str(len(statistics)),
        }
        if self.columns.precision != "fp32":
            extras["precision"] = self.columns.precision
        if test_set:
            extras["test"] = test_set
        scores = signed_scores(statistics, signature_extras=extras)
        return scores.with_lengths(bleu_by_length(statistics)) if self.columns.by_length else scores

    def _column(self, lines: Lines, pairs: PairStatistics, no_unk: bool) -> Condition:
        written = self._translated(lines.sources, no_unk)
        texts = [output.text for output in written]
        counts = self._counted(texts, lines.references)
        hypotheses = hypothesis_statistics(
            texts,
            counts,
            tokens=[output.tokens for output in written],
            log_probability=[output.log_probability for output in written],
        )
        statistics = checked(SentenceStatistics(pairs, hypotheses), counts)
        return Condition(self.signed(statistics, no_unk, lines.name), hypotheses)

    def _translated(self, sources: Sequence[str], no_unk: bool) -> list[_Written]:
        def translate(texts: list[str]) -> list[_Written]:
            with self.progress("translate, no [UNK]" if no_unk else "translate", len(texts)) as show:
                translations = self.model.translate_all(
                    texts,
                    beam=self.columns.beam,
                    no_unk=no_unk,
                    replace_unk=False if no_unk else self.columns.replace_unk or False,
                    length_penalty=self.columns.length_penalty,
                    alpha=False,
                    on_progress=show,
                )
            return [_Written(t.text, len(t.best.tokens), t.log_probability) for t in translations]

        return self.processes.spread(sources, len, translate)

    def _counted(self, texts: Sequence[str], references: Sequence[str]) -> Counts:
        def counted(pairs: list[tuple[str, str]]) -> list[Counts]:
            with self.progress("count", len(pairs)) as show:
                return list(count([written for written, _ in pairs], [reference for _, reference in pairs], show))

        pairs = list(zip(texts, references, strict=True))
        return np.stack(self.processes.spread(pairs, lambda pair: len(pair[0]) * len(pair[1]), counted))

    def _forced(self, lines: Lines, pairs: PairStatistics) -> PairStatistics:
        def score(pairs: list[tuple[str, str]]) -> list[_Forced]:
            with self.progress("score references", len(pairs)) as show:
                scores = self.model.score_stream(pairs, alpha=False, on_progress=show)
                return [_Forced(len(score.tokens), score.log_probability) for score in scores]

        given = list(zip(lines.sources, lines.references, strict=True))
        forced = self.processes.spread(given, lambda pair: len(pair[0]) + len(pair[1]), score)
        return replace(
            pairs,
            reference_tokens=np.array([score.tokens for score in forced], dtype=np.int64),
            reference_log_probability=np.array([score.log_probability for score in forced]),
        )
