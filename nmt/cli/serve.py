"""``serve``: runs and aligners as an HTTP service."""

import argparse
import sys
from dataclasses import fields
from typing import Any

from nmt.aligners.combination import is_aligner
from nmt.cli.options import DEVICE, RUNS, Commands, add_field, add_number, add_precision, whole
from nmt.errors import InputError
from nmt.serve.requests import Limits

_PORT = 8502


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "serve",
        description="An HTTP service that translates, scores and aligns (docs/service.md); Ctrl-C stops it.",
        parents=[DEVICE, RUNS],
    )
    parser.add_argument(
        "folders",
        nargs="+",
        metavar="RUN",
        help="run folders, such as checkpoints/rnnsearch-50, or folders of aligners",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1, this machine alone)"
    )
    add_number(
        parser, "--port", whole(0, 65_535), "port to listen on, 0 for any that is free", default=_PORT, usual=f"{_PORT}"
    )
    add_precision(parser)
    limits = parser.add_argument_group("limits")
    for field in fields(Limits):
        add_field(limits, Limits, field.name)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    try:
        from nmt.serve.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("starlette", "uvicorn", "h11", "prometheus_client"):
            raise InputError("the service needs Starlette and uvicorn: pip install 'jointly[serve]'") from None
        raise
    limits = Limits(**{field.name: getattr(options, field.name) for field in fields(Limits)})
    loaded = [_loaded(folder, options) for folder in options.folders]
    names = ", ".join(model.name for model in loaded)

    def say(address: str) -> None:
        print(f"{names} at {address}", file=sys.stderr)

    serve(loaded, host=options.host, port=options.port, limits=limits, on_start=say)


def _loaded(folder: str, options: argparse.Namespace) -> Any:
    from nmt.aligners.aligner import load_aligner
    from nmt.inference.translator import load

    if is_aligner(folder):
        return load_aligner(folder, options.runs, options.device, "bf16" if options.precision == "bf16" else "fp32")
    return load(folder, device=options.device, precision=options.precision)
