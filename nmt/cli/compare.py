"""``compare``: compare runs and external systems by the results that ``evaluate`` saved."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from nmt.cli.options import FORMAT, JSON, MOST_SEED, Commands, add_number, print_json, real, whole
from nmt.data.uploads import LIMITS, read_upload
from nmt.errors import InputError
from nmt.evaluation.buckets import LAST, Buckets
from nmt.evaluation.comparison import by_name, compare, not_evaluated_on, of_first_pair
from nmt.evaluation.evaluation_files import EvaluatedSystem, read_evaluated_system
from nmt.evaluation.length_curves import REFERENCE, LengthAnalysisSettings
from nmt.evaluation.measurement_files import read_error_rates
from nmt.evaluation.score_files import Better, read_documents, read_scores, refuse_other_documents
from nmt.released import KNOWN_TEST_SETS, NOT_POOLED
from nmt.results import ALL_SETS, SHORT_FOR_ALL_SETS, Comparison
from nmt.results.statistics import ImportedScores
from nmt.runs.provenance import training_summaries
from nmt.tables.comparison import difference_tables, tables
from nmt.tables.runs import alignment_table, training_table
from nmt.tables.table import write_tables

DOCUMENTS = "documents"
"""In --metric, this word in place of a system's name introduces a file with the document of each sentence."""
_LONGEST = 10_000
"""Largest number of words of a length range."""


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "compare",
        description="Table 1, Table 2, BLEU by length (Figure 2) and significance tests, from saved evaluations.",
        parents=[FORMAT, JSON],
    )
    parser.add_argument("folders", metavar="RUN_OR_SYSTEM", nargs="+", help="folders with results of `evaluate`")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME",
        help="a test set; repeatable (default: all; jointly-300 and concatenated sets only if given with --on)",
    )
    parser.add_argument(
        "--on",
        action="append",
        default=[],
        metavar="NAME",
        help="a test set for BLEU by length and pairwise tests; repeatable (default: `all`, all test sets as one)",
    )
    look = parser.add_argument_group("by length, and pairwise tests")
    look.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="METRIC",
        help="BLEU, chrF or TER (default BLEU). Or SYSTEM=FILE: another program's scores, one a sentence of the set "
        "of --on; repeatable. NAME:SYSTEM=FILE and NAME:lower:SYSTEM=FILE (or higher) name metric and direction. "
        "documents=FILE names the document of each sentence, and then documents are compared",
    )
    look.add_argument(
        "--words-of", choices=("source", "reference"), default="source", help="side whose words count as the length"
    )
    look.add_argument(
        "--buckets",
        default="width=10",
        metavar="HOW",
        help="length buckets. width=10: ten lengths per bucket; width=10,61: the last bucket is open, from 61; "
        "equal=8: eight buckets of about equal size; from=1,11,31: lower bounds; rolling=10: a window around each "
        "length (default width=10)",
    )
    look.add_argument(
        "--no-unk", action="store_true", help='score only sentences without unknown words ("No UNK" in Table 1)'
    )
    look.add_argument(
        "--test", choices=("bootstrap", "randomisation"), default="bootstrap", help="pairwise test (default bootstrap)"
    )
    add_number(look, "--resamples", whole(40, 100_000), "resamples of the bootstrap", default=1000)
    add_number(look, "--trials", whole(1, 1_000_000), "trials of the randomisation", default=10_000)
    add_number(look, "--seed", whole(0, MOST_SEED), "random seed of either test", default=12345)
    files = parser.add_argument_group("files")
    files.add_argument("--figure", metavar="FILE", help="write Figure 2 as .pdf, .svg or .png")
    add_number(
        files, "--longest", real(1, _LONGEST), "right end of the figure's length axis, 60 in the paper", metavar="WORDS"
    )
    files.add_argument("--no-bands", action="store_true", help="draw no confidence intervals in the figure")
    files.add_argument("--no-counts", action="store_true", help="write no numbers of sentences")
    files.add_argument("--no-training-marks", action="store_true", help="mark no lengths of training")
    files.add_argument("--tables", metavar="FILE", help="write the tables as .csv, .tex, .json or .md")
    parser.set_defaults(run=run)


def _usual_sets(systems: Sequence[EvaluatedSystem], requested: Sequence[str]) -> list[str]:
    """List the evaluated test sets, known sets first. If there are other sets, sets of this repository and
    concatenated sets are listed only if they are ``requested``."""
    others = {name for name, test_set in KNOWN_TEST_SETS.items() if not test_set.in_table_1}
    names = {name for system in systems for name in system.evaluations}
    usual = (names - others) | (names & {*requested}) or names
    order = [*KNOWN_TEST_SETS]
    return sorted(usual, key=lambda name: (order.index(name) if name in order else len(order), name))


def run(options: argparse.Namespace) -> None:
    for option in ("longest", "no_bands", "no_counts", "no_training_marks"):
        if options.figure is None and getattr(options, option) not in (None, False):
            raise InputError(f"--{option.replace('_', '-')} requires --figure")
    settings = LengthAnalysisSettings(
        metric=options.metric[-1] if options.metric else "BLEU",
        side=options.words_of,
        buckets=_buckets(options.buckets),
        no_unk=options.no_unk,
        method=options.test,
        resamples=options.resamples,
        seed=options.seed,
        trials=options.trials,
    )
    systems, excluded = of_first_pair([read_evaluated_system(folder) for folder in dict.fromkeys(options.folders)])
    on = [ALL_SETS if name == SHORT_FOR_ALL_SETS else name for name in options.on]
    scores, documents = _scores(options, systems)
    comparison = compare(systems, options.set or _usual_sets(systems, on), on, settings, NOT_POOLED, scores, documents)
    if scores and (lacking := [name for name in comparison.systems if name not in scores]):
        print(f"without scores, so left out: {', '.join(lacking)}", file=sys.stderr)
    if excluded:
        comparison = replace(comparison, notes=(excluded, *comparison.notes))
    trained = training_summaries(system.path for system in systems)
    errors = {
        name: rates
        for system, name in zip(systems, comparison.systems, strict=True)
        if (rates := read_error_rates(system.path))
    }
    *shown, signatures = tables(comparison)
    shown += [*difference_tables(comparison), signatures]
    shown += [alignment_table(errors)] if errors else []
    shown += [training_table(trained)] if trained else []
    if options.figure is not None:
        _write_figure(comparison, options)
    if options.tables is not None:
        write_tables(options.tables, shown)
    if options.json:
        aligned = {
            name: {gold: [rate.to_dict() for rate in measured] for gold, measured in rates.items()}
            for name, rates in errors.items()
        }
        print_json(comparison.to_dict() | {"trainings": [asdict(row) for row in trained], "alignment": aligned})
        return
    for table in shown:
        print(table.markdown() if options.format == "markdown" else table.text())
        print()
    for note in comparison.notes:
        print(f"Note: {note}")


def _scores(
    options: argparse.Namespace, systems: Sequence[EvaluatedSystem]
) -> tuple[dict[str, ImportedScores], tuple[str, ...]]:
    """Read the files of ``--metric``: scores by system, and the document of each sentence if a file has it. Both are
    empty if ``--metric`` names no file. Raises InputError for scores that do not fit one test set and one metric."""
    files = [text for text in options.metric if "=" in text]
    if len(options.metric) > 1 and files != options.metric:
        raise InputError("--metric has several metrics; one is compared at a time")
    if not files:
        return {}, ()
    if len(options.on) != 1 or options.on[0] == SHORT_FOR_ALL_SETS:
        raise InputError("scores of sentences require --on with the one test set that they are of")
    evaluations = [e for system in systems if (e := system.evaluations.get(options.on[0])) is not None]
    counts = {e.sentences_given for e in evaluations}
    if not counts:
        raise not_evaluated_on(options.on[0], systems)
    if len(counts) > 1:
        raise InputError(f"the systems were evaluated on different sentences of {options.on[0]!r}")
    compared = [name for name, system in by_name(systems).items() if options.on[0] in system.evaluations]
    labels = [text.partition("=")[0].rpartition(":")[2] for text in files]
    for label in labels:
        if label not in (*compared, REFERENCE, DOCUMENTS):
            raise InputError(f"--metric names {label!r}, but the systems are {', '.join(compared)} and {REFERENCE}")
        if labels.count(label) > 1:
            raise InputError(f"--metric has several files of {label!r}")
    source_sha256 = max(e.source_sha256 for e in evaluations)
    scores: dict[str, ImportedScores] = {}
    documents: tuple[str, ...] = ()
    named: list[tuple[str, tuple[str, ...]]] = []
    for text in files:
        label, _, path = text.partition("=")
        if label == DOCUMENTS:
            documents = read_documents(read_upload(Path(path), LIMITS), min(counts))
            named.append((path, documents))
            continue
        *names, system = label.split(":")
        if len(names) > 2 or names[1:] not in ([], ["higher"], ["lower"]):
            raise InputError(f"--metric takes NAME:lower:SYSTEM=FILE or NAME:higher:SYSTEM=FILE, not {text!r}")
        better: Better | None = None if len(names) < 2 else "higher" if names[1] == "higher" else "lower"
        file = read_scores(read_upload(Path(path), LIMITS))
        metric = names[0] if names else ""
        scores[system] = file.of(system, min(counts), metric, better, source_sha256, (*compared, REFERENCE))
        named.append((path, file.documents))
    refuse_other_documents(named)
    if not scores:
        raise InputError(f"--metric {DOCUMENTS}=FILE requires scores of a system: --metric SYSTEM=FILE")
    if len({(imported.metric, imported.lower_is_better) for imported in scores.values()}) > 1:
        raise InputError("--metric has several metrics; one is compared at a time")
    return scores, documents


def _write_figure(comparison: Comparison, options: argparse.Namespace) -> None:
    from nmt.charts import figure2

    if len(comparison.closer) > 1:
        names = ", ".join(look.test_set for look in comparison.closer)
        raise InputError(f"a figure shows one test set: choose one of {names} with --on")
    (look,) = comparison.closer
    figure2(
        look.curves,
        longest=options.longest,
        bands=not options.no_bands,
        counts=not options.no_counts,
        training_marks=not options.no_training_marks,
        numbers={name: number for number, name in enumerate(comparison.systems)},  # also of those without a curve
    ).save(options.figure)


_WAYS: dict[str, Any] = {"width": "width", "equal": "equal counts", "from": "hand", "rolling": "rolling"}


def _buckets(text: str) -> Buckets:
    """Parse the value of --buckets. Raises InputError for an invalid value."""
    way, _, values = text.partition("=")
    try:
        numbers = tuple(int(value) for value in values.split(","))
    except ValueError:
        numbers = ()
    if way == "width" and len(numbers) == 1:
        numbers = (*numbers, LAST)
    if any(number > _LONGEST for number in numbers):
        raise InputError(f"--buckets takes numbers up to {_LONGEST:,}, not {text[:40]!r}")
    wanted = {"width": 2, "equal": 1, "from": max(1, len(numbers)), "rolling": 1}
    if len(numbers) != wanted.get(way):
        raise InputError(f"--buckets takes width=10, width=10,61, equal=8, from=1,11,31 or rolling=10, not {text!r}")
    return Buckets(_WAYS[way], numbers)
