"""``publish``: copy the files of a run that are published, with the list of their checksums."""

import argparse
import shutil
from dataclasses import replace
from pathlib import Path

import torch

from nmt.cli.options import JSON, RUN, Commands, print_result
from nmt.data.vocabulary import WORD_COUNTS, vocabulary_files
from nmt.errors import InputError
from nmt.files import staging
from nmt.inference.checkpoint import load_model, read_info, save_weights
from nmt.runs.checksums import check_all_files
from nmt.runs.fingerprint import check_owner, owner
from nmt.runs.folder import (
    BEST,
    DICTIONARY,
    SNAPSHOTS,
    TRAINING,
    list_snapshots,
    read_run,
    snapshot_file,
    write_settings,
)
from nmt.runs.provenance import PROVENANCE
from release.checksums import write_checksums


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "publish",
        description="Copy the files of a run that are published: settings, vocabularies, events, provenance, the best "
        "weights and the saved snapshots, with a list of their checksums. Conversion changes the weights, so rerun "
        "evaluate, aer and card on the copy (with --into-run).",
        parents=[RUN, JSON],
    )
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
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    info = read_run(options.run_folder)
    check_owner(info)
    config = info.config.override([f"search.{assignment}" for assignment in options.search])
    out = Path(options.out)
    if out.exists():
        raise InputError(f"{out} already exists")
    check_all_files(info.path)
    steps = list_snapshots(info.path)
    vocabularies = [path.name for side in ("source", "target") for path in vocabulary_files(info.path, side)]
    with staging(out) as folder:
        model = load_model(info, info.weights.path)
        dtype = torch.int8 if options.weights == "int8" else torch.float16
        belongs = {"owner": owner(info.path, info)}
        save_weights(folder / BEST, model, read_info(info.weights.path) | belongs, dtype)
        if steps:
            (folder / SNAPSHOTS).mkdir()
        for step in steps:
            kept = load_model(info, step.path)
            save_weights(folder / snapshot_file(step.update), kept, read_info(step.path) | belongs, dtype)
        write_settings(folder, replace(info, config=config))
        for name in (TRAINING, PROVENANCE, DICTIONARY, WORD_COUNTS, *vocabularies):
            if (info.path / name).is_file():
                shutil.copy2(info.path / name, folder / name)
        write_checksums(folder)
    released = read_run(out)
    weights, kept_too = released.weights, f", and {len(steps)} intermediate snapshots" if steps else ""
    print_result(
        options.json,
        released.to_dict() | {"sha256": weights.sha256(), "steps": [s.update for s in steps]},
        f"{out}: {weights.parameters:,} weights, {weights.bytes / 1e6:.1f} MB{kept_too}",
    )
