"""``phrase-based score``: the model's opinion as one more feature of a Moses phrase table."""

import gzip
import json
import math
import re
from pathlib import Path

import pytest

import nmt
from experiments.phrase_based.table import read_phrase_table
from nmt.inference import text_search
from nmt.inference.text_search import PreparedSteps, score_pairs
from tests.programs import Commands, main

SCORE = ("experiments", "phrase-based", "score")
TABLE = b"""\
a cat ||| un chat ||| 0.5 0.25 ||| 0-0 1-1 ||| 2 2 1 ||| |||
a cat ||| une chat ||| 0.1 0.2 ||| 0-0 1-1 ||| 2 2 1
a cat sleeps ||| chat dort ||| 1 1 ||| 1-0 2-1
she &apos;s ||| ||| 0.5 1e-07
the sea , ||| la mer ||| 0.3 0.4 |||
xylophone ||| xylophone ||| 1 1 ||| 0-0 ||| 1 1 1 ||| feature 0.5\r
"""


@pytest.fixture(params=["search-words", "encdec-bpe"])
def run(request: pytest.FixtureRequest, random_runs: Path) -> str:
    return str(random_runs / request.param)


@pytest.fixture
def table(tmp_path: Path) -> str:
    (tmp_path / "in.gz").write_bytes(gzip.compress(TABLE))
    return str(tmp_path / "in.gz")


def expected(run: str, table: str) -> list[float]:
    """Each pair scored alone."""
    model = nmt.load(run)
    found = []
    for pair in read_phrase_table(Path(table)):
        encoded = model.source.vocabulary.encode(pair.source), model.target.vocabulary.encode(pair.target)
        (scored,) = score_pairs(PreparedSteps(model.model), [encoded], alpha=True)
        found.append(scored.log_probability)
    return found


def added(before: bytes, after: bytes) -> list[float]:
    """The new score of each line; all else must be as it was."""
    found = []
    for old, new in zip(before.splitlines(True), after.splitlines(True), strict=True):
        last = new.split(b"|||")[2].split()[-1]
        assert new.replace(b" " + last, b"", 1) == old
        found.append(float(last))
    return found


def test_the_log_probability_is_added_in_order(
    run: str, table: str, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    wanted = expected(run, table)
    for window in (1, 2, 4096):
        monkeypatch.setattr(text_search, "WINDOW_COST", 64 * 4 * window)
        assert main([*SCORE, run, table]) == 0
        assert added(TABLE, capsysbinary.readouterr().out) == pytest.approx(wanted, abs=1e-4)
    model = nmt.load(run)
    assert wanted[0] == pytest.approx(model.score("a cat", "un chat").log_probability, abs=1e-4)
    encoded = model.source.vocabulary.encode(["she", "'s"]), model.target.vocabulary.encode([])
    assert wanted[3] == pytest.approx(next(model.score_stream([encoded])).log_probability, abs=1e-4)


def test_probabilities_and_a_file(run: str, table: str, tmp_path: Path) -> None:
    wanted = [math.exp(value) for value in expected(run, table)]
    plain, packed = tmp_path / "out", tmp_path / "out.gz"
    assert main([*SCORE, run, table, "--feature", "probability", "--out", str(plain)]) == 0
    assert main([*SCORE, run, table, "--feature", "probability", "--out", str(packed)]) == 0
    assert added(TABLE, plain.read_bytes()) == pytest.approx(wanted, rel=1e-3)
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert packed.read_bytes()[4:8] == bytes(4), "no time, so that the same table has the same bytes"


def test_json_has_the_forced_scores(run: str, table: str, cli: Commands) -> None:
    found = [json.loads(line) for line in cli.printed(*SCORE, run, table, "--json").splitlines()]
    assert [item["systems"][0]["log_probability"] for item in found] == pytest.approx(expected(run, table), abs=1e-4)
    assert [item["source"]["text"] for item in found][3] == "she 's"


def test_a_broken_table_leaves_no_file(run: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "in").write_bytes(TABLE + b"a ||| b\n")
    assert main([*SCORE, run, str(tmp_path / "in"), "--out", str(tmp_path / "out.gz")]) == 2
    error = capsysbinary.readouterr().err
    assert b"in, line 7: a phrase table has" in error
    assert error.count(b"\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
    assert main([*SCORE, run, str(tmp_path / "in")]) == 2
    assert len(capsysbinary.readouterr().out.splitlines()) == 6


@pytest.mark.parametrize("more", [["--feature", "log"], ["--out", "c"]])
def test_json_is_no_table(more: list[str], cli: Commands) -> None:
    run = "checkpoints/scrubber-128"
    assert re.search("--json .*--feature .*--out", cli.refused(*SCORE, run, "TABLE", "--json", *more))
