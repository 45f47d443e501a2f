"""``translate``: translate sentences from standard input."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from nmt.cli.lines import MOST_CHARACTERS, IncomingLines, without_long_lines
from nmt.cli.numbers import add_whole_number
from nmt.cli.options import add_decoding, add_json, add_run, print_json, search_settings
from nmt.cli.progress import beside_output, progress
from nmt.config import MOST_BEAM, SearchSettings
from nmt.results import Translation


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "translate",
        help="translate sentences from standard input, one per line; a line of more than "
        f"{MOST_CHARACTERS:,} characters is treated as blank, and named on standard error",
    )
    add_run(parser)
    add_decoding(parser)
    add_whole_number(
        parser,
        "--n-best",
        1,
        MOST_BEAM,
        "print the N best, at most the beam width, as `line ||| translation ||| log-probability ||| score`",
        usual="the run's own, usually 1: plain lines",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from nmt.inference.translator import load

    model = load(options.run_folder, device=options.device, precision=options.precision)
    settings = model.resolved(search_settings(options, model.search_settings))
    lines = IncomingLines.from_stdin()
    shown = beside_output()
    with progress(f"translate in {model.precision}", lines.count() if shown else None, shown) as show:
        translations = model.translate_stream(
            without_long_lines(lines, "standard input"),
            settings,
            alpha=options.json,
            at_hand=lines.at_hand,
            on_progress=show,
        )
        for number, translation in enumerate(translations):
            _print(number, translation, settings, model.precision, options.json)
    return 0


def _print(number: int, translation: Translation, settings: SearchSettings, precision: str, as_json: bool) -> None:
    """Print one translation and flush: the reader may be waiting for it, and finished work survives an interrupt."""
    if as_json:
        print_json(translation.to_dict() | {"search": asdict(settings) | {"precision": precision}})
    elif settings.n_best == 1:
        print(translation.text, flush=True)
    else:
        for hypothesis in translation.hypotheses:
            print(
                f"{number} ||| {hypothesis.text} ||| {hypothesis.log_probability:.6f} ||| {hypothesis.score:.6f}",
                flush=True,
            )
