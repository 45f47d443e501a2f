"""``scenes``: compute what the app shows without loading a model."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from nmt.cli.options import JSON, print_json


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "scenes",
        help="translate the sentences that the app opens with, in advance",
        description="Translate the sentences that the app opens with, and store the results, so that no model is "
        "loaded for them.",
        parents=[JSON],
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a folder of run folders, such as checkpoints")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="SCENES",
        help="folder to write to (default: the program's own): one JSON file per sentence; in concatenations/, one per "
        "language; in steps/, one with all steps of a translation",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from nmt.scenes.concatenations import STORED as STORED_CONCATENATIONS
    from nmt.scenes.concatenations import write_concatenations
    from nmt.scenes.making import make_scenes
    from nmt.scenes.making_concatenations import make_concatenations
    from nmt.scenes.making_steps import make_steps
    from nmt.scenes.scene import STORED, write_scene
    from nmt.scenes.steps import STORED as STORED_STEPS
    from nmt.scenes.steps import write_steps

    out = STORED if options.out is None else options.out
    out.mkdir(parents=True, exist_ok=True)
    scenes = make_scenes(options.folder, lambda name: print(name, file=sys.stderr))
    for scene in scenes:
        write_scene(out, scene)
    made = make_concatenations(options.folder, lambda name: print(f"{name}, concatenated", file=sys.stderr))
    files = [write_concatenations(out / STORED_CONCATENATIONS.name, each) for each in made]
    steps = make_steps(options.folder, lambda name: print(f"{name}, steps", file=sys.stderr))
    steps_file = write_steps(out / STORED_STEPS.name, steps)
    if options.json:
        print_json({"scenes": {scene.name: {one.run: one.text for one in scene.systems} for scene in scenes}})
    else:
        for scene in scenes:
            print(f"{out / scene.name}.json: {scene.sentence}")
            for one in scene.systems:
                print(f"  {one.run}: {one.text}")
        for file, each in zip(files, made, strict=True):
            print(f"{file}: {' '.join(each.sentences)}")
            for concatenated in each.systems:
                print(f"  {concatenated.run}: {concatenated.together[-1]}")
        print(f"{steps_file}: {steps.sentence}")
        for steps_of_run in steps.systems:
            print(f"  {steps_of_run.run}: {steps_of_run.text}")
    return 0
