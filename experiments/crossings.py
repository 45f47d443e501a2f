"""BLEU of two runs on sentence pairs with and without crossing links: can a model reorder? (docs/paper.md, 6.1)

    python -m experiments crossings --data DATA checkpoints/rnnsearch-50 checkpoints/rnnsearch-gaussian-50

The links between a source sentence and its reference are those of an aligner of other runs. Scores come from the stored
counts of each sentence, so nothing is translated. One JSON object on stdout.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nmt.cli.options import Commands
from nmt.data.corpus import read_lines
from nmt.data.text import Tokenizer
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.evaluation_files import read_evaluation
from nmt.evaluation.metrics import corpus_scores
from nmt.evaluation.significance import paired_tests
from nmt.files import CHECKOUT
from nmt.results import SentenceStatistics

STEMS = ("tatoeba/test", "multi30k/test2016", "multi30k/test2017", "multi30k/test2017-mscoco")


def crosses(links: Sequence[tuple[int, int]]) -> bool:
    """Tell if two links (source, target) cross: one is further on in the source and further back in the target.

    >>> crosses([(0, 0), (1, 2), (2, 1)]), crosses([(0, 0), (0, 1), (1, 1)])
    (True, False)
    """
    furthest = -1
    for source in sorted({source for source, _ in links}):
        targets = [target for other, target in links if other == source]
        if min(targets) < furthest:
            return True
        furthest = max(furthest, *targets)
    return False


def links_of(sources: Sequence[str], references: Sequence[str], aligner: Path) -> list[list[tuple[int, int]]]:
    """Links between the words of each pair, by an aligner with its stored counts."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for language, lines in (("en", sources), ("fr", references)):
            tokenizer = Tokenizer(language)
            files.append(Path(folder) / language)
            files[-1].write_text("".join(f"{' '.join(tokenizer.tokenize(line))}\n" for line in lines), encoding="utf-8")
        command = [sys.executable, "-m", "nmt", "align", str(aligner), "--partner", "counts", "--pretokenised"]
        command += ["--source", str(files[0]), "--target", str(files[1])]
        out = subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout
    pairs = [[link.split("-") for link in line.split()] for line in out.split("\n")[:-1]]
    return [[(int(source), int(target)) for source, target in pair] for pair in pairs]


def compared(runs: Sequence[Path], data: Path, aligner: Path) -> dict[str, Any]:
    """BLEU of both runs and their difference, over all pairs, those without a crossing and those with one."""
    texts: tuple[list[str], list[str]] = ([], [])
    for stem in STEMS:
        for lines, language in zip(texts, ("en", "fr"), strict=True):
            lines += [line.text or "" for line in read_lines(data / f"{stem}.{language}.xz")]
    crossed = np.array([crosses(links) for links in links_of(*texts, aligner)])
    statistics = {}
    for run in runs:
        parts = [
            read_evaluation(run / "evaluation" / f"{stem.replace('/', '-')}.json").statistics(no_unk=False)
            for stem in STEMS
        ]
        statistics[run.name] = SentenceStatistics.join([part for part in parts if part is not None])
    found: dict[str, Any] = {"runs": [run.name for run in runs], "sets": STEMS}
    for name, rows in (("all", np.ones_like(crossed)), ("no crossing", ~crossed), ("crossing", crossed)):
        some = {run: whole.take(rows) for run, whole in statistics.items()}
        (test,) = paired_tests(some, method="bootstrap", resamples=Resamples.draw(int(rows.sum())))
        interval = test.overall.difference_interval
        found[name] = {
            "pairs": int(rows.sum()),
            "words": round(float(some[runs[0].name].pairs.source_words.mean()), 1),
            "bleu": {run: round(corpus_scores(each).bleu, 1) for run, each in some.items()},
            "difference": round(test.overall.difference or 0, 1),
            "interval": None if interval is None else [round(interval.low, 1), round(interval.high, 1)],
            "p": test.overall.p,
        }
    return found


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "crossings",
        description="Score two runs on pairs with and without crossing links, from stored counts.",
    )
    parser.add_argument("runs", nargs=2, type=Path, metavar="RUN", help="two run folders with their evaluations")
    parser.add_argument("--data", required=True, type=Path, help="the corpora, as for `python -m release reproduce`")
    parser.add_argument(
        "--aligner", type=Path, default=CHECKOUT / "aligners" / "en-fr", help="what links the words (default: en-fr)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    print(json.dumps(compared(options.runs, options.data, options.aligner), indent=2))
