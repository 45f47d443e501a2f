"""``aligner``: combine several runs into an aligner, a folder that ``align`` and ``aer`` accept in place of a run."""

import argparse
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from nmt.aligners.aligner import averaged_posteriors, check_runs
from nmt.aligners.combination import (
    ALIGNER,
    LONGEST,
    RULE,
    AlignerRun,
    AlignerSettings,
    Average,
    Direction,
    Smoothing,
    WordWeights,
    is_aligner,
)
from nmt.aligners.pairs import Pair
from nmt.alignments.links import RULES
from nmt.cli.lines import progress
from nmt.cli.options import DEVICE, JSON, Commands, add_number, add_texts, check_name, print_result, whole
from nmt.data.corpus import read_pairs
from nmt.errors import InputError
from nmt.files import write_json
from nmt.inference.translator import Translator, load
from nmt.records import to_data

PAIRS = 1000


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "aligner",
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


def build_aligner(
    forward: Sequence[Translator],
    reverse: Sequence[Translator],
    pairs: Iterable[Pair],
    *,
    rule: str = RULE,
    on_progress: Callable[[int], None] | None = None,
) -> AlignerSettings:
    """Compute the settings of an aligner of these runs.

    Args:
        forward: at least one run, with alpha; the first determines the languages and the tokenisation.
        reverse: runs of the other direction, or none.
        pairs: untokenised text; jumps are counted over its Moses words, and no word of it is stored.
        rule: as in ``AlignerSettings``.
        on_progress: called with the number of pairs done.

    Raises:
        InputError: a run has other languages or no alpha, a number is out of range, or there is no text.
    """
    first = forward[0]
    check_runs(forward, first.languages)
    check_runs(reverse, first.languages.reversed)
    tokenised = [
        (" ".join(first.source.tokenizer.tokenize(source)), " ".join(first.target.tokenizer.tokenize(target)))
        for source, target in pairs
    ]
    if not tokenised:
        raise InputError("there is no sentence pair to count jumps on")
    mean = Average()
    turned = [(target, source) for source, target in tokenised]
    named = (*(_named(run, "forward") for run in forward), *(_named(run, "reverse") for run in reverse))
    return AlignerSettings(
        source_language=first.source_language,
        target_language=first.target_language,
        runs=named,
        average=mean,
        smoothing=Smoothing(
            jumps=count_jumps(_averages(forward, tokenised, mean.floor, on_progress)),
            reverse_jumps=count_jumps(_averages(reverse, turned, mean.floor, None)) if reverse else None,
            pairs=len(tokenised),
        ),
        rule=rule,
    )


def _averages(
    runs: Sequence[Translator], pairs: Sequence[Pair], floor: float, on_progress: Callable[[int], None] | None
) -> Iterator[WordWeights]:
    for done, average in enumerate(averaged_posteriors(runs, pairs, pretokenised=True, floor=floor), start=1):
        yield average
        if on_progress is not None:
            on_progress(done)


def _named(run: Translator, direction: Direction) -> AlignerRun:
    assert run.fingerprint is not None, "the run must be loaded from a folder"
    return AlignerRun(run.name, run.fingerprint.weights, direction)


def count_jumps(maps: Iterable[WordWeights]) -> tuple[int, ...]:
    """Count the jumps between the largest weights of successive rows, in the layout of ``Jumps``."""
    counts = np.zeros(2 * LONGEST + 1, dtype=np.int64)
    for alignment in maps:
        if alignment.source and alignment.target:
            jumps = np.diff(alignment.weights.argmax(axis=1))
            counts += np.bincount(np.clip(jumps, -LONGEST, LONGEST) + LONGEST, minlength=len(counts))
    return tuple(counts.tolist())


def write_aligner(folder: Path, settings: AlignerSettings) -> None:
    """Write aligner.json, atomically."""
    write_json(folder / ALIGNER, to_data(settings))
