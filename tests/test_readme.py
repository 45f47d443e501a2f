"""The generated parts of the documents are what the checkpoints hold, and the examples run."""

import re
from pathlib import Path

import pytest

from nmt.errors import InputError
from nmt.evaluation.evaluation_files import read_evaluation
from release.overview import overview, with_results
from tests.programs import main

README = Path("README.md")
CHECKPOINTS = Path("checkpoints")
SYSTEMS = Path("systems")


@pytest.mark.slow
def test_the_table_of_results_is_as_generated() -> None:
    text = README.read_text(encoding="utf-8")
    assert with_results(text, CHECKPOINTS, SYSTEMS) == text
    for system in (CHECKPOINTS / "rnnsearch-50", SYSTEMS / "phrase-based"):
        (row,) = re.findall(rf"(?m)^\| {system.name} \|(.*)\|$", text)
        kept = read_evaluation(system / "evaluation" / "tatoeba-test.json").everything
        assert kept is not None
        assert row.split("|")[1].split("/")[0].strip() == f"{kept.bleu:.1f}"


@pytest.mark.slow
def test_the_page_of_all_checkpoints_is_as_generated() -> None:
    assert (CHECKPOINTS / "README.md").read_text(encoding="utf-8") == overview(CHECKPOINTS, SYSTEMS)


@pytest.mark.slow
def test_only_the_part_between_the_marks_is_written(tmp_path: Path) -> None:
    text = "before\n<!-- results: begin (so) -->\nold\n<!-- results: end -->\nafter\n"
    (tmp_path / "text.md").write_text(text, encoding="utf-8")
    assert main(["release", "overview", str(CHECKPOINTS), "--readme", str(tmp_path / "text.md")]) == 0
    written = (tmp_path / "text.md").read_text(encoding="utf-8")
    assert written.startswith("before\n<!-- results: begin (so) -->\n\nBLEU")
    assert written.endswith("\n<!-- results: end -->\nafter\n")
    assert "old" not in written


@pytest.mark.parametrize(
    "text", ["", "<!-- results: end --><!-- results: begin -->\n", "<!-- results: begin -->\n" * 2]
)
def test_a_text_without_marks_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="marks"):
        with_results(text, CHECKPOINTS)


@pytest.mark.slow
def test_the_python_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    (tmp_path / "checkpoints").symlink_to(CHECKPOINTS.resolve())
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert (tmp_path / "figure3.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "figure2.pdf").read_bytes().startswith(b"%PDF")
