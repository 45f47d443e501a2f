"""The comparison of units and scores: the table, and the whole way with one tiny training."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from experiments.variants import RULES, VARIANTS, Measured, table
from nmt.config import ModelConfig
from nmt.recipes import recipe
from nmt.results import StopEvent
from nmt.runs.folder import read_events, read_run
from tests.oracles.toy_corpus import copied, letters, toy_corpus
from tests.programs import Commands

ROOT = Path(__file__).parents[2]


def test_the_table_says_what_was_measured_and_what_not() -> None:
    row = Measured(
        "lstm", ModelConfig(unit="lstm"), 9_600_000, 2.3456, 21.07, {"argmax": 0.5, "grow-diag": 0.25}, 2345.6
    )
    head, rule, first, second = table([row, replace(row, name="other", bleu=None, aer={})]).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in (head, rule, first, second)]
    assert len({len(line) for line in cells}) == 1
    assert cells[2][:4] == ["lstm", "lstm", "additive", "printed"]
    assert dict(zip(cells[0], cells[2], strict=True))["AER grow-diag"] == "25.0"
    assert [i for i in range(len(cells[0])) if cells[2][i] != cells[3][i]] == [0, 6, 7, 8]


def test_every_variant_has_the_training_of_rnnsearch_256_and_a_model_of_its_own() -> None:
    configs = [recipe(variant.recipe).override(list(variant.assignments)) for variant in VARIANTS]
    assert {config.training for config in configs} == {recipe("rnnsearch_256").training}
    assert len({config.model for config in configs}) == len(VARIANTS)


@pytest.mark.slow
@pytest.mark.thorough
def test_the_whole_way(tmp_path: Path, cli: Commands) -> None:
    toy_corpus(tmp_path, copied, pairs=300, longest=5)
    rng = np.random.default_rng(2)
    sentences = [letters(rng, 5) for _ in range(8)]
    for name in ("source", "target"):
        (tmp_path / name).write_text("".join(" ".join(s) + "\n" for s in sentences), encoding="utf-8")
    links = [" ".join(f"{i}-{i}" for i in range(len(s))) for s in sentences]
    (tmp_path / "gold").write_text("\n".join(links) + "\n", encoding="utf-8")
    files = [str(tmp_path / name) for name in ("source", "target", "gold")]
    command = [sys.executable, "-m", "experiments", "variants", "--data", str(tmp_path / "prepared")]
    command += ["--runs", str(tmp_path / "runs"), "--updates", "2", "--only", "luong-dot"]
    command += ["--set", "model.hidden=8"]
    said, again = (
        subprocess.run(arguments, capture_output=True, text=True, check=True, cwd=ROOT).stdout
        for arguments in ([*command, "--test", *files[:2], "--gold", *files], command)
    )
    run = read_run(tmp_path / "runs" / "luong-dot")
    stops = [event for event in read_events(run.path) if isinstance(event, StopEvent)]
    assert [stop.update for stop in stops] == [2], "trained once"
    assert (run.config.model.score, run.config.model.hidden) == ("dot", 8)
    cells = [[cell.strip() for cell in text.splitlines()[-1].strip("|").split("|")] for text in (said, again)]
    assert cells[1] == [*cells[0][:6], *("–" for _ in ("BLEU", *RULES)), cells[0][-1]]
    for place, rule in enumerate(RULES, 7):
        arguments = ["--source", files[0], "--target", files[1], "--gold", files[2], "--rule", rule, "--json"]
        assert float(cells[0][place]) == pytest.approx(
            100 * json.loads(cli.printed("aer", str(run.path), *arguments))["aer"], abs=0.05
        )
