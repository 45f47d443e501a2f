"""The alignment weights alpha_ij of one sentence pair.

Paper: eq. 6, section 3.1; drawn as Figure 3.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

END = "</s>"
"""The end-of-sentence token, with its own column (source) and its own row (target)."""

UNKNOWN = "[UNK]"
"""Token for a word outside the vocabulary."""

PIECE_MARK = "▁"
"""SentencePiece's mark for the start of a word."""

_BYTES = re.compile("(?:<0x[0-9A-F]{2}>)+")
_NOT_IN_A_WORD = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, eq=False, kw_only=True)
class Alignment:
    """Attention weights of each target token over the source tokens.

    Attributes:
        source: T_x source tokens as the model read them (words or subwords, as written), end-of-sentence token last.
        target: T_y target tokens as the model wrote them, end-of-sentence token last.
        weights: alpha, float32 [T_y, T_x], dimensionless. Row i is the distribution over the source for target token i
            and sums to 1.
        source_words: index of each source token's word, from 0, non-decreasing. The end-of-sentence token is a word.
        target_words: index of the word of each target token. If indices are empty, each token becomes a word.

    Paper: eq. 6.

    >>> a = Alignment(source=("▁Eco", "nomic", "</s>"), target=("▁économique", "</s>"),
    ...               weights=np.array([[.5, .3, .2], [.1, .1, .8]]), source_words=(0, 0, 1), target_words=(0, 1))
    >>> b = a.merged()
    >>> b.source, [[round(float(w), 3) for w in row] for row in b.weights]
    (('Economic', '</s>'), [[0.8, 0.2], [0.2, 0.8]])
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    weights: NDArray[np.float32]
    source_words: tuple[int, ...] = field(default=())
    target_words: tuple[int, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", np.asarray(self.weights, dtype=np.float32))
        if not self.source_words:
            object.__setattr__(self, "source_words", tuple(range(len(self.source))))
        if not self.target_words:
            object.__setattr__(self, "target_words", tuple(range(len(self.target))))
        if self.weights.shape != (len(self.target), len(self.source)):
            raise ValueError(
                f"weights have the shape {self.weights.shape}, but there are {len(self.target)} target and "
                f"{len(self.source)} source tokens"
            )
        for tokens, words in ((self.source, self.source_words), (self.target, self.target_words)):
            if len(tokens) != len(words):
                raise ValueError(f"{len(tokens)} tokens, but {len(words)} word indices")

    def merged(self) -> Alignment:
        """Merge subwords into whole words, [words_y, words_x]. Weights are summed over the subwords of a source word
        and averaged over those of a target word, so each row still sums to 1. A word without tokens has no row or
        column. ``source_words`` and ``target_words`` keep the indices of the other words."""
        columns = _indicator(self.source_words)  # [T_x, words_x]
        rows = _indicator(self.target_words)  # [T_y, words_y]
        weights = (rows / rows.sum(axis=0)).T @ self.weights @ columns
        return Alignment(
            source=joined(self.source, self.source_words),
            target=joined(self.target, self.target_words),
            weights=weights,
            source_words=tuple(dict.fromkeys(self.source_words)),
            target_words=tuple(dict.fromkeys(self.target_words)),
        )

    def transposed(self) -> Alignment:
        """Exchange source and target."""
        return Alignment(
            source=self.target,
            target=self.source,
            weights=self.weights.T,
            source_words=self.target_words,
            target_words=self.source_words,
        )

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types. Weights are nested lists, rounded to 6 decimals."""
        return {
            "source": list(self.source),
            "target": list(self.target),
            "weights": [[round(float(a), 6) for a in row] for row in self.weights],
            "source_words": list(self.source_words),
            "target_words": list(self.target_words),
        }


def shortest(numbers: NDArray[np.float32]) -> list[Any]:
    """Numbers as nested lists. Each number has the fewest digits that give the same float32 again."""
    lists: list[Any] = np.asarray(numbers, np.float32).astype(str).astype(np.float64).tolist()
    return lists


def _indicator(words: Sequence[int]) -> NDArray[np.float32]:
    """Indicator matrix [tokens, words], 1 if the token is part of the word."""
    numbering = {word: k for k, word in enumerate(dict.fromkeys(words))}
    table = np.zeros((len(words), len(numbering)), dtype=np.float32)
    table[np.arange(len(words)), [numbering[word] for word in words]] = 1
    return table


def spelled(text: str) -> str:
    """Decode SentencePiece's byte tokens in a text into characters. Bytes that are not UTF-8 become U+FFFD, and so do
    white space and control characters, which cannot be part of a word.

    >>> spelled("<0xE5><0xB3><0xB6>が"), spelled("<0xE5><0xB3>が")
    ('島が', '\ufffdが')
    """

    def decoded(run: re.Match[str]) -> str:
        character = bytes.fromhex(run[0].replace("<0x", "").replace(">", "")).decode("utf-8", errors="replace")
        return _NOT_IN_A_WORD.sub("\ufffd", character)

    return _BYTES.sub(decoded, text) if "<0x" in text else text


def joined(tokens: Sequence[str], words: Sequence[int]) -> tuple[str, ...]:
    """Concatenate tokens to words, as readers see them. ``words``: index of the word of each token."""
    parts: dict[int, str] = {}
    for token, word in zip(tokens, words, strict=True):
        parts[word] = parts.get(word, "") + token
    return tuple(readable(spelled(text.replace(PIECE_MARK, ""))) if text else text for text in parts.values())


def readable(word: str) -> str:
    """A word for readers. "" and "[UNK" become "[UNK]", and other words are unchanged.

    >>> readable("chat"), readable(""), readable("[UNK")
    ('chat', '[UNK]', '[UNK]')
    """
    return UNKNOWN if word in ("", UNKNOWN[:-1]) else word
