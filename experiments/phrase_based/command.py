"""``phrase-based``: build, tune and use a phrase-based system, the rival that the paper compares with."""

import argparse
import sys
from pathlib import Path

import numpy as np

from experiments.phrase_based import pack, scores, segments
from experiments.phrase_based.system import FEATURES, PhraseBased, prepare, read_system, translate, tune_system
from nmt.cli.lines import IncomingLines, beside_output, progress, without_long_lines
from nmt.cli.options import JSON, Commands, add_number, print_json, print_result, whole
from nmt.data.corpus import read_lines
from nmt.data.prepared import open_prepared
from nmt.data.text import Tokenizer
from nmt.errors import InputError
from nmt.evaluation.concatenation import concatenated_set
from nmt.evaluation.test_set import TestSet
from nmt.inference.phrase_based import PHRASES, About, load_phrase_based
from nmt.results import Languages
from nmt.results.record import SentenceRecord, System, Text


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "phrase-based",
        description="A phrase-based system from the training pairs of a prepared folder, by sil-thot (pip install "
        "'jointly[smt]'), to compare runs with, and scores of its phrases.",
    )
    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    system = argparse.ArgumentParser(add_help=False)
    system.add_argument("system", metavar="SYSTEM", type=Path, help="the folder of the system")
    for name, run, about in (
        ("prepare", _prepare, "align words, extract phrases of up to 7 words, count n-grams; goes on if interrupted"),
        ("tune", _tune, "tune the weights of the features for BLEU on the prepared folder's dev sets"),
        ("pack", _pack, "prune a system into one small file, with which the app translates, and tune its weights"),
        ("translate", _translate, "translate standard input, one sentence per line, once all lines are read"),
    ):
        parents = [system] if name == "prepare" else [system, JSON]
        step = steps.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", parents=parents)
        step.set_defaults(run=run)
        if name == "prepare":
            step.add_argument("--data", required=True, metavar="PREPARED", help="the folder with the training pairs")
        elif name == "tune":
            add_number(step, "--sentences", whole(1, 100_000), "number of sentences, evenly spaced", default=400)
        elif name == "pack":
            step.add_argument("out", metavar="OUT", type=Path, help=f"writes OUT/{PHRASES} and its checksum")
            add_number(step, "--sentences", whole(1, 100_000), "number of sentences to tune on", default=150)
            add_number(step, "--pairs", whole(1, 50_000_000), "phrase pairs that stay", default=522_000)
            add_number(step, "--bigrams", whole(1, 50_000_000), "bigrams that stay", default=250_000)
            add_number(step, "--trigrams", whole(1, 50_000_000), "trigrams that stay", default=460_000)
            step.add_argument(
                "--more", action="append", default=[], type=Path, metavar="FILE",
                help="further text of the target language for the n-grams, one sentence per line; repeatable",
            )  # fmt: skip
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


def _pack(options: argparse.Namespace) -> None:
    tokenizer = Tokenizer(read_system(options.system).target_language)
    more = (
        words for path in options.more for line in read_lines(path) if (words := tokenizer.tokenize(line.text or ""))
    )
    made = pack.draft(options.system, options.pairs, (options.bigrams, options.trigrams), more)
    source, target = (
        (options.system / f"dev.{side}.txt").read_text("utf-8").split("\n")[:-1] for side in ("source", "target")
    )
    rows = np.linspace(0, len(source) - 1, min(options.sentences, len(source))).astype(int).tolist()

    def show(bleu: float) -> None:
        print(f"BLEU {bleu:.2f}", file=sys.stderr, flush=True)

    system, weights = pack.tuned(made, [source[row] for row in rows], [target[row] for row in rows], show)
    size = pack.write(made, system, options.out)
    named = dict(zip(pack.FEATURES, weights, strict=True))
    lines = [f"{options.out / PHRASES}: {size:,} bytes, {len(system.scores):,} phrase pairs"]
    lines += (f"  {name}: {weight:.4g}" for name, weight in named.items())
    print_result(options.json, {"bytes": size, "pairs": len(system.scores), "weights": named}, "\n".join(lines))


def _translate(options: argparse.Namespace) -> None:
    folder: Path = options.system
    packed = load_phrase_based(folder) if (folder / PHRASES).is_file() else None
    if packed is not None and options.n_best > 1:
        raise InputError(f"{folder} is packed, and has one translation of a sentence: leave out --n-best")
    about: PhraseBased | About = read_system(folder) if packed is None else packed.about
    lines = list(without_long_lines(IncomingLines.from_stdin(about.source_language), "standard input"))
    if options.concatenate:
        languages = Languages(about.source_language, about.target_language)
        lines = list(concatenated_set(TestSet(name=None, sources=lines, references=lines, languages=languages)).sources)
    found = (
        ([each] if (each := packed.translate(line)) else [] for line in lines)
        if packed is not None
        else (
            [each.system(rank, folder.name, about.target_language) for rank, each in enumerate(ranked, start=1)]
            for ranked in translate(folder, lines, options.n_best)
        )
    )
    with progress("translate", len(lines), beside_output()) as show:
        for number, systems in enumerate(found):
            for each in systems if options.n_best > 1 and not options.json else ():
                named = " ".join(f"{name}= {value:.6f}" for name, value in (each.features or {}).items())
                print(f"{number} ||| {each.text} ||| {named} ||| {each.score:.6f}", flush=True)
            if options.json:
                source = Text(text=lines[number], language=about.source_language)
                print_json(SentenceRecord(source=source, systems=tuple(systems) or (System(text=""),)).to_dict())
            elif options.n_best == 1:
                print(systems[0].text if systems else "", flush=True)
            show(number + 1)
