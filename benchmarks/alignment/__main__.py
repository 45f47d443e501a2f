"""Train eflomal on the corpora that our models are trained on, measure its links against gold ones, and write those of
the training pairs."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.alignment.eflomal import MODEL, Alignments, BothDirections, align
from benchmarks.alignment.gold import GoldSet, read_gold_set
from benchmarks.alignment.links_files import write_links_files
from benchmarks.alignment.training_text import TrainingCorpus, corpora_in, write_words
from benchmarks.environments import NotInstalled
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import alignment_error_rate
from nmt.evaluation.links import SYMMETRISATIONS
from nmt.results.links import LinkSet


@dataclass(frozen=True)
class Trained:
    """One run of eflomal over training corpora, with gold sets after them."""

    corpora: list[TrainingCorpus]
    alignments: Alignments


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.alignment", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with a folder for each corpus: NAME/train.en.xz, train.fr.xz"
    )
    parser.add_argument(
        "--gold",
        nargs=3,
        type=Path,
        action="append",
        default=[],
        metavar=("SOURCE", "TARGET", "LINKS"),
        help="sentences in words, and their gold links; any number of times; AER as JSON, an object a line",
    )
    parser.add_argument(
        "--links-out",
        type=Path,
        metavar="DIR",
        help="write the links of all training pairs, from a run without the text of gold sets",
    )
    parser.add_argument("--max-length", type=int, default=50, metavar="N", help="words of a training sentence, at most")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    if not options.gold and options.links_out is None:
        parser.error("give --gold, --links-out or both")
    try:
        folders = corpora_in(options.data)
        gold = [read_gold_set(*paths) for paths in options.gold]
        if options.links_out is not None:
            with tempfile.TemporaryDirectory() as name:
                trained = _train(Path(name), folders, [], options.max_length, options.threads)
                write_links_files(trained.corpora, trained.alignments.read(), options.links_out)
        if gold:
            with tempfile.TemporaryDirectory() as name:
                trained = _train(Path(name), folders, gold, options.max_length, options.threads)
                _measure(gold, trained)
    except (InputError, NotInstalled, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, InputError) else 1
    return 0


def _train(place: Path, folders: Sequence[Path], gold: Sequence[GoldSet], max_length: int, threads: int) -> Trained:
    source, target = place / "source", place / "target"
    with (
        source.open("w", encoding="utf-8", newline="\n") as left,
        target.open("w", encoding="utf-8", newline="\n") as right,
    ):
        corpora = write_words(folders, max_length, left, right)
        for one in gold:
            left.writelines(line + "\n" for line in one.source)
            right.writelines(line + "\n" for line in one.target)
    alignments = align(source, target, place, threads)
    print(f"eflomal: {alignments.seconds:.0f} s", file=sys.stderr)
    return Trained(corpora, alignments)


def _measure(gold: Sequence[GoldSet], trained: Trained) -> None:
    found = islice(trained.alignments.read(), sum(len(corpus.kept) for corpus in trained.corpora), None)
    for one in gold:
        own = list(islice(found, len(one.links)))
        for rule, links in _by_rule(own).items():
            error = alignment_error_rate(links, one.links)
            result = {
                "system": f"eflomal, model {MODEL}",
                "gold": one.name,
                "rule": rule,
                "aer": error.aer,
                "precision": error.precision,
                "recall": error.recall,
                "links": error.links,
                "n": error.sentences,
            }
            print(json.dumps(result), flush=True)


def _by_rule(found: Sequence[BothDirections]) -> dict[str, list[LinkSet]]:
    directions = {"forward": [both.forward for both in found], "backward": [both.backward for both in found]}
    made_one = {name: [rule(b.forward, b.backward) for b in found] for name, rule in SYMMETRISATIONS.items()}
    return directions | made_one


if __name__ == "__main__":
    sys.exit(main())
