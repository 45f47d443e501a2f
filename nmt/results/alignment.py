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
"""The end mark, which has a column (source) and a row (target) of its own."""

UNKNOWN = "[UNK]"
"""What stands for a word outside the vocabulary."""

PIECE_MARK = "▁"
"""SentencePiece's mark for the start of a word."""

_BYTES = re.compile("(?:<0x[0-9A-F]{2}>)+")
_NOT_IN_A_WORD = re.compile(r"[\s\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, eq=False)
class Alignment:
    """Which source tokens the model looked at for each target token.

    Attributes:
        source: T_x source tokens as the model read them (words or pieces, as written), end mark last.
        target: T_y target tokens as the model wrote them, end mark last.
        weights: alpha, float32 [T_y, T_x], dimensionless; row i is the distribution over the source for target
            token i and sums to 1.
        source_words: for each source token the index of the word it is part of, from 0, never falling; the end
            mark is a word of its own.
        target_words: the same for the target tokens.

    Paper: eq. 6.

    >>> a = Alignment(("▁Eco", "nomic", "</s>"), ("▁économique", "</s>"),
    ...               np.array([[.5, .3, .2], [.1, .1, .8]]), (0, 0, 1), (0, 1))
    >>> b = a.merged()
    >>> b.source, [[round(float(w), 3) for w in row] for row in b.weights]
    (('Economic', '</s>'), [[0.8, 0.2], [0.2, 0.8]])
    >>> b.links()
    [(0, 0)]
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
        """The same alignment over whole words: summed over the pieces of a source word, averaged over the
        pieces of a target word, so that rows still sum to 1, [words_y, words_x]. A word without any token has no
        row or column; ``source_words`` and ``target_words`` keep the numbers of those that have."""
        columns = _indicator(self.source_words)  # [T_x, words_x]
        rows = _indicator(self.target_words)  # [T_y, words_y]
        weights = (rows / rows.sum(axis=0)).T @ self.weights @ columns
        return Alignment(
            joined(self.source, self.source_words),
            joined(self.target, self.target_words),
            weights,
            tuple(dict.fromkeys(self.source_words)),
            tuple(dict.fromkeys(self.target_words)),
        )

    def links(self) -> list[tuple[int, int]]:
        """Hard links (source word, target word), 0-based: for each target word the source word with the largest
        weight. Words are those of ``source_words`` / ``target_words``; the end marks are left out on both sides
        (a target word looks for its largest weight among the source words proper)."""
        merged = self.merged()
        columns, rows = _without_end(merged.source), _without_end(merged.target)
        if columns == 0:
            return []
        best = merged.weights[:rows, :columns].argmax(axis=1)
        return [(merged.source_words[j], merged.target_words[i]) for i, j in enumerate(best.tolist())]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; weights as nested lists, rounded to 6 decimals."""
        return {
            "source": list(self.source),
            "target": list(self.target),
            "weights": [[round(float(a), 6) for a in row] for row in self.weights],
            "source_words": list(self.source_words),
            "target_words": list(self.target_words),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Alignment:
        return cls(
            tuple(data["source"]),
            tuple(data["target"]),
            np.array(data["weights"], dtype=np.float32).reshape(len(data["target"]), len(data["source"])),
            tuple(data["source_words"]),
            tuple(data["target_words"]),
        )


def _without_end(tokens: Sequence[str]) -> int:
    return len(tokens) - 1 if tokens and tokens[-1] == END else len(tokens)


def _indicator(words: Sequence[int]) -> NDArray[np.float32]:
    """[tokens, words], 1 where the token is part of the word."""
    numbering = {word: k for k, word in enumerate(dict.fromkeys(words))}
    table = np.zeros((len(words), len(numbering)), dtype=np.float32)
    table[np.arange(len(words)), [numbering[word] for word in words]] = 1
    return table


def spelled(text: str) -> str:
    """The text with the characters that SentencePiece's pieces for bytes make up. Bytes that are no UTF-8, and white
    space or control characters, which no word has, become U+FFFD.

    >>> spelled("<0xE5><0xB3><0xB6>が"), spelled("<0xE5><0xB3>が")
    ('島が', '\ufffdが')
    """

    def decoded(run: re.Match[str]) -> str:
        found = bytes.fromhex(run[0].replace("<0x", "").replace(">", "")).decode("utf-8", errors="replace")
        return _NOT_IN_A_WORD.sub("\ufffd", found)

    return _BYTES.sub(decoded, text) if "<0x" in text else text


def joined(tokens: Sequence[str], words: Sequence[int]) -> tuple[str, ...]:
    """The words that tokens make up, of which ``words`` tells the numbers."""
    parts: dict[int, str] = {}
    for token, word in zip(tokens, words, strict=True):
        parts[word] = parts.get(word, "") + token
    return tuple(spelled(text.replace(PIECE_MARK, "")) or text for text in parts.values())
