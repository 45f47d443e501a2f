"""``mean``: the mean of the weights of two runs, from which a training begins (Wortsman et al. 2022)."""

import argparse
import shutil
from dataclasses import asdict, replace
from pathlib import Path

from nmt.cli.options import RUN, Commands, add_number, real
from nmt.data.vocabulary import vocabulary_files
from nmt.errors import InputError
from nmt.files import staging, write_json
from nmt.inference.checkpoint import load_model, read_info, save_weights
from nmt.runs.folder import BEST, CONFIG, read_run
from nmt.runs.provenance import PROVENANCE, commit, read_provenance


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "mean",
        description="Write the mean of the weights of RUN and OTHER as a run, from which `jointly train --init-from` "
        "begins. Nothing is measured on it.",
        parents=[RUN],
    )
    parser.add_argument("other", metavar="OTHER", help="a run of the same model and vocabularies")
    add_number(parser, "share", real(0, 1), "share of RUN; OTHER has the rest", metavar="SHARE")
    parser.add_argument("out", metavar="OUT", help="a new folder")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    info, other = read_run(options.run_folder), read_run(options.other)
    share, out = options.share, Path(options.out)
    if out.exists():
        raise InputError(f"{out} already exists")
    for side in ("source", "target"):
        ours, theirs = (
            {path.name: path.read_bytes() for path in vocabulary_files(each.path, side)} for each in (info, other)
        )
        if ours != theirs:
            raise InputError(f"{info.path} and {other.path} have different {side} vocabularies")
    if info.config.model != other.config.model:
        raise InputError(f"{info.path} and {other.path} are different models")
    model, second = (load_model(each, each.weights.path) for each in (info, other))
    rest = second.state_dict()
    model.load_state_dict({name: share * w + (1 - share) * rest[name] for name, w in model.state_dict().items()})
    counts = {key: read_info(info.weights.path)[key] for key in ("update", "epoch")}
    with staging(out) as folder:
        save_weights(folder / BEST, model, counts)
        vocabularies = [path.name for side in ("source", "target") for path in vocabulary_files(info.path, side)]
        for name in (CONFIG, *vocabularies):
            shutil.copy2(info.path / name, folder / name)
        if (known := read_provenance(info.path)) is not None and known.sessions:
            command = f"python -m release mean {info.path.name} {other.path.name} {share:g} {out.name}"
            session = replace(known.sessions[-1], command=command, commit=commit(), from_update=info.weights.update)
            write_json(folder / PROVENANCE, asdict(replace(known, sessions=(*known.sessions, session))))
    print(f"{out}: {share:g} of {info.path.name}, {1 - share:g} of {other.path.name}")
