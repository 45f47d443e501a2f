"""The stress test: sentences of a test set concatenated to longer ones, and their translations.

A model that encodes a sentence as one vector of fixed size must compress longer sentences into the same size. A model
with attention need not. Inputs of k sentences have the same sentences for all k, except for an incomplete last group.

The sentences of a text are translated in two ways: one by one, and concatenated. A longest common subsequence of the
words of both translations is kept. All other words of the translations one by one are lost.

Paper: 2.1, 5.2.2
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from nmt.data.line_words import BY_CHARACTERS, CHINESE, UNSPACED, units_of, word_counter
from nmt.errors import InputError
from nmt.evaluation.bootstrap import FEWEST, Resamples, interval, ratio
from nmt.evaluation.metrics import alternatives, bleu, bleu_metric, bleu_of_each, bleu_tokeniser
from nmt.evaluation.test_set import TestSet
from nmt.results import (
    CONCATENATED,
    UNKNOWN_LANGUAGES,
    AlignmentSummary,
    FinishedScore,
    FinishedTranslation,
    Languages,
    RetentionPoint,
    Span,
    StressPoint,
)
from nmt.results.statistics import TOKENISER, Counts, Floats

MOST_CONCATENATED = 8


def short_sentences(test: TestSet, most_words: int | None, most_pairs: int | None = None) -> TestSet:
    """Select the pairs whose sources have 1 to ``most_words`` words (None = any number), in order, and at most the
    first ``most_pairs``. Raises InputError if there is no such pair."""
    lengths = np.array(list(map(word_counter(test.languages.source), test.sources)))
    short = lengths > 0 if most_words is None else (lengths > 0) & (lengths <= most_words)
    rows = np.flatnonzero(short)[:most_pairs]
    if not len(rows):
        raise InputError(f"{test.name or 'the test set'} has no sentence of up to {most_words} words")
    return test.take(rows)


def concatenate(test: TestSet, k: int) -> TestSet:
    """Concatenate each group of ``k`` consecutive pairs, on both sides. An incomplete last group is dropped.

    Raises InputError for a k that is not positive or exceeds the number of pairs.

    >>> longer = concatenate(TestSet(name="mine", sources=["A.", "B?", "c"], references=["a.", "b ?", "c"]), 2)
    >>> longer.sources, longer.references
    (('A. B?',), ('a. b ?',))
    """
    if not 1 <= k <= len(test):
        raise InputError(f"{k} sentences cannot be concatenated: there are {len(test)}")
    sources = concatenate_lines(test.sources, k, test.languages.source)
    references = concatenate_lines(test.references, k, test.languages.target)
    return replace(test, sources=sources, references=references, registers=(), more_references=(), documents=())


def concatenate_lines(lines: Sequence[str], k: int, language: str = "") -> list[str]:
    """Concatenate each group of ``k`` consecutive lines, with a space between lines if the language uses spaces.
    Nothing else changes: full stops stay.

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
    """Compute the measurements for inputs of ``k`` concatenated sentences. ``apart``: translations of the single
    sentences, concatenated. ``scores``: of the references, given the concatenated source sentences."""
    tokeniser = bleu_tokeniser(languages.target)
    counts = bleu_counts([translation.text for translation in translations], references, tokeniser)
    total = counts.sum(axis=0)
    enough = len(counts) >= FEWEST
    summaries = [translation.alignment for translation in translations if translation.alignment is not None]
    words = sum(map(word_counter(languages.target), references))
    source_words = sum(map(word_counter(languages.source), (translation.source for translation in translations)))
    return StressPoint(
        joined=k,
        sentences=len(translations),
        source_words=source_words / len(translations),
        bleu=bleu(total.tolist()),
        interval=interval(_resampled(counts, Resamples.draw(len(counts)))) if enough else None,
        bleu_apart=bleu(bleu_counts(apart, references, tokeniser).sum(axis=0).tolist()),
        log_probability=sum(score.log_probability for score in scores) / max(1, words),
        length_ratio=float(total[0] / max(1, total[1])),
        least_coverage=_mean(summaries, "least_coverage"),
        mean_coverage=_mean(summaries, "mean_coverage"),
    )


def bleu_counts(
    hypotheses: Sequence[str],
    references: Sequence[str],
    tokeniser: str = TOKENISER,
    more: Sequence[Sequence[str]] = (),
) -> Counts:
    """Count the sufficient statistics of sacreBLEU's BLEU, one row per sentence, [N, 10], in the order of
    ``SentenceStatistics.bleu``. ``more``: more columns of references."""
    assert len(hypotheses) == len(references), "as many hypotheses as references"
    columns = alternatives((references, *more))
    return np.array(bleu_metric(tokeniser)._extract_corpus_statistics(list(hypotheses), columns), dtype=np.int64)


def _mean(summaries: Sequence[AlignmentSummary], name: str) -> float | None:
    return float(np.mean([getattr(summary, name) for summary in summaries])) if summaries else None


CONCATENATED_SPANS = tuple(Span(first, first + 9) for first in range(21, 80, 10))
"""Lengths of the texts of a concatenated test set, in source words."""
_SINGLE = 20
"""Largest number of source words of the sentences that a concatenated test set contains unchanged."""
_SEED = 1


@dataclass(frozen=True)
class ConcatenatedTexts:
    """Sentences of a test set, concatenated to a range of lengths. ``groups``: each text's sentences, by index."""

    span: Span
    groups: tuple[tuple[int, ...], ...]

    def of(self, lines: Sequence[str], language: str = "") -> list[str]:
        """Concatenate the lines of each text's sentences, with spaces if the language has them. ``lines``: one line for
        each sentence of the test set."""
        return _concatenated(self.groups, lines, language)


def concatenated_texts(test: TestSet, span: Span) -> ConcatenatedTexts:
    """Concatenate the sentences of a test set to texts whose number of source words is within ``span``.

    The sentences are shuffled once, always in the same way. Each text takes the next sentence that fits, until the text
    is long enough. Each sentence is in at most one text. Sentences that complete no text of this length are left out.

    Raises InputError for a span without an end, or if the sentences make no text of this length.
    """
    if span.last is None:
        raise InputError("a range of lengths for concatenation needs an end, as in 21-30")
    count = word_counter(test.languages.source)
    lengths = [count(source) for source in test.sources]
    order = np.random.default_rng(_SEED).permutation(len(lengths))
    waiting = [int(i) for i in order if 0 < lengths[i] <= span.last]
    groups: list[tuple[int, ...]] = []
    while waiting:
        group, words = [], 0
        for i in waiting:
            if words + lengths[i] <= span.last:
                group.append(i)
                words += lengths[i]
            if words >= span.first:
                break
        complete = words >= span.first
        if complete:
            groups.append(tuple(group))
        taken = set(group if complete else group[:1])  # a sentence that begins no text is left out
        waiting = [i for i in waiting if i not in taken]
    if not groups:
        raise InputError(f"{test.name or 'the test set'} has too few sentences for a text of {span.name} words")
    return ConcatenatedTexts(span, tuple(groups))


def concatenated_set(test: TestSet) -> TestSet:
    """Make the concatenated version of a test set, NAME-concatenated. It has the sentences of 1 to 20 words unchanged,
    then all sentences concatenated to 21-30, 31-40, … and 71-80 source words. So BLEU depends on length alone.

    Raises InputError if the sentences are too few for a text in each of these ranges.
    """
    count = word_counter(test.languages.source)
    single = tuple((i,) for i, source in enumerate(test.sources) if 1 <= count(source) <= _SINGLE)
    longer = (concatenated_texts(test, span).groups for span in CONCATENATED_SPANS)
    groups = (*single, *(group for groups in longer for group in groups))
    references, *more = (_references(test, groups, column) for column in test.all_references)
    return replace(
        test,
        name=None if test.name is None else f"{test.name}{CONCATENATED}",
        sources=_concatenated(groups, test.sources, test.languages.source),
        references=references,
        registers=(),
        more_references=more,
        documents=(),
    )


def _references(test: TestSet, groups: Sequence[Sequence[int]], column: Sequence[str]) -> list[str]:
    """Concatenate the references of each text. A blank one is replaced by the first of its sentence, unless the column
    has none of the text: a text that lacks sentences is no reference."""
    filled = [next(filter(str.strip, row), "") for row in zip(column, *test.all_references, strict=True)]
    texts = zip(groups, _concatenated(groups, filled, test.languages.target), strict=True)
    return [text if any(column[i].strip() for i in group) else "" for group, text in texts]


def _concatenated(groups: Sequence[Sequence[int]], lines: Sequence[str], language: str) -> list[str]:
    space = "" if language in UNSPACED else " "
    return [space.join(lines[i] for i in group) for group in groups]


def retention_point(
    texts: ConcatenatedTexts, test: TestSet, together: Sequence[str], one_by_one: Sequence[str], languages: Languages
) -> RetentionPoint:
    """Compare ``together``, the translations of concatenated texts, with ``one_by_one``, those of all sentences."""
    references = texts.of(test.references, languages.target)
    tokeniser = bleu_tokeniser(languages.target)
    long = bleu_counts(together, references, tokeniser)
    short = bleu_counts(texts.of(one_by_one, languages.target), references, tokeniser)
    bleu_together, apart = bleu(long.sum(axis=0).tolist()), bleu(short.sum(axis=0).tolist())
    share = None
    if len(long) >= FEWEST:
        resamples = Resamples.draw(len(long))
        share = ratio(bleu_together, apart, _resampled(long, resamples), _resampled(short, resamples))
    count = word_counter(languages.source)
    words = sum(count(test.sources[i]) for group in texts.groups for i in group)
    return RetentionPoint(
        span=texts.span,
        texts=len(texts.groups),
        sentences=sum(map(len, texts.groups)),
        source_words=words / len(texts.groups),
        bleu=bleu_together,
        bleu_apart=apart,
        kept=bleu_together / apart if apart else None,
        interval=None if share is None else share.interval,
    )


def _resampled(counts: Counts, resamples: Resamples) -> Floats:
    """BLEU of each resample, [B]."""
    return bleu_of_each((counts.T @ resamples.times.astype(np.int64)).astype(np.float64))


@dataclass(frozen=True)
class WordFate:
    """A word in the translation of a single sentence. ``kept``: whether the translation of the concatenated sentences
    has the word. None for punctuation on its own."""

    word: str
    kept: bool | None

    @property
    def lost(self) -> bool:
        """Whether the translation of the concatenated sentences lacks the word."""
        return self.kept is False


@dataclass(frozen=True)
class KeptWords:
    """The words of separate translations, and which of them the translation of the concatenated sentences keeps.
    ``spaced``: whether words are written with spaces between them."""

    sentences: tuple[tuple[WordFate, ...], ...]
    spaced: bool

    @property
    def words(self) -> int:
        """Number of words, without punctuation on its own."""
        return sum(fate.kept is not None for sentence in self.sentences for fate in sentence)

    @property
    def kept(self) -> int:
        """Number of words that are kept."""
        return sum(fate.kept is True for sentence in self.sentences for fate in sentence)


def kept_words(alone: Sequence[str], together: str, language: str = "") -> KeptWords:
    """Find the words of separate translations that the translation of the concatenated sentences also has, in order.
    Case and the punctuation at either end of a word do not count.

    >>> result = kept_words(["La mer.", "Il dort !"], "La mer et il court !")
    >>> [[(fate.word, fate.kept) for fate in sentence] for sentence in result.sentences]
    [[('La', True), ('mer.', True)], [('Il', True), ('dort', False), ('!', None)]]
    >>> result.kept, result.words
    (3, 4)
    """
    words_of = units_of(language)
    split = [words_of(text) for text in alone]
    words = [_bare(word) for sentence in split for word in sentence]
    places = [k for k, word in enumerate(words) if word]
    words_together = [bare for word in words_of(together) if (bare := _bare(word))]
    positions = {places[k] for k in _common([words[k] for k in places], words_together)}
    fates = iter([WordFate(word, k in positions if words[k] else None) for k, word in enumerate(chain(*split))])
    sentences = tuple(tuple(next(fates) for _ in sentence) for sentence in split)
    return KeptWords(sentences, spaced=language not in UNSPACED | CHINESE | BY_CHARACTERS)


def _bare(word: str) -> str:
    """The word in lower case, from its first to its last letter or digit, or "" if it has neither.

    >>> _bare("L'île,"), _bare("[UNK]"), _bare("…")
    ("l'île", 'unk', '')
    """
    ends = [k for k, character in enumerate(word) if character.isalnum()]
    return word[ends[0] : ends[-1] + 1].casefold() if ends else ""


def _common(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Indices in ``first`` of a longest common subsequence, ascending. Of several, take the first in ``second``."""
    longest = np.zeros((len(first) + 1, len(second) + 1), dtype=np.int32)  # length for first[i:] and second[j:]
    for i in range(len(first) - 1, -1, -1):
        for j in range(len(second) - 1, -1, -1):
            both = longest[i + 1, j + 1] + 1 if first[i] == second[j] else 0
            longest[i, j] = max(both, longest[i + 1, j], longest[i, j + 1])
    positions, i, j = [], 0, 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            positions.append(i)
            i, j = i + 1, j + 1
        elif longest[i + 1, j] >= longest[i, j + 1]:
            i += 1
        else:
            j += 1
    return positions
