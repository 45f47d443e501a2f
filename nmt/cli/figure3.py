"""``figure3``: draw the paper's Figure 3 for runs, in one PDF."""

import argparse
from pathlib import Path
from string import ascii_lowercase

from nmt.cli.lines import IncomingLines, read_file
from nmt.cli.options import DEVICE, JSON, Commands, add_number, print_result, whole
from nmt.errors import InputError
from nmt.files import replacing


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "figure3",
        description="Translate sentences from standard input, one per line, and draw their alpha as in Figure 3 of the "
        "paper: a page for each run, a lettered panel for each sentence.",
        parents=[DEVICE, JSON],
    )
    parser.add_argument("runs", nargs="+", metavar="RUN", help="run folders with attention, of one source language")
    parser.add_argument("--out", required=True, metavar="FILE", help="the figure, FILE.pdf")
    parser.add_argument(
        "--paper",
        action="store_true",
        help="the paper's sentences instead of standard input: its own about the European Economic Area, and three "
        "drawn at random among the test sentences of 10 to 20 words without unknown words in sentence and translation",
    )
    parser.add_argument(
        "--source", metavar="FILE", help="with --paper: the test sentences (default: testsets/jointly-300)"
    )
    add_number(parser, "--seed", whole(0, 2**31 - 1), "with --paper: seed of the drawing", usual="2014")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    from nmt.figures import FIGURE_3_SEED, figure3_pdf, figure3_sentences
    from nmt.inference.translator import load

    if Path(options.out).suffix.lower() != ".pdf":
        raise InputError(f"{options.out} must end in .pdf")
    models = [load(folder, device=options.device) for folder in options.runs]
    for model in models:
        if model.source_language != models[0].source_language:
            raise InputError(f"{model.name} has another source language than {models[0].name}")
    if options.paper:
        lines = None if options.source is None else read_file(options.source)
        sentences = figure3_sentences(models, lines, FIGURE_3_SEED if options.seed is None else options.seed)
    else:
        sentences = [line for line in IncomingLines.from_stdin(models[0].source_language) if line.strip()]
        if not 1 <= len(sentences) <= len(ascii_lowercase):
            raise InputError(f"a figure has 1 to {len(ascii_lowercase)} sentences, but {len(sentences)} were given")
    drawn = {model.name: model.translate(sentences) for model in models}
    with replacing(Path(options.out)) as path:
        path.write_bytes(figure3_pdf(drawn))
    for name, translations in drawn.items():
        for translation in translations:
            result = {"run": name, "source": translation.source, "target": translation.text}
            print_result(options.json, result, f"{name}: {translation.source} -> {translation.text}")
