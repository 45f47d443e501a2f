"""``inspect``, ``release``, ``checksums``: describe, publish, accept a run folder; ``recipes``: what can be trained."""

import argparse
import json
import shutil
from dataclasses import replace
from pathlib import Path

from nmt.cli.options import JSON, RUN, Commands, print_json, print_result
from nmt.data.vocabulary import vocabulary_files
from nmt.data.word_counts import WORD_COUNTS
from nmt.errors import InputError
from nmt.files import staging
from nmt.recipes import RECIPES, recipe
from nmt.results import ValidationEvent
from nmt.runs.checksums import CHECKSUMS, check_all_files, read_checksums, write_checksums
from nmt.runs.fingerprint import check_owner, owner
from nmt.runs.folder import (
    BEST,
    CONFIG,
    DICTIONARY,
    RESUME,
    SNAPSHOTS,
    TRAINING,
    list_snapshots,
    read_events,
    read_run,
    read_weights_info,
    snapshot_file,
    write_settings,
)
from nmt.runs.provenance import PROVENANCE


def register(commands: Commands) -> None:
    parser = commands.add_parser("inspect", help="show the contents of a run folder", parents=[RUN, JSON])
    parser.set_defaults(run=inspect)
    parser = commands.add_parser("recipes", help="list the recipes, or all settings of one", parents=[JSON])
    parser.add_argument("recipe", metavar="RECIPE", nargs="?")
    parser.set_defaults(run=recipes)
    parser = commands.add_parser(
        "release",
        help="copy the files of a run that are published",
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
    parser.set_defaults(run=_run_release)
    parser = commands.add_parser(
        "checksums",
        help="accept the files of a released run as they are",
        description="Write the list of the checksums of a run's files, which is checked whenever the run is loaded; "
        "`release` writes this list, too.",
        parents=[JSON],
    )
    parser.add_argument("run_folders", metavar="RUN", nargs="+", help="run folders")
    parser.set_defaults(run=_run_checksums)


def inspect(options: argparse.Namespace) -> None:
    info = read_run(options.run_folder)
    check_all_files(info.path)
    listed = read_checksums(info.path)
    validations = [event for event in read_events(info.path) if isinstance(event, ValidationEvent)]
    steps = list_snapshots(info.path)
    if options.json:
        summary = {"sha256": info.weights.sha256(), "validations": len(validations), "steps": [s.update for s in steps]}
        summary["checksums"] = None if listed is None else len(listed)
        print_json(info.to_dict() | summary)
        return
    model, weights = info.config.model, info.weights
    rows = {
        "run": info.name,
        "recipe": info.config.recipe,
        "architecture": model.architecture,
        "languages": f"{info.source_language} -> {info.target_language}",
        "vocabularies": f"{info.source_vocabulary.kind} {info.source_vocabulary.size:,} -> "
        f"{info.target_vocabulary.kind} {info.target_vocabulary.size:,}",
        "sizes": f"m {model.embedding}, n {model.hidden}, n' {model.alignment}, l {model.maxout}",
        "state order": model.state_order,
        "unit": model.unit,
        "score": model.score if model.architecture == "rnnsearch" else "none",
        "weights": f"{weights.parameters:,} ({weights.dtype}, {weights.bytes / 1e6:.1f} MB)",
        "sha256": weights.sha256(),
        "checksums": "none: damage to its files is not noticed"
        if listed is None
        else f"of {len(listed)} files, all match",
        "updates": f"{weights.update:,} ({weights.epoch:.2f} epochs)",
        "dev NLL": "not measured"
        if weights.dev_nll_per_word is None
        else f"{weights.dev_nll_per_word:.3f} nats per token, {weights.dev_nll_per_sentence:.2f} per sentence",
    }
    if steps:
        stored = sum(step.bytes for step in steps) / 1e6
        rows["kept steps"] = f"{', '.join(f'{step.update:,}' for step in steps)} ({stored:.1f} MB)"
    for label, value in rows.items():
        print(f"{label:<14}{value}")
    for event in validations:
        mark = "  best" if event.best else ""
        bleu = "" if event.bleu is None else f"  BLEU {event.bleu:.1f}"
        print(f"  update {event.update:>8,}  dev NLL {event.nll_per_word:.3f} nats per token{bleu}{mark}")


def recipes(options: argparse.Namespace) -> None:
    if options.recipe is not None:
        config = recipe(options.recipe).to_dict()
        if options.json:
            print_json(config)
            return
        for section in ("model", "training"):
            for key, value in config[section].items():
                text = value if isinstance(value, str) else json.dumps(value)
                if isinstance(value, tuple):
                    text = ",".join(map(str, value))
                print(f"{section}.{key}={text}")
        return
    if options.json:
        print_json({"recipes": {name: recipe(name).to_dict() for name in RECIPES}})
        return
    width = max(map(len, RECIPES)) + 2
    for name, known in RECIPES.items():
        print(f"{name:<{width}}{known.about}")


def _run_release(options: argparse.Namespace) -> None:
    import torch

    from nmt.inference.checkpoint import load_model, read_info, save_weights

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


def _run_checksums(options: argparse.Namespace) -> None:
    folders = [Path(folder) for folder in options.run_folders]
    for folder in folders:
        _check(folder)
    for folder in folders:
        files = write_checksums(folder)
        read_run(folder)
        result = {"run": folder.resolve().name, "files": files}
        print_result(options.json, result, f"{folder / CHECKSUMS}: {len(files)} files")


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
