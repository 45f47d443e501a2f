"""``translate``: translate sentences from standard input. ``score``: print log-probabilities of given translations."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from nmt.cli.lines import (
    MOST_CHARACTERS,
    IncomingLines,
    beside_output,
    progress,
    read_file,
    read_pairs,
    without_long_lines,
)
from nmt.cli.options import (
    DEVICE,
    JSON,
    LANGUAGES,
    MOST_SEED,
    RUN,
    Commands,
    add_decoding,
    add_number,
    add_texts,
    as_json_line,
    opened,
    print_json,
    real,
    search_settings,
    usual_run,
    whole,
)
from nmt.cli.shards import add_shards, both_sides, work_on_shards
from nmt.config import LEAST_TEMPERATURE, MOST_BEAM, MOST_TEMPERATURE, SearchSettings
from nmt.data.shards import Work
from nmt.data.text_files import REFERENCE
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.quoted import quoted_sentences
from nmt.released import OPENS_FIRST
from nmt.results import ForcedScore, Languages, Translation, record
from nmt.runs.folder import find_run
from nmt.tables.table import Table

if TYPE_CHECKING:
    from nmt.inference.system import System


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "translate",
        description="Translate sentences from standard input, one per line. A line of more than "
        f"{MOST_CHARACTERS:,} characters is treated as blank, and named on standard error.",
        parents=[DEVICE, LANGUAGES, JSON],
    )
    text = (
        f"a run folder, such as checkpoints/rnnsearch-50, or its name (default: {OPENS_FIRST[0]} or, without its "
        "weights, the run that comes with the package)"
    )
    parser.add_argument("run_folder", metavar="RUN", nargs="?", type=find_run, help=text)
    parser.add_argument(
        "others",
        nargs="*",
        metavar="RUN",
        help="more runs with the same vocabularies: outputs are ranked by the mean of all log-probabilities; alpha and "
        "settings are those of the first",
    )
    add_decoding(parser)
    add_number(
        parser,
        "--n-best",
        whole(1, MOST_BEAM),
        "print the N best, at most the beam width, as `line ||| translation ||| log-probability ||| score`",
        usual="the run's own, usually 1: plain lines",
    )
    drawn = parser.add_argument_group("translations drawn at random, in place of the search")
    add_number(drawn, "--sample", whole(1, MOST_BEAM), "print N translations, each drawn word by word from p(y_i)")
    add_number(
        drawn,
        "--temperature",
        real(LEAST_TEMPERATURE, MOST_TEMPERATURE),
        "draw from p(y_i)^(1/T); below 1 probable words become more probable",
        usual="1",
        metavar="T",
    )
    add_number(drawn, "--seed", whole(0, MOST_SEED), "of the random numbers", usual="1", metavar="S")
    table = parser.add_argument_group("Table 3 of the paper, in place of lines")
    table.add_argument(
        "--table-3",
        action="store_true",
        help="print each sentence, its reference, and what each run alone writes for it",
    )
    table.add_argument("--reference", metavar="FILE", help="with --table-3: reference translations, one per line")
    table.add_argument(
        "--paper", action="store_true", help="with --table-3: the paper's sentences, of newstest2014 in data/corpora"
    )
    add_shards(parser, _translate_shards)
    parser.set_defaults(run=_run_translate)
    parser = commands.add_parser(
        "score",
        description="Log-probability (natural logarithm, end-of-sentence token included) of each target given its "
        "source.",
        parents=[RUN, DEVICE, LANGUAGES, JSON],
    )
    add_texts(parser, note=f", each up to {MOST_CHARACTERS:,} characters")
    add_shards(parser, _score_shards)
    parser.set_defaults(run=_run_score)


def _load_runs(options: argparse.Namespace) -> list[System]:
    folders = (options.run_folder or usual_run(), *options.others)
    return [opened(run, options, options.precision) for run in folders]


def _load(options: argparse.Namespace) -> tuple[list[System], System, SearchSettings]:
    """Load the runs. Return the runs, the system that translates with all of them, and the settings of the search."""
    runs = _load_runs(options)
    model = runs[0].with_committee(runs[1:]) if runs[1:] else runs[0]
    return runs, model, model.resolved(search_settings(options, model.search_settings))


def _translate_shards(options: argparse.Namespace) -> Work:
    runs, model, settings = _load(options)
    computed = {"precision": model.precision}

    def lines(sides: Sequence[list[str]], first: int) -> Iterator[str]:
        translations = model.translate_stream(iter(sides[0]), settings, alpha=options.json)
        for number, translation in enumerate(translations, first):
            yield from _lines(number, translation, settings, computed | {"engine": model.engine}, options.json)

    name = "-".join(("translate", *(run.name for run in runs)))
    identity = {"runs": [run.identity for run in runs], "search": asdict(settings), "json": options.json}
    return Work(name, {"command": "translate"} | identity, lines)


def _run_translate(options: argparse.Namespace) -> None:
    if work_on_shards(options, "sample", "temperature", "seed", "table_3", "reference", "paper"):
        return
    _check_sample(options)
    if options.table_3:
        return _print_table_3(options)
    _, model, settings = _load(options)
    lines = IncomingLines.from_stdin(model.source_language)
    computed = {"precision": model.precision, "engine": model.engine}
    if options.sample is not None:
        return _sample(options, model, settings, lines, computed)
    with progress(f"translate in {model.precision}", lines.count(), beside_output()) as show:
        translations = model.translate_stream(
            without_long_lines(lines, "standard input"),
            settings,
            alpha=options.json,
            at_hand=lines.at_hand,
            on_progress=show,
        )
        for number, translation in enumerate(translations):
            for line in _lines(number, translation, settings, computed, options.json):
                print(line, flush=True)  # a reader may wait, and an interrupt must not lose finished work


def _check_sample(options: argparse.Namespace) -> None:
    """Raise InputError for options that cannot be combined."""
    if not options.table_3 and (options.reference is not None or options.paper):
        raise InputError("--reference and --paper require --table-3")
    if options.sample is None and (options.temperature is not None or options.seed is not None):
        raise InputError("--temperature and --seed require --sample")
    if options.sample is not None and (options.n_best, options.beam, options.length_penalty) != (None, None, None):
        raise InputError("--sample draws translations without a search: give no --beam, --n-best or --length-penalty")
    if options.table_3 and (options.n_best is not None or options.sample is not None):
        raise InputError("--table-3 shows one translation by each run: give no --n-best and no --sample")


def _sample(
    options: argparse.Namespace,
    model: System,
    settings: SearchSettings,
    lines: IncomingLines,
    computed: Mapping[str, str],
) -> None:
    """Print sampled translations of each line, in the order of sampling."""
    temperature, seed = options.temperature or 1.0, 1 if options.seed is None else options.seed
    drawn = {"sample": options.sample, "temperature": temperature, "seed": seed} | {
        name: getattr(settings, name) for name in ("no_unk", "replace_unk", "hard_attention")
    }
    drawn |= computed
    with progress(f"draw in {model.precision}", lines.count(), beside_output()) as show:
        for number, line in enumerate(without_long_lines(lines, "standard input")):
            translation = model.sample(line, options.sample, settings, temperature=temperature, seed=seed)
            if options.json:
                print_json(translation.record(drawn).to_dict())
            else:
                for draw in translation.hypotheses:
                    print(f"{number} ||| {draw.text} ||| {draw.log_probability:.6f} ||| {draw.score:.6f}", flush=True)
            show(number + 1)


def _print_table_3(options: argparse.Namespace) -> None:
    """Print each run's translation of each sentence, in the form of the paper's Table 3. The runs are not combined."""
    runs = _load_runs(options)
    refuse_repeated((run.name for run in runs), "runs")
    for run in runs:
        if run.languages != runs[0].languages:
            raise InputError(f"{run.name} has other languages than {runs[0].name}")
    if options.paper:
        if runs[0].languages != Languages("en", "fr"):
            raise InputError(f"the paper's sentences are in English and French; {runs[0].name} has other languages")
        quoted = quoted_sentences("table_3")
        if not quoted:
            raise InputError("--paper needs newstest2014 in the folder of corpora: `python -m release corpus get news`")
        sources, references = map(list, zip(*quoted.values(), strict=True))
    else:
        sources = [*without_long_lines(IncomingLines.from_stdin(runs[0].source_language), "standard input")]
        references = [""] * len(sources)
    if options.reference is not None:
        references = read_file(options.reference, REFERENCE, runs[0].target_language)
    if len(references) != len(sources):
        raise InputError(f"{options.reference} has {len(references)} lines, but {len(sources)} sentences are given")
    settings = [run.resolved(search_settings(options, run.search_settings)) for run in runs]
    written = [run.translate(sources, its) for run, its in zip(runs, settings, strict=True)]
    for number, (source, reference, *texts) in enumerate(zip(sources, references, *written, strict=True), 1):
        if options.json:
            ref = record.System(name="reference", kind="reference", language=runs[0].target_language, text=reference)
            systems = [*([ref] if reference else []), *(system for t in texts for system in t.record().systems)]
            read = record.Text(text=source, language=runs[0].source_language)
            print_json(record.SentenceRecord(source=read, systems=tuple(systems)).to_dict())
        else:
            by_run = [(run.name, t.text) for run, t in zip(runs, texts, strict=True)]
            rows = [("Source", source), *([("Reference", reference)] if reference else []), *by_run]
            print(Table(title=f"Sentence {number}", head=("", ""), rows=rows, left=2).markdown(), end="\n\n")


def _lines(
    number: int, translation: Translation, settings: SearchSettings, computed: Mapping[str, str], as_json: bool
) -> Iterator[str]:
    """Yield the output lines of one translation: JSON, the text, or a line for each hypothesis."""
    if as_json:
        yield as_json_line(translation.record(asdict(settings) | dict(computed)).to_dict())
    elif settings.n_best == 1:
        yield translation.text
    else:
        for hypothesis in translation.hypotheses:
            yield f"{number} ||| {hypothesis.text} ||| {hypothesis.log_probability:.6f} ||| {hypothesis.score:.6f}"


def _score_shards(options: argparse.Namespace) -> Work:
    model = opened(options.run_folder, options)

    def lines(sides: Sequence[list[str]], _: int) -> Iterator[str]:
        for scored in model.score_stream(both_sides(sides), alpha=options.json):
            yield _score_line(scored, options.json)

    identity = {"command": "score", "runs": [model.identity], "json": options.json}
    return Work(f"score-{model.name}", identity, lines)


def _score_line(scored: ForcedScore, as_json: bool) -> str:
    return as_json_line(scored.to_dict()) if as_json else f"{scored.log_probability:.6f}"


def _run_score(options: argparse.Namespace) -> None:
    if work_on_shards(options, "source", "target"):
        return
    if options.source is None or options.target is None:
        raise InputError("give --source and --target")
    model = opened(options.run_folder, options)
    pairs = read_pairs(options.source, options.target, model.languages)
    with progress("score", len(pairs.source), beside_output()) as show:
        for scored in model.score_stream(pairs, alpha=options.json, on_progress=show):
            print(_score_line(scored, options.json), flush=True)
