"""``evaluate-output``: score the output of another system."""

import argparse
from pathlib import Path

from nmt.cli.evaluate import GivenTest, add_saved, print_evaluation, save_evaluation
from nmt.cli.lines import progress, read_file, read_raw, say_remarks
from nmt.cli.options import JSON, Commands, add_test_set
from nmt.data.line_words import not_by_words
from nmt.data.text import check_language
from nmt.data.text_files import HYPOTHESIS
from nmt.errors import InputError
from nmt.evaluation.evaluation_files import evaluate_external_system, write_system
from nmt.evaluation.measurement_files import read_translations, translations_path
from nmt.evaluation.test_set import check_name
from nmt.results import Languages, WrittenSentence


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "evaluate-output",
        description="BLEU, chrF and TER of another system's output on a test set, with signatures.",
        parents=[JSON],
    )
    parser.add_argument("system", metavar="SYSTEM", help="name of the system")
    needed = parser.add_argument_group("what it wrote")
    needed.add_argument("--hypothesis", metavar="FILE", required=True, help="its translations, one per line")
    add_test_set(needed, required=True)
    needed.add_argument("--name", metavar="NAME", required=True, help="name of the test set")
    needed.add_argument("--out", metavar="DIR", required=True, help="the result is DIR/SYSTEM/evaluation/NAME.json")
    parser.add_argument(
        "--languages",
        nargs=2,
        metavar=("SOURCE", "TARGET"),
        default=("", ""),
        help="such as en fr; BLEU of Japanese (ja), Korean (ko), Thai (th), Lao (lo), Khmer (km) and Burmese (my) is "
        "computed over characters, of Chinese (zh) by sacreBLEU's tokeniser for it",
    )
    add_saved(parser)
    parser.add_argument(
        "--segments",
        metavar="FILE",
        help="also save the translations, and how the system cut each sentence, per line `a | b ||| x | y`",
    )
    parser.add_argument("--about", metavar="TEXT", default="", help="description of the system, in one sentence")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    for name in (options.system, options.name):
        check_name(name)
    languages = Languages(*(code and check_language(code) for code in options.languages))
    test = GivenTest(options.name, options.source, options.reference).read(languages, concatenate=options.concatenate)
    hypotheses = read_file(options.hypothesis, HYPOTHESIS, languages.target)
    segments = read_raw(options.segments) if options.segments else [""] * len(test)
    for file, lines in ((options.hypothesis, hypotheses), (options.segments, segments)):
        if len(lines) != len(test):
            source = f"{options.source} concatenated" if options.concatenate else options.source
            raise InputError(f"{file} has {len(lines)} lines, but {source} has {len(test)}")
    unspaced = "" if languages.known else next(filter(None, map(not_by_words, test.references)), "")
    if unspaced:
        raise InputError(f"{options.reference[0]} contains {unspaced}: give --languages")
    folder = Path(options.out) / options.system
    write_system(folder, options.system, options.about)
    with progress("count", len(test)) as show:
        evaluation = evaluate_external_system(options.system, test, hypotheses, languages=languages, on_progress=show)
    say_remarks(hypotheses, test.all_references, options.hypothesis, " and ".join(options.reference))
    written = [WrittenSentence(text, segments=cuts) for text, cuts in zip(hypotheses, segments, strict=True)]
    save_evaluation(folder, evaluation, *([written] if options.keep_translations or options.segments else ()))
    saved = read_translations(folder, evaluation).everything.values()
    if [line.text for line in saved] != [*hypotheses]:  # no checksum of weights tells these from an earlier output
        translations_path(folder, evaluation).unlink(missing_ok=True)
    print_evaluation(evaluation, options.json)
