"""``corpus``: get any known corpus, also those that only a release or the paper needs, and build the laws from XML."""

import argparse
from pathlib import Path

from nmt.cli.corpus import add_making, print_corpus, units
from nmt.cli.lines import stage_bars
from nmt.cli.options import JSON, Commands
from nmt.data.corpora.get import get
from release.corpora.builders import BUILDERS, build_laws


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "corpus",
        description="Get any known corpus, also those that `jointly corpus get` does not make, or build the laws.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    getting = actions.add_parser("get", help="download a corpus and write its splits", parents=[JSON])
    getting.add_argument("name", metavar="NAME", help="name from `jointly corpus list`, such as wmt14")
    add_making(getting)
    getting.set_defaults(run=run_get)
    building = actions.add_parser(
        "build-laws", help="build the corpus of Canadian laws from a folder of their XML files", parents=[JSON]
    )
    building.add_argument(
        "xml", type=Path, metavar="XML", help="folder with eng/acts, fra/lois, eng/regulations and fra/reglements"
    )
    building.add_argument(
        "--scores", type=Path, nargs="+", default=[], metavar="FILE",
        help="scores from a word aligner, one per line of pairs.en.xz, lower is better; with several files the worst "
        "score of a pair counts. The worst 30 %% of the pairs are dropped",
    )  # fmt: skip
    add_making(building)
    building.set_defaults(run=run_laws)


def run_get(options: argparse.Namespace) -> None:
    with stage_bars(units) as show:
        corpus = get(options.name, options.out, force=options.force, on_progress=show, builders=BUILDERS)
    print_corpus(corpus, options.json)


def run_laws(options: argparse.Namespace) -> None:
    with stage_bars(units) as show:
        corpus = build_laws(options.xml, options.out, scores=options.scores, force=options.force, on_progress=show)
    print_corpus(corpus, options.json)
