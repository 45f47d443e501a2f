"""``corpus``: download known parallel corpora and split them into train, dev and test."""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nmt.cli.lines import stage_bars
from nmt.cli.options import JSON, Commands, print_json
from nmt.data.corpora.registry import CORPORA

if TYPE_CHECKING:
    from nmt.data.corpora.get import MadeCorpus

_OUT = Path("data/corpora")


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "corpus",
        description="List known corpora, download one, and split it into train, dev and test.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    listing = actions.add_parser("list", help="list the corpora with their licences and addresses", parents=[JSON])
    listing.set_defaults(run=run_list)

    getting = actions.add_parser("get", help="download a corpus and write its splits", parents=[JSON])
    getting.add_argument("name", metavar="NAME", help="name from `corpus list`, such as tatoeba")
    add_making(getting)
    getting.set_defaults(run=run_get)


def add_making(parser: argparse.ArgumentParser) -> None:
    """Add --out and --force, the options of commands that make a corpus."""
    parser.add_argument(
        "--out", type=Path, default=_OUT, metavar="DIR", help="writes DIR/CORPUS/train.en.xz … (default: %(default)s)"
    )
    parser.add_argument("--force", action="store_true", help="overwrite existing files")


def run_list(options: argparse.Namespace) -> None:
    if options.json:
        print_json({"corpora": [dataclasses.asdict(corpus) for corpus in CORPORA.values()]})
        return
    width = max(map(len, CORPORA))
    for corpus in CORPORA.values():
        print(f"{corpus.name:<{width}}  {corpus.title}; about {corpus.pairs:,} pairs")
        for line in (corpus.home, corpus.licence, corpus.note):
            if line:
                print(f"{'':<{width}}  {line}")


def run_get(options: argparse.Namespace) -> None:
    from nmt.data.corpora.get import get

    with stage_bars(units) as show:
        corpus = get(options.name, options.out, force=options.force, on_progress=show)
    print_corpus(corpus, options.json)


def print_corpus(corpus: MadeCorpus, as_json: bool) -> None:
    """Print the record of a corpus that was built."""
    if as_json:
        print_json(dataclasses.asdict(corpus))
        return
    print(corpus.folder)
    width = max(len(split.name) for split in corpus.splits)
    for split in corpus.splits:
        print(f"  {split.name:<{width}}  {split.pairs:>12,} pairs  {split.words:>14,} English words")
    for reason, count in corpus.dropped.items():
        if count:
            print(f"  {count:,} excluded: {reason}")
    for sentence in corpus.unreadable:
        print(f"  excluded: {sentence}")
    identical = corpus.as_released
    if identical is not None:
        print("  identical to the texts of the released runs" if identical else "  NOT the released runs' texts")
    print(f"  licence: {corpus.licence}")
    print(f"  source: {corpus.citation}")


def units(what: str) -> dict[str, Any]:
    """Settings of tqdm for the unit of a bar: a number of "documents", or bytes for any other ``what``."""
    return {"unit": ""} if what == "documents" else {"unit": "B", "unit_scale": True, "unit_divisor": 1024}
