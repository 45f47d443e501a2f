"""``serve``: runs and aligners as an HTTP service."""

import argparse
import sys
from typing import Any

from nmt.aligners.combination import is_aligner
from nmt.cli.options import DEVICE, RUNS, Commands, add_number, add_precision, whole
from nmt.config import MOST_BEAM
from nmt.errors import InputError

_PORT = 8502


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "serve",
        help="an HTTP service that translates, scores and aligns",
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
    add_number(limits, "--characters", whole(1, 10_000), "characters of a sentence", default=1_000)
    add_number(limits, "--sentences", whole(1, 10_000), "sentences of a request", default=64)
    add_number(limits, "--body", whole(1, 2**30), "bytes of a request's body", default=2**20)
    add_number(limits, "--widest-beam", whole(1, MOST_BEAM), "beam width that a request may ask for", default=24)
    add_number(limits, "--waiting", whole(1, 100_000), "sentences that may wait for the same model", default=256)
    add_number(limits, "--together", whole(1, 1_000), "sentences that are translated in one search", default=32)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    try:
        from nmt.serve.limits import Limits
        from nmt.serve.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("starlette", "uvicorn", "h11", "prometheus_client"):
            raise InputError("the service needs Starlette and uvicorn: pip install 'jointly[serve]'") from None
        raise
    limits = Limits(
        characters=options.characters,
        sentences=options.sentences,
        body=options.body,
        beam=options.widest_beam,
        waiting=options.waiting,
        together=options.together,
    )
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
