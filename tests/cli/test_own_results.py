"""What is measured of a released run leaves the run as it is, and whoever reads results finds it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from nmt.evaluation.evaluation_files import read_evaluated_system
from nmt.evaluation.measurement_files import read_error_rates, read_stress, read_translations
from nmt.results import Evaluation
from nmt.runs.folder import own_results
from tests.programs import Commands, main

SOURCE = ["the girl reads", "the cat sleeps", "she has never seen the sea"]
TARGET = ["la fille lit", "le chat dort", "elle a jamais vu la mer"]


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JOINTLY_RESULTS", str(tmp_path / "results"))
    return tmp_path / "results"


@pytest.fixture
def released(random_runs: Path, tmp_path: Path) -> Path:
    assert main(["release", "publish", str(random_runs / "search-words"), str(tmp_path / "released")]) == 0
    return tmp_path / "released"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, lines in (("test.en", SOURCE), ("test.fr", TARGET), ("gold", ["0-0 1-1"] * 3)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [str(tmp_path / "test.en"), str(tmp_path / "test.fr")]


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def evaluate(run: Path, files: list[str]) -> list[str]:
    return ["evaluate", str(run), "--set", "mine", *files, "--beam", "1", "--keep-translations"]


def stress(run: Path, files: list[str]) -> list[str]:
    return ["stress", str(run), "--source", files[0], "--reference", files[1], "--most", "2", "--store", "mine"]


def aer(run: Path, files: list[str]) -> list[str]:
    gold = str(Path(files[0]).with_name("gold"))
    return ["aer", str(run), "--source", files[0], "--target", files[1], "--gold", gold, "--name", "mine"]


def read_evaluations(run: Path, **own: bool) -> dict[str, Evaluation]:
    return dict(read_evaluated_system(run, **own).evaluations)


@pytest.mark.parametrize("command", [evaluate, stress, aer])
def test_a_released_run_stays_as_it_is_unless_it_is_meant(
    command: Callable[[Path, list[str]], list[str]],
    released: Path,
    results: Path,
    files: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = content(released)
    capsys.readouterr()
    assert main(command(released, files)) == 0
    assert content(released) == before
    folder = own_results(released)
    assert folder is not None
    assert folder.parent == results
    (saved,) = folder.rglob("mine.json")
    assert f"saved in {saved} " in capsys.readouterr().err
    kept = {evaluate: read_evaluations, stress: read_stress, aer: read_error_rates}[command]
    assert ("mine" in kept(released), "mine" in kept(released, own=False)) == (True, False)
    assert main([*command(released, files), "--into-run"]) == 0
    assert "saved in" not in capsys.readouterr().err
    assert f"{saved.parent.name}/mine.json" in content(released)


def test_results_of_ones_own_are_read_beside_the_released_ones(released: Path, results: Path, files: list[str]) -> None:
    assert main(["evaluate", str(released), "--set", "first", *files, "--beam", "1", "--into-run"]) == 0
    for command in (evaluate, stress, aer):
        assert main(command(released, files)) == 0
    system = read_evaluated_system(released)
    assert list(system.evaluations) == ["first", "mine"]
    assert list(read_evaluated_system(released, own=False).evaluations) == ["first"]
    assert len(read_translations(released, system.evaluations["mine"]).everything) == len(SOURCE)
    assert (list(read_stress(released)), list(read_stress(released, own=False))) == (["mine"], [])
    assert (list(read_error_rates(released)), list(read_error_rates(released, own=False))) == (["mine"], [])


def test_the_other_column_of_table_1_is_taken_from_the_released_run(
    released: Path, results: Path, files: list[str]
) -> None:
    assert main(["evaluate", str(released), "--set", "mine", *files, "--beam", "1", "--into-run"]) == 0
    assert main(["evaluate", str(released), "--set", "mine", *files, "--beam", "1", "--no-unk"]) == 0
    both = read_evaluated_system(released).evaluations["mine"]
    assert both.everything is not None
    assert both.no_unk is not None
    only = read_evaluated_system(released, own=False).evaluations["mine"]
    assert only.no_unk is None
    assert only.everything is not None
    assert only.everything.each == both.everything.each


def test_other_weights_have_another_folder(released: Path, results: Path) -> None:
    before = own_results(released)
    listed = json.loads((released / "checksums.json").read_text(encoding="utf-8"))
    listed["files"]["model.safetensors"] = "f" * 64
    (released / "checksums.json").write_text(json.dumps(listed), encoding="utf-8")
    assert own_results(released) == results / "released-ffffffff" != before


def test_a_place_that_cannot_be_written_is_named_before_the_work(
    released: Path,
    tmp_path: Path,
    files: list[str],
    monkeypatch: pytest.MonkeyPatch,
    cli: Commands,
) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("JOINTLY_RESULTS", str(tmp_path / "file"))
    assert "$JOINTLY_RESULTS" in cli.refused(*evaluate(released, files))
