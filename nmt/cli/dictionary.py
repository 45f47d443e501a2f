"""``dictionary``: learn replacements for [UNK] from the word links of training pairs."""

import argparse
from pathlib import Path

from nmt.cli.lines import progress
from nmt.cli.options import JSON, RUN, Commands, add_base, add_texts, name_base, print_result
from nmt.data.links import LinkCounts, counts_from_one, linked_words, write_dictionary
from nmt.data.subwords import load_vocabulary
from nmt.data.text import Tokenizer
from nmt.data.vocabulary import UNK_ID
from nmt.errors import InputError
from nmt.runs.checksums import renew_checksum
from nmt.runs.folder import DICTIONARY, read_run


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "dictionary",
        help="learn a replacement for [UNK] per source word",
        description="Learn a replacement for [UNK] per source word, from word links; target words in the run's "
        "vocabulary are excluded.",
        parents=[RUN, JSON],
    )
    add_texts(parser, note="; several files", required=True, several=True)
    parser.add_argument(
        "--links",
        nargs="+",
        required=True,
        metavar="FILE",
        help="links i-j over Moses words, one sentence pair per line; one file per --source file",
    )
    add_base(parser)
    parser.add_argument("--out", metavar="FILE", help=f"file to write (default RUN/{DICTIONARY}, which the run uses)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    if len(options.source) != len(options.target):
        raise InputError(f"there are {len(options.source)} source files, but {len(options.target)} target files")
    if len(options.links) != len(options.source):
        raise InputError(f"there are {len(options.source)} source files, but {len(options.links)} files of links")
    run = read_run(options.run_folder)
    vocabulary = load_vocabulary(run.path, "target")
    tokenizers = Tokenizer(run.source_language), Tokenizer(run.target_language)
    out = Path(options.run_folder, DICTIONARY) if options.out is None else Path(options.out)
    counts = LinkCounts(lambda word: UNK_ID not in vocabulary.ids([word]))
    texts = zip(options.source, options.target, options.links, strict=True)
    base = options.base
    linked = (pair for s, t, links in texts for pair in linked_words(Path(s), Path(t), Path(links), *tokenizers, base))
    with progress("dictionary", None) as show:
        for pairs, pair in enumerate(linked, start=1):
            counts.add(pair)
            show(pairs)
    for path in map(Path, options.links if base == 0 else ()):
        if path.is_file() and counts_from_one(path):
            name_base(path, "--base")
    entries = counts.entries()
    if not entries:
        raise InputError("no word that the run cannot write is linked: nothing to write")
    write_dictionary(out, entries)
    if out.name == DICTIONARY:
        renew_checksum(out.parent, DICTIONARY)
    result = {"dictionary": str(out), "entries": len(entries), "pairs": pairs}
    print_result(options.json, result, f"{out}: {len(entries):,} words, from {pairs:,} sentence pairs")
