"""``links``: train a statistical aligner on the corpora that our models are trained on, measure its links against gold
ones, alone and as the partner of an aligner, and write those of the training pairs, or their counts."""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from nmt.aligners.aligner import Aligner, load_aligner
from nmt.aligners.pairs import PairMaps
from nmt.aligners.partners import LinkCounts, SilThot, WordPair
from nmt.alignments.links import SYMMETRISATIONS, VOTE, BothDirections, Extraction
from nmt.cli.options import Commands, add_number, whole
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import alignment_error_rate
from nmt.results.links import LinkSet, format_links
from release.alignment.counting import count_links, write_counts
from release.alignment.eflomal import Alignments, align
from release.alignment.gold import GoldSet, better, read_gold_set
from release.alignment.links_files import write_links_files
from release.alignment.training_text import TrainingCorpus, corpora_in, write_words
from release.environments import NotInstalled

SYSTEMS = ("eflomal", SilThot.name)
LEAST = 2
"""Times that two words are linked if their count is stored."""
INTERSECTION = "intersection"
MEAN = "intersection of the mean"


@dataclass(frozen=True)
class Row:
    """What is measured: a system, or an aligner with a partner, and the rule that its links are by."""

    system: str
    rule: str


@dataclass(frozen=True)
class Trained:
    """One run of a statistical aligner over training corpora, with gold sets after them: two files of words."""

    source: Path
    target: Path
    corpora: list[TrainingCorpus]
    alignments: Alignments


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "links",
        description="Train a statistical aligner on the training corpora, write the links of their pairs or the counts "
        "of these, and measure its links against gold ones, alone and as the partner of an aligner.",
    )
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with a folder for each corpus: NAME/train.en.xz, train.fr.xz"
    )
    parser.add_argument("--target-lang", default="fr", metavar="CODE", help="the language beside English")
    parser.add_argument("--system", choices=SYSTEMS, default=SYSTEMS[0], help=f"the aligner (default {SYSTEMS[0]})")
    add_number(parser, "--every", whole(1, 1_000_000), "read every N-th training pair", default=1)
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
        "--aligner",
        type=Path,
        metavar="FOLDER",
        help="with --gold: also this aligner alone, with the links as its partner's, and with their counts as a "
        "partner; the vote against each partner by paired bootstrap",
    )
    parser.add_argument(
        "--links-out",
        type=Path,
        metavar="DIR",
        help="write the links of all training pairs, from a run without the text of gold sets",
    )
    parser.add_argument("--counts-out", type=Path, metavar="DIR", help="write the counts of the training pairs' links")
    add_number(parser, "--max-length", whole(1, 10_000), "most words of a training sentence", default=50)
    add_number(parser, "--threads", whole(1, 1024), "number of threads", default=1)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if not options.gold and options.links_out is None and options.counts_out is None:
        raise InputError("give --gold, --links-out or --counts-out")
    try:
        gold = [read_gold_set(*paths) for paths in options.gold]
        aligner = None if options.aligner is None else load_aligner(options.aligner)
        if options.links_out is not None:
            with tempfile.TemporaryDirectory() as name:
                trained = _train(Path(name), [], options)
                write_links_files(trained.corpora, trained.alignments.read(), options.links_out)
        if gold or options.counts_out is not None:
            with tempfile.TemporaryDirectory() as name:
                trained = _train(Path(name), gold, options)
                counts = _counts(trained) if aligner is not None or options.counts_out is not None else None
                if options.counts_out is not None and counts is not None:
                    options.counts_out.mkdir(parents=True, exist_ok=True)
                    write_counts(options.counts_out, counts)
                _measure(gold, trained, options.system, aligner, counts)
    except (NotInstalled, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _train(place: Path, gold: Sequence[GoldSet], options: argparse.Namespace) -> Trained:
    source, target = place / "source", place / "target"
    folders = corpora_in(options.data, options.target_lang)
    with (
        source.open("w", encoding="utf-8", newline="\n") as left,
        target.open("w", encoding="utf-8", newline="\n") as right,
    ):
        corpora = write_words(folders, options.max_length, left, right, options.target_lang, options.every)
        for one in gold:
            left.writelines(line + "\n" for line in one.source)
            right.writelines(line + "\n" for line in one.target)
    begin = align if options.system == SYSTEMS[0] else _sampled
    alignments = begin(source, target, place, options.threads)
    print(f"{options.system}: {alignments.seconds:.0f} s", file=sys.stderr)
    return Trained(source, target, corpora, alignments)


def _sampled(source: Path, target: Path, folder: Path, threads: int) -> Alignments:
    """As ``align``, by sil-thot."""
    began = time.perf_counter()
    forward, backward = folder / "forward.links", folder / "backward.links"
    with forward.open("w") as ahead, backward.open("w") as back:
        for both in SilThot().links(_words(source, target)):
            ahead.write(format_links(both.forward if both else ()) + "\n")
            back.write(format_links(both.backward if both else ()) + "\n")
    return Alignments(forward, backward, time.perf_counter() - began)


def _words(source: Path, target: Path) -> Iterator[WordPair]:
    with source.open(encoding="utf-8") as left, target.open(encoding="utf-8") as right:
        yield from ((s.split(), t.split()) for s, t in zip(left, right, strict=True))


def _counts(trained: Trained) -> LinkCounts:
    """The counts of the training pairs alone."""
    number = sum(len(corpus.kept) for corpus in trained.corpora)
    pairs = islice(_words(trained.source, trained.target), number)
    return count_links(pairs, islice(trained.alignments.read(), number), LEAST)


def _measure(
    gold: Sequence[GoldSet], trained: Trained, system: str, aligner: Aligner | None, counts: LinkCounts | None
) -> None:
    found = islice(trained.alignments.read(), sum(len(corpus.kept) for corpus in trained.corpora), None)
    for one in gold:
        own = list(islice(found, len(one.links)))
        systems = {Row(system, rule): links for rule, links in _by_rule(own).items()}
        compared: list[Row] = []
        if aligner is not None and counts is not None:
            compared = [Row(aligner.name, INTERSECTION), Row(system, INTERSECTION)]
            systems |= _with_partner(one, aligner, {system: own, counts.name: counts.links(one.words())})
        for row, links in systems.items():
            error = alignment_error_rate(links, one.links)
            rates = {"aer": error.aer, "precision": error.precision, "recall": error.recall, "links": error.links}
            result = {"system": row.system, "gold": one.name, "rule": row.rule, **rates, "n": error.sentences}
            result["interval"] = None if error.interval is None else asdict(error.interval)
            if row.rule in (VOTE, MEAN):
                differences = {other.system: better(links, systems[other], one.links) for other in compared}
                result["better"] = {name: asdict(difference) for name, difference in differences.items()}
            print(json.dumps(result), flush=True)


def _by_rule(found: Sequence[BothDirections]) -> dict[str, list[LinkSet]]:
    directions = {"forward": [both.forward for both in found], "backward": [both.backward for both in found]}
    made_one = {name: [rule(b.forward, b.backward) for b in found] for name, rule in SYMMETRISATIONS.items()}
    return directions | made_one


def _with_partner(
    gold: GoldSet, aligner: Aligner, partners: Mapping[str, Iterable[BothDirections | None]]
) -> dict[Row, list[LinkSet]]:
    """Links of the aligner alone, and by vote and mean with each partner."""
    maps = list(aligner.maps(zip(gold.source, gold.target, strict=True), pretokenised=True))
    rule = Extraction(INTERSECTION)
    result = {Row(aligner.name, INTERSECTION): [rule.links(one) for one in maps]}
    for name, found in partners.items():
        both = [PairMaps(one, statistical=each) for one, each in zip(maps, found, strict=True)]
        result[Row(f"{aligner.name} with {name}", VOTE)] = [one.links(Extraction(VOTE)) for one in both]
        result[Row(f"{aligner.name} with {name}", MEAN)] = [one.links(rule) for one in both]
    return result
