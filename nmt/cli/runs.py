"""``get``: get released runs. ``inspect``: show a run folder. ``recipes``: show the recipes for training."""

import argparse
import json
from functools import partial
from pathlib import Path

from nmt.cli.lines import stage_bars
from nmt.cli.options import JSON, RUN, Commands, print_json, print_result
from nmt.errors import InputError
from nmt.recipes import RECIPES, recipe
from nmt.results import ValidationEvent
from nmt.runs.checksums import check_all_files, read_checksums
from nmt.runs.folder import list_snapshots, read_events, read_run, runs_folder

_HUB = "hub"


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "get",
        description="Put released runs with their weights among your runs, where the app and the commands find them by "
        "name. They come from the files of the release, or from a folder that has them. Without a name, list the "
        "released runs. A folder of Hugging Face that has a pytorch_model.bin gets its weights as safetensors.",
        parents=[JSON],
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="names of released runs, such as rnnsearch-en-fr")
    parser.add_argument(
        "--from",
        dest="place",
        metavar="FOLDER",
        help="folder with NAME.zip and SHA256SUMS of a release, where there is no network; `hub` downloads models of "
        "the Hugging Face hub, which are named OWNER/NAME",
    )
    parser.set_defaults(run=get)
    parser = commands.add_parser("inspect", parents=[RUN, JSON])
    parser.set_defaults(run=inspect)
    parser = commands.add_parser("recipes", parents=[JSON])
    parser.add_argument("recipe", metavar="RECIPE", nargs="?")
    parser.set_defaults(run=recipes)


def get(options: argparse.Namespace) -> None:
    from nmt.released.get import get_run, present, released

    if options.place == _HUB and not options.names:
        raise InputError(f"--from {_HUB} takes names of models, OWNER/NAME")
    folder = None if options.place is None else Path(options.place)
    for name in options.names or released():
        if options.place == _HUB:
            from nmt.inference.systems import download

            path = download(name, runs_folder())
            print_result(options.json, {"run": path.name, "path": str(path)}, f"{path.name}: {path}")
            continue
        if Path(name, "pytorch_model.bin").is_file():
            from nmt.inference.systems import convert

            print_result(options.json, {"run": name, "path": str(convert(Path(name)))}, f"{name}: in safetensors now")
            continue
        place = present(name)
        if place is None and options.names:
            with stage_bars(lambda stage: {"unit": "B", "unit_scale": True}) as show:
                place = get_run(name, folder, partial(show, name)).path
        result = {"run": name, "path": None if place is None else str(place)}
        print_result(options.json, result, f"{name}: {place or 'not here'}")


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
        mark = "  saved" if event.best else ""
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
    for name, entry in RECIPES.items():
        print(f"{name:<{width}}{entry.about}")
