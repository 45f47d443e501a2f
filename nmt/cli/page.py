"""``page``: one HTML file that translates in the browser, without a server."""

import argparse
from pathlib import Path

from nmt.cli.options import JSON, Commands, add_number, named_runs, print_result, whole
from nmt.config import MOST_BEAM
from nmt.files import write_text
from nmt.runs.folder import BEST, find_run

_USUAL = ("rnnsearch-en-fr", "rnnencdec-en-fr")
"""The page of the paper's two models, where their weights are."""


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "page",
        help="write one HTML file that translates in the browser, offline",
        description="Write one HTML file that translates with released runs in the browser, without a server.",
        parents=[JSON],
    )
    help = (
        f"released run folders or their names, side by side in the page (default: {' and '.join(_USUAL)} or, without "
        "their weights, the run that comes with the package)"
    )
    parser.add_argument("run_folder", metavar="RUN", nargs="*", type=find_run, help=help)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file, such as jointly.html")
    parser.add_argument("--title", default="Jointly", help="title of the page (default Jointly)")
    add_number(parser, "--beam", whole(1, MOST_BEAM), "beam that the page starts with", usual="5", metavar="K")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    from nmt.page import BEAM, collect, page_html

    usual = [find_run(name) for name in _USUAL]
    there = all((Path(folder) / BEST).is_file() for folder in usual)
    folders = options.run_folder or (usual if there else named_runs())
    payload = collect(folders, BEAM if options.beam is None else options.beam)
    write_text(options.out, page_html(payload, options.title))
    names = [each["name"] for each in payload.data["runs"]]
    size = options.out.stat().st_size
    result = {"page": str(options.out), "runs": names, "bytes": size}
    print_result(options.json, result, f"{options.out}: {', '.join(names)}, {size / 1e6:.1f} MB")
