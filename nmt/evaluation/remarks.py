"""What a reader should know of a score because of how its texts are written."""

import re
from collections.abc import Iterable, Sequence

from nmt.texts import say

_MARKS = re.compile(r"@@(?: |$)|▁|￭|(?:^| )##\w|</w>|Ġ")
"""Subwords that were not joined: of subword-nmt, SentencePiece, OpenNMT's tokeniser, BERT, old BPE and GPT-2."""
_TOKENISED = re.compile(r"\S [.,](?: |$)|&(?:apos|quot|amp);")
_PUNCTUATED = re.compile(r"[.,](?: |$)|&(?:apos|quot|amp);")
_MANY, _FEW = 0.1, 0.01
_MOSTLY = 0.5


def remarks(hypotheses: Sequence[str], references: Iterable[Sequence[str]], names: tuple[str, str]) -> list[str]:
    """Sentences on texts that are written in different ways: at most one about subwords, and one about tokenisation.

    Args:
        references: a column of lines for each of several.
        names: of the translations and of the references.
    """
    said: list[str] = []
    sides = hypotheses, [line for column in references for line in column]
    marked = [sum(_MARKS.search(line) is not None for line in side) for side in sides]
    shares = [count / max(1, len(side)) for count, side in zip(marked, sides, strict=True)]
    if max(shares) >= _MANY and min(shares) < _FEW:
        said.append(
            say(
                "errors.marks_of_subwords",
                marked=marked[0],
                lines=len(sides[0]),
                name=names[0],
                other_marked=marked[1],
                other_lines=len(sides[1]),
                other=names[1],
            )
        )
    cut = [share for side in sides if (share := _share_tokenised(side)) is not None]
    if len(cut) == len(sides) and max(cut) >= _MOSTLY and min(cut) < _MANY:
        tokenised, other = names if cut[0] > cut[1] else names[::-1]
        said.append(say("errors.looks_tokenised", name=tokenised, other=other))
    return said


def _share_tokenised(lines: Sequence[str]) -> float | None:
    """Share of the lines with a full stop or a comma, or with an escape, in which a space comes before it; None without
    such lines."""
    punctuated = [line for line in lines if _PUNCTUATED.search(line)]
    found = sum(_TOKENISED.search(line) is not None for line in punctuated)
    return found / len(punctuated) if punctuated else None
