"""What a file of alignments holds."""

from __future__ import annotations

from dataclasses import dataclass

from nmt.alignments.links import WordLinks
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import Alignment


@dataclass(frozen=True)
class LinkedPair:
    """The links of one sentence pair, (source, target) from 0.

    Attributes:
        sure: written ``i-j``.
        possible: those and the ones written ``ipj`` (gold alignments have such).
    """

    sure: WordLinks
    possible: WordLinks

    def check(self, source: int, target: int) -> None:
        """InputError for a link beyond so many source and target words."""
        for i, j in sorted(self.possible):
            if i >= source or j >= target:
                raise InputError(
                    f"there is a link between source word {i + 1} and target word {j + 1}, but the sentences have "
                    f"{source} and {target} words"
                )


@dataclass(frozen=True)
class Content:
    """Of one file, an entry a sentence.

    Attributes:
        alignments: with weights; none in a file of links.
        links: none in a file of weights.
        run: where the weights are from, if the file says so.
        policy: what was done before it was written, if the file says so.
    """

    alignments: tuple[Alignment, ...] = ()
    links: tuple[LinkedPair, ...] = ()
    run: str = ""
    policy: Policy | None = None
