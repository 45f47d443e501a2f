"""A folder of Hugging Face in the place of a run: what commands print is what Python says."""

import json
from pathlib import Path

import pytest

from nmt.cli import main
from nmt.inference.systems import open_system
from tests.oracles.hugging_face_folders import build

pytestmark = pytest.mark.slow
SOURCE, TARGET = ["Two dogs play .", "The girl reads ."], ["Deux chiens jouent .", "La fille lit ."]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    build("marian", tmp_path / "marian")
    build("m2m100", tmp_path / "many")
    for name, lines in (("source", SOURCE), ("target", TARGET), ("gold", ["0-0 1-1", "0-0 1-1 2p2"])):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def test_commands_print_what_the_system_says(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    system = open_system("marian")
    texts = ["--source", "source", "--target", "target"]
    assert main(["score", "marian", *texts]) == 0
    scores = [float(line) for line in capsys.readouterr().out.split("\n")[:-1]]
    assert scores == pytest.approx([each.log_probability for each in system.score(SOURCE, TARGET)], abs=1e-5)
    assert main(["align", "marian", *texts]) == 0
    links = [" ".join(f"{j}-{i}" for j, i in sorted(each.links())) for each in system.align(SOURCE, TARGET)]
    assert capsys.readouterr().out.split("\n")[:-1] == links
    assert main(["aer", "marian", *texts, "--gold", "gold", "--map", "leave-one-out"]) == 0
    assert capsys.readouterr().out.startswith("AER ")
    assert main(["align", "marian", *texts, "--map", "posterior"]) == 2
    assert "marian is of the kind transformer" in capsys.readouterr().err
    assert main(["score", "many", *texts, "--languages", "en", "fr", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.split("\n")[0])["systems"][0]["kind"] == "transformer"
    assert main(["score", "many", *texts]) == 2
    assert "many knows several source languages: give --languages" in capsys.readouterr().err


def test_it_is_evaluated_and_compared_like_a_run(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["evaluate", "marian", "--source", "source", "--reference", "target", "--beam", "1", "--fresh"]
    assert main([*asked, "--name", "mine", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "|run:marian|beam:1|" in found["all"]["signature"].replace("#", "|")
    assert (place / "marian" / "evaluation" / "mine.json").is_file()
    assert main(["compare", "marian", "--set", "mine", "--on", "mine", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"] == ["marian"]
