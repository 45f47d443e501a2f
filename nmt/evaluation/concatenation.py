"""The stress test: sentences of a test set concatenated to longer ones, and their translations.

A model that encodes a sentence as one vector of fixed size must compress ever more into it; a model with attention need
not. Every k uses the same sentences (except for an incomplete last group), in the same groups for every system.

Paper: 2.1, 5.2.2
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nmt.data.line_words import UNSPACED, word_counter
from nmt.errors import InputError
from nmt.evaluation.bootstrap import FEWEST, Resamples, interval
from nmt.evaluation.metrics import bleu, bleu_of_each
from nmt.evaluation.sufficient_statistics import check_corpus
from nmt.evaluation.test_set import TestSet
from nmt.evaluation.tokenisers import bleu_metric, bleu_tokeniser
from nmt.results import (
    UNKNOWN_LANGUAGES,
    AlignmentSummary,
    FinishedScore,
    FinishedTranslation,
    Languages,
    StressPoint,
)
from nmt.results.statistics import TOKENISER, Counts

MOST_CONCATENATED = 8


def short_sentences(test: TestSet, most_words: int | None, most_pairs: int | None = None) -> TestSet:
    """Select the pairs whose sources have 1 to ``most_words`` words (None = any number), in order, and at most the
    first ``most_pairs``. InputError if there is none."""
    lengths = np.array(list(map(word_counter(test.languages.source), test.sources)))
    short = lengths > 0 if most_words is None else (lengths > 0) & (lengths <= most_words)
    rows = np.flatnonzero(short)[:most_pairs]
    if not len(rows):
        raise InputError(f"{test.name or 'the test set'} has no sentence of up to {most_words} words")
    return test.take(rows)


def concatenate(test: TestSet, k: int) -> TestSet:
    """Concatenate each group of ``k`` consecutive pairs, on both sides; an incomplete last group is dropped.

    Raises InputError for a k that is not positive or exceeds the number of pairs.

    >>> found = concatenate(TestSet(name="mine", sources=["A.", "B?", "c"], references=["a.", "b ?", "c"]), 2)
    >>> found.sources, found.references
    (('A. B?',), ('a. b ?',))
    """
    if not 1 <= k <= len(test):
        raise InputError(f"{k} sentences cannot be concatenated: there are {len(test)}")
    languages = test.languages
    return TestSet(
        name=test.name,
        sources=concatenate_lines(test.sources, k, languages.source),
        references=concatenate_lines(test.references, k, languages.target),
        origin=test.origin,
        languages=languages,
    )


def concatenate_lines(lines: Sequence[str], k: int, language: str = "") -> list[str]:
    """Concatenate each group of ``k`` consecutive lines with a space between them, if the language uses spaces, and no
    other change: full stops stay.

    >>> concatenate_lines(["A.", "", "b", "C!", "d"], 2), concatenate_lines(["雨だ。", "寒い。"], 2, "ja")
    (['A.', 'b C!'], ['雨だ。寒い。'])
    """
    space = "" if language in UNSPACED else " "
    return [space.join(line for line in lines[i : i + k] if line) for i in range(0, len(lines) - k + 1, k)]


def stress_point(
    k: int,
    references: Sequence[str],
    translations: Sequence[FinishedTranslation],
    apart: Sequence[str],
    scores: Sequence[FinishedScore],
    languages: Languages = UNKNOWN_LANGUAGES,
) -> StressPoint:
    """Compute the measurements for one k.

    Args:
        references: references of the concatenated sentences.
        translations: translations of the concatenated sentences.
        apart: translations of their parts, concatenated.
        scores: scores of the references, given the concatenated sentences.
        languages: languages of the test set, which determine BLEU's tokeniser and the counting of words.
    """
    tokeniser = bleu_tokeniser(languages.target)
    counts = bleu_counts([translation.text for translation in translations], references, tokeniser)
    total = counts.sum(axis=0)
    between = None
    if len(counts) >= FEWEST:
        resamples = Resamples.draw(len(counts))
        between = interval(bleu_of_each((counts.T @ resamples.times.astype(np.int64)).astype(np.float64)))
    summaries = [translation.alignment for translation in translations if translation.alignment is not None]
    words = sum(map(word_counter(languages.target), references))
    source_words = sum(map(word_counter(languages.source), (translation.source for translation in translations)))
    return StressPoint(
        joined=k,
        sentences=len(translations),
        source_words=source_words / len(translations),
        bleu=bleu(total.tolist()),
        interval=between,
        bleu_apart=bleu(bleu_counts(apart, references, tokeniser).sum(axis=0).tolist()),
        log_probability=sum(score.log_probability for score in scores) / max(1, words),
        length_ratio=float(total[0] / max(1, total[1])),
        least_coverage=_mean(summaries, "least_coverage"),
        mean_coverage=_mean(summaries, "mean_coverage"),
    )


def bleu_counts(hypotheses: Sequence[str], references: Sequence[str], tokeniser: str = TOKENISER) -> Counts:
    """Count the sufficient statistics of sacreBLEU's BLEU, one row per sentence, [N, 10], in the order of
    ``SentenceStatistics.bleu``. InputError for unequal numbers of lines, or none."""
    check_corpus(hypotheses, references)
    return np.array(
        bleu_metric(tokeniser)._extract_corpus_statistics(list(hypotheses), [list(references)]), dtype=np.int64
    )


def _mean(summaries: Sequence[AlignmentSummary], name: str) -> float | None:
    return float(np.mean([getattr(summary, name) for summary in summaries])) if summaries else None
