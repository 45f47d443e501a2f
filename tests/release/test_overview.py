"""Which test sets ``overview`` puts together: those of Table 1, with a closer look where there is one, and others in
tables of their own."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.evaluation.evaluation_files import write_evaluation, write_system
from nmt.released import RELEASED
from nmt.results import ALL_SETS, Languages
from release.overview import overview, with_results
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.programs import Commands, main

LAWS, TATOEBA, NEWS, PAPERS = "canada-laws-test", "tatoeba-test", "newstest2014", "newstest2012-2013"
GIVEN = texts([3, 8, 12] * 3, 1, 0.8)
MARKS = "before\n<!-- results: begin (so) -->\nold\n<!-- results: end -->\nafter\n"


def write(folder: Path, sets: tuple[str, ...], target: str = "fr") -> None:
    for name in sets:
        write_evaluation(folder, replace(evaluated(folder.name, name, GIVEN), languages=Languages("en", target)))


@pytest.fixture
def folder(tmp_path: Path, random_runs: Path) -> Path:
    for name in ("first", "second"):
        shutil.copytree(random_runs / "encdec-words", tmp_path / "runs" / name)
    return tmp_path / "runs"


def shown(page: str) -> list[str]:
    """Headings of the scores, heads of the tables of BLEU, and the sets of which there is a closer look."""
    lines = page.splitlines()
    found = []
    for number, line in enumerate(lines):
        if line.startswith(("## Scores", "### ")):
            found.append(line)
        elif "(Table 1)" in line:
            found.append(f"Table 1: {', '.join(cell.strip() for cell in lines[number + 2].split('|')[2:-1])}")
        elif look := re.search(r"BLEU on (.*) by words of the source", line):
            found.append(f"closer: {look[1]}")
    return found


SETS: list[tuple[tuple[str, ...], tuple[str, ...], list[str]]] = [
    ((), (), []),
    (
        (LAWS, TATOEBA),
        (TATOEBA,),
        ["## Scores", f"Table 1: {LAWS}, {TATOEBA}, {ALL_SETS}", f"closer: {LAWS}", f"closer: {ALL_SETS}"],
    ),
    ((LAWS,), (TATOEBA,), ["## Scores", f"Table 1: {LAWS}, {TATOEBA}, {ALL_SETS}", f"closer: {LAWS}"]),
    ((TATOEBA,), (), ["## Scores", f"Table 1: {TATOEBA}", f"closer: {TATOEBA}"]),
    (
        (NEWS, TATOEBA),
        (LAWS,),
        ["## Scores", f"Table 1: {LAWS}, {TATOEBA}, {ALL_SETS}, {NEWS}", f"closer: {LAWS}"],
    ),
    (("mine",), (), ["## Scores", "### mine", "Table 1: mine", "closer: mine"]),
    (
        ("mine", TATOEBA),
        ("another",),
        [
            *("## Scores", f"Table 1: {TATOEBA}", f"closer: {TATOEBA}"),
            *("### another", "Table 1: another", "closer: another", "### mine", "Table 1: mine", "closer: mine"),
        ],
    ),
]
"""Sets that each of two runs was evaluated on, and what the page shows: no closer look at all sets unless a run has
all of them."""


@pytest.mark.parametrize(("first", "second", "expected"), SETS)
def test_sets_of_table_1_are_in_one_table(
    first: tuple[str, ...], second: tuple[str, ...], expected: list[str], folder: Path
) -> None:
    write(folder / "first", first)
    write(folder / "second", second)
    page = overview(folder)
    assert shown(page) == expected
    assert "Signatures" not in page
    assert page.startswith("# Checkpoints\n\nEach folder has a card ")
    assert page.index("## Training") < (page.find("## Scores") if expected else len(page))
    for name, sets in (("first", first), ("second", second)):
        rows = re.findall(rf"(?m)^\| {name} \|.*$", page.partition("## Scores")[2])
        assert bool(rows) == bool(sets)


def test_each_language_pair_has_a_section_and_external_systems_stand_with_their_pair(
    folder: Path, tmp_path: Path, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "first", (TATOEBA,))
    settings = json.loads((folder / "second" / "config.json").read_text("utf-8"))
    (folder / "second" / "config.json").write_text(json.dumps(settings | {"target_language": "de"}), "utf-8")
    write(folder / "second", ("tatoeba-de-test",), "de")
    write_system(tmp_path / "systems" / "phrases", "phrases", "")
    write(tmp_path / "systems" / "phrases", (TATOEBA, PAPERS))
    page = cli.printed("release", "overview", str(folder), "--systems", str(tmp_path / "systems"))
    assert shown(page) == [
        *("## Scores, en to fr", f"Table 1: {TATOEBA}, {PAPERS}", f"closer: {TATOEBA}", f"closer: {PAPERS}"),
        *("## Scores, en to de", "Table 1: tatoeba-de-test", "closer: tatoeba-de-test"),
    ]
    assert not (folder / "README.md").exists()
    assert main(["release", "overview", str(folder), "--systems", str(tmp_path / "systems"), "--write"]) == 0
    assert (folder / "README.md").read_text(encoding="utf-8") == page
    assert capsys.readouterr() == ("", "")
    (tmp_path / "text.md").write_text(MARKS, encoding="utf-8")
    assert main(["release", "overview", str(folder), "--readme", str(tmp_path / "text.md")]) == 0
    text = (tmp_path / "text.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^\|.*$", text)[::3] == [f"|  | {TATOEBA} |", "| sentences | 9 / – |"]


def test_a_readme_has_the_first_language_pair_and_not_the_papers_development_set(folder: Path) -> None:
    """A run without a set that is shown has no row."""
    assert with_results(MARKS, folder) == MARKS.replace("old\n", "\n\n\n")
    write(folder / "second", (PAPERS, "mine"))
    assert with_results(MARKS, folder) == MARKS.replace("old\n", "\n\n\n")
    write(folder / "first", (LAWS, PAPERS, NEWS, TATOEBA))
    text = with_results(MARKS, folder)
    head, _, row, sentences = re.findall(r"(?m)^\|.*$", text)
    assert head == f"|  | {LAWS} | {TATOEBA} | {ALL_SETS} | {NEWS} |"
    assert row.startswith("| first | ")
    assert sentences == "| sentences | 9 / – | 9 / – | 18 / – | 9 / – |"
    line = "BLEU, all sentences / without unknown words (Table 1), one number where both are the same, en to fr:"
    assert text.startswith(f"before\n<!-- results: begin (so) -->\n\n{line}\n\n|")
    assert text.endswith("|\n\n<!-- results: end -->\nafter\n")


def test_released_runs_come_first_in_their_order(folder: Path, cli: Commands) -> None:
    names = [RELEASED[3], RELEASED[1]]
    for name in (*names, "a"):
        shutil.copytree(folder / "first", folder / name)
    linked = re.findall(r"(?m)^\| \[(.*?)\]", overview(folder))
    assert linked == [RELEASED[1], RELEASED[3], "a", "first", "second"]
    (folder.parent / "none").mkdir()
    assert (
        cli.refused("release", "overview", str(folder.parent / "none"))
        == f"python -m release overview: there are no runs in {folder.parent / 'none'}\n"
    )
