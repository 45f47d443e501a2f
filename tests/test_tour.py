"""The tour and the page on reading a matrix: their commands and Python run, and print what stands there; their pictures
are those of the released runs."""

import io
import json
import re
import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.programs import Commands

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```(console|python|text)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
ELSEWHERE = {"git", "cd", "make"}
"""Commands of the tour that install the program."""
SHORTER = {
    "train": ["--set", "training.max_updates=2", "--set", "training.validate_every=2"],
    "prepare": ["--workers", "1"],
}
"""What the test adds to a command so that it takes seconds: the trained model then knows nothing yet."""


def blocks(name: str) -> list[tuple[str, str]]:
    return BLOCK.findall((DOCS / name).read_text(encoding="utf-8"))


def commands(block: str) -> list[tuple[list[str], list[str]]]:
    """Each command of a block in its words, and the lines that it prints."""
    parts = re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]
    return [(shlex.split(line), shown.splitlines()) for line, _, shown in (part.partition("\n") for part in parts)]


def has_in_order(printed: str, shown: list[str]) -> bool:
    """Whether each of these lines ends a line that is printed, one after the other; `…` stands for any others."""
    lines = iter(printed.splitlines())
    return all(any(line.endswith(each) for line in lines) for each in shown if each != "…")


def own_corpus(folder: Path) -> None:
    """Files of the names that the tour gives to the reader's own."""
    for language in ("en", "fr"):
        lines = (ROOT / "testsets" / "jointly-300" / f"sentences.{language}").read_text("utf-8").splitlines()
        for name, part in (("train", lines[:200]), ("dev", lines[200:204]), ("test", lines[204:206])):
            (folder / f"{name}.{language}").write_text("".join(f"{line}\n" for line in part), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.timeout(900)
def test_the_tour_runs_and_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JOINTLY_RUNS", str(tmp_path / "runs"))
    (tmp_path / "checkpoints").symlink_to(ROOT / "checkpoints")
    own_corpus(tmp_path)
    printed, names, run = "", {}, 0
    for kind, text in blocks("tour.md"):
        if kind == "python":
            exec(text, names)
            printed = capsys.readouterr().out
            continue
        if kind == "text":
            assert printed.startswith(text)
            continue
        for words, shown in commands(text):
            if words[0] in ELSEWHERE:
                continue
            if words[0] == "echo":
                monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{words[1]}\n".encode())))
                words = words[words.index("|") + 1 :]
            assert words[0] == ".venv/bin/jointly"
            small = ["250" if word == "8000" else word for word in words[1:]]
            printed = cli.printed(*(small + SHORTER.get(small[0], [])))
            assert "runs/first" in words or has_in_order(printed, shown), printed
            run += 1
    assert run == len(re.findall(r"\.venv/bin/jointly", (DOCS / "tour.md").read_text(encoding="utf-8")))
    assert {"figure2.svg", "figure3.svg"} <= {path.name for path in tmp_path.iterdir()}


@pytest.mark.slow
def test_the_weights_of_the_page_on_matrices_are_those_of_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (python, code), (text, shown) = blocks("reading.md")
    assert (python, text) == ("python", "text")
    exec(code, {})
    assert capsys.readouterr().out == shown


def test_the_pictures_were_made_from_what_is_here() -> None:
    """Else `.venv/bin/python .ci/pictures.py` makes them anew."""
    pictures: Any = runpy.run_path(str(ROOT / ".ci" / "pictures.py"))
    assert json.loads(pictures["MADE_FROM"].read_text(encoding="utf-8")) == pictures["inputs"]()
    named = {
        name
        for page in ("tour.md", "reading.md")
        for name in re.findall(r"\(pictures/([\w.-]+)\)", (DOCS / page).read_text(encoding="utf-8"))
    }
    assert named == {path.name for path in pictures["FOLDER"].glob("*.svg")}


def test_each_question_of_the_sheet_has_an_answer() -> None:
    numbers = [
        re.findall(r"^(\d+)\. ", (DOCS / "teaching" / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
        for name in ("sheet.md", "answers.md")
    ]
    assert numbers == [[str(number) for number in range(1, 11)]] * 2
