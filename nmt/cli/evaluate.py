"""``evaluate``: translate test sets and score them, or score the output of another system."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nmt.cli.evaluation_report import print_evaluation
from nmt.cli.lines import read_file, read_pairs
from nmt.cli.options import add_decoding, add_json, search_settings
from nmt.cli.progress import Bar, progress
from nmt.cli.training_corpora import training_corpora_of
from nmt.config import SearchSettings
from nmt.data.tokenised import Corpus
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.test_set import check_name
from nmt.results import (
    ALL_SETS,
    Condition,
    Evaluation,
    Languages,
    PairStatistics,
    SentenceStatistics,
    WrittenSentence,
)
from nmt.runs.folder import EVALUATION, RunInfo, read_run

if TYPE_CHECKING:
    from nmt.distributed import Processes
    from nmt.evaluation.evaluate import Evaluator
    from nmt.evaluation.test_set import TestSet


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser(
        "evaluate", help="BLEU, chrF and TER of a run, or of another system's output, on test sets, with signatures"
    )
    parser.add_argument("run_folder", metavar="RUN", nargs="?", help="a run folder, such as checkpoints/rnnsearch-50")
    parser.add_argument("--device", default="cpu", help="device to compute on: cpu (default) or cuda")
    parser.add_argument("--source", metavar="FILE", help="source sentences, one per line (plain, .gz or .xz)")
    parser.add_argument("--reference", metavar="FILE", help="reference translations, one per line")
    parser.add_argument(
        "--name",
        metavar="NAME",
        help="name of the test set; the result is also saved as RUN/evaluation/NAME.json, except with --replace-unk",
    )
    parser.add_argument(
        "--set",
        nargs=3,
        action="append",
        default=[],
        metavar=("NAME", "SOURCE", "REFERENCE"),
        help="instead of --source, --reference and --name; repeatable; several test sets are also "
        "scored together, as one set",
    )
    add_decoding(parser)
    parser.add_argument(
        "--table-1",
        action="store_true",
        help="both columns of Table 1: all sentences, and (as with --no-unk) the sentences without unknown words",
    )
    parser.add_argument(
        "--fresh",
        action="store_true",
        help="ignore the cache: translate every sentence again, and cache no translations",
    )
    parser.add_argument(
        "--keep-translations",
        action="store_true",
        help="also save the translations, as RUN/evaluation/NAME.translations.jsonl: for test sets whose sentences may "
        "be redistributed",
    )
    parser.add_argument(
        "--concatenate",
        action="store_true",
        help="evaluate on the concatenated version of each test set, called NAME-concatenated: sentences of up to 20 "
        "words, and the same sentences concatenated to 21-30, 31-40, … 71-80 words, so that BLEU by length depends "
        "on length alone",
    )
    parser.add_argument(
        "--seen-in",
        nargs=2,
        action="append",
        default=[],
        metavar=("SOURCE", "TARGET"),
        help="a training corpus of the run, repeatable: also count the references' n-grams that occur in the target "
        "sentences it was trained on, for a line of Figure 2",
    )
    parser.add_argument("--by-length", action="store_true", help="BLEU by source length in words (Figure 2)")
    parser.add_argument("--system", metavar="NAME", help="instead of RUN: an external system, known by its output")
    parser.add_argument("--hypothesis", metavar="FILE", help="the system's translations, one per line")
    parser.add_argument("--source-lang", metavar="CODE", default="", help="with --system: source language, such as en")
    parser.add_argument(
        "--target-lang",
        metavar="CODE",
        default="",
        help="with --system: target language; BLEU of Japanese (ja) is computed over characters",
    )
    parser.add_argument("--about", metavar="TEXT", default="", help="description of the system, in one sentence")
    parser.add_argument("--out", metavar="DIR", help="save the result as DIR/SYSTEM/evaluation/NAME.json")
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    _check(options)
    if options.system is not None:
        return _score_output(options)
    from nmt.distributed import ProcessLost, joined

    try:
        with joined(options.device) as processes:
            return _evaluate(options, processes)
    except ProcessLost as error:
        print(f"jointly evaluate: {error}", file=sys.stderr)
        return 1


def _check(options: argparse.Namespace) -> None:
    """Raise InputError for options that cannot be combined."""
    single = (options.source, options.reference)
    if (options.run_folder is None) == (options.system is None):
        raise InputError("give either a run folder, or --system with its output")
    if options.system is None and (options.hypothesis or options.out or options.about):
        raise InputError("--hypothesis, --about and --out require --system")
    if options.system is None and (options.source_lang or options.target_lang):
        raise InputError("--source-lang and --target-lang require --system: a run knows its languages")
    if bool(options.source_lang) != bool(options.target_lang):
        raise InputError("--source-lang and --target-lang must be given together")
    if options.system is not None:
        if options.set or not all((*single, options.hypothesis, options.name, options.out)):
            raise InputError("--system needs --hypothesis, --source, --reference, --name and --out")
        if options.no_unk or options.table_1 or options.replace_unk or options.concatenate or options.seen_in:
            raise InputError(
                "--no-unk, --replace-unk, --table-1, --concatenate and --seen-in apply to runs only, not to --system"
            )
    elif options.set and (any(single) or options.name):
        raise InputError("give test sets either with --set, or one with --source, --reference and --name")
    elif not options.set and not all(single):
        raise InputError("no test set given: use --source and --reference, or --set")
    if options.keep_translations and (options.replace_unk or not (options.name or options.set)):
        raise InputError("--keep-translations needs a named test set and cannot be combined with --replace-unk")
    if options.table_1 and options.no_unk:
        raise InputError("--table-1 already includes --no-unk; give only one of them")
    names = [options.name, options.system] + [name for name, _, _ in options.set]
    for name in names:
        if name is not None:
            check_name(name)
    refuse_repeated((name for name, _, _ in options.set), "test sets")


def _evaluate(options: argparse.Namespace, processes: Processes) -> int:
    from nmt.evaluation.concatenation import concatenated_set
    from nmt.evaluation.test_set import TestSet

    info = read_run(options.run_folder)
    languages = Languages(info.source_language, info.target_language)
    tests = []
    for name, source, reference in options.set or [(options.name, options.source, options.reference)]:
        pairs = read_pairs(source, reference)
        test = TestSet(name=name, sources=pairs.source, references=pairs.target, languages=languages)
        tests.append(concatenated_set(test) if options.concatenate else test)
    evaluator = _evaluator(
        info,
        search_settings(options, info.config.search),
        processes,
        precision=options.precision,
        both_columns=options.table_1,
        by_length=options.by_length,
        named=bool(tests[0].name),
        fresh=options.fresh,
        training_corpora=training_corpora_of(info, options.seen_in),
    )
    evaluations = []
    for test in tests:
        evaluations.append(_measured(evaluator, test, options.keep_translations))
        if processes.first:
            print_evaluation(evaluations[-1], options.json)
    if len(evaluations) > 1 and processes.first:
        print_evaluation(_joined(evaluator, tests, evaluations), options.json)
    return 0


def translate_set(run_folder: str, test: TestSet, device: str) -> None:
    """Evaluate a run on a test set, both columns of Table 1, with the run's own search settings, and save the result in
    its folder."""
    from nmt.distributed import joined

    info = read_run(run_folder)
    with joined(device) as processes:
        _measured(_evaluator(info, info.config.search, processes, both_columns=True, named=True), test)


def _evaluator(
    info: RunInfo,
    settings: SearchSettings,
    processes: Processes,
    *,
    named: bool,
    precision: str | None = None,
    both_columns: bool = False,
    by_length: bool = False,
    fresh: bool = False,
    training_corpora: tuple[Corpus, ...] = (),
) -> Evaluator:
    """Load the run. ``named``: the test sets have names, so the results are saved."""
    from nmt.answers.translations import TranslationCache
    from nmt.evaluation.evaluate import Evaluator
    from nmt.inference.translator import load

    if named and not settings.replace_unk and processes.first:
        (info.path / EVALUATION).mkdir(exist_ok=True)  # a folder that cannot be written is said before the work
    model = load(info, device=processes.device, precision=precision)
    return Evaluator(
        model=model,
        info=info,
        settings=model.resolved(settings),
        both_columns=both_columns,
        by_length=by_length,
        reporter=Bar(processes.first),
        cache=None if fresh else TranslationCache(),
        processes=processes,
        training_corpora=training_corpora,
    )


def _measured(evaluator: Evaluator, test: TestSet, keep_translations: bool = False) -> Evaluation:
    """Evaluate on one test set, and save the result in the run's folder if the set has a name. A saved result is of the
    model's own output, without replacements for [UNK]."""
    from nmt.evaluation.evaluation_files import merge_with_saved

    folder = evaluator.info.path
    result = evaluator.evaluate(test)
    if test.name and not evaluator.settings.replace_unk and evaluator.processes.first:
        kept = (result.everything, result.no_unk) if keep_translations else None
        _keep(folder, merge_with_saved(folder, result.evaluation), kept)
    return result.evaluation


def _keep(folder: Path, evaluation: Evaluation, translations: tuple[Sequence[WrittenSentence], ...] | None) -> None:
    """Save the evaluation and the translations of each column. If none are given, older saved translations are
    removed."""
    from nmt.evaluation.evaluation_files import write_evaluation
    from nmt.evaluation.translation_files import delete_translations, write_translations

    write_evaluation(folder, evaluation)
    if translations is None:
        delete_translations(folder, evaluation)
    else:
        write_translations(folder, evaluation, *translations)


def _joined(evaluator: Evaluator, tests: list[TestSet], parts: list[Evaluation]) -> Evaluation:
    """Score all test sets concatenated, from their statistics."""

    def column(no_unk: bool) -> Condition | None:
        columns = [statistics for part in parts if (statistics := part.statistics(no_unk=no_unk)) is not None]
        if not columns:
            return None
        name = "+".join(str(test.name) for test in tests)
        statistics = SentenceStatistics.join(columns)
        scores = evaluator.signed(statistics, no_unk, name)
        settings, precision = evaluator.column(no_unk), evaluator.model.precision
        return Condition(**vars(scores), hypotheses=statistics.hypotheses, search=settings, precision=precision)

    total = sum(part.sentences_given for part in parts)
    pairs = PairStatistics.join([part.pairs for part in parts])
    languages = parts[0].languages
    return Evaluation(
        system=parts[0].system,
        test_set=ALL_SETS,
        sentences_given=total,
        everything=column(False),
        no_unk=column(True),
        pairs=pairs,
        languages=languages,
    )


def _score_output(options: argparse.Namespace) -> int:
    from nmt.data.japanese import is_japanese
    from nmt.data.text import check_language
    from nmt.evaluation.evaluation_files import write_system
    from nmt.evaluation.external_system import evaluate_external_system
    from nmt.evaluation.test_set import TestSet

    pairs = read_pairs(options.source, options.reference)
    test = TestSet(name=options.name, sources=pairs.source, references=pairs.target)
    hypotheses = read_file(options.hypothesis)
    if len(hypotheses) != len(test):
        raise InputError(f"{options.hypothesis} has {len(hypotheses)} lines, but {options.source} has {len(test)}")
    languages = Languages(*(code and check_language(code) for code in (options.source_lang, options.target_lang)))
    if not languages.known and any(is_japanese(reference) for reference in test.references):
        raise InputError(f"{options.reference} contains Japanese: give --source-lang and --target-lang")
    folder = Path(options.out) / options.system
    write_system(folder, options.system, options.about)
    with progress("count", len(test)) as show:
        evaluation = evaluate_external_system(
            options.system, test, hypotheses, languages=languages, by_length=options.by_length, on_progress=show
        )
    _keep(folder, evaluation, ([WrittenSentence(text) for text in hypotheses],) if options.keep_translations else None)
    print_evaluation(evaluation, options.json)
    return 0
