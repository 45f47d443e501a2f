"""Where checkpoints are found and what they are called."""

import runpy
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from nmt.errors import InputError
from nmt.files import write_json
from nmt.results import Languages
from nmt.runs.folder import HEADER, TRAINING, RunInfo, read_run
from nmt.runs.provenance import PROVENANCE, InitialWeights, Provenance
from nmt.ui.address import unpacked
from nmt.ui.checkpoints import evaluated, find_aligner, find_checkpoints, folders, total_updates, unequal_updates
from nmt.ui.resources import fingerprint
from tests.ui.opened import opened

ROOT = Path(__file__).parents[2]


def without_weights(run: RunInfo) -> None:
    """Leave of the weights what a package has of them."""
    weights = run.path / "model.safetensors"
    (run.path / HEADER).write_text(runpy.run_path(str(ROOT / "setup.py"), run_name="setup")["header"](weights))
    weights.unlink()


def test_names_stay_apart_and_the_first_of_each_kind_is_chosen(
    tmp_path: Path, write_run: Any, look_in: Callable[..., None]
) -> None:
    released, own = tmp_path / "checkpoints", tmp_path / "mine"
    look_in(released, own)
    write_run(released / "b")
    write_run(own / "a", "rnnencdec")
    write_run(own / "b")
    found = find_checkpoints()
    assert {name: run.path for name, run in found.usable.items()} == {
        "b": released / "b",
        "a": own / "a",
        "mine/b": own / "b",
    }
    assert found.first_choice() == ["b", "a"]


def test_runs_folder_can_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JOINTLY_RUNS", str(tmp_path))
    assert folders()[1] == tmp_path
    monkeypatch.delenv("JOINTLY_RUNS")
    assert folders()[1] == folders()[0].parent / "runs"
    monkeypatch.chdir(tmp_path)
    assert folders()[1:3] == (
        tmp_path / "runs",
        folders()[0].parent / "runs",
    )  # of trainings from here, and the checkout's


def test_a_training_without_weights_is_not_there_yet_and_a_run_that_lost_them_is_named(
    tmp_path: Path, write_run: Any, look_in: Callable[..., None]
) -> None:
    look_in(tmp_path)
    for name in ("lost", "job", "command"):
        write_run(tmp_path / name)
        (tmp_path / name / "model.safetensors").unlink()
    (tmp_path / "job" / "job.json").touch()
    (tmp_path / "command" / "resume.safetensors").touch()
    found = find_checkpoints()
    assert not found.usable
    assert [run.name for run in found.broken] == ["lost"]


def test_a_run_without_its_weights_gives_its_name_and_its_place_away(
    tmp_path: Path, write_run: Any, look_in: Callable[..., None]
) -> None:
    released, own = tmp_path / "checkpoints", tmp_path / "mine"
    look_in(released, own)
    for name in ("a", "b"):
        without_weights(write_run(released / name, target="de" if name == "a" else "fr"))
    write_run(own / "b")
    write_run(own / "c")
    found = find_checkpoints()
    assert {name: run.path for name, run in found.usable.items()} == {
        "a": released / "a",
        "b": own / "b",
        "c": own / "c",
    }
    without_weights(found.usable["b"])
    found = find_checkpoints()
    assert found.first_choice(Languages("en", "fr")) == ["c"]
    assert found.first_choice() == ["a"]
    assert opened(s=" ").selectbox(key="choice-pair").value == "en-fr"  # what translates comes first


def test_an_aligner_that_cannot_be_read_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.ui.checkpoints.ROOT", tmp_path)
    folder, pair = tmp_path / "aligners" / "en-fr", Languages("en", "fr")
    assert find_aligner(pair) is None
    shutil.copytree(ROOT / "aligners" / "en-fr", folder)
    assert find_aligner(pair) == folder
    assert find_aligner(Languages("fr", "en")) is None
    (folder / "aligner.json").write_text("{}")
    assert find_aligner(pair) is None


def test_updates_are_those_of_all_parts_of_a_training(tmp_path: Path, write_run: Any) -> None:
    used: Any = {"train": (), "dev": (), "pairs_per_epoch": 1, "tokens": 1, "sessions": ()}
    first = Provenance(**used, initial=InitialWeights(run="a", sha256="", update=30, provenance=None))
    second = Provenance(**used, initial=InitialWeights(run="b", sha256="", update=4, provenance=first))
    alone, after, same = (write_run(tmp_path / name) for name in ("alone", "after", "same"))
    write_json(after.path / PROVENANCE, asdict(second))
    assert alone.weights.update == after.weights.update == 1200
    assert [total_updates(run) for run in (alone, after)] == [1200, 1234]
    (same.path / PROVENANCE).write_text("{}")
    assert total_updates(same) == 1200
    assert unequal_updates({"alone": alone, "same": same}) == ""
    said = unequal_updates({"alone": alone, "after": after})
    assert "1,200" in said
    assert "1,234" in said


@pytest.mark.parametrize(
    "given", ['{"embed": "true"}', '{"embed_options": "x"}', '{"take": "{}"}', '{"s": 1}', "[", "[" * 100_000, "3"]
)
def test_nonsense_is_nothing(given: str) -> None:
    assert unpacked(given) == {}
    opened(take=given)


@pytest.mark.parametrize("target", ["nowhere", "set.json"])
def test_an_evaluation_that_is_a_link_to_nowhere_is_named(random_runs: Path, tmp_path: Path, target: str) -> None:
    run = shutil.copytree(random_runs / "search-words", tmp_path / "mine")
    (run / "evaluation").mkdir(exist_ok=True)
    (run / "evaluation" / "set.json").symlink_to(target)
    with pytest.raises(InputError, match=r"set\.json"):
        evaluated(run)


def test_a_file_that_translations_do_not_depend_on_may_be_a_link_to_itself(random_runs: Path, tmp_path: Path) -> None:
    run = shutil.copytree(random_runs / "search-words", tmp_path / "mine")
    (run / TRAINING).unlink(missing_ok=True)
    before = read_run(run)
    assert isinstance(before, RunInfo)
    expected = fingerprint(before)
    (run / TRAINING).symlink_to(TRAINING)
    assert fingerprint(before) == expected
