"""``phrase-based``: build, tune and use a phrase-based system, the rival that the paper compares with."""

import argparse
import sys
from pathlib import Path

from experiments.phrase_based import scores, segments
from experiments.phrase_based.system import FEATURES, prepare, read_system, translate, tune_system
from nmt.cli.lines import IncomingLines, beside_output, progress, without_long_lines
from nmt.cli.options import JSON, Commands, add_number, print_json, print_result, whole
from nmt.data.prepared import open_prepared
from nmt.evaluation.concatenation import concatenated_set
from nmt.evaluation.test_set import TestSet
from nmt.results import Languages
from nmt.results.record import SentenceRecord, System, Text


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "phrase-based",
        help="build, tune and use a phrase-based system",
        description="A phrase-based system from the training pairs of a prepared folder, by sil-thot (pip install "
        "'jointly[smt]'), to compare runs with, and scores of its phrases.",
    )
    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    system = argparse.ArgumentParser(add_help=False)
    system.add_argument("system", metavar="SYSTEM", type=Path, help="the folder of the system")
    for name, run, about in (
        ("prepare", _prepare, "align words, extract phrases of up to 7 words, count n-grams; goes on if interrupted"),
        ("tune", _tune, "tune the weights of the features for BLEU on the prepared folder's dev sets"),
        ("translate", _translate, "translate standard input, one sentence per line, once all lines are read"),
    ):
        parents = [system] if name == "prepare" else [system, JSON]
        step = steps.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", parents=parents)
        step.set_defaults(run=run)
        if name == "prepare":
            step.add_argument("--data", required=True, metavar="PREPARED", help="the folder with the training pairs")
        elif name == "tune":
            add_number(step, "--sentences", whole(1, 100_000), "number of sentences, evenly spaced", default=400)
        else:
            add_number(step, "--n-best", whole(1, 1000), "print the N best of each, in Moses' format", default=1)
            step.add_argument(
                "--concatenate", action="store_true", help="join the lines as `evaluate --concatenate` does"
            )

    scores.register(steps)
    segments.register(steps)


def _prepare(options: argparse.Namespace) -> None:
    prepare(open_prepared(options.data), options.system, lambda stage: print(stage, file=sys.stderr))


def _tune(options: argparse.Namespace) -> None:
    def show(number: int, bleu: float) -> None:
        print(f"round {number + 1}: BLEU {bleu:.2f}", file=sys.stderr)

    system = tune_system(options.system, options.sentences, show)
    weights = dict(zip(FEATURES, system.weights, strict=True))
    lines = [f"BLEU {system.dev_bleu:.2f} of {system.dev_sentences} sentences"]
    lines += (f"  {name}: {weight:.4g}" for name, weight in weights.items())
    result = {"bleu": system.dev_bleu, "sentences": system.dev_sentences, "weights": weights}
    print_result(options.json, result, "\n".join(lines))


def _translate(options: argparse.Namespace) -> None:
    system = read_system(options.system)
    lines = list(without_long_lines(IncomingLines.from_stdin(system.source_language), "standard input"))
    if options.concatenate:
        languages = Languages(system.source_language, system.target_language)
        lines = list(concatenated_set(TestSet(name=None, sources=lines, references=lines, languages=languages)).sources)
    with progress("translate", len(lines), beside_output()) as show:
        for number, found in enumerate(translate(options.system, lines, options.n_best)):
            for each in found if options.n_best > 1 and not options.json else ():
                named = " ".join(f"{name}= {value:.6f}" for name, value in each.named.items())
                print(f"{number} ||| {each.text} ||| {named} ||| {each.score:.6f}", flush=True)
            if options.json:
                systems = [
                    each.system(rank, Path(options.system).name, system.target_language)
                    for rank, each in enumerate(found, start=1)
                ]
                source = Text(text=lines[number], language=system.source_language)
                print_json(SentenceRecord(source=source, systems=tuple(systems) or (System(text=""),)).to_dict())
            elif options.n_best == 1:
                print(found[0].text if found else "", flush=True)
            show(number + 1)
