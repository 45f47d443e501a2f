"""``checksums``: write the list of the checksums of a run's files (nmt/runs/checksums.py reads it)."""

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path

from nmt.cli.options import JSON, Commands, print_result
from nmt.errors import InputError
from nmt.files import write_json
from nmt.runs.checksums import CHECKSUMS, covered, digest, read_checksums
from nmt.runs.folder import BEST, CONFIG, RESUME, list_snapshots, read_run, read_weights_info


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "checksums",
        description="Write the list of the checksums of a run's files, which is checked whenever the run is loaded; "
        "`publish` writes this list, too.",
        parents=[JSON],
    )
    parser.add_argument("run_folders", metavar="RUN", nargs="+", help="run folders")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
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
            f"{folder} can be trained further, which changes its files; `publish` copies it with checksums"
        )
    read_weights_info(folder / BEST)
    list_snapshots(folder)


def write_checksums(run: Path) -> dict[str, str]:
    """Write the list of all files of the run that it covers; returns it, SHA-256 by name."""
    return _write(run, covered(run))


def renew_checksum(run: Path, name: str) -> None:
    """Update the entry of one file, if the run has a list; the other entries stay."""
    listed = read_checksums(run)
    if listed is not None:
        _write(run, [name], listed)


def _write(run: Path, names: Iterable[str], before: Mapping[str, str] | None = None) -> dict[str, str]:
    entries = dict(before or {}) | {name: digest(run, name) for name in names}
    files = dict(sorted(entries.items()))
    write_json(run / CHECKSUMS, {"files": files})
    return files
