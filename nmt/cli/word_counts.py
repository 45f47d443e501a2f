"""``word-counts``: count the source words of the texts that a run was trained on."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from nmt.cli.options import JSON, RUN, print_json
from nmt.cli.progress import progress
from nmt.data.word_counts import WORD_COUNTS, read_word_counts, write_word_counts
from nmt.errors import InputError
from nmt.files import sha256_of
from nmt.runs.checksums import renew_checksum
from nmt.runs.folder import RunInfo, read_run
from nmt.runs.provenance import read_provenance


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "word-counts",
        help="count the source words that a run was trained on",
        description=f"Count the source words of the texts that a run was trained on, and write RUN/{WORD_COUNTS}, from "
        "which the app knows the words of a sentence that the training hardly had. `prepare` and `train` write it for "
        "new runs.",
        parents=[RUN, JSON],
    )
    parser.add_argument(
        "--texts",
        required=True,
        metavar="FOLDER",
        help="folder of the corpora that provenance.json names, such as FOLDER/tatoeba/train.en.xz; they must be the "
        "same files",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    info = read_run(options.run_folder)
    write_word_counts(info.path, _counted(info, Path(options.texts)))
    renew_checksum(info.path, WORD_COUNTS)
    written = read_word_counts(info.path)
    assert written is not None
    result = {"run": info.name, "words": len(written.counts), "fewest": written.fewest}
    if options.json:
        print_json(result)
    else:
        print(f"{info.path / WORD_COUNTS}: {result['words']:,} words that occur at least {written.fewest} times")
    return 0


def _counted(info: RunInfo, texts: Path) -> dict[str, int]:
    """Occurrences of the source words in one epoch of the training. InputError for a run that does not say what it was
    trained on, and for a file that is missing or another one."""
    from nmt.data.text import Tokenizer
    from nmt.data.tokenised import Corpus, PairTokenizer, inspect, tokenise_split

    provenance = read_provenance(info.path)
    if provenance is None:
        raise InputError(f"{info.name} does not say which texts it was trained on: it has no provenance.json")
    corpora = []
    for used in provenance.train:
        for name, checksum in ((used.source, used.source_sha256), (used.target, used.target_sha256)):
            if sha256_of(texts / name) != checksum:
                raise InputError(f"{texts / name} is not the file that {info.name} was trained on")
        corpora.append(Corpus(source=texts / used.source, target=texts / used.target, repeat=used.repeat))
    tokenizer = PairTokenizer(
        Tokenizer(info.source_language), Tokenizer(info.target_language), info.config.training.max_length
    )
    done = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        progress("count", sum(used.read for used in provenance.train)) as show,
    ):

        def on_pairs(more: int) -> None:
            nonlocal done
            done += more
            show(done)

        inspected = [inspect(corpus) for corpus in corpora]
        return dict(tokenise_split(inspected, tokenizer, Path(folder) / "train", None, on_pairs).source_counts)
