"""``app``: open the app in the browser."""

import argparse
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from nmt.cli.options import Commands, add_number, whole
from nmt.errors import InputError
from nmt.files import ROOT
from nmt.texts import say


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "app",
        help="open the app in the browser",
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
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int | None:
    """Replace this process by the server, which then gets the signals, and whose status is that of the command."""
    if find_spec("streamlit") is None:
        raise InputError("the app needs Streamlit: pip install 'jointly[app]'")
    for file in options.files:
        if not Path(file).is_file():
            raise InputError(say("errors.no_file", file=file))
    os.environ["JOINTLY_FILES"] = json.dumps([str(Path(file).resolve()) for file in options.files])
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(ROOT / "app.py")]
    command += [] if options.port is None else ["--server.port", str(options.port)]
    if sys.platform == "win32":
        return subprocess.call(command)
    os.execv(sys.executable, command)
