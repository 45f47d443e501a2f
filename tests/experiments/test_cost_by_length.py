"""The cost of a sentence by its length: the table and the figure."""

from pathlib import Path

import pytest

from experiments.cost_by_length import measure
from tests.oracles.paired import paired
from tests.programs import main


def test_longer_sentences_cost_more() -> None:
    cost = measure("x", paired("rnnsearch", "program").model, (3, 200), beam=2, repeat=2)
    assert 0 < cost.seconds[0] < cost.seconds[1]


def test_a_row_for_each_length_and_a_figure(
    random_runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [str(random_runs / name) for name in ("search-words", "encdec-words")]
    figure = tmp_path / "cost.svg"
    main(
        [
            "experiments",
            "cost-by-length",
            "--runs",
            *runs,
            "--lengths",
            "2",
            "5",
            "--beam",
            "2",
            "--repeat",
            "1",
            "--figure",
            str(figure),
        ]
    )
    rows = capsys.readouterr().out.splitlines()
    assert rows[0] == "| T_x = T_y | search-words, ms | encdec-words, ms |"
    assert [row.split("|")[1].strip() for row in rows[1:]] == ["2", "5"]
    assert "<svg" in figure.read_text("utf-8")
