"""``app``: the app in the browser. ``page``: an HTML file that translates without a server. ``serve``: the service."""

import argparse
import json
import os
import subprocess
import sys
from dataclasses import fields
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from nmt.aligners.combination import is_aligner
from nmt.cli.options import (
    DEVICE,
    JSON,
    RUNS,
    Commands,
    add_field,
    add_number,
    add_precision,
    print_result,
    usual_run,
    whole,
)
from nmt.config import MOST_BEAM
from nmt.errors import InputError
from nmt.files import ROOT, write_text
from nmt.released import OPENS_FIRST
from nmt.runs.folder import BEST, find_run
from nmt.serve.messages import Limits
from nmt.texts import say

_PORT = 8502


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "app",
        description="Open the app in the browser, for this machine alone; Ctrl-C ends it. Every setting of Streamlit "
        "can be given by its environment variable, such as STREAMLIT_SERVER_HEADLESS=true for no browser.",
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="records or alignments that Look shows (docs/alignment-files.md)",
    )
    add_number(parser, "--port", whole(1, 65_535), "port to listen on", usual="8501 or the next that is free")
    parser.set_defaults(run=run_app)
    parser = commands.add_parser(
        "page",
        description="Write one HTML file that translates with released runs in the browser, without a server.",
        parents=[JSON],
    )
    text = (
        f"folders or names of released runs to put into the page. Default: {' and '.join(OPENS_FIRST)}. If their "
        "weights are missing: the run in the package"
    )
    parser.add_argument("run_folder", metavar="RUN", nargs="*", type=find_run, help=text)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file, such as jointly.html")
    parser.add_argument("--title", default="Jointly", help="title of the page (default Jointly)")
    add_number(parser, "--beam", whole(1, MOST_BEAM), "beam that the page starts with", usual="5", metavar="K")
    parser.set_defaults(run=run_page)
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
    parser.set_defaults(run=run_serve)


def run_app(options: argparse.Namespace) -> int | None:
    """Replace this process by the server. On Windows, wait for a server process and return its exit status."""
    if find_spec("streamlit") is None:
        raise InputError("the app needs Streamlit: pip install 'jointly[app]'")
    for file in options.files:
        if not Path(file).is_file():
            raise InputError(say("errors.no_file", file=file))
        try:
            str(Path(file).resolve()).encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(f"{file!a}: its path is not UTF-8, so no page can show it; rename it") from None
    os.environ["JOINTLY_FILES"] = json.dumps([str(Path(file).resolve()) for file in options.files])
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(ROOT / "app.py")]
    command += [] if options.port is None else ["--server.port", str(options.port)]
    if sys.platform == "win32":
        return subprocess.call(command)
    os.execv(sys.executable, command)


def run_page(options: argparse.Namespace) -> None:
    from nmt.page import BEAM, collect, page_html

    usual = [find_run(name) for name in OPENS_FIRST]
    there = all((Path(folder) / BEST).is_file() for folder in usual)
    folders = options.run_folder or (usual if there else [usual_run()])
    payload = collect(folders, BEAM if options.beam is None else options.beam)
    write_text(options.out, page_html(payload, options.title))
    names = [run["name"] for run in payload.data["runs"]]
    size = options.out.stat().st_size
    result = {"page": str(options.out), "runs": names, "bytes": size}
    print_result(options.json, result, f"{options.out}: {', '.join(names)}, {size / 1e6:.1f} MB")


def run_serve(options: argparse.Namespace) -> None:
    try:
        from nmt.serve.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("starlette", "uvicorn", "h11", "prometheus_client"):
            raise InputError("the service needs Starlette and uvicorn: pip install 'jointly[serve]'") from None
        raise
    limits = Limits(**{field.name: getattr(options, field.name) for field in fields(Limits)})
    loaded = [_loaded(folder, options) for folder in options.folders]
    names = ", ".join(model.name for model in loaded)
    on_start = partial(print, names, "at", file=sys.stderr)
    serve(loaded, host=options.host, port=options.port, limits=limits, on_start=on_start)


def _loaded(folder: str, options: argparse.Namespace) -> Any:
    from nmt.aligners.aligner import load_aligner
    from nmt.inference.translator import load

    if is_aligner(folder):
        return load_aligner(folder, options.runs, options.device, "bf16" if options.precision == "bf16" else "fp32")
    return load(folder, device=options.device, precision=options.precision)
