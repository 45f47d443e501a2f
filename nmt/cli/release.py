"""``release``: copy the files of a run that are published; ``checksums``: accept the files of a run as they are."""

from __future__ import annotations

import argparse
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from nmt.cli.options import JSON, print_json
from nmt.data.vocabulary import vocabulary_files
from nmt.data.word_counts import WORD_COUNTS
from nmt.errors import InputError
from nmt.files import staging
from nmt.runs.checksums import CHECKSUMS, check_all_files, write_checksums
from nmt.runs.folder import (
    BEST,
    CONFIG,
    DICTIONARY,
    RESUME,
    SNAPSHOTS,
    TRAINING,
    list_snapshots,
    read_run,
    read_weights_info,
    snapshot_file,
    write_settings,
)
from nmt.runs.provenance import PROVENANCE


def register(commands: argparse._SubParsersAction[Any]) -> None:
    _register_release(commands)
    _register_checksums(commands)


def _register_release(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "release",
        help="copy the files of a run that are published",
        description="Copy the files of a run that are published: settings, vocabularies, events, provenance, the best "
        "weights and the saved snapshots, with a list of their checksums. Conversion changes the weights, so rerun "
        "evaluate, aer and card on the copy (with --into-run).",
        parents=[JSON],
    )
    parser.add_argument("run_folder", metavar="RUN")
    parser.add_argument("out", metavar="OUT", help="a new folder, such as checkpoints/NAME")
    parser.add_argument(
        "--weights",
        choices=("fp16", "int8"),
        default="fp16",
        help="storage type of the weights: fp16 (default), or int8 with one scale per matrix row, half the size",
    )
    parser.add_argument(
        "--search",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="default search setting stored in the released run, such as length_penalty=1 (repeatable): "
        "beam, n_best, length_penalty, no_unk, replace_unk",
    )
    parser.set_defaults(run=_run_release)


def _run_release(options: argparse.Namespace) -> int:
    import torch

    from nmt.inference.checkpoint import load_model, read_info, save_weights

    info = read_run(options.run_folder)
    config = info.config.override([f"search.{assignment}" for assignment in options.search])
    out = Path(options.out)
    if out.exists():
        raise InputError(f"{out} already exists")
    check_all_files(info.path)
    steps = list_snapshots(info.path)
    vocabularies = [path.name for side in ("source", "target") for path in vocabulary_files(info.path, side)]
    with staging(out) as folder:
        model = load_model(info.settings, info.weights.path)
        dtype = torch.int8 if options.weights == "int8" else torch.float16
        save_weights(folder / BEST, model, read_info(info.weights.path), dtype)
        if steps:
            (folder / SNAPSHOTS).mkdir()
        for step in steps:
            kept = load_model(info.settings, step.path)
            save_weights(folder / snapshot_file(step.update), kept, read_info(step.path), dtype)
        write_settings(folder, replace(info.settings, config=config))
        for name in (TRAINING, PROVENANCE, DICTIONARY, WORD_COUNTS, *vocabularies):
            if (info.path / name).is_file():
                shutil.copy2(info.path / name, folder / name)
        write_checksums(folder)
    released = read_run(out)
    if options.json:
        print_json(released.to_dict() | {"sha256": released.weights.sha256(), "steps": [s.update for s in steps]})
    else:
        kept_too = f", and {len(steps)} intermediate snapshots" if steps else ""
        print(f"{out}: {released.weights.parameters:,} weights, {released.weights.bytes / 1e6:.1f} MB{kept_too}")
    return 0


def _register_checksums(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "checksums",
        help="accept the files of a released run as they are",
        description="Write the list of the checksums of a run's files, which is checked whenever the run is loaded; "
        "`release` writes this list, too.",
        parents=[JSON],
    )
    parser.add_argument("run_folders", metavar="RUN", nargs="+", help="run folders")
    parser.set_defaults(run=_run_checksums)


def _run_checksums(options: argparse.Namespace) -> int:
    folders = [Path(folder) for folder in options.run_folders]
    for folder in folders:
        _check(folder)
    for folder in folders:
        files = write_checksums(folder)
        read_run(folder)
        if options.json:
            print_json({"run": folder.resolve().name, "files": files})
        else:
            print(f"{folder / CHECKSUMS}: {len(files)} files")
    return 0


def _check(folder: Path) -> None:
    """Raise InputError unless the folder holds a run whose training has ended. The list that it has does not matter."""
    if not (folder / CONFIG).is_file():
        raise InputError(f"there is no run folder {folder}")
    if (folder / RESUME).exists():
        raise InputError(
            f"{folder} can be trained further, which changes its files; `release` copies it with checksums"
        )
    read_weights_info(folder / BEST)
    list_snapshots(folder)
