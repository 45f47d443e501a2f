"""Comparison of systems on the sentences of two files: evaluations are matched by sentences, not by test-set name."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nmt.cli.lines import Pairs, read_pairs
from nmt.cli.options import check_name
from nmt.errors import InputError
from nmt.results import Evaluation

if TYPE_CHECKING:
    from nmt.evaluation.evaluation_files import EvaluatedSystem


def add_sentences(parser: argparse.ArgumentParser) -> None:
    """Add --source, --reference, --name, --translate and --device."""
    group = parser.add_argument_group("on given sentences, instead of --set and --on")
    group.add_argument("--source", metavar="FILE", help="compare on exactly these sentences, one per line")
    group.add_argument("--reference", metavar="FILE", help="reference translations, one per line")
    group.add_argument(
        "--name",
        metavar="NAME",
        help="name of the test set (default: that of a saved evaluation, else of the source file)",
    )
    group.add_argument(
        "--translate",
        action="store_true",
        help="evaluate the runs not yet evaluated on these sentences (both columns of Table 1, each run with its own "
        "search settings) and save the results in their folders",
    )
    group.add_argument("--device", default="cpu", help="device to translate on: cpu (default) or cuda")


def on_given_sentences(
    systems: Sequence[EvaluatedSystem], options: argparse.Namespace
) -> tuple[list[EvaluatedSystem], str]:
    """Restrict the systems to their evaluations on the given sentences, under one name; return them with that name.

    Raises:
        InputError: a system was not evaluated on these sentences (and --translate is not given, or it is not a run),
            the name is taken by other sentences, or options cannot be combined.
    """
    from nmt.cli.evaluate import translate_set
    from nmt.evaluation.evaluation_files import read_evaluated_system
    from nmt.evaluation.test_set import TestSet

    if options.source is None or options.reference is None:
        raise InputError("--source and --reference must be given together")
    if options.set or options.on:
        raise InputError("choose test sets either by name with --set and --on, or with --source and --reference")
    pairs = read_pairs(options.source, options.reference)
    evaluated = [_evaluation(system, pairs) for system in systems]
    kept = next((str(one.test_set) for one in evaluated if one is not None and one.test_set), "")
    name = options.name or kept or Path(options.source).name.split(".")[0]
    check_name(name)
    missing = [system for system, one in zip(systems, evaluated, strict=True) if one is None]
    unusable = [system for system in missing if not options.translate or _only_output(system)]
    if unusable:
        raise InputError(
            f"{' and '.join(s.name for s in unusable)} {'was' if len(unusable) == 1 else 'were'} not evaluated on "
            f"these sentences; run: {'; '.join(_command(s, name, options) for s in unusable)}"
            + ("" if any(_only_output(s) for s in unusable) else " (or add --translate)")
        )
    for system in missing:
        if name in system.evaluations:
            raise InputError(
                f"{system.name} was also evaluated on other sentences called {name!r}: choose another --name"
            )
    for system in missing:
        print(f"{system.name}:", file=sys.stderr)
        translate_set(
            str(system.path), TestSet(name=name, sources=pairs.source, references=pairs.target), options.device
        )
    again = [read_evaluated_system(system.path) if system in missing else system for system in systems]
    chosen_only = []
    for system in again:
        evaluation = _evaluation(system, pairs)
        assert evaluation is not None
        chosen_only.append(replace(system, evaluations={name: evaluation}))
    return chosen_only, name


def _evaluation(system: EvaluatedSystem, pairs: Pairs) -> Evaluation | None:
    """Find the evaluation on exactly these sentences that has statistics; None if there is none."""
    from nmt.evaluation.test_set import digest

    sums = digest(pairs.source), digest(pairs.target)
    for evaluation in system.evaluations.values():
        if (evaluation.source_sha256, evaluation.reference_sha256) == sums:
            return evaluation
    return None


def _only_output(system: EvaluatedSystem) -> bool:
    from nmt.evaluation.evaluation_files import SYSTEM

    return (system.path / SYSTEM).is_file()


def _command(system: EvaluatedSystem, name: str, options: argparse.Namespace) -> str:
    """Compose the command that evaluates a system on the sentences."""
    files = ["--source", options.source, "--reference", options.reference, "--name", name]
    if _only_output(system):
        output = ["--system", system.name, "--hypothesis", "FILE"]
        return shlex.join(["jointly", "evaluate", *output, *files, "--out", str(system.path.parent)])
    return shlex.join(["jointly", "evaluate", str(system.path), *files, "--table-1"])
