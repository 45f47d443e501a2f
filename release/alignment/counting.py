"""Counting of links: of words, jumps and fertilities, as they are stored beside an aligner."""

import json
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from nmt.aligners.combination import LONGEST
from nmt.aligners.partners import COUNTS, MOST_BYTES, MOST_FERTILITY, NULL, DirectedCounts, LinkCounts, WordPair, Words
from nmt.alignments.links import BothDirections, transposed
from nmt.errors import InputError
from nmt.files import replacing
from nmt.records import FORMAT_VERSION, to_data
from nmt.results.links import LinkSet


def _lower(words: Words) -> list[str]:
    return [word.lower() for word in words]


def count_links(pairs: Iterable[WordPair], found: Iterable[BothDirections | None], least: int = 1) -> LinkCounts:
    """Count the links of pairs; without words, and pairs of them, that were counted less than ``least`` times."""
    forward, backward, number = _Counting(), _Counting(), 0
    for (source, target), both in zip(pairs, found, strict=True):
        if both is not None:
            forward.add(_lower(source), _lower(target), both.forward)
            backward.add(_lower(target), _lower(source), transposed(both.backward))
            number += 1
    return LinkCounts(forward=forward.counts(least), backward=backward.counts(least), pairs=number)


class _Counting:
    def __init__(self) -> None:
        self._words: dict[str, Counter[str]] = {}
        self._fertilities: dict[str, list[int]] = {}
        self._jumps = [0] * (2 * LONGEST + 1)

    def add(self, source: Words, target: Words, links: LinkSet) -> None:
        in_order = {i: j for j, i in links}
        fertilities = Counter(in_order.values())
        for i, word in enumerate(target):
            linked = source[in_order[i]] if i in in_order else NULL
            self._words.setdefault(linked, Counter())[word] += 1
        for j, word in enumerate(source):
            self._fertilities.setdefault(word, [0] * (MOST_FERTILITY + 1))[min(fertilities[j], MOST_FERTILITY)] += 1
        places = [in_order[i] for i in sorted(in_order)]
        for before, after in pairwise(places):
            self._jumps[max(-LONGEST, min(LONGEST, after - before)) + LONGEST] += 1

    def counts(self, least: int) -> DirectedCounts:
        words = {
            source: kept
            for source, linked in sorted(self._words.items())
            if (kept := {target: count for target, count in sorted(linked.items()) if count >= least})
        }
        fertilities = {word: (a, b, c, d) for word, (a, b, c, d) in self._fertilities.items() if word in words}
        return DirectedCounts(words=words, fertilities=dict(sorted(fertilities.items())), jumps=tuple(self._jumps))


def write_counts(folder: Path, counts: LinkCounts) -> None:
    """Write counts.json, atomically; InputError if it would be larger than what is read."""
    text = json.dumps({"format": FORMAT_VERSION} | to_data(counts), ensure_ascii=False, separators=(",", ":")) + "\n"
    if len(text.encode("utf-8")) > MOST_BYTES:
        raise InputError(
            f"the counts have more than {MOST_BYTES:,} bytes; count fewer pairs, or rarer words less often"
        )
    with replacing(folder / COUNTS) as temporary:
        temporary.write_text(text, encoding="utf-8")
