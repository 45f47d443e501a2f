"""``dictionary``: learn replacements for [UNK] from the word links of training pairs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nmt.cli.options import DEVICE, JSON, RUN, add_number, add_texts, print_json, real, whole
from nmt.cli.progress import progress
from nmt.data.links import MIN_COUNT, MIN_SHARE
from nmt.errors import InputError
from nmt.runs.checksums import renew_checksum
from nmt.runs.folder import DICTIONARY

if TYPE_CHECKING:
    from nmt.data.links import LinkedWords
    from nmt.inference.translator import Translator


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "dictionary",
        help="learn a replacement for [UNK] per source word",
        description="Learn a replacement for [UNK] per source word, from word links or the run's own attention; target "
        "words in its vocabulary are excluded.",
        parents=[RUN, DEVICE, JSON],
    )
    add_texts(parser, note="; several files", required=True, several=True)
    parser.add_argument(
        "--links",
        nargs="+",
        metavar="FILE",
        help="links i-j over Moses words, from 0, one sentence pair per line; one file per --source file",
    )
    add_number(parser, "--min-count", whole(1, 1_000_000_000), "minimum number of links per entry", default=MIN_COUNT)
    add_number(
        parser,
        "--min-share",
        real(0, 1),
        "minimum share of the source word's links per entry",
        default=MIN_SHARE,
        metavar="P",
    )
    parser.add_argument("--out", metavar="FILE", help=f"file to write (default RUN/{DICTIONARY}, which the run uses)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    _check(options)
    from nmt.data.links import LinkCounts, write_dictionary
    from nmt.inference.translator import load

    model = load(options.run_folder, device=options.device)
    out = Path(options.run_folder, DICTIONARY) if options.out is None else Path(options.out)
    counts = LinkCounts(_knows(model))
    pairs = 0
    with progress("dictionary", None) as show:
        for pairs, pair in enumerate(_linked(options, model), start=1):
            counts.add(pair)
            if pairs % 1000 == 0:
                show(pairs)
    entries = counts.entries(options.min_count, options.min_share)
    if not entries:
        raise InputError("no word is linked often enough for an entry: nothing to write")
    write_dictionary(out, entries)
    if out.name == DICTIONARY:
        renew_checksum(out.parent, DICTIONARY)
    if options.json:
        print_json({"dictionary": str(out), "entries": len(entries), "pairs": pairs})
    else:
        print(f"{out}: {len(entries):,} words, from {pairs:,} sentence pairs")
    return 0


def _check(options: argparse.Namespace) -> None:
    """Raise InputError unless there are as many files of each kind."""
    if len(options.source) != len(options.target):
        raise InputError(f"there are {len(options.source)} source files, but {len(options.target)} target files")
    if options.links is not None and len(options.links) != len(options.source):
        raise InputError(f"there are {len(options.source)} source files, but {len(options.links)} files of links")


def _knows(model: Translator) -> Callable[[str], bool]:
    """Return a predicate that tells if the model can write a word."""
    from nmt.data.vocabulary import UNK_ID

    vocabulary = model.target.vocabulary
    return lambda word: UNK_ID not in vocabulary.ids([word])


def _linked(options: argparse.Namespace, model: Translator) -> Iterator[LinkedWords]:
    from nmt.data.corpus import read_pairs
    from nmt.data.links import linked_words
    from nmt.inspection.maps import attention_links

    if options.links is not None:
        source, target = model.source.tokenizer, model.target.tokenizer
        for left, right, links in zip(options.source, options.target, options.links, strict=True):
            yield from linked_words(Path(left), Path(right), Path(links), source, target)
        return
    for left, right in zip(options.source, options.target, strict=True):
        lines = ((pair.source.text or "", pair.target.text or "") for pair in read_pairs(Path(left), Path(right)))
        yield from attention_links(model, lines)
