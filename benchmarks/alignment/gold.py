"""A gold set: sentence pairs in words, and their links."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from nmt.data.corpus import read_lines
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import Gold, Lengths, read_gold


@dataclass(frozen=True)
class GoldSet:
    """``source`` and ``target``: one sentence each entry, words joined by one space; ``name``: folder and file of the
    links."""

    name: str
    source: list[str]
    target: list[str]
    links: list[Gold]


def read_gold_set(source: Path, target: Path, links: Path) -> GoldSet:
    """Raises InputError for files that cannot be read or do not fit together."""
    left, right = _sentences(source), _sentences(target)
    if len(left) != len(right):
        raise InputError(f"{source} has {len(left)} lines, but {target} has {len(right)}")
    lengths = [Lengths(len(s.split()), len(t.split())) for s, t in zip(left, right, strict=True)]
    return GoldSet(f"{links.resolve().parent.name}/{links.name}", left, right, read_gold(links, lengths))


def _sentences(path: Path) -> list[str]:
    return [" ".join((line.text or "").split()) for line in read_lines(path)]
