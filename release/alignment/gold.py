"""A gold set: sentence pairs in words, and their links; two systems compared on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nmt.aligners.partners import WordPair
from nmt.data.corpus import read_lines
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import alignment_error_rate, counted, read_gold, resampled
from nmt.evaluation.bootstrap import interval
from nmt.evaluation.significance import bootstrap_p
from nmt.results import Interval
from nmt.results.links import Gold, LinkSet, numbered_words


@dataclass(frozen=True)
class GoldSet:
    """``source`` and ``target``: one sentence each entry, words joined by one space; ``name``: folder and file of the
    links."""

    name: str
    source: list[str]
    target: list[str]
    links: list[Gold]

    def words(self) -> list[WordPair]:
        return [
            (numbered_words(source), numbered_words(target))
            for source, target in zip(self.source, self.target, strict=True)
        ]


def read_gold_set(source: Path, target: Path, links: Path) -> GoldSet:
    """Raises InputError for files that cannot be read or do not fit together."""
    left, right = _sentences(source), _sentences(target)
    if len(left) != len(right):
        raise InputError(f"{source} has {len(left)} lines, but {target} has {len(right)}")
    lengths = [(len(numbered_words(s)), len(numbered_words(t))) for s, t in zip(left, right, strict=True)]
    return GoldSet(f"{links.resolve().parent.name}/{links.name}", left, right, read_gold(links, lengths))


def _sentences(path: Path) -> list[str]:
    return [" ".join(numbered_words(line.text or "")) for line in read_lines(path)]


@dataclass(frozen=True)
class Better:
    """How much smaller the first of two error rates is, its 95 % interval, and p, all by paired bootstrap."""

    difference: float
    interval: Interval | None
    p: float


def better(first: Sequence[LinkSet], second: Sequence[LinkSet], gold: Sequence[Gold]) -> Better:
    """Compare the links of two systems on the same pairs, of which there is at least one with a sure link."""
    difference = alignment_error_rate(second, gold).aer - alignment_error_rate(first, gold).aer
    differences = resampled(counted(second, gold)) - resampled(counted(first, gold))
    return Better(difference, interval(differences), bootstrap_p(difference, differences[~np.isnan(differences)]))
