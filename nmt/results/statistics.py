"""Sufficient statistics of corpus scores, per sentence. From these columns BLEU, chrF and TER of any subset of
sentences can be computed without the sentences."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic_core import CoreSchema, core_schema

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

TOKENISER, CHARACTERS = "13a", "char"
"""sacreBLEU's names of its default tokeniser, and of the tokeniser that takes each character for a token."""
WORD_ORDER = 4
"""Longest n-gram of words that BLEU counts."""
CHARACTER_ORDER = 6
"""Longest n-gram of characters that chrF counts."""
_DECIMALS = 3
_MATRICES = {"matches": WORD_ORDER, "character_matches": CHARACTER_ORDER, "reference_seen": WORD_ORDER}
_FLOATS = ("log_probability", "reference_log_probability", "reference_words_mean")


@dataclass(frozen=True, eq=False)
class _Columns:
    """Columns with one value per sentence, [N], or several, [N, k]. A column that a system cannot provide is None."""

    def __post_init__(self) -> None:
        for name, column in self._named().items():
            if column is not None and np.shape(column) != self._shape(name, len(self)):
                raise ValueError(f"{name} has the shape {np.shape(column)}, not {self._shape(name, len(self))}")

    def __len__(self) -> int:
        first = getattr(self, fields(self)[0].name)
        return len(first)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all columns, computed once: columns do not change."""
        checksum = hashlib.sha256()
        for name, column in self._named().items():
            checksum.update(f"{name} {None if column is None else column.dtype}\n".encode())
            checksum.update(b"" if column is None else column.tobytes())
        return checksum.hexdigest()

    def take(self, rows: NDArray[Any] | Sequence[int]) -> Self:
        """Select some sentences in all columns, by indices or a mask."""
        chosen = np.asarray(rows, dtype=None if len(rows) else np.intp)
        return type(self)(**{name: None if c is None else c[chosen] for name, c in self._named().items()})

    def summed(self, groups: Counts) -> Self:
        """Add up each column over the sentences of each group. ``groups``: [N], the group, from 0 without gaps."""
        columns = dict(self._named())
        for name, column in columns.items():
            if column is not None:
                columns[name] = sums = np.zeros((groups.max() + 1, *column.shape[1:]), column.dtype)
                np.add.at(sums, groups, column)
        return type(self)(**columns)

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Concatenate the sentences of all parts. A column of the result is None if a part lacks the column."""
        columns = {}
        for field in fields(cls):
            values = [getattr(part, field.name) for part in parts]
            columns[field.name] = None if any(column is None for column in values) else np.concatenate(values)
        return cls(**columns)

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types: a list for each column. A column of n-grams has a list for each n. Nats are rounded to
        three decimals. Columns that are None are left out."""
        data: dict[str, Any] = {}
        for name, column in self._named().items():
            if column is not None:
                values = column.round(_DECIMALS) if name in _FLOATS else column
                data[name] = values.T.tolist()
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Invert ``to_dict``. Raises ValueError with the name of a missing or wrong column."""
        if not isinstance(data, dict):
            raise ValueError("the statistics must be a JSON object of lists")
        columns: dict[str, NDArray[Any] | None] = {}
        for field in fields(cls):
            if field.name not in data:
                if field.default is None:
                    columns[field.name] = None
                    continue
                raise ValueError(f"the column {field.name} is missing")
            columns[field.name] = _column(field.name, data[field.name])
        return cls(**columns)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> CoreSchema:
        """Let pydantic read and write the columns by the two methods above."""
        write = core_schema.plain_serializer_function_ser_schema(cls.to_dict)
        return core_schema.no_info_plain_validator_function(cls.from_dict, serialization=write)

    def _named(self) -> dict[str, NDArray[Any] | None]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @staticmethod
    def _shape(name: str, sentences: int) -> tuple[int, ...]:
        return (sentences, _MATRICES[name]) if name in _MATRICES else (sentences,)


def _column(name: str, values: Any) -> NDArray[Any]:
    """A column read from JSON and checked: counts are integers from 0 up, log-probabilities finite."""
    try:
        column = np.array(values)
    except ValueError:
        raise ValueError(f"{name} has lists of different lengths") from None
    dimensions = 2 if name in _MATRICES else 1
    if column.ndim != dimensions:
        raise ValueError(f"{name} has {column.ndim} dimensions, not {dimensions}")
    if name in _FLOATS:
        if column.size and column.dtype.kind not in "if":
            raise ValueError(f"{name} contains a value that is not a number")
        column = column.astype(np.float64)
        if not np.isfinite(column).all():
            raise ValueError(f"{name} contains a value that is not a finite number")
        return column
    if column.size and column.dtype.kind != "i":
        raise ValueError(f"{name} contains a value that is not an integer")
    if (column < 0).any():
        raise ValueError(f"{name} contains a negative count")
    return column.astype(np.int64).T


@dataclass(frozen=True, eq=False, kw_only=True)
class PairStatistics(_Columns):
    """Statistics of the sentence pairs of a test set, independent of any translation. None = unknown.

    Attributes:
        source_words, reference_words: numbers of words of source and reference, counted by ``nmt.data.line_words``.
        reference_length: tokens of the reference as BLEU counts them.
        reference_characters: characters of the reference without white space, as chrF counts them.
        source_unknown, reference_unknown: numbers of words of the tokeniser that the model's vocabularies lack. None
            for a system without a known vocabulary.
        reference_tokens: number of the model's target tokens of the reference, end-of-sentence token included.
        reference_log_probability: log p(reference | source) in nats by forced decoding.
        reference_seen: [N, 4], n-grams of 1 to 4 tokens of the reference, as BLEU counts them, that also occur in the
            target sentences of the training.
    """

    source_words: Counts
    reference_words: Counts
    reference_length: Counts
    reference_characters: Counts
    source_unknown: Counts | None = None
    reference_unknown: Counts | None = None
    reference_tokens: Counts | None = None
    reference_log_probability: Floats | None = None
    reference_seen: Counts | None = None

    def without_unknown(self) -> Counts | None:
        """Indices of the pairs without an unknown word on either side, the pairs of the column "No UNK". None if
        unknown words were not counted.

        Paper: Table 1, 4.2
        """
        if self.source_unknown is None or self.reference_unknown is None:
            return None
        return np.flatnonzero((self.source_unknown == 0) & (self.reference_unknown == 0))


@dataclass(frozen=True, eq=False, kw_only=True)
class HypothesisStatistics(_Columns):
    """Statistics of the translations of a test set, one per sentence pair.

    Attributes:
        words: number of words, counted as in ``PairStatistics.reference_words``.
        length: tokens as BLEU counts them.
        matches: [N, 4], n-grams of 1 to 4 such tokens that are also in the reference, clipped.
        characters: characters without white space, as chrF counts them. 0 if the reference is empty.
        character_matches: [N, 6], n-grams of 1 to 6 such characters that are also in the reference, clipped.
        tokens: target tokens, end-of-sentence token included. 0 for a blank source. None if the system has no tokens.
        log_probability: log p(translation | source) in nats, or None if the system has none.
        reference_length, reference_characters, reference_words_mean: counts of several references, in place of those in
            ``PairStatistics``. They count the tokens of the reference closest in length and the characters of the best
            reference by chrF. The third is the mean number of words (``char``: characters). None with one reference.
    """

    words: Counts
    length: Counts
    matches: Counts
    characters: Counts
    character_matches: Counts
    edits: Counts
    tokens: Counts | None = None
    log_probability: Floats | None = None
    reference_length: Counts | None = None
    reference_characters: Counts | None = None
    reference_words_mean: Floats | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class ImportedScores:
    """Scores of sentences by a metric of another program. ``values``: [N], NaN for a missing score."""

    metric: str
    values: Floats
    lower_is_better: bool
    sha256: str

    def take(self, rows: NDArray[Any] | Sequence[int]) -> ImportedScores:
        """Select some of the sentences."""
        return replace(self, values=self.values[np.asarray(rows, dtype=None if len(rows) else np.int64)])


@dataclass(frozen=True, eq=False)
class SentenceStatistics:
    """Statistics of sentence pairs and of their translations.

    Attributes:
        tokeniser: sacreBLEU's name of BLEU's tokeniser. If it is "char", TER is over characters.
        references: number of references of each sentence, as in sacreBLEU's signature, or "var" if it varies.
        scores: scores of another program for these sentences, or None.

    Raises ValueError if the numbers of sentences differ, or if more n-grams match than there are.
    """

    pairs: PairStatistics
    hypotheses: HypothesisStatistics
    tokeniser: str = TOKENISER
    _: KW_ONLY
    references: str = "1"
    scores: ImportedScores | None = None

    def __post_init__(self) -> None:
        if len(self.pairs) != len(self.hypotheses):
            raise ValueError(f"there are {len(self.pairs)} sentence pairs, but {len(self.hypotheses)} translations")
        bleu, chrf = self.bleu, self.chrf.reshape(len(self), CHARACTER_ORDER, 3)
        if (bleu[:, 2:6] > bleu[:, 6:]).any() or (chrf[:, :, 2] > chrf[:, :, :2].min(axis=2)).any():
            raise ValueError("there are more matching n-grams than n-grams")

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def bleu(self) -> Counts:
        """Counts summed by BLEU, [N, 10]: length of translation and reference, matches for n = 1..4, n-grams of the
        translation for n = 1..4 (sacreBLEU's order)."""
        h = self.hypotheses
        reference = self.pairs.reference_length if h.reference_length is None else h.reference_length
        lengths = np.stack([h.length, reference], axis=1)
        return np.concatenate([lengths, h.matches, _ngrams(h.length, WORD_ORDER)], axis=1)

    @property
    def chrf(self) -> Counts:
        """Counts summed by chrF, [N, 18]: for n = 1..6 n-grams of the translation (0 if the reference has none),
        n-grams of the reference, and matches (sacreBLEU's order)."""
        chosen = self.hypotheses.reference_characters
        hypothesis_ngrams = _ngrams(self.hypotheses.characters, CHARACTER_ORDER)
        reference_ngrams = _ngrams(self.pairs.reference_characters if chosen is None else chosen, CHARACTER_ORDER)
        hypothesis_ngrams = np.where(reference_ngrams > 0, hypothesis_ngrams, 0)
        return np.stack([hypothesis_ngrams, reference_ngrams, self.hypotheses.character_matches], axis=2).reshape(
            -1, 3 * CHARACTER_ORDER
        )

    @property
    def ter(self) -> NDArray[Any]:
        """Counts summed by TER, [N, 2]: edits, and words of the reference. For the tokeniser ``char``, characters take
        the place of words. With several references, the second count is the mean over the references."""
        p, mean = self.pairs, self.hypotheses.reference_words_mean
        counted = p.reference_characters if self.tokeniser == CHARACTERS else p.reference_words
        return np.stack([self.hypotheses.edits, counted if mean is None else mean], axis=1)

    def take(self, rows: NDArray[Any] | Sequence[int]) -> SentenceStatistics:
        """Select some of the sentences, by indices or a mask."""
        scores = None if self.scores is None else self.scores.take(rows)
        return replace(self, pairs=self.pairs.take(rows), hypotheses=self.hypotheses.take(rows), scores=scores)

    def summed(self, groups: Counts) -> SentenceStatistics:
        """Add up the counts of the sentences of each group. BLEU and chrF of the sums are wrong: the number of n-grams
        follows from the length, so n-grams across sentences would count."""
        return replace(self, pairs=self.pairs.summed(groups), hypotheses=self.hypotheses.summed(groups))

    @staticmethod
    def join(parts: Sequence[SentenceStatistics]) -> SentenceStatistics:
        """Concatenate the sentences of several test sets. Raises ValueError if the tokenisers differ."""
        (tokeniser,) = {part.tokeniser for part in parts}
        numbers = {part.references for part in parts}
        return SentenceStatistics(
            PairStatistics.join([part.pairs for part in parts]),
            HypothesisStatistics.join(
                [part.hypotheses if numbers == {"1"} else part._with_references() for part in parts]
            ),
            tokeniser,
            references=numbers.pop() if len(numbers) == 1 else "var",
        )

    def _with_references(self) -> HypothesisStatistics:
        """The statistics of the translations, with the columns for several references."""
        lengths, counted = self.bleu[:, 1], self.ter[:, 1].astype(np.float64)
        characters = self.chrf[:, 1]
        return replace(
            self.hypotheses, reference_length=lengths, reference_characters=characters, reference_words_mean=counted
        )


def _ngrams(lengths: Counts, order: int) -> Counts:
    """Number of n-grams for n = 1..order of a line of each length, [N, order]."""
    counts: Counts = np.maximum(lengths[:, None] - np.arange(order), 0)
    return counts
