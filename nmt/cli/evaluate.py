"""``evaluate``: translate test sets and score them, or score the output of another system."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from nmt.answers.translations import TranslationCache
from nmt.cli.lines import Bar, progress, read_file, read_raw, read_references, read_text, say_remarks
from nmt.cli.options import (
    DEVICE,
    FRESH,
    JSON,
    Commands,
    add_decoding,
    add_into_run,
    add_references,
    print_json,
    say_where,
    search_settings,
)
from nmt.cli.shards import add_workers, parsed_in_worker
from nmt.data.line_words import unspaced_script
from nmt.data.text import check_language
from nmt.data.text_files import HYPOTHESIS
from nmt.data.tokenised import Corpus
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import by_width
from nmt.evaluation.concatenation import concatenated_set
from nmt.evaluation.evaluation_files import evaluate_external_system, merge_with_saved, write_evaluation, write_system
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.measurement_files import delete_translations, write_translations
from nmt.evaluation.metrics import NEEDS_MECAB
from nmt.evaluation.test_set import TestSet, check_name
from nmt.files import sha256_of
from nmt.results import ALL_SETS, Condition, Evaluation, Languages, PairStatistics, SentenceStatistics, WrittenSentence
from nmt.runs.folder import EVALUATION, RunInfo, read_run, results_folder
from nmt.runs.provenance import read_provenance
from nmt.tables.comparison import lengths_table

if TYPE_CHECKING:
    from nmt.distributed import Processes
    from nmt.evaluation.evaluate import Evaluator, EvaluatorResult


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "evaluate",
        help="BLEU, chrF and TER of a run, or of another system's output",
        description="BLEU, chrF and TER of a run, or of another system's output, on test sets, with signatures.",
        parents=[DEVICE, FRESH, JSON],
    )
    parser.add_argument("run_folders", metavar="RUN", nargs="*", help="run folders, such as checkpoints/rnnsearch-50")
    parser.add_argument("--source", metavar="FILE", help="source sentences, one per line (plain, .gz or .xz)")
    add_references(parser, "reference translations, one per line")
    parser.add_argument(
        "--name",
        metavar="NAME",
        help="name of the test set; the result is also saved, as evaluation/NAME.json, except with --replace-unk "
        "or --hard-attention",
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
        "--keep-translations",
        action="store_true",
        help="also save the translations, as evaluation/NAME.translations.jsonl: for test sets whose sentences may be "
        "redistributed",
    )
    add_into_run(parser)
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
    parser.add_argument(
        "--segments",
        metavar="FILE",
        help="with --keep-translations: also save how the system cut each sentence, per line `a | b ||| x | y`",
    )
    parser.add_argument("--source-lang", metavar="CODE", default="", help="with --system: source language, such as en")
    parser.add_argument(
        "--target-lang",
        metavar="CODE",
        default="",
        help="with --system: target language; BLEU of Japanese (ja), Korean (ko), Thai (th), Lao (lo), Khmer (km) and "
        "Burmese (my) is computed over characters, of Chinese (zh) by sacreBLEU's tokeniser for it",
    )
    parser.add_argument("--about", metavar="TEXT", default="", help="description of the system, in one sentence")
    parser.add_argument("--out", metavar="DIR", help="save the result as DIR/SYSTEM/evaluation/NAME.json")
    add_workers(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if bool(options.run_folders) == (options.system is not None):
        raise InputError("give either a run folder, or --system with its output")
    for name in (options.name, options.system, *(name for name, _, _ in options.set)):
        if name is not None:
            check_name(name)
    if options.system is None:
        return _evaluate_run(options)
    _evaluate_output(options)
    return 0


def _evaluate_run(options: argparse.Namespace) -> int:
    _check_run(options)
    from nmt.distributed import ProcessLost, joined

    try:
        with joined(options.device) as processes:
            shared = options.workers is not None or options.cluster is not None
            if shared and processes.count > 1:
                raise InputError("--workers and --cluster cannot be combined with torchrun")
            found = _by_workers(options) if shared else {}
            for folder in options.run_folders:
                _evaluate(options, folder, processes, found)
            return 0
    except ProcessLost as error:
        print(f"jointly evaluate: {error}", file=sys.stderr)
        return 1


def _evaluate(
    options: argparse.Namespace, folder: str, processes: Processes, found: Mapping[tuple[str, int], EvaluatorResult]
) -> None:
    """Evaluate a run, save and print. ``found``: what workers have found already, by run and number of the test set."""
    info = read_run(folder)
    tests = [_test_set(options, info.languages, given) for given in _given(options)]
    settings = search_settings(options, info.config.search)
    own = not settings.replace_unk and not settings.hard_attention
    named = bool(tests[0].name) and own  # a saved result is of the model's own output
    saved = results_folder(info.path, options.into_run) if named and processes.first else None
    if saved is not None:
        (saved / EVALUATION).mkdir(exist_ok=True)  # where it cannot be made, before the work
    evaluator = _evaluator(options, info, processes)
    evaluations = []
    seen = evaluator.seen(tests) if evaluator.training_corpora and not found else [None] * len(tests)
    if len(options.run_folders) > 1 and processes.first and not options.json:
        print(info.name)
    for number, test in enumerate(tests):
        result = found.get((folder, number)) or evaluator.evaluate(test, seen[number])
        if saved is not None:
            evaluation = merge_with_saved(info.path, result.evaluation, into_run=options.into_run)
            _keep(saved, evaluation, *((result.everything, result.no_unk) if options.keep_translations else ()))
            say_where(info.path, saved / EVALUATION / f"{evaluation.test_set}.json")
        evaluations.append(result.evaluation)
        if processes.first:
            print_evaluation(evaluations[-1], options.json)
            texts = [written.text for written in result.everything or result.no_unk]
            references = " and ".join(_given(options)[number].references)
            say_remarks(texts, test.all_references, f"the output of {info.name}", references)
    if len(evaluations) > 1 and processes.first:
        print_evaluation(_joined(evaluator, tests, evaluations), options.json)


@dataclass(frozen=True)
class _Given:
    """The files of a test set."""

    name: str | None
    source: str
    references: Sequence[str]


def _given(options: argparse.Namespace) -> list[_Given]:
    if options.set:
        return [_Given(name, source, [reference]) for name, source, reference in options.set]
    return [_Given(options.name, options.source, options.reference)]


def _test_set(options: argparse.Namespace, languages: Languages, given: _Given) -> TestSet:
    source = read_text(given.source, language=languages.source)
    references, *more = read_references(given.references, languages.target)
    if len(source.lines) != len(references):
        raise InputError(
            f"{given.source} has {len(source.lines)} lines, but {given.references[0]} has {len(references)}"
        )
    test = TestSet(
        name=given.name,
        sources=source.lines,
        references=references,
        languages=languages,
        more_references=more,
        documents=source.documents,
    )
    return concatenated_set(test) if options.concatenate else test


def _evaluator(options: argparse.Namespace, info: RunInfo, processes: Processes) -> Evaluator:
    from nmt.evaluation.evaluate import Evaluator
    from nmt.inference.translator import load

    corpora = training_corpora_of(info, options.seen_in)
    model = load(info, device=processes.device, precision=options.precision)
    return Evaluator(
        model=model,
        settings=model.resolved(search_settings(options, info.config.search)),
        reporter=Bar(processes.first),
        cache=None if options.fresh else TranslationCache(),
        processes=processes,
        both_columns=options.table_1,
        by_length=options.by_length,
        training_corpora=corpora,
    )


def _by_workers(options: argparse.Namespace) -> dict[tuple[str, int], EvaluatorResult]:
    """Let workers evaluate each run on each test set."""
    from nmt.cluster import run_tasks

    which = [(folder, number) for folder in options.run_folders for number in range(len(_given(options)))]
    tasks = [(tuple(options.arguments), str(Path.cwd()), *one) for one in which]
    found: dict[tuple[str, int], EvaluatorResult] = {}
    with progress("evaluate", len(tasks), unit="test sets") as show:
        for number, result in run_tasks(evaluate_one, tasks, workers=options.workers, address=options.cluster):
            found[which[number]] = result
            show(len(found))
    return found


def evaluate_one(arguments: tuple[str, ...], folder: str, run: str, number: int) -> EvaluatorResult:
    """Evaluate one run on one test set in a worker. ``folder``: to which the paths in the arguments are relative."""
    os.chdir(folder)
    options, evaluator = _opened(arguments, run)
    return evaluator.evaluate(_test_set(options, evaluator.model.languages, _given(options)[number]))


@lru_cache(maxsize=1)
def _opened(arguments: tuple[str, ...], run: str) -> tuple[argparse.Namespace, Evaluator]:
    from nmt.distributed import Processes

    options = parsed_in_worker(arguments)
    return options, _evaluator(options, read_run(run), Processes(device=options.device))


def _check_run(options: argparse.Namespace) -> None:
    """Raise InputError for options that do not fit a run, or one another."""
    single = (options.source, options.reference)
    if options.hypothesis or options.segments or options.out or options.about:
        raise InputError("--hypothesis, --segments, --about and --out require --system")
    if options.source_lang or options.target_lang:
        raise InputError("--source-lang and --target-lang require --system: a run knows its languages")
    if options.set and (any(single) or options.name):
        raise InputError("give test sets either with --set, or one with --source, --reference and --name")
    if not options.set and not all(single):
        raise InputError("no test set given: use --source and --reference, or --set")
    if options.keep_translations and (options.replace_unk or not (options.name or options.set)):
        raise InputError("--keep-translations needs a named test set and cannot be combined with --replace-unk")
    if options.table_1 and options.no_unk:
        raise InputError("--table-1 already includes --no-unk; give only one of them")
    refuse_repeated((name for name, _, _ in options.set), "test sets")


def _keep(folder: Path, evaluation: Evaluation, *translations: Sequence[WrittenSentence]) -> None:
    """Save the evaluation and the translations of each column. If none are given, older saved translations are
    removed."""
    write_evaluation(folder, evaluation)
    if translations:
        write_translations(folder, evaluation, *translations)
    else:
        delete_translations(folder, evaluation)


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

    return Evaluation(
        system=evaluator.model.name,
        test_set=ALL_SETS,
        sentences_given=sum(part.sentences_given for part in parts),
        everything=column(False),
        no_unk=column(True),
        pairs=PairStatistics.join([part.pairs for part in parts]),
        languages=evaluator.model.languages,
    )


def training_corpora_of(info: RunInfo, files: Sequence[Sequence[str]]) -> tuple[Corpus, ...]:
    """The corpora of --seen-in. InputError unless they are the run's training corpora, each of them, judged by their
    checksums."""
    if not files:
        return ()
    provenance = read_provenance(info.path)
    if provenance is None:
        raise InputError(f"{info.name} does not say which corpora it was trained on, which --seen-in needs")
    used = {(corpus.source_sha256, corpus.target_sha256): corpus for corpus in provenance.train}
    corpora = {}
    for source, target in files:
        checksums = sha256_of(Path(source)), sha256_of(Path(target))
        if checksums not in used:
            raise InputError(f"{source} and {target} are not a corpus that {info.name} was trained on")
        corpora[checksums] = Corpus(source=Path(source), target=Path(target))
    missing = [corpus.target for checksums, corpus in used.items() if checksums not in corpora]
    if missing:
        raise InputError(f"--seen-in lacks {', '.join(missing)}, on which {info.name} was trained too")
    return tuple(corpora.values())


def _check_output(options: argparse.Namespace) -> None:
    """Raise InputError for options that do not fit another system's output."""
    if bool(options.source_lang) != bool(options.target_lang):
        raise InputError("--source-lang and --target-lang must be given together")
    needed = (options.source, options.reference, options.hypothesis, options.name, options.out)
    if options.set or not all(needed):
        raise InputError("--system needs --hypothesis, --source, --reference, --name and --out")
    if options.no_unk or options.table_1 or options.replace_unk or options.seen_in:
        raise InputError("--no-unk, --replace-unk, --table-1 and --seen-in apply to runs only, not to --system")
    if options.workers is not None or options.cluster is not None:
        raise InputError("--workers and --cluster apply to runs only, not to --system")
    if options.segments and not options.keep_translations:
        raise InputError("--segments requires --keep-translations")


def _evaluate_output(options: argparse.Namespace) -> None:
    _check_output(options)
    languages = Languages(*(code and check_language(code) for code in (options.source_lang, options.target_lang)))
    (given,) = _given(options)
    test = _test_set(options, languages, given)
    hypotheses = read_file(options.hypothesis, HYPOTHESIS, languages.target)
    segments = read_raw(options.segments) if options.segments else [""] * len(test)
    for file, lines in ((options.hypothesis, hypotheses), (options.segments, segments)):
        if len(lines) != len(test):
            source = f"{options.source} concatenated" if options.concatenate else options.source
            raise InputError(f"{file} has {len(lines)} lines, but {source} has {len(test)}")
    unspaced = "" if languages.known else next(filter(None, map(unspaced_script, test.references)), "")
    if unspaced:
        raise InputError(f"{options.reference[0]} contains {unspaced}: give --source-lang and --target-lang")
    folder = Path(options.out) / options.system
    write_system(folder, options.system, options.about)
    with progress("count", len(test)) as show:
        evaluation = evaluate_external_system(
            options.system, test, hypotheses, languages=languages, by_length=options.by_length, on_progress=show
        )
    say_remarks(hypotheses, test.all_references, options.hypothesis, " and ".join(options.reference))
    written = [WrittenSentence(text, segments=cuts) for text, cuts in zip(hypotheses, segments, strict=True)]
    _keep(folder, evaluation, *([written] if options.keep_translations else ()))
    print_evaluation(evaluation, options.json)


def print_evaluation(evaluation: Evaluation, as_json: bool) -> None:
    """Print the scores with their signatures, as text or as one line of JSON."""
    if as_json:
        print_json(evaluation.to_dict(statistics=False))
        return
    if evaluation.test_set:
        print(evaluation.test_set)
    if evaluation.everything is not None:
        _print_scores(evaluation, no_unk=False)
    if evaluation.no_unk is not None:
        known_words, total = evaluation.no_unk.sentences, evaluation.sentences_given
        print(f"{known_words} of {total} sentences have no unknown word in source and reference")
        _print_scores(evaluation, no_unk=True)
    sys.stdout.flush()


def _print_scores(evaluation: Evaluation, *, no_unk: bool) -> None:
    condition, statistics = evaluation.no_unk if no_unk else evaluation.everything, evaluation.statistics(no_unk=no_unk)
    assert condition is not None
    assert statistics is not None
    for score in (*condition.each, *condition.more):
        print(f"{score.metric:<5}{score.value:7.2f}  {score.signature}")
    if evaluation.languages.target == "ja" and not condition.more:
        print(NEEDS_MECAB, file=sys.stderr)
    if condition.by_length:
        resamples = Resamples.draw(len(statistics))
        curves = length_curves({evaluation.system: statistics}, by_width(), resamples=resamples, no_unk=no_unk)
        print(lengths_table(curves).text())
