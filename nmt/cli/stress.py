"""``stress``: measure runs on concatenated sentences."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from nmt.answers.translations import TranslationCache
from nmt.cli.lines import Bar, read_pairs
from nmt.cli.options import (
    DEVICE,
    FORMAT,
    FRESH,
    JSON,
    Commands,
    add_beam,
    add_into_run,
    add_number,
    add_precision,
    add_texts,
    check_name,
    print_json,
    say_where,
    search_settings,
    whole,
)
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.concatenation import short_sentences
from nmt.evaluation.measurement_files import StoredStress, write_stress
from nmt.evaluation.metrics import bleu_tokeniser
from nmt.evaluation.test_set import TestSet
from nmt.results import STANDARD_SPANS, Span
from nmt.runs.folder import read_run
from nmt.tables.runs import retention_table, stress_table

if TYPE_CHECKING:
    from nmt.evaluation.evaluate import StressTest

_MOST_WORDS, _MOST_LINES = 12, 20
_STANDARD = ",".join(span.name for span in STANDARD_SPANS)


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "stress",
        description="Stress test: BLEU, log-probability and coverage when k sentences are concatenated.",
        parents=[DEVICE, FRESH, FORMAT, JSON],
    )
    parser.add_argument("run_folders", metavar="RUN", nargs="+", help="run folders of one language pair")
    add_texts(parser, "reference", required=True)
    usual = f"{_MOST_WORDS}; with --lengths any number of words"
    add_number(parser, "--words", whole(1, 1000), "use sentences of up to N words", usual=usual)
    add_number(parser, "--sentences", whole(1, 1_000_000), "use only the first N of these", usual="all")
    parser.add_argument(
        "--lengths",
        metavar="RANGES",
        nargs="?",
        const=_STANDARD,
        help="instead of k sentences, concatenate sentences to these numbers of source words, and compare with "
        f"translating them one by one (without a value: {_STANDARD})",
    )
    add_number(parser, "--most", whole(1, 100), "concatenate up to K sentences", default=8, metavar="K")
    parser.add_argument(
        "--store", metavar="NAME", help="name of the test set; the result is also saved, as stress/NAME.json"
    )
    add_into_run(parser)
    add_beam(parser)
    add_precision(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    if options.store is not None:
        check_name(options.store)
    infos = [read_run(folder) for folder in options.run_folders]
    languages = infos[0].languages
    pairs = read_pairs(options.source, options.reference, languages)
    runs = [info for info in infos if info.languages == languages]
    if len(runs) < len(infos):
        others = (f"{info.name} ({info.languages})" for info in infos if info not in runs)
        print(f"Note: Excluded, because they do not translate {languages}: {', '.join(others)}.", file=sys.stderr)
    full = TestSet(name=options.store, sources=pairs.source, references=pairs.target, languages=languages)
    spans = None if options.lengths is None else _spans(options.lengths)
    most_words = options.words or (_MOST_WORDS if spans is None else None)
    test = short_sentences(full, most_words, options.sentences)
    if spans is None and len(test) < options.most:
        raise InputError(
            f"{_used(full, test, options, most_words)}. --most {options.most} concatenates {options.most} sentences, "
            f"so it needs as many: choose --most {len(test)} or smaller, or allow longer sentences"
        )
    if len(test) < len(full):
        print(f"Note: {_used(full, test, options, most_words)}.", file=sys.stderr)
    refuse_repeated((info.name for info in runs), "runs")

    from nmt.evaluation.evaluate import StressTest
    from nmt.inference.translator import load

    cache = None if options.fresh else TranslationCache()
    measured: list[StoredStress] = []
    for info in runs:
        model = load(info, device=options.device, precision=options.precision)
        settings = model.resolved(search_settings(options, model.search_settings))
        stress = StressTest(model=model, settings=settings, reporter=Bar(), cache=cache)
        measured.append(_measured(stress, test, most_words, options.most, spans))
        if options.store is not None:
            say_where(info.path, write_stress(info.path, measured[-1], into_run=options.into_run))
    if options.json:
        systems = {row.run: [asdict(point) for point in row.points or row.retention] for row in measured}
        summary = {"languages": str(languages), "tokeniser": bleu_tokeniser(languages.target), "sentences": len(test)}
        searches = {row.run: asdict(row.search) | {"precision": row.precision} for row in measured}
        summary |= {"most_words": most_words, "search": searches}
        print_json(summary | {"systems": systems})
        return
    table = (
        stress_table({row.run: row.points for row in measured}, None)
        if spans is None
        else retention_table({row.run: row.retention for row in measured}, None)
    )
    print(table.markdown() if options.format == "markdown" else table.text())


def _used(full: TestSet, test: TestSet, options: argparse.Namespace, most_words: int | None) -> str:
    """A note that says which sentences of the test set are used, and why the others are not."""
    used = {*test.sources}
    lines = [str(number) for number, source in enumerate(full.sources, 1) if source in used][: len(test)]
    named = ", ".join(lines) if len(lines) <= _MOST_LINES else f"{', '.join(lines[:_MOST_LINES])}, …"
    why = "those with words" if most_words is None else f"those of up to {most_words} words (--words)"
    first = "" if options.sentences is None else f", the first {options.sentences} of them (--sentences)"
    return f"{len(test)} of the {len(full)} sentences of {options.source} are used: {why}{first}, in lines {named}"


def _measured(
    stress: StressTest, test: TestSet, most_words: int | None, most: int, spans: Sequence[Span] | None
) -> StoredStress:
    """Measure a run on 1 to ``most`` concatenated sentences or, with ``spans``, on texts of these lengths in words."""
    model = stress.model
    assert model.fingerprint is not None
    return StoredStress(
        run=model.name,
        test_set=test.name or "",
        source_sha256=test.source_sha256,
        reference_sha256=test.reference_sha256,
        weights_sha256=model.fingerprint.weights,
        search=stress.settings,
        precision=model.precision,
        tokeniser=bleu_tokeniser(model.target_language),
        most_words=most_words,
        points=tuple(stress.points(test, most)) if spans is None else (),
        retention=() if spans is None else tuple(stress.retention(test, spans)),
    )


def _spans(text: str) -> list[Span]:
    """Parse the ranges of --lengths. Raises InputError for invalid ranges."""
    spans = []
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]{1,4})-([0-9]{1,4})", part.strip())
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise InputError(f"--lengths takes ranges such as 21-30,41-50, not {text[:40]!r}")
        spans.append(Span(int(match[1]), int(match[2])))
    return spans
