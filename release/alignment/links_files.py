"""Files with the links of training pairs."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import IO

from nmt.alignments.links import SYMMETRISATIONS, BothDirections
from nmt.results.links import format_links
from release.alignment.training_text import TrainingCorpus

RULES = {
    "train.links": SYMMETRISATIONS["grow-diag-final-and"],
    "train.intersection.links": SYMMETRISATIONS["intersection"],
}


def write_links_files(corpora: Sequence[TrainingCorpus], found: Iterable[BothDirections], out: Path) -> None:
    """For each corpus NAME two files in ``out``: NAME.train.links (grow-diag-final-and) and
    NAME.train.intersection.links, in Pharaoh's form over Moses words. They have a line for each line of the corpus, a
    blank one where the aligner did not get the pair.

    Args:
        corpora: in the order of ``found``.
        found: one entry for each pair that the aligner got; more may follow.
        out: made if it is not there.
    """
    out.mkdir(parents=True, exist_ok=True)
    rest = iter(found)
    for corpus in corpora:
        with ExitStack() as stack:
            files = {suffix: stack.enter_context(_open(out / f"{corpus.name}.{suffix}")) for suffix in RULES}
            line = 0
            for number, both in zip(corpus.kept, islice(rest, len(corpus.kept)), strict=True):
                for suffix, file in files.items():
                    links = format_links(sorted(RULES[suffix](both.forward, both.backward)))
                    file.write("\n" * (number - line) + links + "\n")
                line = number + 1
            for file in files.values():
                file.write("\n" * (corpus.lines - line))


def _open(path: Path) -> IO[str]:
    return path.open("w", encoding="utf-8", newline="\n")
