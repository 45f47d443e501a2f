"""Checksums of a run's files: every changed bit is noticed, every rightful change keeps the list right."""

import json
import logging
import random
import shutil
from pathlib import Path

import pytest

import nmt
from nmt.errors import InputError
from nmt.inference.checkpoint import load_model, save_weights
from nmt.runs import fingerprint
from nmt.runs.checksums import CHECKSUMS, check_all_files, digest
from nmt.runs.fingerprint import owner
from nmt.runs.folder import list_runs, read_run, snapshot_file
from release.checksums import write_checksums
from tests.programs import Commands, main

DICTIONARY = "dictionary.tsv"
CHECKPOINTS = Path(__file__).parents[2] / "checkpoints"


@pytest.fixture
def run(random_runs: Path, tmp_path: Path) -> Path:
    """A run with subwords, a dictionary and a snapshot, and the list of its checksums."""
    folder = tmp_path / "mine"
    shutil.copytree(random_runs / "search-bpe", folder)
    (folder / DICTIONARY).write_text("Kyoto\tKioto\n", encoding="utf-8")
    (folder / "steps").mkdir()
    shutil.copy(folder / "model.safetensors", folder / snapshot_file(7))
    write_checksums(folder)
    return folder


def listed(run: Path) -> dict[str, str]:
    files: dict[str, str] = json.loads((run / CHECKSUMS).read_text(encoding="utf-8"))["files"]
    return files


def load_all(run: Path) -> None:
    """Load both sets of weights, which reads every listed file."""
    nmt.load(run)
    nmt.load(run, 7)


def test_the_list_covers_what_decides_translations(run: Path) -> None:
    kept = {path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file()}
    assert set(listed(run)) == kept - {CHECKSUMS}
    load_all(run)


def test_every_flipped_bit_is_noticed_and_its_file_named(run: Path) -> None:
    draw = random.Random(4)
    for name in listed(run):
        whole = (run / name).read_bytes()
        for _ in range(40):
            damaged = bytearray(whole)
            damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
            (run / name).write_bytes(damaged)
            if name == "config.json" and digest_or_none(run, name) == listed(run)[name]:
                continue  # only the section "search" was hit, which may be edited, or 1e-6 became 1E-6
            with pytest.raises(InputError, match=name.replace(".", r"\.")):
                load_all(run)
        (run / name).write_bytes(whole)
    load_all(run)


def digest_or_none(run: Path, name: str) -> str | None:
    try:
        return digest(run, name)
    except InputError:
        return None


def test_the_section_search_may_be_edited_and_nothing_else(run: Path) -> None:
    config = json.loads((run / "config.json").read_text(encoding="utf-8"))
    config["search"]["beam"] = 3
    (run / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert nmt.load(run).search_settings.beam == 3
    config["recipe"] = "other"
    (run / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(InputError, match=r"config\.json .*checksums\.json"):
        nmt.load(run)
    (broken,) = list_runs(run.parent)
    assert "config.json" in broken.problem  # type: ignore[union-attr]


def test_swapped_vocabularies_are_noticed(random_runs: Path, tmp_path: Path) -> None:
    run = tmp_path / "swapped"
    shutil.copytree(random_runs / "search-words", run)
    write_checksums(run)
    for name in ("source", "target"):
        (run / f"{name}.vocabulary.json").rename(run / f"{name}.kept")
    (run / "source.kept").rename(run / "target.vocabulary.json")
    (run / "target.kept").rename(run / "source.vocabulary.json")
    with pytest.raises(InputError, match=r"vocabulary\.json"):
        nmt.load(run)


def test_files_that_went_or_came_are_noticed(run: Path) -> None:
    words = (run / DICTIONARY).read_bytes()
    (run / DICTIONARY).unlink()
    with pytest.raises(InputError, match=r"dictionary\.tsv"):
        nmt.load(run)
    write_checksums(run)
    nmt.load(run)
    (run / DICTIONARY).write_bytes(words)
    with pytest.raises(InputError, match=r"dictionary\.tsv is not in checksums\.json: "):
        nmt.load(run)
    write_checksums(run)
    (run / DICTIONARY).write_bytes(words + words)
    with pytest.raises(InputError, match=r"dictionary\.tsv does not match its entry in checksums\.json: "):
        nmt.load(run)


def test_a_folder_in_the_place_of_a_file_is_named(run: Path) -> None:
    for name in ("target.vocabulary.json", "dictionary.tsv"):
        (run / "dictionary.tsv").write_text("cat\tchat\t3\t1.000\n", encoding="utf-8")
        write_checksums(run)
        kept = (run / name).read_bytes()
        (run / name).unlink()
        (run / name).mkdir()
        with pytest.raises(InputError, match=name):
            nmt.load(run)
        (run / name).rmdir()
        (run / name).write_bytes(kept)


def test_a_moved_or_copied_folder_is_still_right(run: Path, tmp_path: Path) -> None:
    shutil.copytree(run, tmp_path / "copy")
    run.rename(tmp_path / "moved")
    for name in ("copy", "moved"):
        load_all(tmp_path / name)
        check_all_files(tmp_path / name)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"format": 1}', '{"format": 2, "files": {}}', '{"format": 1, "files": {"../x": ""}}',
             '{"format": 1, "files": {"config.json": 3}}', '{"format": 1, "files": {"config.json": "abc"}}'],
)  # fmt: skip
def test_a_broken_list_is_named(run: Path, text: str) -> None:
    (run / CHECKSUMS).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"checksums\.json"):
        nmt.load(run)


def test_inspect_card_and_release_check_all_files(run: Path, tmp_path: Path, cli: Commands) -> None:
    assert f" {len(listed(run))} files" in cli.printed("inspect", str(run))
    weights = bytearray((run / snapshot_file(7)).read_bytes())
    weights[-1] ^= 1
    (run / snapshot_file(7)).write_bytes(weights)
    for command in (
        ["inspect", str(run)],
        ["release", "card", str(run)],
        ["release", "publish", str(run), str(tmp_path / "out")],
    ):
        assert "steps/7.safetensors" in cli.refused(*command)
    assert main(["release", "checksums", str(run)]) == 0
    assert json.loads(cli.printed("inspect", str(run), "--json").splitlines()[-1])["checksums"] == len(listed(run))


def test_a_release_has_a_list_of_its_own(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["release", "publish", str(run), str(out), "--search", "beam=5"]) == 0
    assert set(listed(out)) == set(listed(run))
    check_all_files(out)
    load_all(out)
    assert main(["release", "card", str(out)]) == 0
    check_all_files(out)


def test_a_dictionary_that_is_made_later_is_entered(run: Path, tmp_path: Path) -> None:
    files = []
    for name, text in (("source", "Kyoto is a sea ."), ("target", "Kyotoville est la mer ."), ("links", "0-0")):
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
        files += [f"--{name}", str(tmp_path / name)]
    before = listed(run)
    assert main(["release", "dictionary", str(run), *files]) == 0
    changed = {name for name, value in listed(run).items() if value != before[name]}
    assert changed == {DICTIONARY}
    nmt.load(run)


def test_a_run_without_a_list_is_mentioned_once(
    random_runs: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, cli: Commands
) -> None:
    for name, training in (("done", False), ("training", True)):
        shutil.copytree(random_runs / "search-words", tmp_path / name)
        if training:
            (tmp_path / name / "resume.safetensors").write_bytes(b"")
        with caplog.at_level(logging.WARNING):
            nmt.load(tmp_path / name)
            nmt.load(tmp_path / name)
    assert [record.getMessage().split()[0] for record in caplog.records] == [str(tmp_path / "done")]
    assert json.loads(cli.printed("inspect", str(tmp_path / "done"), "--json"))["checksums"] is None


def test_weights_know_the_vocabularies_and_settings_that_they_were_saved_with(
    random_runs: Path, tmp_path: Path, cli: Commands
) -> None:
    """Also where there is no list: another run's weights of the same sizes are refused, by every way to load them."""
    run, weights = tmp_path / "mine", tmp_path / "mine" / "model.safetensors"
    shutil.copytree(random_runs / "search-words", run)
    info = read_run(run)
    assert info.weights.owner is None
    nmt.load(run)
    save_weights(weights, load_model(info, weights), {"update": 7, "owner": owner(run, info)})
    shutil.copy(weights, run / "last.safetensors")
    whole = {name: (run / name).read_text("utf-8") for name in ("source.vocabulary.json", "config.json")}
    for name, before, after, named in (
        ("source.vocabulary.json", '"cat"', '"dog"', "vocabularies"),
        ("config.json", '"printed"', '"program"', "settings"),
        ("config.json", '"source_language": "en"', '"source_language": "de"', "settings"),
    ):
        assert before in whole[name]
        (run / name).write_text(whole[name].replace(before, after), encoding="utf-8")
        for load in (lambda: nmt.load(run), lambda: nmt.load(run, "last")):
            with pytest.raises(InputError, match=f"safetensors was saved with other {named} than"):
                load()
        for command in (
            ["release", "publish", str(run), str(tmp_path / "out")],
            ["page", str(run), "--out", str(tmp_path / "page.html")],
        ):
            assert f"other {named}" in cli.refused(*command)
        (run / name).write_text(whole[name], encoding="utf-8")
    (run / "config.json").write_text(whole["config.json"].replace('"dropout": 0.0', '"dropout": 0.1'), encoding="utf-8")
    nmt.load(run)


def test_a_setting_that_is_added_later_changes_no_sum(random_runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = read_run(random_runs / "search-words")
    before = owner(info.path, info)
    monkeypatch.setitem(fingerprint._USUAL, "state_order", "other")
    assert owner(info.path, info)["settings"] != before["settings"]
    monkeypatch.setattr(fingerprint, "asdict", lambda model: vars(model) | {"new": 1})
    monkeypatch.setitem(fingerprint._USUAL, "state_order", "printed")
    monkeypatch.setitem(fingerprint._USUAL, "new", 1)
    assert owner(info.path, info) == before


def test_checksums_refuses_what_training_still_changes(run: Path, cli: Commands) -> None:
    (run / "resume.safetensors").write_bytes(b"")
    assert str(run) in cli.refused("release", "checksums", str(run))
    assert main(["release", "checksums", str(run / "steps")]) == 2


def test_the_released_runs_have_lists_that_match() -> None:
    runs = [path.parent for path in sorted(CHECKPOINTS.glob("*/config.json"))]
    assert runs
    for run in runs:
        assert (run / CHECKSUMS).is_file(), f"python -m release checksums {run}"
        check_all_files(run)
        assert listed(run)["model.safetensors"] == read_run(run).weights.sha256()
