"""``translate``: sentences in on standard input, translations out."""

from __future__ import annotations

import argparse
from typing import Any

from nmt.cli.lines import IncomingLines
from nmt.cli.options import add_decoding, add_json, add_run, decoding, print_json
from nmt.cli.progress import beside_output, progress
from nmt.results import Translation


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser("translate", help="translate sentences, one a line, from standard input")
    add_run(parser)
    add_decoding(parser)
    parser.add_argument(
        "--n-best",
        type=int,
        default=1,
        metavar="N",
        help="print the N best as `line ||| translation ||| log-probability ||| score` (default 1: plain lines)",
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from nmt.inference.loading import load

    chosen = decoding(options)
    model = load(options.run_folder, device=options.device, precision=chosen.precision)
    lines = IncomingLines.from_stdin()
    shown = beside_output()
    with progress("translate", lines.count() if shown else None, shown) as show:
        translations = model.translate_stream(
            lines,
            beam=chosen.beam,
            n_best=options.n_best,
            no_unk=chosen.no_unk,
            replace_unk=chosen.replace_unk,
            length_penalty=chosen.length_penalty,
            alpha=options.json,
            at_hand=lines.at_hand,
            on_progress=show,
        )
        for number, translation in enumerate(translations):
            _print(number, translation, options.n_best, options.json)
    return 0


def _print(number: int, translation: Translation, n_best: int, as_json: bool) -> None:
    """Print at once: who reads may wait for it, and what is done stays done if the command is interrupted."""
    if as_json:
        print_json(translation.to_dict())
    elif n_best == 1:
        print(translation.text, flush=True)
    else:
        for hypothesis in translation.hypotheses:
            print(
                f"{number} ||| {hypothesis.text} ||| {hypothesis.log_probability:.6f} ||| {hypothesis.score:.6f}",
                flush=True,
            )
