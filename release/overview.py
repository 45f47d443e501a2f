"""``overview``: all runs in a folder side by side in Markdown, generated from their files.

Paper: Table 1, Table 2, Figure 2
"""

import argparse
from collections.abc import Collection
from pathlib import Path
from urllib.parse import quote

from nmt.cli.options import Commands
from nmt.errors import InputError
from nmt.evaluation.comparison import by_pair, compare
from nmt.evaluation.evaluation_files import EvaluatedSystem, list_systems, read_evaluated_system
from nmt.files import write_text
from nmt.released import KNOWN_TEST_SETS, NOT_POOLED, RELEASED
from nmt.results import ALL_SETS
from nmt.runs.folder import CARD, CONFIG, RunInfo
from nmt.runs.provenance import CorpusUsed
from nmt.tables.comparison import tables
from nmt.tables.runs import RunReport, files, licence, training_table
from nmt.tables.table import Table, in_markdown
from release.card import alignment_section, read_report, retention_tables, sums, write_page

_BEGIN, _END = "<!-- results: begin", "<!-- results: end -->"
"""Marks around the generated part of a README."""

_LEFT_TO_THE_PAGE = {"newstest2012-2013"}
"""The paper's development set, which a README does not need."""

_CLOSER = ("canada-laws-test", ALL_SETS)
"""Test sets that get BLEU by length and pairwise tests, where they exist."""


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "overview",
        description="Print training, data and scores of all runs in a folder, side by side, as Markdown.",
    )
    parser.add_argument("folder", metavar="FOLDER", help="such as checkpoints")
    parser.add_argument("--systems", metavar="DIR", help="also the external systems in this folder, such as systems")
    parser.add_argument("--write", action="store_true", help="write the page to FOLDER/README.md instead")
    parser.add_argument(
        "--readme",
        type=Path,
        metavar="FILE",
        help=f"instead of the page, write the table of BLEU scores into this file, between {_BEGIN}…--> and {_END}",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    folder = Path(options.folder)
    if options.readme is not None:
        text = with_results(options.readme.read_text(encoding="utf-8"), folder, options.systems)
        write_text(options.readme, text)
        return
    write_page(folder, overview(folder, options.systems), shown=not options.write)


def with_results(text: str, folder: Path, systems_folder: str | Path | None = None) -> str:
    """Insert the BLEU scores of the runs of the first language pair in the folder, and of the external systems in
    another one, between the two marks of a text. InputError unless the text has each mark once, in this order."""
    head, begin, rest = text.partition(_BEGIN)
    comment, close, old = rest.partition("-->\n")
    _, end, tail = old.partition(_END)
    if not (begin and close and end) or _BEGIN in rest or _END in tail:
        raise InputError(f"the text needs the marks {_BEGIN}…--> and {_END}, once each")
    found = [read_evaluated_system(path, own=False) for path in _runs(folder)]
    systems = [system for system in (*found, *_external(systems_folder)) if system.evaluations]
    parts = []
    for pair, mine in [*by_pair(systems).items()][:1]:
        sets = _in_one_table({name for system in mine for name in system.evaluations} - _LEFT_TO_THE_PAGE)
        if sets:
            measured = [system for system in mine if not system.evaluations.keys().isdisjoint(sets)]
            table = tables(compare(measured, sets, apart=NOT_POOLED))[0]
            parts += [
                f"BLEU, all sentences / without unknown words (Table 1), one number where both are the same, {pair}:",
                table.of_markdown(),
            ]
    return head + begin + comment + close + "\n" + "\n\n".join(parts) + "\n\n" + end + tail


def _runs(folder: Path) -> list[Path]:
    """List the released runs in their order, then the others by name. InputError if there is none."""
    order = [*RELEASED]
    paths = sorted(
        (path.parent for path in folder.glob(f"*/{CONFIG}")),
        key=lambda path: (order.index(path.name) if path.name in order else len(order), path.name),
    )
    if not paths:
        raise InputError(f"there are no runs in {folder}")
    return paths


def _external(folder: str | Path | None) -> list[EvaluatedSystem]:
    return [] if folder is None else [read_evaluated_system(path) for path in list_systems(folder)]


def overview(folder: Path, systems_folder: str | Path | None = None) -> str:
    """Generate the page, with the scores of the external systems in another folder. InputError if there is no run, or
    a file is broken."""
    reports = [read_report(path) for path in _runs(folder)]
    systems = [*(report.evaluated for report in reports), *_external(systems_folder)]
    parts = [
        "# Checkpoints",
        "Each folder has a card with learning curve, command, commit, machine, and the signatures of its scores if it "
        "has any; `python -m release overview FOLDER --write` generates this page from the folders.",
        _weights([report.info for report in reports]).of_markdown(),
        "## Training",
        training_table([report.trained for report in reports]).markdown(),
        *_data(reports),
        *_scores([system for system in systems if system.evaluations]),
        *_length(reports),
        *alignment_section(reports),
    ]
    return "\n\n".join(parts) + "\n"


def _weights(runs: list[RunInfo]) -> Table:
    rows = [
        [
            f"[{in_markdown(info.name)}]({quote(info.path.name)}/{CARD})",
            in_markdown(info.config.recipe),
            str(info.config.training.max_length or "any"),
            f"{info.target_vocabulary.size:,} {'words' if info.target_vocabulary.kind == 'words' else 'subwords'}",
            f"{info.weights.parameters / 1e6:.1f} M",
            f"{info.weights.bytes / 1e6:.1f}",
        ]
        for info in runs
    ]
    return Table(
        title="", head=["", "recipe", "longest sentence", "vocabulary per side", "weights", "MB"], rows=rows, left=2
    )


def _data(reports: list[RunReport]) -> list[str]:
    """Tabulate every training file once; the cards say how many times each occurs per epoch."""
    corpora: dict[tuple[str, str], CorpusUsed] = {}
    for origin in (report.provenance for report in reports):
        for _, corpus in () if origin is None else origin.corpora:
            key = (files(corpus), corpus.source_sha256 + corpus.target_sha256)
            if key not in corpora or corpus.links_sha256:
                corpora[key] = corpus
    if not corpora:
        return []
    rows = [[in_markdown(files(c)), f"{c.read:,}", licence(c), sums(c)] for _, c in sorted(corpora.items())]
    table = Table(title="", head=["files", "pairs", "licence", "SHA-256 (first 16 digits)"], rows=rows, left=4)
    return ["## Data", table.of_markdown(), "Licence terms: [LICENSES.md](LICENSES.md)."]


def _scores(systems: list[EvaluatedSystem]) -> list[str]:
    parts = []
    pairs = by_pair(systems)
    for pair, mine in pairs.items():
        parts += _scores_of(mine, f"## Scores, {pair}" if len(pairs) > 1 else "## Scores")
    return parts


def _scores_of(systems: list[EvaluatedSystem], heading: str) -> list[str]:
    """Write the score section for systems of one language pair."""
    names = {name for system in systems for name in system.evaluations}
    known = _in_one_table(names)
    pooled = [name for name in known if name not in NOT_POOLED]
    complete = any({*pooled} <= {*system.evaluations} for system in systems) and len(pooled) > 1
    closer = [name for name in _CLOSER if name in known or (name == ALL_SETS and complete)]
    parts = [heading, *_compared(systems, known, closer)] if known else [heading]
    for name in sorted(names - {*known}):
        scored = [system for system in systems if name in system.evaluations]
        parts += [f"### {name}", *_compared(scored, [name], [name])]
    return parts


def _compared(systems: list[EvaluatedSystem], sets: list[str], closer: list[str]) -> list[str]:
    comparison = compare(systems, sets, closer, apart=NOT_POOLED)
    shown = [table.markdown() for table in tables(comparison) if not table.title.startswith("Signatures")]
    return [*shown, *(f"Note: {note}" for note in comparison.notes)]


def _length(reports: list[RunReport]) -> list[str]:
    """Tabulate what each run keeps of concatenated sentences, with how each test set was measured."""
    parts = []
    for test, table in sorted(retention_tables(reports).items()):
        used = next(
            report.stress[test] for report in reports if test in report.stress and report.stress[test].retention
        )
        parts += [table, f"BLEU with tokeniser {used.tokeniser}, beam {used.search.beam}, {used.precision}."]
    return ["## Length", *parts] if parts else []


def _in_one_table(names: Collection[str]) -> list[str]:
    """List the sets among ``names`` that have a column in Table 1, in its order; others have their own tables."""
    return [name for name, known in KNOWN_TEST_SETS.items() if name in names and known.in_table_1]
