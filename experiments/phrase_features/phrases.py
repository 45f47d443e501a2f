"""Draw phrase pairs from the table of a phrase-based system, as a parallel corpus for `jointly prepare`.

    python -m experiments phrase-features phrases SYSTEM OUT --number 600000

Every pair of phrases of the table is as likely as any other, however often it was seen: Cho et al. (2014, 3.1) ignore
the counts, which the table has already. OUT gets train.en and train.fr, and dev.en and dev.fr of other pairs.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from nmt.cli.options import Commands, add_number, whole

DEV = 3000
"""Pairs to validate with."""
_NO_PHRASE = "<UNUSED_WORD>"
"""The toolkit's translation of source words that no target word is linked to."""
_JOINED = {"en": re.compile(r" (?='\w)"), "fr": re.compile(r"(?<=\w') (?=\w)")}
"""The spaces that the tokeniser of a language puts at apostrophes."""


def as_text(phrase: str, language: str) -> str:
    """Join words at apostrophes, so that the tokeniser divides the phrase as before.

    >>> as_text("l' expert n' a rien", "fr"), as_text("the expert 's name", "en")
    ("l'expert n'a rien", "the expert's name")
    """
    return _JOINED[language].sub("", phrase)


def drawn(table: Path, number: int, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Draw source and target phrases without replacement from a phrase table, in its order."""
    with table.open("rb") as file:
        lines = sum(1 for _ in file)
    wanted = np.zeros(lines, bool)
    wanted[np.random.default_rng(seed).choice(lines, min(number, lines), replace=False)] = True
    with table.open(encoding="utf-8", newline="\n") as file:
        for line, kept in zip(file, wanted.tolist(), strict=True):
            target, source, _ = line.split(" ||| ", 2)
            if kept and target != _NO_PHRASE:
                yield source, target


def write(table: Path, out: Path, number: int, languages: tuple[str, str] = ("en", "fr"), dev: int = DEV) -> None:
    """Write drawn phrases in random order, the first ``dev`` of them as the development set."""
    out.mkdir(parents=True, exist_ok=True)
    found = list(drawn(table, number + dev))
    order = np.random.default_rng(1).permutation(len(found)).tolist()
    for name, rows in (("dev", order[:dev]), ("train", order[dev:])):
        for side, language in enumerate(languages):
            lines = (f"{as_text(found[row][side], language)}\n" for row in rows)
            (out / f"{name}.{language}").write_text("".join(lines), encoding="utf-8")


def register(actions: Commands) -> None:
    parser = actions.add_parser(
        "phrases",
        help="draw pairs from the phrase table as a corpus",
        description="Draw pairs from the table of a phrase-based system, as a corpus for `jointly prepare`.",
    )
    parser.add_argument("system", type=Path, metavar="SYSTEM", help="a phrase-based system")
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder of the corpus")
    add_number(parser, "--number", whole(1, 100_000_000), "number of pairs", default=600_000)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    write(options.system / "model.ttable", options.out, options.number)
