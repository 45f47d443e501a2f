"""``aligner-head``: train an alignment head on a frozen run of an aligner."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nmt.aligners.settings import ALIGNER, AlignerRun, AlignerSettings, find_run, read_aligner, write_aligner
from nmt.cli.options import MOST_SEED, add_json, add_number, print_json, real, whole
from nmt.cli.progress import progress
from nmt.errors import InputError
from nmt.evaluation.link_extraction import RULES

if TYPE_CHECKING:
    from nmt.aligners.aligner import Aligner
    from nmt.aligners.head_training import HeadTrainer, HeadUpdate, Teacher, TeachingPair

PAIRS, LONGEST, EVERY = 120_000, 50, 50


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "aligner-head",
        help="train an alignment head for an aligner",
        description="Train an alignment head, a small network that reads the model's states, not its attention; the "
        "run is not changed, and the aligner's own links are the teacher.",
    )
    parser.add_argument(
        "aligner", metavar="ALIGNER", help="folder of the aligner, such as aligners/en-fr; the head is written there"
    )
    parser.add_argument("--run", dest="name", metavar="NAME", help="run of the aligner to read (default: the first)")
    for side in ("source", "target"):
        parser.add_argument(
            f"--{side}", required=True, nargs="+", metavar="FILE", help=f"{side} sentences, one per line; several files"
        )
    parser.add_argument(
        "--links",
        nargs="+",
        metavar="FILE",
        help="learn from these links i-j over Moses words, from 0, not the aligner's; one file per --source file",
    )
    parser.add_argument("--rule", choices=RULES, help="rule for the aligner's links (default: the aligner's own)")
    add_number(parser, "--pairs", whole(1, 10_000_000), "pairs sampled from the text", default=PAIRS)
    add_number(parser, "--epochs", whole(1, 1000), "passes over the pairs, which are linked only once", default=1)
    add_number(parser, "--longest", whole(1, 1000), "maximum words per side", default=LONGEST)
    add_number(parser, "--units", whole(1, 10_000), "units of the head's layer", default=256)
    add_number(parser, "--batch", whole(1, 10_000), "pairs per minibatch", default=64)
    add_number(parser, "--learning-rate", real(1e-7, 1), "initial rate, decayed to 0", default=2e-3, metavar="R")
    add_number(parser, "--seed", whole(0, MOST_SEED), "seed of initialisation and data order", default=1)
    parser.add_argument(
        "--bf16", action="store_true", help="matrix products of the frozen runs in bf16: faster, nearly as exact"
    )
    parser.add_argument("--device", default="cpu", help="device to compute on: cpu (default) or cuda")
    parser.add_argument("--runs", metavar="FOLDER", help="folder of the runs that the aligner names, as in align")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    settings = read_aligner(options.aligner)
    chosen = _chosen(settings.runs, options.name)
    _check(options)
    from nmt.aligners.head_training import HeadSettings, HeadTrainer
    from nmt.aligners.heads import write_head
    from nmt.aligners.loading import load_aligner
    from nmt.inference.translator import load

    head_settings = HeadSettings(
        units=options.units,
        batch=options.batch,
        epochs=options.epochs,
        learning_rate=options.learning_rate,
        seed=options.seed,
        bf16=options.bf16,
    )
    teacher = None
    if options.links is None:
        aligner = load_aligner(options.aligner, options.runs, options.device, "bf16" if options.bf16 else "fp32")
        teacher = _teacher(aligner, options.rule, turned=chosen.direction == "reverse")
    model = load(find_run(options.aligner, chosen, options.runs).path, device=options.device)
    pairs = _pairs(options, settings, turned=chosen.direction == "reverse")
    trainer = HeadTrainer(model, head_settings)
    last = _train(trainer, pairs, teacher, options.epochs, options.json)
    file = "head.safetensors" if chosen.direction == "forward" else "head.reverse.safetensors"
    fields: dict[str, object] = {
        "teacher": _teacher_name(options, settings.rule),
        "pairs": last.pairs,
        "update": last.update,
    }
    head = write_head(Path(options.aligner) / file, trainer.head, model.name, fields)
    write_aligner(Path(options.aligner), settings.with_head(head))
    if not options.json:
        print(f"{Path(options.aligner) / file}: head of {model.name}, {last.update:,} updates; now named in {ALIGNER}")
    return 0


def _chosen(runs: Sequence[AlignerRun], name: str | None) -> AlignerRun:
    matching = [run for run in runs if name in (None, run.name)]
    if not matching:
        raise InputError(f"the aligner has no run {name!r}; it has {', '.join(run.name for run in runs)}")
    return matching[0]


def _check(options: argparse.Namespace) -> None:
    """Raise InputError for options that cannot be combined, or are out of range."""
    if len(options.source) != len(options.target):
        raise InputError(f"there are {len(options.source)} source files, but {len(options.target)} target files")
    if options.links is not None and len(options.links) != len(options.source):
        raise InputError(f"there are {len(options.source)} source files, but {len(options.links)} files of links")
    if options.links is not None and options.rule is not None:
        raise InputError("--rule applies to the aligner's links and cannot be combined with --links")


def _teacher(aligner: Aligner, rule: str | None, turned: bool) -> Teacher:
    """Make a teacher from the aligner's links, for pairs in the direction of the head's run. ``turned``: that is the
    aligner's reverse direction."""
    from nmt.evaluation.link_extraction import Extraction

    extraction = aligner.extraction if rule is None else Extraction(rule)

    def teach(pairs: Sequence[tuple[str, str]]) -> list[list[tuple[int, int]]]:
        directed = [(target, source) for source, target in pairs] if turned else pairs
        predictions = aligner.stream(directed, pretokenised=True, extraction=extraction)
        return [[(j, i) for i, j in pair.links] if turned else list(pair.links) for pair in predictions]

    return teach


def _teacher_name(options: argparse.Namespace, rule: str) -> str:
    if options.links is not None:
        return "given links"
    return f"links of the aligner by {options.rule or rule}"


def _pairs(options: argparse.Namespace, settings: AlignerSettings, turned: bool) -> list[TeachingPair]:
    """Read the teaching pairs in the direction of the head's run. ``turned``: that is the aligner's reverse
    direction."""
    from nmt.aligners.text_sample import ParallelText, sample_pairs
    from nmt.data.text import Tokenizer

    links = [None] * len(options.source) if options.links is None else [Path(path) for path in options.links]
    texts = [
        ParallelText(Path(source), Path(target), pair_links)
        for source, target, pair_links in zip(options.source, options.target, links, strict=True)
    ]
    pairs = sample_pairs(
        texts,
        Tokenizer(settings.source_language),
        Tokenizer(settings.target_language),
        number=options.pairs,
        longest=options.longest,
        seed=options.seed,
    )
    return [pair.turned() for pair in pairs] if turned else pairs


def _train(
    trainer: HeadTrainer, pairs: Sequence[TeachingPair], teacher: Teacher | None, epochs: int, as_json: bool
) -> HeadUpdate:
    """Train the head, printing a line every few updates; return the last update. InputError if no pair has a link."""
    last = None
    with progress("aligner-head", epochs * len(pairs)) as show:
        for last in trainer.run(pairs, teacher):
            show(last.pairs)
            if last.update == 1 or last.update % EVERY == 0:
                _print(last, as_json)
    if last is None:
        raise InputError("no pair has a link, so there is nothing to learn")
    if last.update > 1 and last.update % EVERY:
        _print(last, as_json)
    return last


def _print(update: HeadUpdate, as_json: bool) -> None:
    if as_json:
        print_json(update.to_dict())
    else:
        print(
            f"update {update.update:>6,}  {update.pairs:>8,} pairs  loss {update.loss:.3f} nats per linked token  "
            f"agreement {100 * update.agreement:.1f} %",
            flush=True,
        )
