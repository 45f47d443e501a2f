"""``aligner``: combine several runs into an aligner, a folder that ``align`` and ``aer`` accept in place of a run."""

import argparse
import shutil
from itertools import islice
from pathlib import Path

from nmt.aligners.combination import ALIGNER, RULE, is_aligner, write_aligner
from nmt.cli.lines import progress
from nmt.cli.options import DEVICE, JSON, Commands, add_number, add_texts, check_name, print_result, whole
from nmt.data.corpus import read_pairs
from nmt.errors import InputError
from nmt.evaluation.links import RULES
from nmt.records import to_data

PAIRS = 1000


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "aligner",
        help="combine several runs into one word aligner",
        description="Combine several runs into an aligner: their posteriors are averaged, then smoothed by a jump "
        "model estimated on given text.",
        parents=[DEVICE, JSON],
    )
    parser.add_argument("--runs", required=True, nargs="+", metavar="RUN", help="runs of one direction, with attention")
    parser.add_argument("--reverse", nargs="+", default=[], metavar="RUN", help="runs of the other direction")
    note = ", to count jumps on; the same number is read from each file"
    add_texts(parser, note=note, required=True, several=True)
    add_number(parser, "--pairs", whole(1, 1_000_000), "number of sentence pairs to count jumps on", default=PAIRS)
    parser.add_argument(
        "--rule", choices=RULES, default=RULE, help=f"default rule for extracting links (default {RULE})"
    )
    parser.add_argument("--out", required=True, metavar="FOLDER", help="folder to write, such as aligners/en-fr")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    if len(options.source) != len(options.target):
        raise InputError(f"there are {len(options.source)} source files, but {len(options.target)} target files")
    if options.pairs < len(options.source):
        raise InputError(f"--pairs must be at least 1 per file, not {options.pairs}")
    out = Path(options.out)
    check_name(out.resolve().name)
    if out.exists() and not is_aligner(out) and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out} already exists and is not an aligner")
    from nmt.aligners.aligner import build_aligner
    from nmt.inference.translator import load

    forward, reverse = (
        [load(run, device=options.device) for run in folders] for folders in (options.runs, options.reverse)
    )
    pairs = _pairs(options, (forward[0].source_language, forward[0].target_language))
    with progress("aligner", len(pairs)) as show:
        settings = build_aligner(forward, reverse, pairs, rule=options.rule, on_progress=show)
    shutil.rmtree(out / "alignment", ignore_errors=True)  # error rates of the aligner that was there
    out.mkdir(parents=True, exist_ok=True)
    write_aligner(out, settings)
    languages = f"{settings.source_language} to {settings.target_language}"
    counted = f"jumps counted on {settings.smoothing.pairs:,} sentence pairs"
    text = f"{out / ALIGNER}: {languages}, the direction of the runs; {settings.map}; {counted}"
    print_result(options.json, to_data(settings), text)


def _pairs(options: argparse.Namespace, languages: tuple[str, str]) -> list[tuple[str, str]]:
    """Read the first pairs of each text in which neither side is blank, the same number from each text."""
    most = options.pairs // len(options.source)
    pairs: list[tuple[str, str]] = []
    for source, target in zip(options.source, options.target, strict=True):
        read = read_pairs(Path(source), Path(target), languages=languages)
        lines = ((pair.source.text or "", pair.target.text or "") for pair in read)
        pairs += islice(((left, right) for left, right in lines if left.strip() and right.strip()), most)
    return pairs
