"""Per-sentence statistics of texts, counted by sacreBLEU."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from nmt.data.line_words import word_counter
from nmt.evaluation.metrics import alternatives, bleu_metric, bleu_tokeniser, for_ter, reference_count
from nmt.results import UNKNOWN_LANGUAGES, HypothesisStatistics, Languages, PairStatistics, SentenceStatistics
from nmt.results.statistics import CHARACTER_ORDER, TOKENISER, WORD_ORDER, Counts

_BLEU, _CHRF = 2 + 2 * WORD_ORDER, 3 * CHARACTER_ORDER
_PART, _WORDS = 64, 500
"""Most sentences, and most words of both sides, between two reports of progress. TER of long sentences is slow."""


def count(
    hypotheses: Sequence[str],
    references: Sequence[str],
    on_progress: Callable[[int], None] | None = None,
    tokeniser: str = TOKENISER,
    *,
    more: Sequence[Sequence[str]] = (),
) -> Counts:
    """Count the sufficient statistics of sacreBLEU's BLEU, chrF and TER with default settings, one row per sentence,
    [N, 30]. TER takes nearly all of the time. ``more``: additional columns of references, which make the counts floats.
    ``on_progress`` is called with the number of sentences done. ``tokeniser``: sacreBLEU's name of the tokeniser."""
    metrics = bleu_metric(tokeniser), CHRF()
    rows = []
    for first, end in _parts(hypotheses, references):
        part_hypotheses = hypotheses[first:end]
        columns = alternatives([texts[first:end] for texts in (references, *more)])
        parts = [np.array(metric._extract_corpus_statistics(part_hypotheses, columns)) for metric in metrics]
        cut: list[list[Any]] = [[text and for_ter([text], tokeniser)[0] for text in column] for column in columns]
        parts.append(np.array(TER()._extract_corpus_statistics(for_ter(part_hypotheses, tokeniser), cut)))
        rows.append(np.concatenate(parts, axis=1).astype(np.float64 if more else np.int64))
        if on_progress is not None:
            on_progress(end)
    return np.concatenate(rows)


def _parts(hypotheses: Sequence[str], references: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield start and end of parts of at most _PART sentences and _WORDS words. A longer sentence is a part."""
    first, words = 0, 0
    for k, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        both_lengths = len(hypothesis.split()) + len(reference.split())
        if k > first and (k - first == _PART or words + both_lengths > _WORDS):
            yield first, k
            first, words = k, 0
        words += both_lengths
    yield first, len(hypotheses)


def pair_statistics(
    sources: Sequence[str],
    references: Sequence[str],
    *,
    languages: Languages = UNKNOWN_LANGUAGES,
    source_unknown: Sequence[int] | None = None,
    reference_unknown: Sequence[int] | None = None,
) -> PairStatistics:
    """Compute the columns that do not depend on a translation. ``source_unknown``, ``reference_unknown``: number of
    unknown words of each line, or None."""
    tokenised = bleu_metric(bleu_tokeniser(languages.target)).tokenizer
    words = word_counter(languages.target)
    return PairStatistics(
        source_words=_counts(map(word_counter(languages.source), sources)),
        reference_words=_counts(map(words, references)),
        reference_length=_counts(len(tokenised(text.rstrip()).split()) for text in references),
        reference_characters=_counts(len("".join(text.split())) for text in references),
        source_unknown=None if source_unknown is None else _counts(source_unknown),
        reference_unknown=None if reference_unknown is None else _counts(reference_unknown),
    )


def hypothesis_statistics(
    hypotheses: Sequence[str],
    counts: Counts,
    *,
    language: str = "",
    tokens: Sequence[int] | None = None,
    log_probability: Sequence[float] | None = None,
) -> HypothesisStatistics:
    """Compute the columns of translations.

    Args:
        counts: the rows of ``count`` for the texts, [N, 30]. Floats if there are several references.
        tokens, log_probability: target tokens and log-probability of each text. None if the system has none.
    """
    assert counts.shape == (len(hypotheses), _BLEU + _CHRF + 2)
    several, means = counts.dtype.kind == "f", counts[:, -1].astype(np.float64)
    bleu, chrf, ter = np.split(counts.astype(np.int64), [_BLEU, _BLEU + _CHRF], axis=1)
    return HypothesisStatistics(
        words=_counts(map(word_counter(language), hypotheses)),
        length=bleu[:, 0],
        matches=bleu[:, 2 : 2 + WORD_ORDER],
        characters=chrf[:, 0],
        character_matches=chrf[:, 2::3],
        edits=ter[:, 0],
        tokens=None if tokens is None else _counts(tokens),
        log_probability=None if log_probability is None else np.array(log_probability, dtype=np.float64),
        reference_length=bleu[:, 1] if several else None,
        reference_characters=chrf[:, 1] if several else None,
        reference_words_mean=means if several else None,
    )


def sentence_statistics(
    sources: Sequence[str],
    hypotheses: Sequence[str],
    references: Sequence[str],
    on_progress: Callable[[int], None] | None = None,
    languages: Languages = UNKNOWN_LANGUAGES,
    more: Sequence[Sequence[str]] = (),
) -> SentenceStatistics:
    """Compute all statistics that follow from the texts. ``more``: additional columns of references."""
    tokeniser = bleu_tokeniser(languages.target)
    counts = count(hypotheses, references, on_progress, tokeniser, more=more)
    pairs = pair_statistics(sources, references, languages=languages)
    columns = hypothesis_statistics(hypotheses, counts, language=languages.target)
    number = reference_count((references, *more))
    return checked(SentenceStatistics(pairs, columns, tokeniser, references=number), counts)


def checked(statistics: SentenceStatistics, counts: Counts) -> SentenceStatistics:
    """Return the statistics. Assert that they give the same ``counts`` as sacreBLEU."""
    again = np.concatenate([statistics.bleu, statistics.chrf, statistics.ter], axis=1)
    assert (again == counts).all(), "sacreBLEU counts otherwise than the statistics suppose"
    return statistics


def _counts(values: Iterable[int]) -> Counts:
    return np.array(list(values), dtype=np.int64)


Ngram = tuple[str, ...]


def count_seen(references: Sequence[str], training: Iterable[str], tokeniser: str = TOKENISER) -> Counts:
    """Count the n-grams of each reference, n = 1 to 4, that occur anywhere in the training texts. ``references``: the
    references, N of them. ``training``: target sentences of the training corpora, read once.

    Returns:
        [N, 4]. An n-gram counts as often as it occurs in the reference.
    """
    cut = bleu_metric(tokeniser).tokenizer
    reference_ngrams = [list(_ngrams(cut(text.rstrip()).split())) for text in references]
    missing = {ngram for ngrams in reference_ngrams for ngram in ngrams}
    seen: set[Ngram] = set()
    for line in training:
        newly_seen = missing.intersection(_ngrams(cut(line.rstrip()).split()))
        seen |= newly_seen
        missing -= newly_seen
    counts = np.zeros((len(references), WORD_ORDER), dtype=np.int64)
    for row, ngrams in zip(counts, reference_ngrams, strict=True):
        for ngram in ngrams:
            row[len(ngram) - 1] += ngram in seen
    return counts


def seen_statistics(pairs: PairStatistics, tokeniser: str = TOKENISER) -> SentenceStatistics | None:
    """Statistics of imaginary translations, as long as the references, that match only the n-grams seen in training.
    Only BLEU is meaningful. None if these n-grams were not counted."""
    if pairs.reference_seen is None:
        return None
    nothing = np.zeros(len(pairs), dtype=np.int64)
    hypotheses = HypothesisStatistics(
        words=pairs.reference_words,
        length=pairs.reference_length,
        matches=pairs.reference_seen,
        characters=nothing,
        character_matches=np.zeros((len(pairs), CHARACTER_ORDER), dtype=np.int64),
        edits=nothing,
    )
    return SentenceStatistics(replace(pairs, reference_seen=None), hypotheses, tokeniser)


def _ngrams(tokens: Sequence[str]) -> Iterator[Ngram]:
    for n in range(1, WORD_ORDER + 1):
        yield from zip(*(tokens[k:] for k in range(n)), strict=False)
