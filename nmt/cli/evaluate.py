"""``evaluate``: translate test sets and score them, or score the output of some other system."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nmt.cli.lines import read_file, read_pairs
from nmt.cli.options import add_decoding, add_json, decoding, print_json
from nmt.cli.progress import Bar, progress
from nmt.errors import InputError
from nmt.results import Condition, Evaluation, Scores, SentenceStatistics
from nmt.run_folder import EVALUATION, read_run

if TYPE_CHECKING:
    from nmt.evaluation.test_set import TestSet
    from nmt.measuring import Measurement
    from nmt.processes import Processes

JOINED = "joined"
"""Name of all test sets as one."""


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "evaluate", help="BLEU, chrF and TER of a run, or of another system's output, on test sets, with signatures"
    )
    parser.add_argument("run_folder", metavar="RUN", nargs="?", help="a run folder, such as checkpoints/rnnsearch-50")
    parser.add_argument("--device", default="cpu", help="where to compute: cpu (default) or cuda")
    parser.add_argument("--source", metavar="FILE", help="source sentences, one a line (plain, .gz or .xz)")
    parser.add_argument("--reference", metavar="FILE", help="reference translations, one a line")
    parser.add_argument(
        "--name",
        metavar="NAME",
        help="name of the test set; what is found is also kept in RUN/evaluation/NAME.json, unless --replace-unk "
        "is given",
    )
    parser.add_argument(
        "--set",
        nargs=3,
        action="append",
        default=[],
        metavar=("NAME", "SOURCE", "REFERENCE"),
        help="in place of --source, --reference and --name; may be given several times, and all sets are scored as "
        "one as well",
    )
    add_decoding(parser)
    parser.add_argument(
        "--table-1",
        action="store_true",
        help="both columns of Table 1: all sentences, and as with --no-unk those without unknown words",
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="translate everything anew, also what the same weights have translated before with the same settings, and "
        "keep no translations",
    )
    parser.add_argument("--by-length", action="store_true", help="BLEU by source length in whitespace words (Figure 2)")
    parser.add_argument("--system", metavar="NAME", help="in place of RUN: a system that is only its output")
    parser.add_argument("--hypothesis", metavar="FILE", help="the system's translations, one a line")
    parser.add_argument("--about", metavar="TEXT", default="", help="what the system is, in a sentence")
    parser.add_argument("--out", metavar="DIR", help="keep the result in DIR/SYSTEM/evaluation/NAME.json")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    _check(options)
    if options.system is not None:
        return _score_output(options)
    from nmt.processes import ProcessLost, joined

    try:
        with joined(options.device) as processes:
            return _evaluate(options, processes)
    except ProcessLost as error:
        print(f"nmt evaluate: {error}", file=sys.stderr)
        return 1


def _check(options: argparse.Namespace) -> None:
    """InputError for options that do not go together."""
    single = (options.source, options.reference)
    if (options.run_folder is None) == (options.system is None):
        raise InputError("give a run folder, or --system and its output")
    if options.system is None and (options.hypothesis or options.out or options.about):
        raise InputError("--hypothesis, --about and --out belong to --system")
    if options.system is not None:
        if options.set or not all((*single, options.hypothesis, options.name, options.out)):
            raise InputError("--system needs --hypothesis, --source, --reference, --name and --out")
        if options.no_unk or options.table_1 or options.replace_unk:
            raise InputError("the output of a system is as it is: --no-unk, --replace-unk and --table-1 are for runs")
    elif options.set and (any(single) or options.name):
        raise InputError("name all test sets with --set, or one with --source, --reference and --name")
    elif not options.set and not all(single):
        raise InputError("no test set is given: use --source and --reference, or --set")
    if options.table_1 and options.no_unk:
        raise InputError("--table-1 includes what --no-unk asks for; give one of them")
    names = [options.name, options.system] + [name for name, _, _ in options.set]
    for name in names:
        if name is not None and (not re.fullmatch(r"[A-Za-z0-9][\w.-]*", name) or name == JOINED):
            raise InputError(f"{name!r} cannot be a name here: use letters, digits, '.', '_' and '-', not {JOINED!r}")
    if len(set(names[2:])) < len(options.set):
        raise InputError("two test sets have the same name")


def _evaluate(options: argparse.Namespace, processes: Processes) -> int:
    from nmt.evaluation.stored import beside_stored, write_evaluation
    from nmt.evaluation.test_set import TestSet
    from nmt.loading import load
    from nmt.measuring import Columns, Measurement
    from nmt.store import Store

    chosen = decoding(options)
    tests = []
    for name, source, reference in options.set or [(options.name, options.source, options.reference)]:
        pairs = read_pairs(source, reference)
        tests.append(TestSet(name, pairs.source, pairs.target))
    info = read_run(options.run_folder)
    kept = not chosen.replace_unk  # RUN/evaluation has what the model writes by itself
    if tests[0].name and kept and processes.first:
        (info.path / EVALUATION).mkdir(exist_ok=True)  # a folder that cannot be written is said before the work
    model = load(options.run_folder, device=processes.device, precision=chosen.precision)
    columns = Columns(
        beam=chosen.beam,
        length_penalty=chosen.length_penalty,
        precision=chosen.precision,
        everything=not chosen.no_unk,
        no_unk=chosen.no_unk or options.table_1,
        by_length=options.by_length,
        replace_unk=model.replacement(chosen.replace_unk),
    )
    store = None if options.fresh else Store()
    measurement = Measurement(model, info, columns, Bar(processes.first), store, processes)
    found = []
    for test in tests:
        evaluation = measurement.of(test)
        found.append(evaluation)
        if processes.first:
            if test.name and kept:
                write_evaluation(info.path, beside_stored(info.path, evaluation))
            _print(evaluation, options.json)
    if len(found) > 1 and processes.first:
        _print(_joined(measurement, tests, found), options.json)
    return 0


def _joined(measurement: Measurement, tests: list[TestSet], parts: list[Evaluation]) -> Evaluation:
    """The scores of all test sets as one, out of their statistics."""

    def column(no_unk: bool) -> Condition | None:
        found = [statistics for part in parts if (statistics := part.statistics(no_unk=no_unk)) is not None]
        if not found:
            return None
        name = "+".join(str(test.name) for test in tests)
        return Condition(measurement.signed(SentenceStatistics.join(found), no_unk, name))

    given = sum(part.sentences_given for part in parts)
    return Evaluation(parts[0].system, JOINED, given, column(False), column(True))


def _score_output(options: argparse.Namespace) -> int:
    from nmt.evaluation.output import evaluate_output
    from nmt.evaluation.stored import write_evaluation, write_system
    from nmt.evaluation.test_set import TestSet

    pairs = read_pairs(options.source, options.reference)
    test = TestSet(options.name, pairs.source, pairs.target)
    hypotheses = read_file(options.hypothesis)
    if len(hypotheses) != len(test):
        raise InputError(f"{options.hypothesis} has {len(hypotheses)} lines, but {options.source} {len(test)}")
    folder = Path(options.out) / options.system
    write_system(folder, options.system, options.about)
    with progress("count", len(test)) as show:
        evaluation = evaluate_output(options.system, test, hypotheses, by_length=options.by_length, on_progress=show)
    write_evaluation(folder, evaluation)
    _print(evaluation, options.json)
    return 0


def _print(evaluation: Evaluation, as_json: bool) -> None:
    if as_json:
        if evaluation.everything is None:  # the only column asked for is the result
            evaluation = replace(evaluation, everything=evaluation.no_unk, no_unk=None, pairs=None)
        print_json(evaluation.to_dict(statistics=False))
        return
    if evaluation.test_set:
        print(evaluation.test_set)
    if evaluation.everything is not None:
        _print_scores(evaluation.everything.scores)
    if evaluation.no_unk is not None:
        some, given = evaluation.no_unk.scores.sentences, evaluation.sentences_given
        print(f"{some} of {given} sentences have no unknown word in source and reference")
        _print_scores(evaluation.no_unk.scores)
    sys.stdout.flush()


def _print_scores(scores: Scores) -> None:
    for score in (scores.bleu, scores.chrf, scores.ter):
        print(f"{score.metric:<5}{score.value:7.2f}  {score.signature}")
    for bucket in scores.by_length:
        value = "      -" if bucket.bleu is None else f"{bucket.bleu:7.2f}"
        print(f"{bucket.span:>7} words {value} BLEU  {bucket.sentences:>6} sentences")
