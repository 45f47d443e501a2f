"""README's figures are those that the checkpoints hold."""

import re
from pathlib import Path

import pytest

from nmt.evaluation.comparison import compare
from nmt.evaluation.error_rate_files import read_error_rates
from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.reproduce.released import RELEASED, TEST_SETS
from nmt.results import Comparison

CHECKPOINTS = Path("checkpoints")
RUNS = [run.name for run in RELEASED if run.sets and (CHECKPOINTS / run.name).exists()]


def table(head: str) -> dict[str, list[str]]:
    """Cells of the table with this head, by their row's first cell."""
    text = Path("README.md").read_text(encoding="utf-8")
    (lines,) = re.findall(rf"(?m)^\| {re.escape(head)} .*\n\|[-:|]+\n((?:\|.*\n)+)", text)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines.splitlines()]
    return {row[0]: row[1:] for row in rows}


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    systems = [read_evaluated_system(CHECKPOINTS / name) for name in RUNS]
    return compare(systems, list(TEST_SETS), ["canada-laws-test"])


def test_table_1(comparison: Comparison) -> None:
    rows = table("BLEU, all / no UNK")
    assert list(rows) == [*RUNS, "sentences"]
    for name in RUNS:
        expected = []
        for test_set in comparison.test_sets:
            scores = comparison.scores[name].get(test_set)
            columns = [] if scores is None else [scores.everything, scores.no_unk]
            expected.append(" / ".join("–" if entry is None else f"{entry.bleu:.1f}" for entry in columns) or "–")
        assert rows[name] == expected


def test_figure_2(comparison: Comparison) -> None:
    rows = table("BLEU | 1-10")
    (look,) = comparison.closer
    assert set(rows) == {*(curve.system for curve in look.curves.curves), "sentences"}
    for curve in look.curves.curves:
        name = curve.system
        assert [cell.split()[0] for cell in rows[name][:-1]] == [f"{point.value:.1f}" for point in curve.points]
        retention = look.retention[name]
        assert retention is not None
        assert rows[name][-1].startswith(f"{retention.value:.2f} ")


def test_alignment_error_rates() -> None:
    rows = table("AER, per cent")
    assert {row.split(",")[0] for row in rows} == set(RUNS)
    text = Path("README.md").read_text(encoding="utf-8")
    for name in RUNS:
        for gold, column in (("hansards", 0), ("jointly-150", 1)):
            for one in read_error_rates(CHECKPOINTS / name)[gold]:
                rule = one.rule.split()[-1]
                weights = "alpha" if one.map == "attention" else one.map
                found = re.search(rf"(?m)^\| {name}, {weights} \| {rule} \| ([\d.]+) \| ([\d.]+) \|$", text)
                if (one.map, rule) != ("posterior", "grow-diag"):  # README has the better rule
                    assert found is not None
                    assert found[1 + column] == f"{100 * one.error.aer:.1f}"
