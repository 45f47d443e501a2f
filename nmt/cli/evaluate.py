"""``evaluate``: translate test sets and score the translations. Also the output of an evaluation."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nmt.answers.translations import TranslationCache
from nmt.cli.lines import Bar, read_references, read_text, say_remarks
from nmt.cli.options import (
    DEVICE,
    FRESH,
    JSON,
    LANGUAGES,
    Commands,
    add_decoding,
    add_into_run,
    add_test_set,
    opened,
    print_json,
    say_where,
    search_settings,
)
from nmt.data.tokenised import Corpus
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.concatenation import concatenated_set
from nmt.evaluation.evaluation_files import merge_with_saved, write_evaluation
from nmt.evaluation.measurement_files import drop_other_translations, write_translations
from nmt.evaluation.metrics import NEEDS_MECAB
from nmt.evaluation.test_set import TestSet, check_name
from nmt.files import sha256_of
from nmt.results import Condition, Evaluation, Languages, WrittenSentence
from nmt.runs.folder import EVALUATION, RunInfo, find_run, read_run, results_folder
from nmt.runs.provenance import read_provenance

if TYPE_CHECKING:
    from nmt.evaluation.evaluate import Evaluator


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "evaluate",
        description="BLEU, chrF and TER of runs on test sets, with signatures.",
        parents=[DEVICE, FRESH, LANGUAGES, JSON],
    )
    parser.add_argument("run_folders", metavar="RUN", nargs="+", help="run folders, such as checkpoints/rnnsearch-50")
    add_test_set(parser)
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
        help="another test set, with its name; repeatable",
    )
    add_decoding(parser).add_argument(
        "--table-1",
        action="store_true",
        help="both columns of Table 1: all sentences, and (as with --no-unk) the sentences without unknown words",
    )
    add_saved(parser)
    add_into_run(parser)
    parser.add_argument(
        "--seen-in",
        nargs=2,
        action="append",
        default=[],
        metavar=("SOURCE", "TARGET"),
        help="a training corpus of the run, repeatable: also count the references' n-grams that occur in the target "
        "sentences it was trained on, for a line of Figure 2",
    )
    parser.set_defaults(run=run)


def add_saved(parser: argparse.ArgumentParser) -> None:
    """Add the options of every evaluation: --concatenate and --keep-translations."""
    parser.add_argument(
        "--concatenate",
        action="store_true",
        help="evaluate on the concatenated version of each test set, called NAME-concatenated: sentences of up to 20 "
        "words, and the same sentences concatenated to 21-30, 31-40, … 71-80 words, so that BLEU by length depends "
        "on length alone",
    )
    parser.add_argument(
        "--keep-translations",
        action="store_true",
        help="also save the translations, as evaluation/NAME.translations.jsonl: for test sets whose sentences may be "
        "redistributed",
    )


def run(options: argparse.Namespace) -> None:
    unnamed = _given(options)[0].name is None
    if options.keep_translations and (options.replace_unk or options.hard_attention or unnamed):
        raise InputError("--keep-translations needs a named test set, and neither --replace-unk nor --hard-attention")
    for folder in options.run_folders:
        _evaluate(options, folder)


def _evaluate(options: argparse.Namespace, folder: str) -> None:
    """Evaluate a run on all test sets, save and print the evaluations."""
    evaluator, path = _evaluator(options, folder), Path(find_run(folder))
    model = evaluator.model
    tests = [test.read(model.languages, concatenate=options.concatenate) for test in _given(options)]
    settings = search_settings(options, model.search_settings)
    unchanged = not settings.replace_unk and not settings.hard_attention
    named = any(test.name for test in tests) and unchanged  # only unchanged output of the model is saved
    saved = results_folder(path, options.into_run) if named else None
    if saved is not None:
        (saved / EVALUATION).mkdir(exist_ok=True)  # fails before the work if it cannot be created
    seen = evaluator.seen(tests) if evaluator.training_corpora else [None] * len(tests)
    if len(options.run_folders) > 1 and not options.json:
        print(model.name)
    for number, test in enumerate(tests):
        result = evaluator.evaluate(test, seen[number])
        if saved is not None and test.name is not None:
            evaluation = merge_with_saved(path, result.evaluation, into_run=options.into_run)
            save_evaluation(
                saved, evaluation, *((result.everything, result.no_unk) if options.keep_translations else ())
            )
            say_where(path, saved / EVALUATION / f"{evaluation.test_set}.json")
        print_evaluation(result.evaluation, options.json)
        texts = [written.text for written in result.everything or result.no_unk]
        references = " and ".join(_given(options)[number].references)
        say_remarks(texts, test.all_references, f"the output of {model.name}", references)


@dataclass(frozen=True)
class GivenTest:
    """The files of a test set in the options, and its name. None if the options give no name."""

    name: str | None
    source: str
    references: Sequence[str]

    def read(self, languages: Languages, *, concatenate: bool) -> TestSet:
        """Read the test set, or its concatenated version. Raises InputError for unequal numbers of lines."""
        source = read_text(self.source, language=languages.source)
        references, *more = read_references(self.references, languages.target)
        if len(source.lines) != len(references):
            raise InputError(
                f"{self.source} has {len(source.lines)} lines, but {self.references[0]} has {len(references)}"
            )
        test = TestSet(
            name=self.name,
            sources=source.lines,
            references=references,
            languages=languages,
            more_references=more,
            documents=source.documents,
        )
        return concatenated_set(test) if concatenate else test


def _given(options: argparse.Namespace) -> list[GivenTest]:
    """The test sets in the options. Raises InputError if there is none, or if two have the same name."""
    tests = [GivenTest(name, source, [reference]) for name, source, reference in options.set]
    if options.source or options.reference or options.name:
        tests.insert(0, GivenTest(options.name, options.source, options.reference))
    if not tests or None in (tests[0].source, tests[0].references):
        raise InputError("no test set given: use --source and --reference, or --set")
    names = [test.name for test in tests if test.name is not None]
    for name in names:
        check_name(name)
    refuse_repeated(names, "test sets")
    return tests


def _evaluator(options: argparse.Namespace, folder: str) -> Evaluator:
    from nmt.evaluation.evaluate import Evaluator

    info, longest = read_run(folder) if options.seen_in else None, 0
    if info is not None and (provenance := read_provenance(info.path)) is not None:
        longest = min(filter(None, (info.config.training.max_length, provenance.prepared_length)), default=0)
    model = opened(find_run(folder), options, options.precision)
    return Evaluator(
        model=model,
        settings=model.resolved(search_settings(options, model.search_settings)),
        reporter=Bar(),
        cache=None if options.fresh else TranslationCache(),
        both_columns=options.table_1,
        training_corpora=() if info is None else training_corpora_of(info, options.seen_in),
        longest=longest,
    )


def save_evaluation(folder: Path, evaluation: Evaluation, *translations: Sequence[WrittenSentence]) -> None:
    """Save the evaluation, and the translations of each column if there are any. Otherwise, delete saved translations
    unless they belong to exactly this evaluation."""
    write_evaluation(folder, evaluation)
    if translations:
        write_translations(folder, evaluation, *translations)
    else:
        drop_other_translations(folder, evaluation)


def training_corpora_of(info: RunInfo, files: Sequence[Sequence[str]]) -> tuple[Corpus, ...]:
    """The corpora of --seen-in. Raises InputError unless they are exactly the run's training corpora, by checksum."""
    provenance = read_provenance(info.path)
    if provenance is None:
        raise InputError(f"{info.name} does not say which corpora it was trained on, which --seen-in needs")
    used = {(corpus.source_sha256, corpus.target_sha256): corpus for corpus in provenance.corpora_seen}
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


def print_evaluation(evaluation: Evaluation, as_json: bool) -> None:
    """Print the scores with their signatures, as text or as one line of JSON."""
    if as_json:
        print_json(evaluation.to_dict(statistics=False))
        return
    if evaluation.test_set:
        print(evaluation.test_set)
    if evaluation.everything is not None:
        _print_scores(evaluation.everything, evaluation.languages.target)
    if evaluation.no_unk is not None:
        known_words, total = evaluation.no_unk.sentences, evaluation.sentences_given
        print(f"{known_words} of {total} sentences have no unknown word in source and reference")
        _print_scores(evaluation.no_unk, evaluation.languages.target)
    sys.stdout.flush()


def _print_scores(condition: Condition, target_language: str) -> None:
    for score in (*condition.each, *condition.more):
        print(f"{score.metric:<5}{score.value:7.2f}  {score.signature}")
    if target_language == "ja" and not condition.more:
        print(NEEDS_MECAB, file=sys.stderr)
