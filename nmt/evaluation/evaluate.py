"""Evaluation of a model on a test set: translations, log-probabilities of the references, scores and statistics. The
stress test of a model translates k concatenated sentences, for each k."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nmt.answers.request import Progress, ProgressReporter
from nmt.answers.searches import CachedScoring, CachedSearch
from nmt.answers.translations import TranslationCache
from nmt.config import SearchSettings
from nmt.data.text import Tokenizer
from nmt.data.tokenised import Corpus, PairTokenizer, kept_targets
from nmt.errors import InputError
from nmt.evaluation.concatenation import (
    MOST_CONCATENATED,
    concatenate,
    concatenate_lines,
    concatenated_texts,
    retention_point,
    stress_point,
)
from nmt.evaluation.metrics import bleu_tokeniser, more_scores, reference_count, signed_scores
from nmt.evaluation.sufficient_statistics import checked, count, count_seen, hypothesis_statistics, pair_statistics
from nmt.evaluation.test_set import TestSet
from nmt.inference.system import System
from nmt.results import (
    STANDARD_SPANS,
    Condition,
    Evaluation,
    FinishedTranslation,
    PairStatistics,
    RetentionPoint,
    Scores,
    SentenceStatistics,
    Span,
    StressPoint,
    WrittenSentence,
)
from nmt.results.statistics import Counts


@dataclass(frozen=True)
class EvaluatorResult:
    """Result of an evaluation. ``everything``, ``no_unk``: translations of the sentences of each column. Empty for a
    column that was not measured."""

    evaluation: Evaluation
    everything: Sequence[WrittenSentence]
    no_unk: Sequence[WrittenSentence]


@dataclass(frozen=True, kw_only=True)
class Evaluator:
    """Evaluator of a run.

    Attributes:
        settings: settings of the search. ``no_unk`` selects the column "No UNK" only.
        reporter: receives progress and may abort the work. Translations made before an abort stay in the cache.
        longest: most words per side of the training sentences (0 = unlimited).
        training_corpora: training corpora of the run, in which the references' n-grams are looked up, or empty.
    """

    model: System
    settings: SearchSettings
    reporter: ProgressReporter
    both_columns: bool
    cache: TranslationCache | None = None
    training_corpora: tuple[Corpus, ...] = ()
    longest: int = 0

    def evaluate(self, test: TestSet, counted: Counts | None = None) -> EvaluatorResult:
        """Measure the run on a test set. Each column is translated once, and each reference is scored once. ``counted``
        is the result of ``seen`` for this test set, or None to count the n-grams here.

        Raises:
            InputError: only "No UNK" is requested and every pair has unknown words, or a setting of the search is out
                of range.
        """
        pairs = pair_statistics(
            test.sources,
            test.references,
            languages=self.model.languages,
            source_unknown=[len(self.model.source.encode(text).unknown) for text in test.sources],
            reference_unknown=[len(self.model.target.encode(text).unknown) for text in test.references],
        )
        if self.training_corpora:
            pairs = replace(pairs, reference_seen=self.seen([test])[0] if counted is None else counted)
        without_unknown = pairs.without_unknown()
        assert without_unknown is not None
        everything_asked = self.both_columns or not self.settings.no_unk
        no_unk_asked = self.both_columns or self.settings.no_unk
        if not len(without_unknown) and not everything_asked:
            raise InputError("every sentence has an unknown word in source or reference, so there is nothing to score")
        pairs = self._forced(test, pairs)
        everything, no_unk = None, None
        translations: dict[bool, list[FinishedTranslation]] = {False: [], True: []}
        if everything_asked:
            translations[False] = self._translated(test.sources, False)
            everything = self._column(translations[False], test, pairs, False)
        if no_unk_asked and len(without_unknown):
            known_words = test.take(without_unknown)
            translations[True] = self._translated(known_words.sources, True)
            no_unk = self._column(translations[True], known_words, pairs.take(without_unknown), True)
        assert self.model.fingerprint is not None
        evaluation = Evaluation(
            system=self.model.name,
            test_set=test.name,
            sentences_given=len(test),
            everything=everything,
            no_unk=no_unk,
            pairs=pairs,
            source_sha256=test.source_sha256,
            reference_sha256=test.reference_sha256,
            weights_sha256=self.model.fingerprint.weights,
            languages=self.model.languages,
        )
        return EvaluatorResult(evaluation, *([output.written for output in column] for column in translations.values()))

    def column(self, no_unk: bool) -> SearchSettings:
        """Search settings of the column "All" or "No UNK"."""
        if no_unk:
            return replace(self.settings, n_best=1, no_unk=True, replace_unk=None)
        return self.model.resolved(replace(self.settings, n_best=1, no_unk=False))

    def _signed(self, statistics: SentenceStatistics, no_unk: bool, test_set: str | None) -> Scores:
        """Score this run over these sentences, with signatures."""
        extras = {"run": self.model.name}
        extras |= {} if self.model.update is None else {"update": str(self.model.update)}
        extras |= {
            "beam": str(self.settings.beam),
            "lp": f"{self.settings.length_penalty:g}",
            "unk": "no" if no_unk else self.column(False).replace_unk or "yes",
            "n": str(len(statistics)),
        }
        if self.settings.hard_attention:
            extras["attention"] = "hard"
        if self.model.precision != "fp32":
            extras["precision"] = self.model.precision
        if test_set:
            extras["test"] = test_set
        return signed_scores(statistics, signature_extras=extras)

    def seen(self, tests: Sequence[TestSet]) -> Sequence[Counts]:
        """Count, for each test set, the n-grams of each reference that also occur in the target sentences of the
        training: [N, 4], n from 1 to 4. The training corpora are read once for all test sets."""
        source, target = Tokenizer(self.model.languages.source), Tokenizer(self.model.languages.target)
        tokenizer = PairTokenizer(source, target, self.longest or None)
        training = kept_targets(self.training_corpora, tokenizer)
        references = [reference for test in tests for reference in test.references]
        counts = count_seen(references, training, bleu_tokeniser(self.model.languages.target))
        return np.split(counts, np.cumsum([len(test.references) for test in tests])[:-1])

    def _column(
        self, translations: Sequence[FinishedTranslation], test: TestSet, pairs: PairStatistics, no_unk: bool
    ) -> Condition:
        texts = [output.text for output in translations]
        tokeniser, references = bleu_tokeniser(self.model.languages.target), reference_count(test.all_references)
        with self.reporter.stage("count", len(texts)) as show:
            counts = count(
                texts,
                test.references,
                lambda done: show(Progress(done, len(texts))),
                tokeniser,
                more=test.more_references,
            )
        hypotheses = hypothesis_statistics(
            texts,
            counts,
            language=self.model.languages.target,
            tokens=[output.tokens for output in translations],
            log_probability=[output.log_probability for output in translations],
        )
        statistics = checked(SentenceStatistics(pairs, hypotheses, tokeniser, references=references), counts)
        more = more_scores(texts, test.all_references, self.model.languages.target)
        scores = self._signed(statistics, no_unk, test.name)
        return Condition(
            **vars(scores), hypotheses=hypotheses, more=more, search=self.column(no_unk), precision=self.model.precision
        )

    def _translated(self, sources: Sequence[str], no_unk: bool) -> list[FinishedTranslation]:
        search = CachedSearch(self.model, self.column(no_unk), self.cache)
        with self.reporter.stage("translate, no [UNK]" if no_unk else "translate", len(sources)) as show:
            return search.translate(sources, show, self.reporter.checkpoint)

    def _forced(self, test: TestSet, pairs: PairStatistics) -> PairStatistics:
        sentence_pairs = list(zip(test.sources, test.references, strict=True))
        with self.reporter.stage("score references", len(test)) as show:
            forced = CachedScoring(self.model, self.cache).score(sentence_pairs, show)
        return replace(
            pairs,
            reference_tokens=np.array([score.tokens for score in forced], dtype=np.int64),
            reference_log_probability=np.array([score.log_probability for score in forced]),
        )


@dataclass(frozen=True, kw_only=True)
class StressTest:
    """Stress test of one model. ``reporter``: gets progress, may abort. Translations before that stay cached."""

    model: System
    settings: SearchSettings
    reporter: ProgressReporter
    cache: TranslationCache | None = None

    def points(self, test: TestSet, most: int = MOST_CONCATENATED) -> Iterator[StressPoint]:
        """Yield a point for each k from 1 to ``most``, when it is computed. Cached inputs are not translated again."""
        test = replace(test, languages=self.model.languages)
        apart = [translation.text for translation in self._translated(test.sources, 1)]
        for k in range(1, most + 1):
            longer = concatenate(test, k)
            translations = self._translated(longer.sources, k)
            pairs = list(zip(longer.sources, longer.references, strict=True))
            with self.reporter.stage(f"score the references of {k} concatenated sentences", len(pairs)) as show:
                scores = CachedScoring(self.model, self.cache).score(pairs, show)
            parts = concatenate_lines(apart, k, test.languages.target)
            yield stress_point(k, longer.references, translations, parts, scores, test.languages)

    def retention(self, test: TestSet, spans: Sequence[Span] = STANDARD_SPANS) -> Iterator[RetentionPoint]:
        """Yield a point for each range of lengths, as soon as it is computed. It compares sentences translated one by
        one with the same sentences translated as concatenated texts. Raises the errors of ``concatenated_texts``."""
        test = replace(test, languages=self.model.languages)
        chosen = [concatenated_texts(test, span) for span in spans]
        apart = [translation.text for translation in self._translated(test.sources, 1)]
        for texts in chosen:
            together = self._translated(texts.of(test.sources, test.languages.source), texts.span.name)
            yield retention_point(texts, test, [pair.text for pair in together], apart, test.languages)

    def _translated(self, sources: Sequence[str], k: int | str) -> list[FinishedTranslation]:
        with self.reporter.stage("translate" if k == 1 else f"translate {k} concatenated", len(sources)) as show:
            return CachedSearch(self.model, self.settings, self.cache).translate(
                sources, show, self.reporter.checkpoint
            )
