"""Tables and figures of the page "Lengths": as the command makes them."""

import csv
import io
import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from matplotlib.image import imread
from streamlit.testing.v1 import AppTest

from nmt.cli import main
from nmt.files import sha256_of
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.ui.length.lengths_page import keep, lines, opened, said

LENGTHS = [*range(3, 15), *range(21, 26)] * 2
UNKNOWN = [0, 1] * len([*range(3, 15), *range(21, 26)])


@pytest.fixture(autouse=True)
def systems(runs: Path, write_run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    for name, kept in (("search", 0.85), ("encdec", 0.8)):
        write_run(runs / name)
        keep(runs / name, [evaluated(name, "toy", texts(LENGTHS, kept=kept), UNKNOWN)])
    return runs


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """What the page offers, by file name."""
    import streamlit as st

    found: dict[str, bytes] = {}
    show = st.download_button

    def kept(label: str, data: Any, *, file_name: str, **others: Any) -> bool:
        found[file_name] = data() if callable(data) else data
        return bool(show(label, data, file_name=file_name, **others))

    monkeypatch.setattr(st, "download_button", kept)
    return found


def exported(at: AppTest) -> AppTest:
    """With "Export" open."""
    assert not at.get("download_button")
    at.session_state["export"] = True
    at.run()
    assert not at.exception
    return at


@pytest.mark.slow
def test_tables_are_those_of_the_command(systems: Path, files: dict[str, bytes], tmp_path: Path) -> None:
    at = exported(opened(sets="toy", systems=["search", "encdec"], then="tables", by_length="width"))
    folders = [str(systems / name) for name in ("search", "encdec")]
    assert {"toy.csv", "toy.tex", "toy.json", "toy.md"} <= set(files)
    for ending in ("csv", "tex", "json", "md"):
        path = tmp_path / f"by-command.{ending}"
        assert main(["compare", *folders, "--on", "toy", "--tables", str(path)]) == 0
        mine, its = (data.decode("utf-8-sig") for data in (files[f"toy.{ending}"], path.read_bytes()))
        if ending == "json":
            titles = [table["title"] for table in json.loads(its)["tables"]]
            assert {table["title"] for table in json.loads(mine)["tables"]} == set(titles)
            by_title = {table["title"]: table for table in json.loads(mine)["tables"]}
            assert [by_title[title] for title in titles] == json.loads(its)["tables"]
        assert sorted(mine.splitlines()) == sorted(its.splitlines()) or ending == "json"
    expected = sacrebleu.corpus_bleu(texts(LENGTHS, kept=0.85).hypotheses, [texts(LENGTHS).references]).score
    first = next(csv.DictReader(io.StringIO(files["toy.csv"].decode("utf-8-sig"))))
    assert float(first["bleu"]) == pytest.approx(expected)
    assert "run:search" in first["signature"]
    assert "Table 1" in said(at)
    assert "Table 2" in said(at)


@pytest.mark.parametrize("curve", [["counts"], ["to-60", "intervals"]])
def test_the_figure_has_every_format(systems: Path, files: dict[str, bytes], curve: list[str]) -> None:
    exported(opened(sets="toy", systems=["search", "encdec"], curve=curve))
    starts = {"length-toy.pdf": b"%PDF", "length-toy.svg": b"<?xml", "length-toy.png": b"\x89PNG"}
    assert {name: files[name][: len(start)] for name, start in starts.items()} == starts
    svg = files["length-toy.svg"].decode()
    assert "encdec" in svg
    assert "search" in svg
    assert f"run:search|weights:{sha256_of(systems / 'search' / 'model.safetensors')}" in svg


@pytest.mark.parametrize("asked", [
    {}, {"by_length": "equal", "parts": "3", "metric": "ter"}, {"unkcol": "known", "side": "reference"},
    {"by_length": "rolling", "window": "4", "curve": "to-60"}, {"sets": ["toy", "more"]},
    {"curve": ["counts"], "systems": ["search", "elsewhere", "encdec"]}, {"curve": ["trained", "intervals"]},
])  # fmt: skip
def test_the_command_draws_the_same_curve(
    asked: dict[str, Any],
    systems: Path,
    files: dict[str, bytes],
    write_run: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("search", "encdec") if "sets" in asked else ():
        keep(systems / name, [evaluated(name, "more", texts(range(3, 9), 7), [0] * 6)])
    write_run(systems / "elsewhere")
    keep(systems / "elsewhere", [evaluated("elsewhere", "other", texts([5, 6], 3), [0, 0])])
    at = exported(opened(**{"sets": "toy", "systems": ["search", "encdec"], **asked}))
    (command,) = [code.value for code in at.code if code.value.startswith("jointly compare")]
    monkeypatch.chdir(tmp_path)
    assert main([*shlex.split(command.replace(".pdf", ".png"))[1:], "--json"]) == 0
    assert ("--on all " in command) == ("sets" in asked)
    (figure,) = tmp_path.glob("length-*.png")
    assert np.array_equal(imread(figure), imread(io.BytesIO(files[figure.name])))
    (closer,) = json.loads(capsys.readouterr().out)["closer"]
    made = {one["system"]: [point["value"] for point in one["points"]] for one in closer["curves"]["curves"]}
    for name, line in lines(at).items():
        assert line["y"] == pytest.approx(made[name])


def test_no_command_is_shown_for_what_it_would_not_draw(systems: Path, files: dict[str, bytes]) -> None:
    """A set that `compare` does not pool, and counts that the folder no longer has."""
    for name in ("search", "encdec"):
        keep(systems / name, [evaluated(name, "jointly-300", texts(range(3, 9), 7), [0] * 6)])
    at = exported(opened(sets=["toy", "jointly-300"], systems=["search", "encdec"]))
    assert not [code for code in at.code if code.value.startswith("jointly compare")]
