"""``page``: one HTML file that translates in the browser, without a server."""

import argparse
from pathlib import Path

from nmt.cli.options import JSON, Commands, add_number, add_usual_run, named_runs, print_result, whole
from nmt.config import MOST_BEAM
from nmt.files import write_text


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "page",
        help="write one HTML file that translates in the browser, offline",
        description="Write one HTML file that translates with released runs in the browser, without a server.",
        parents=[JSON],
    )
    add_usual_run(parser, "*", "released run folders or their names, side by side in the page")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file, such as jointly.html")
    parser.add_argument("--title", default="Jointly", help="title of the page (default Jointly)")
    add_number(parser, "--beam", whole(1, MOST_BEAM), "beam that the page starts with", usual="5", metavar="K")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    from nmt.page import BEAM, collect, page_html

    payload = collect(named_runs(*options.run_folder), BEAM if options.beam is None else options.beam)
    write_text(options.out, page_html(payload, options.title))
    names = [each["name"] for each in payload.data["runs"]]
    size = options.out.stat().st_size
    result = {"page": str(options.out), "runs": names, "bytes": size}
    print_result(options.json, result, f"{options.out}: {', '.join(names)}, {size / 1e6:.1f} MB")
