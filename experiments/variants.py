"""Train the paper's model and every other unit and score with the same sizes, data and updates, and print a table.

    python -m experiments variants --data PREPARED --runs FOLDER --updates 2000 \\
        --test tatoeba/test.en tatoeba/test.fr --gold hansards.en hansards.fr hansards.gold

A run that is there already is not trained again, and one that was interrupted goes on.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from nmt.cli.options import Commands, add_number, whole
from nmt.config import ModelConfig
from nmt.recipes import recipe
from nmt.results import StopEvent, UpdateEvent
from nmt.runs.folder import CONFIG, read_events, read_run

RULES = ("argmax", "grow-diag")
HEAD = ("run", "unit", "score", "state order", "weights", "dev NLL", "BLEU", *(f"AER {r}" for r in RULES), "words/s")


@dataclass(frozen=True)
class Variant:
    """A recipe, and what is set differently."""

    name: str
    recipe: str
    assignments: tuple[str, ...] = ()


VARIANTS = (
    Variant("rnnsearch", "rnnsearch_256"),
    Variant("rnnsearch-program", "rnnsearch_256", ("model.state_order=program",)),
    Variant("lstm", "lstm_256"),
    Variant("reset-after", "reset_after_256"),
    Variant("concat", "concat_256"),
    Variant("luong-dot", "luong_dot_256"),
    Variant("luong-general", "luong_general_256"),
    Variant("luong-concat", "luong_concat_256"),
)


@dataclass(frozen=True)
class Measured:
    """A trained variant.

    Attributes:
        weights: how many.
        dev_nll: nats a target token.
        bleu: on the test set, 0 to 100; None without one.
        aer: shares by extraction rule; empty without gold links.
        words_per_second: target words, the median over the training.
    """

    name: str
    model: ModelConfig
    weights: int
    dev_nll: float
    bleu: float | None
    aer: dict[str, float]
    words_per_second: float


class Failed(RuntimeError):  # noqa: N818 - it is what happened
    """A command of ours failed; it has said why on stderr."""


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "variants",
        description="Train and compare other units and scores, with the same sizes, data and updates.",
    )
    parser.add_argument("--data", type=Path, required=True, metavar="PREPARED", help="a folder made by jointly prepare")
    parser.add_argument("--runs", type=Path, required=True, metavar="FOLDER", help="where to put the run folders")
    add_number(parser, "--updates", whole(1, 10_000_000), "updates of each training", default=2000)
    parser.add_argument("--test", type=Path, nargs=2, metavar=("SOURCE", "REFERENCE"), help="for BLEU")
    parser.add_argument("--gold", type=Path, nargs=3, metavar=("SOURCE", "TARGET", "LINKS"), help="for AER")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[v.name for v in VARIANTS], help="some of them")
    parser.add_argument(
        "--set", action="append", default=[], dest="assignments", metavar="SECTION.KEY=VALUE", help="repeatable"
    )
    add_number(parser, "--threads", whole(1, 1024), "threads of each training", default=1)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    rows = []
    for variant in VARIANTS:
        if options.only and variant.name not in options.only:
            continue
        try:
            folder = _trained(variant, options)
            rows.append(_measured(variant.name, folder, options))
        except Failed as error:
            print(error, file=sys.stderr)
            return 1
        print(f"{variant.name}: measured", file=sys.stderr)
    print(table(rows))
    return 0


def table(rows: Sequence[Measured]) -> str:
    """In Markdown; "–" for what was not measured."""
    lines = [f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|"]
    for row in rows:
        aer = [f"{100 * row.aer[rule]:.1f}" if rule in row.aer else "–" for rule in RULES]
        cells = (
            row.name,
            row.model.unit,
            row.model.score,
            row.model.state_order,
            f"{row.weights / 1e6:.2f} M",
            f"{row.dev_nll:.3f}",
            "–" if row.bleu is None else f"{row.bleu:.1f}",
            *aer,
            f"{row.words_per_second:,.0f}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _trained(variant: Variant, options: argparse.Namespace) -> Path:
    """Train it, as far as that has not been done."""
    folder: Path = options.runs / variant.name
    begun = (folder / CONFIG).exists()
    if begun and any(isinstance(e, StopEvent) and e.update == options.updates for e in read_events(folder)):
        return folder
    validations = max(1, options.updates // 4)
    assignments = [
        f"training.max_updates={options.updates}",
        f"training.validate_every={validations}",
        f"training.log_every={min(recipe(variant.recipe).training.log_every, validations)}",
        f"training.warmup={min(recipe(variant.recipe).training.warmup, validations)}",
        *variant.assignments,
        *options.assignments,
    ]
    command = ["train", variant.recipe, "--data", str(options.data), "--run", str(folder)]
    settings = ["--resume"] if begun else [part for a in assignments for part in ("--set", a)]
    _nmt([*command, *settings], options.threads)
    return folder


def _measured(name: str, folder: Path, options: argparse.Namespace) -> Measured:
    run = read_run(folder)
    assert run.weights.dev_nll_per_word is not None, "the last update is followed by a validation"
    speeds = [event.words_per_second for event in read_events(folder) if isinstance(event, UpdateEvent)]
    bleu, aer = None, dict[str, float]()
    if options.test:
        source, reference = map(str, options.test)
        command = ["evaluate", str(folder), "--source", source, "--reference", reference]
        bleu = float(_nmt(command, options.threads)[0]["all"]["bleu"])
    if options.gold:
        source, target, links = map(str, options.gold)
        command = ["aer", str(folder), "--source", source, "--target", target, "--gold", links, "--rule", "all"]
        aer = {measured["rule"]: measured["aer"] for measured in _nmt(command, options.threads)}
    return Measured(
        name, run.config.model, run.weights.parameters, run.weights.dev_nll_per_word, bleu, aer, median(speeds)
    )


def _nmt(arguments: list[str], threads: int) -> list[dict[str, Any]]:
    """Run a command of ours; the objects that it prints. Raises Failed."""
    command = [sys.executable, "-m", "nmt", *arguments, "--json"]
    environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=environment)
    if done.returncode != 0:
        raise Failed(f"jointly {arguments[0]} failed ({done.returncode})")
    return [json.loads(line) for line in done.stdout.splitlines()]
