"""Word alignment of a sentence pair: weights over whole words, and links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nmt.results.alignment import Alignment

Link = tuple[int, int]


@dataclass(frozen=True, eq=False, kw_only=True)
class WordAlignment:
    """Word alignment of a sentence pair.

    Attributes:
    source, target: the whitespace tokens of the pair, without the end-of-sentence tokens.
    alignment: weights over whole words, end-of-sentence tokens last, [words_y, words_x]; rows sum to 1, except where
        an aligner has averaged two directions.
    reverse: the same by a second run, of the other direction, [words_x, words_y], its source being our target; None
        without one, and for an aligner.
    links: source word and target word, from 0, sorted.
    map: the kind of weights, as in docs/formats.md.
    rule: the rule by which links were extracted.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    alignment: Alignment
    reverse: Alignment | None
    links: tuple[Link, ...]
    map: str
    rule: str

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: *links* of docs/formats.md; ``reverse`` is left out if it is None."""
        data: dict[str, Any] = {
            "source_words": list(self.source),
            "target_words": list(self.target),
            "links": [list(link) for link in self.links],
            "rule": self.rule,
            "map": self.map,
            "alignment": self.alignment.to_dict(),
        }
        return data if self.reverse is None else data | {"reverse": self.reverse.to_dict()}
