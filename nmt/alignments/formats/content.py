"""Content of an alignment file."""

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
        sure: links written ``i-j``.
        possible: the sure links and those written ``ipj`` (in gold alignments).
    """

    sure: WordLinks
    possible: WordLinks

    def check(self, source: int, target: int) -> None:
        """Raise InputError for a link beyond ``source`` and ``target`` words."""
        for i, j in sorted(self.possible):
            if i >= source or j >= target:
                raise InputError(
                    f"there is a link between source word {i + 1} and target word {j + 1}, but the sentences have "
                    f"{source} and {target} words"
                )


@dataclass(frozen=True, kw_only=True)
class Content:
    """Content of one file, with one entry per sentence.

    Attributes:
        alignments: alignments with weights; empty for a file of links.
        links: empty for a file of weights.
        run: the run that computed the weights, if the file names it.
        policy: the policy with which the file was written, if the file states it.
    """

    alignments: tuple[Alignment, ...] = ()
    links: tuple[LinkedPair, ...] = ()
    run: str = ""
    policy: Policy | None = None
