"""``phrase-based score``: a run's log-probabilities as one more feature of a Moses phrase table (Cho et al. 2014)."""

import argparse
import gzip
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby, tee
from pathlib import Path
from typing import IO, cast

from experiments.phrase_based.table import PhrasePair, read_phrase_table
from nmt.cli.lines import beside_output, progress
from nmt.cli.options import DEVICE, JSON, RUN, Commands, print_json
from nmt.data.vocabulary import Encoded
from nmt.errors import InputError
from nmt.files import replacing
from nmt.inference.translator import Translator, load

LOG_PROBABILITY, PROBABILITY = "log", "probability"


def register(steps: Commands) -> None:
    parser = steps.add_parser(
        "score",
        help="add a run's score of each phrase pair to a Moses phrase table",
        description="Print a phrase table with one more score, log p(target | source) of the phrases as tokenised in "
        "the table, end-of-sentence token included.",
        parents=[RUN, DEVICE, JSON],
    )
    parser.add_argument(
        "table",
        metavar="TABLE",
        type=Path,
        help="a Moses phrase table, `source ||| target ||| scores ||| …` (plain, .gz or .xz)",
    )
    parser.add_argument(
        "--feature",
        choices=(LOG_PROBABILITY, PROBABILITY),
        help="the added value: the natural logarithm (default), or the probability, which Moses expects because it "
        "takes the logarithm of every score itself",
    )
    parser.add_argument("--out", metavar="FILE", help="write to this file (.gz: compressed) instead of stdout")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    if options.json and (options.feature or options.out):
        raise InputError("--json prints scores, not a phrase table, and cannot be combined with --feature or --out")
    model = load(options.run_folder, device=options.device)
    pairs, copies = tee(read_phrase_table(options.table))
    with _output(options.out) as out, progress("score", None, options.out is not None or beside_output()) as show:
        scores = model.score_stream(_encoded(model, copies), alpha=options.json, on_progress=show)
        for scored, pair in zip(scores, pairs, strict=True):
            if options.json:
                print_json(scored.to_dict())
            else:
                log_p = scored.log_probability
                out.write(
                    pair.with_score(f"{math.exp(log_p):.6g}" if options.feature == PROBABILITY else f"{log_p:.6f}")
                )


def _encoded(model: Translator, pairs: Iterator[PhrasePair]) -> Iterator[tuple[Encoded, Encoded]]:
    """Encode the phrase pairs. Tables are sorted, so a source phrase is encoded once for all its targets."""
    for words, group in groupby(pairs, lambda pair: pair.source):
        source = model.source.vocabulary.encode(words)
        yield from ((source, model.target.vocabulary.encode(pair.target)) for pair in group)


@contextmanager
def _output(path: str | None) -> Iterator[IO[bytes]]:
    """Open standard output, or a file that appears only when it is complete."""
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with replacing(Path(path)) as temporary, temporary.open("wb") as file:
        if Path(path).suffix == ".gz":
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed:
                yield cast(IO[bytes], compressed)
        else:
            yield file
