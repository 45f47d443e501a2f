"""``translate`` with several runs."""

import io
from pathlib import Path

import pytest

import nmt
from nmt.cli import main
from tests.programs import Commands


def test_several_runs_translate_as_one(
    random_runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = [random_runs / "search-words", random_runs / "encdec-words"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"the girl reads .\n")))
    assert main(["translate", *map(str, runs)]) == 0
    first, second = map(nmt.load, runs)
    expected = first.with_committee([second]).translate("the girl reads .").text
    assert capsys.readouterr().out == f"{expected}\n"


def test_runs_of_other_vocabularies_are_named(random_runs: Path, cli: Commands) -> None:
    assert "search-bpe does not have the languages and vocabularies of search-words" in cli.refused(
        "translate", str(random_runs / "search-words"), str(random_runs / "search-bpe")
    )
