"""The stress test of a model: translation of k concatenated sentences, for each k."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nmt.answers.cached import CachedScoring, CachedSearch
from nmt.answers.request import ProgressReporter
from nmt.answers.translations import TranslationCache
from nmt.config import SearchSettings
from nmt.evaluation.concatenation import (
    MOST_CONCATENATED,
    concatenate,
    concatenate_lines,
    concatenated_texts,
    retention_point,
    stress_point,
)
from nmt.evaluation.test_set import TestSet
from nmt.inference.translator import Translator
from nmt.results import STANDARD_SPANS, FinishedTranslation, Languages, RetentionPoint, Span, StressPoint


@dataclass(frozen=True, kw_only=True)
class StressTest:
    """Stress test of one model.

    Attributes:
        model: the run, loaded from its folder.
        settings: settings of the search.
        reporter: receives progress and may abort the work; translations made by then stay in the cache.
        cache: cache of translations and scores, or None.
    """

    model: Translator
    settings: SearchSettings
    reporter: ProgressReporter
    cache: TranslationCache | None = None

    def points(self, test: TestSet, most: int = MOST_CONCATENATED) -> Iterator[StressPoint]:
        """Yield a point for each k from 1 to ``most``, as soon as it is computed. Cached translations are not decoded
        again, and no k repeats the decoding of another."""
        languages = Languages(self.model.source_language, self.model.target_language)
        test = replace(test, languages=languages)
        apart = [translation.text for translation in self._translated(test.sources, 1)]
        for k in range(1, most + 1):
            longer = concatenate(test, k)
            translations = self._translated(longer.sources, k)
            pairs = list(zip(longer.sources, longer.references, strict=True))
            with self.reporter.stage(f"score the references of {k} concatenated sentences", len(pairs)) as show:
                scores = CachedScoring(self.model, self.cache).score(pairs, show)
            parts = concatenate_lines(apart, k, languages.target)
            yield stress_point(k, longer.references, translations, parts, scores, languages)

    def retention(self, test: TestSet, spans: Sequence[Span] = STANDARD_SPANS) -> Iterator[RetentionPoint]:
        """Yield a point for each range of lengths, as soon as it is computed: the same sentences one by one and
        concatenated to this length. Raises InputError as ``concatenated_texts``."""
        languages = Languages(self.model.source_language, self.model.target_language)
        test = replace(test, languages=languages)
        chosen = [concatenated_texts(test, span) for span in spans]
        apart = [translation.text for translation in self._translated(test.sources, 1)]
        for texts in chosen:
            together = self._translated(texts.of(test.sources, languages.source), texts.span.name)
            yield retention_point(texts, test, [pair.text for pair in together], apart, languages)

    def _translated(self, sources: Sequence[str], k: int | str) -> list[FinishedTranslation]:
        with self.reporter.stage("translate" if k == 1 else f"translate {k} concatenated", len(sources)) as show:
            return CachedSearch(self.model, self.settings, self.cache).translate(
                sources, show, self.reporter.checkpoint
            )
