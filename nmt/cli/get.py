"""``get``: released runs that the package came without."""

import argparse
from functools import partial
from pathlib import Path

from nmt.cli.lines import stage_bars
from nmt.cli.options import JSON, Commands, print_result


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "get",
        help="get released runs, with their weights",
        description="Get released runs with their weights, from the files of the release or from a folder that has "
        "them, and put them among your runs, where the app and the commands find them by name. Without a name, list "
        "the released runs.",
        parents=[JSON],
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="names of released runs, such as rnnsearch-en-fr")
    parser.add_argument(
        "--from",
        type=Path,
        dest="folder",
        metavar="FOLDER",
        help="folder with NAME.zip and SHA256SUMS of a release, where there is no network",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    from nmt.released.get import get_run, present, released

    for name in options.names or released():
        place = present(name)
        if place is None and options.names:
            with stage_bars(lambda stage: {"unit": "B", "unit_scale": True}) as show:
                place = get_run(name, options.folder, partial(show, name)).path
        result = {"run": name, "path": None if place is None else str(place)}
        print_result(options.json, result, f"{name}: {place or 'not here'}")
