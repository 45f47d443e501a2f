"""``checksums``: write the lists of checksums of run folders."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from nmt.cli.options import add_json, print_json
from nmt.errors import InputError
from nmt.runs.checksums import CHECKSUMS, write_checksums
from nmt.runs.folder import BEST, CONFIG, RESUME, list_snapshots, read_run, read_weights_info


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "checksums",
        help="accept the files of a run as they are: write the list of their checksums, which is checked whenever the "
        "run is loaded; `release` writes this list, too",
    )
    parser.add_argument("run_folders", metavar="RUN", nargs="+", help="run folders")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
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
