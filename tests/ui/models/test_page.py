"""The place Models: what it says of each run is what the run's files say, and it notices what changes."""

import functools
import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import save_file
from streamlit.testing.v1 import AppTest

from nmt.evaluation.evaluation_files import write_evaluation, write_system
from nmt.results import ALL_SETS, StopEvent, event_to_dict
from nmt.runs.folder import own_results_folder, read_settings, snapshot_file, write_settings
from nmt.texts import APP as APP_TEXTS
from nmt.texts import MODELS
from nmt.ui.checkpoints import folders_stamp
from nmt.ui.formatting import as_sentence
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.runs.origins import MACHINE, corpus_used, session, write_origin
from tests.ui.opened import opened

APP = Path(__file__).parents[3] / "app.py"


@pytest.fixture
def registry(runs: Path, write_run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two checkpoints, one of them with its origin."""
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    write_run(runs / "search")
    write_run(runs / "encdec", "rnnencdec", "bpe")
    write_provenance(runs / "search")
    return runs


def write_provenance(run: Path) -> None:
    trained = session(
        command="jointly train debug --data d --run search",
        commit="abc1234",
        machine=replace(MACHINE, processor="A processor (avx2)"),
    )
    write_origin(run, corpus_used("tatoeba/train", repeat=2), trained, "jointly prepare --out PREPARED")


def board(at: AppTest, first: str) -> pd.DataFrame:
    """The table that begins with this column; of several all as one, a row for each entry of the column."""
    tables = [e.value for e in at.dataframe if e.value.columns[0] == first]
    return functools.reduce(lambda left, right: left.merge(right, on=first, how="outer", sort=False), tables)


def test_the_table_says_what_the_files_say(registry: Path, tmp_path: Path) -> None:
    write_system(tmp_path / "systems" / "moses", "moses", "phrases")
    write_evaluation(tmp_path / "systems" / "moses", evaluated("moses", "toy", texts(range(3, 9))))
    at = opened("models", show="trainings")
    assert at.dataframe[0].value["Checkpoint"].tolist() == ["encdec", "search", "moses"]
    table = board(at, "Checkpoint").set_index("Checkpoint")
    row = table.loc["search"]
    weights = (registry / "search" / "model.safetensors").read_bytes()
    assert hashlib.sha256(weights).hexdigest().startswith(row["SHA-256"])
    assert (row["Architecture"], row["m"], row["n"], row["n'"], row["l"]) == ("RNNsearch", 4, 5, 6, 3)
    assert (row["Updates"], row["NLL dev"], row["Weights"]) == (1200, 20.0, 12)
    assert row["Data"] == "tatoeba"
    assert "CC BY" in row["Licences"]
    assert row["Curve"] == [2.25]
    assert pd.isna(table.loc["encdec", "n'"])
    assert pd.isna(table.loc["encdec", "Data"])
    assert table.loc["encdec", "Vocabularies"] == MODELS.vocabulary.format(
        size=16, kind=MODELS.by_key.vocabulary_kinds["bpe"]
    )
    assert table.loc["moses", "Architecture"] == "phrases"
    assert pd.isna(table.loc["moses", "Updates"])


def test_what_all_share_is_said_once_and_what_differs_in_each_row(registry: Path, write_run: Any) -> None:
    write_provenance(registry / "encdec")
    at = opened("models", show="trainings")
    assert not {"Languages", "Machine"} & set(board(at, "Checkpoint"))
    english = APP_TEXTS.pair.format(source="English", target="French")
    captions = [e.value for e in at.caption]
    assert MODELS.models_caption + MODELS.same_languages.format(value=english) in captions
    assert MODELS.trainings_caption + MODELS.same_machine.format(value="cpu, 2 threads") in captions
    german = write_run(registry / "german").path
    write_settings(german, replace(read_settings(german), target_language="de"))
    at = opened("models", show="trainings")
    table = board(at, "Checkpoint").set_index("Checkpoint")[["Languages", "Machine"]].T
    assert table["search"].tolist() == table["encdec"].tolist() == [english, "cpu, 2 threads"]
    assert "German" in table["german"]["Languages"]
    assert pd.isna(table["german"]["Machine"])
    assert {MODELS.models_caption, MODELS.trainings_caption} <= {e.value for e in at.caption}


def test_a_card_says_where_a_run_comes_from(registry: Path) -> None:
    at = opened("models", show="cards")
    at.multiselect(key="choice-runs").set_value(["search", "encdec"]).run()
    assert not at.exception
    said = "\n".join([*(e.value for e in at.text), *(e.value for e in at.code), *(e.value for e in at.caption)])
    digest = hashlib.sha256((registry / "search" / "model.safetensors").read_bytes()).hexdigest()
    for part in (
        f"{digest}  model.safetensors",
        MODELS.machine.format(
            machine=SimpleNamespace(
                processor="A processor (avx2)", cores=4, system="Linux x86_64", python="3.11.4", torch="2.13.0"
            ),
            session=SimpleNamespace(processes=1, threads=2),
            device="cpu",
        ),
        "jointly prepare --out PREPARED\njointly train debug --data d --run search",
        "abc1234",
    ):
        assert part in said
    models = [text.value for text in at.text if text.value.startswith(("RNNsearch", "RNNencdec"))]
    assert [model.split()[0] for model in models] == ["RNNsearch", "RNNencdec"]
    assert {metric.label: metric.value for metric in at.metric}["NLL dev"] == "20.0"
    data = board(at, "")
    assert data["Pairs used"].tolist() == [100, 100]
    assert data["Licence"].str.contains("CC BY").all()


def test_an_earlier_training_has_a_column_and_an_end_the_numbers_of_the_page(registry: Path) -> None:
    file = registry / "search" / "provenance.json"
    initial = {"run": "search", "sha256": "ab" * 32, "update": 27_000, "provenance": None}
    file.write_text(json.dumps(json.loads(file.read_text()) | {"initial": initial}))
    end = event_to_dict(StopEvent(update=1200, seconds=60.0, reason="1200 updates were made"))
    with (registry / "search" / "training.jsonl").open("a") as events:
        events.write(json.dumps(end) + "\n")
    table = board(opened("models", show="trainings"), "Checkpoint").set_index("Checkpoint")
    assert table.loc["search", [MODELS.updates_before, APP_TEXTS.updates]].tolist() == [27_000, 1200]
    said = [caption.value for caption in opened("models", show="cards", runs="search").caption]
    assert any("1,200 updates were made" in caption.replace("\\", "") for caption in said)


def test_only_different_settings_until_all_are_wanted(registry: Path) -> None:
    settings = read_settings(registry / "encdec")
    write_settings(registry / "encdec", replace(settings, config=settings.config.override(["training.seed=7"])))
    at = opened("models", show="cards")
    at.multiselect(key="choice-runs").set_value(["search", "encdec"]).run()
    assert (at.selectbox(key="choice-first").value, at.selectbox(key="choice-second").value) == ("search", "encdec")
    table = board(at, "Setting").set_index("Setting")
    assert set(table.index) == {
        "model.architecture",
        "training.seed",
        "source_vocabulary.kind",
        "target_vocabulary.kind",
    }
    assert table.loc["training.seed"].tolist() == ["1", "7"]
    at.toggle(key="all").set_value(True).run()
    table = board(at, "Setting").set_index("Setting")
    assert (table["Differs"] == "≠").sum() == 4
    assert table.loc["training.batch_size"].tolist() == ["80", "80", ""]
    at.selectbox(key="choice-second").set_value("search").run()
    assert [info.value for info in at.info] == [MODELS.same_settings]


def test_the_trainings_of_two_cards_are_in_one_figure(registry: Path) -> None:
    shutil.copy(registry / "search" / "training.jsonl", registry / "encdec" / "training.jsonl")
    at = opened("models", show="cards")
    assert "curves" not in [each.proto.id.rpartition("-")[2] for each in at.get("plotly_chart")]
    at.multiselect(key="choice-runs").set_value(["search", "encdec"]).run()
    figures = [json.loads(each.proto.spec)["data"] for each in at.get("plotly_chart")]
    (both,) = [[trace["name"] for trace in data] for data in figures if len(data) == 2]
    assert both == ["search", "encdec"]


def test_a_broken_run_is_named_and_the_others_are_shown(registry: Path) -> None:
    (registry / "encdec" / "model.safetensors").write_bytes(b"junk")
    at = opened("models", show="trainings")
    (warning,) = [w.value.replace("\\", "") for w in at.warning]
    assert warning.startswith("encdec")
    assert "model.safetensors" in warning
    assert board(at, "Checkpoint")["Checkpoint"].tolist() == ["search"]
    (registry / "search" / "training.jsonl").write_text("nonsense\n{}\n")
    at = opened("models", show="trainings")
    assert any("training.jsonl, line 1" in w.value.replace("\\", "") for w in at.warning)
    assert not at.dataframe
    (registry / "search" / "training.jsonl").write_text("[" * 100_000 + "\n")
    (registry / "search" / "provenance.json").write_text('{"format": 1, "train": [{"source": null}]}')
    at = opened("models", show="trainings")
    assert any("training.jsonl" in w.value.replace("\\", "") for w in at.warning)
    assert not at.exception


def test_what_comes_changes_and_goes_is_noticed(registry: Path, write_run: Any) -> None:
    seen = [folders_stamp()]
    assert folders_stamp() == seen[0]
    write_run(registry / "new")
    seen.append(folders_stamp())
    write_evaluation(registry / "new", evaluated("new", "toy", texts(range(3, 9))))
    seen.append(folders_stamp())
    (registry / "new" / "model.safetensors").touch()
    seen.append(folders_stamp())
    shutil.rmtree(registry / "new")
    seen.append(folders_stamp())
    assert seen[-1] == seen[0]
    write_evaluation(own_results_folder() / "released-01234567", evaluated("released", "toy", texts(range(3, 9))))
    seen.append(folders_stamp())
    write_evaluation(own_results_folder() / "released-01234567", evaluated("released", "other", texts(range(3, 9))))
    seen.append(folders_stamp())
    assert len(set(seen)) == len(seen) - 1


def test_a_new_run_is_on_the_next_page(registry: Path, write_run: Any) -> None:
    at = opened("models", show="trainings")
    write_run(registry / "new")
    at.run()
    assert "new" in board(at, "Checkpoint")["Checkpoint"].tolist()


def test_nothing_there_is_said(registry: Path) -> None:
    for run in ("search", "encdec"):
        shutil.rmtree(registry / run)
    assert len(opened("models", show="trainings").info) == 1


@pytest.fixture
def uploads(tmp_path: Path, look_in: Callable[..., None], monkeypatch: pytest.MonkeyPatch, registry: Path) -> Path:
    folder = tmp_path / "cache" / "uploads"
    monkeypatch.setenv("JOINTLY_CACHE", str(folder.parent))
    look_in(registry, folder)
    return folder


def zipped(run: Path) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for path in run.rglob("*"):
            archive.write(path, path.relative_to(run.parent))
    return found.getvalue()


def upload(at: AppTest, data: bytes) -> AppTest:
    at.file_uploader(key="upload-file").set_value(("given.zip", data, "application/zip"))
    (add,) = [button for button in at.button if button.label == MODELS.add]
    add.click().run()
    assert not at.exception
    return at


def test_a_run_that_is_brought_along_can_be_used_and_removed(
    registry: Path, uploads: Path, random_runs: Path, tmp_path: Path
) -> None:
    shutil.copytree(random_runs / "search-words", tmp_path / "theirs")
    at = upload(opened("models", show="upload"), zipped(tmp_path / "theirs"))
    assert [done.value for done in at.success] == [as_sentence(MODELS.added.format(name="theirs"))]
    links = {link.proto.label: link.proto.query_string for link in at.get("page_link")}
    for label, parameter in ((MODELS.translate_with_it, "models"), (MODELS.measure_it, "systems")):
        assert json.loads(parse_qs(links[label])["take"][0]) == {parameter: ["theirs"]}
    assert "theirs" in board(opened("models", show="trainings"), "Checkpoint")["Checkpoint"].tolist()
    at.button(key="delete-theirs").click().run()
    assert [done.value for done in at.success] == [as_sentence(MODELS.removed.format(name="theirs"))]
    assert not (uploads / "theirs").exists()
    assert "theirs" not in board(opened("models", show="trainings"), "Checkpoint")["Checkpoint"].tolist()
    assert (registry / "search").is_dir()


def test_a_run_whose_name_is_taken_gets_another_which_is_said(
    registry: Path, uploads: Path, random_runs: Path, tmp_path: Path
) -> None:
    shutil.copytree(random_runs / "search-words", tmp_path / "search")
    at = upload(opened("models", show="upload"), zipped(tmp_path / "search"))
    said = as_sentence(MODELS.added_under.format(name="search-2", former="search"))
    assert [done.value for done in at.success] == [said]
    links = {link.proto.label: link.proto.query_string for link in at.get("page_link")}
    assert json.loads(parse_qs(links[MODELS.translate_with_it])["take"][0]) == {"models": ["search-2"]}
    assert (uploads / "search-2").is_dir()
    assert {"search", "search-2"} <= {*board(opened("models", show="trainings"), "Checkpoint")["Checkpoint"]}
    at = upload(opened("models", show="upload"), zipped(tmp_path / "search"))
    assert ["search-2" in error.value.replace("\\", "") for error in at.error] == [True]


def test_what_cannot_be_added_or_removed_is_said(registry: Path, uploads: Path, random_runs: Path) -> None:
    at = opened("models", show="upload")
    next(button for button in at.button if button.label == MODELS.add).click().run()
    assert [error.value for error in at.error] == [as_sentence(MODELS.choose_file)]
    shutil.copytree(random_runs / "search-words", uploads / "theirs")
    at = opened("models", show="upload")
    shutil.rmtree(uploads / "theirs")
    at.button(key="delete-theirs").click().run()
    assert ["theirs" in error.value for error in at.error] == [True]
    assert not at.success


def test_checksums_are_cut_where_settings_are_compared(registry: Path) -> None:
    at = opened("models", show="cards")
    at.multiselect(key="choice-runs").set_value(["search", "encdec"]).run()
    at.toggle(key="all").set_value(True).run()
    cells = [str(cell) for cell in board(at, "Setting").to_numpy().ravel()]
    assert max(map(len, cells)) < 64


def test_what_is_no_run_is_refused_in_a_sentence(registry: Path, uploads: Path) -> None:
    at = upload(opened("models", show="upload"), b"no zip")
    assert ["given.zip" in error.value.replace("\\", "") for error in at.error] == [True]
    at = upload(opened("models", show="upload"), zipped(registry / "search"))  # its weights are not those of its model
    (error,) = [error.value.replace("\\", "") for error in at.error]
    assert "given.zip: model.safetensors: E" in error
    assert not (uploads / "search").exists()


def test_an_archive_that_misleads_the_zip_module_is_refused_in_a_sentence(
    registry: Path, uploads: Path, random_runs: Path
) -> None:
    """The directory seems to begin later than it does, so that the first file seems to begin before the archive."""
    data = bytearray(zipped(random_runs / "search-words"))
    place = data.rindex(b"PK\x05\x06") + 16
    data[place : place + 4] = (int.from_bytes(data[place : place + 4], "little") + 93).to_bytes(4, "little")
    at = upload(opened("models", show="upload"), bytes(data))
    assert ["given.zip" in error.value.replace("\\", "") for error in at.error] == [True]
    assert not (uploads / "search-words").exists()


def test_a_single_training_is_in_no_figure_of_several(registry: Path) -> None:
    (registry / "encdec" / "training.jsonl").unlink()
    at = opened("models", show="cards")
    at.multiselect(key="choice-runs").set_value(["search", "encdec"]).run()
    assert not at.exception
    assert len(at.get("plotly_chart")) == 1  # that of its card
    assert MODELS.curves_caption not in [each.value for each in at.caption]


@pytest.mark.parametrize("kept", [1, 2])
def test_a_training_is_watched_if_two_steps_were_kept(registry: Path, kept: int) -> None:
    (registry / "search" / "steps").mkdir()
    for update in range(1, kept + 1):
        saved = {"nmt": json.dumps({"format": 1, "update": update, "epoch": 0.5})}
        save_file({"E": np.zeros((3, 4), np.float16)}, registry / "search" / snapshot_file(update), saved)
    at = opened("models", show="cards")
    at.multiselect(key="choice-runs").set_value(["search"]).run()
    links = [link.proto.label for link in at.get("page_link")]
    assert MODELS.translate_with_it in links
    assert (MODELS.watch_it_learn in links) == (kept == 2)


def test_scores_of_one_test_set_are_not_those_of_all(registry: Path) -> None:
    for sets in (["toy"], ["toy", "more"]):
        write_evaluation(registry / "search", evaluated("search", sets[-1], texts(range(3, 9), len(sets)), [0] * 6))
        at = opened("models", show="cards")
        at.multiselect(key="choice-runs").set_value(["search"]).run()
        scores = next(each.value for each in at.dataframe if MODELS.ter in each.value.columns)
        assert sorted(scores[APP_TEXTS.test_set]) == sorted([*sets, *[ALL_SETS] * (len(sets) > 1)])
