"""`jointly get` against a server on this machine: a run arrives whole or not at all, and only if it is the one that
belongs to this version."""

import hashlib
import json
import re
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import nmt.released.get as get
from nmt.cli import main
from nmt.data.corpora.download import BLOCK
from nmt.inference.translator import load
from nmt.runs.folder import read_run
from release.checksums import write_checksums
from tests.oracles.site import Site, serving
from tests.programs import Commands

ROOT = Path(__file__).parents[2]
PACK: Any = runpy.run_path(str(ROOT / ".ci" / "release.py"))["pack"]
SETUP: Any = runpy.run_path(str(ROOT / "setup.py"))
NAME = "rnnsearch-ko-en"
FILE = f"{NAME}.zip"


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture
def content(random_runs: Path, tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The zip file of a released run, of which the program has the list of checksums, served with its sums."""
    run = tmp_path / "checkpoints" / NAME
    shutil.copytree(random_runs / "search-bpe", run)
    write_checksums(run)
    (tmp_path / "site").mkdir()
    files = [path for path in run.rglob("*") if path.is_file() and path.name != ".lock"]
    PACK(tmp_path / "site" / FILE, run.parent, files, 1_700_000_000)
    (run / "weights.json").write_text(SETUP["header"](run / "model.safetensors"))
    for path in run.iterdir():
        if path.name not in ("checksums.json", "config.json", "weights.json"):
            path.unlink()
    monkeypatch.setattr(get, "RELEASED_RUNS", run.parent)
    monkeypatch.setattr(get, "RELEASE", site.address)
    monkeypatch.setenv("JOINTLY_RUNS", str(tmp_path / "runs"))
    content = (tmp_path / "site" / FILE).read_bytes()
    serve(site, content)
    return content


def serve(site: Site, content: bytes, listed: bytes | None = None) -> None:
    digest = hashlib.sha256(content if listed is None else listed).hexdigest()
    site.files |= {FILE: content, get.SUMS: f"{digest}  {FILE}\n".encode()}


def runs(tmp_path: Path) -> list[str]:
    folder = tmp_path / "runs"
    return sorted(path.name for path in folder.iterdir() if path.name != ".partial") if folder.is_dir() else []


@pytest.mark.usefixtures("content")
def test_a_run_arrives_among_the_users_own_and_translates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = str(tmp_path / "runs" / NAME)

    def got(*words: str) -> tuple[str, str]:
        """What it prints as text, and the bars of its download; JSON says the same."""
        assert main(["get", *words]) == 0
        text, bars = capsys.readouterr()
        assert main(["get", *words, "--json"]) == 0
        path = None if text == f"{NAME}: not here\n" else here
        assert json.loads(capsys.readouterr().out) == {"format": 1, "run": NAME, "path": path}
        return text, bars

    assert got() == (f"{NAME}: not here\n", "")
    text, bars = got(NAME)
    assert text == f"{NAME}: {here}\n"
    assert re.findall(rf"{NAME}: +100%\|.*\| *([\d.]+k)/\1 \[.*B/s\]", bars), "bytes, in thousands"
    assert got(NAME) == (f"{NAME}: {here}\n", ""), "it is there"
    assert got() == (f"{NAME}: {here}\n", "")
    assert load(tmp_path / "runs" / NAME).translate("the girl", beam=1).source == "the girl"
    assert main(["inspect", NAME]) == 0


def test_a_lost_connection_is_taken_up_where_it_broke(content: bytes, site: Site, tmp_path: Path) -> None:
    site.cut_after[FILE] = [BLOCK]
    assert main(["get", NAME]) == 0
    assert [wanted for path, wanted in site.requests if path == FILE] == ["", f"bytes={BLOCK}-"]
    assert runs(tmp_path) == [NAME]


@pytest.mark.parametrize("fault", ["damaged", "cut", "gone", "unlisted"])
def test_a_faulty_file_leaves_nothing(fault: str, content: bytes, site: Site, tmp_path: Path, cli: Commands) -> None:
    half = len(content) // 2
    if fault == "damaged":
        serve(site, content[:half] + bytes([content[half] ^ 1]) + content[half + 1 :], listed=content)
    elif fault == "cut":
        serve(site, content[:half], listed=content)
    elif fault == "gone":
        site.answers[FILE] = 404
    else:
        site.files[get.SUMS] = b"0  another.zip\n"
    sentence = cli.refused("get", NAME)
    assert {"damaged": "checksum", "cut": "checksum", "gone": "404", "unlisted": f"does not list {FILE}"}[
        fault
    ] in sentence
    assert runs(tmp_path) == []
    site.answers.clear()
    serve(site, content)
    assert main(["get", NAME]) == 0


def test_another_run_under_this_name_is_refused(
    content: bytes, site: Site, random_runs: Path, tmp_path: Path, cli: Commands
) -> None:
    """Its sums agree with it: what decides is the list that came with the program."""
    other = tmp_path / "other" / NAME
    shutil.copytree(random_runs / "search-words", other)
    write_checksums(other)
    PACK(tmp_path / "o.zip", other.parent, [path for path in other.rglob("*") if path.is_file()], 1_700_000_000)
    serve(site, (tmp_path / "o.zip").read_bytes())
    assert "not the run" in cli.refused("get", NAME)
    assert runs(tmp_path) == []


def test_from_a_folder_without_a_network(
    content: bytes, site: Site, tmp_path: Path, cli: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(get, "RELEASE", "")
    assert "no release" in cli.refused("get", NAME)
    folder = tmp_path / "stick"
    folder.mkdir()
    assert FILE in cli.refused("get", NAME, "--from", str(folder))
    (folder / FILE).write_bytes(content[:-1])
    assert get.SUMS in cli.refused("get", NAME, "--from", str(folder))
    (folder / get.SUMS).write_bytes(site.files[get.SUMS])
    assert "cut" in cli.refused("get", NAME, "--from", str(folder))
    (folder / FILE).write_bytes(content)
    assert main(["get", NAME, "--from", str(folder)]) == 0
    assert site.requests == []
    assert (folder / FILE).read_bytes() == content
    assert read_run(tmp_path / "runs" / NAME).has_weights


def test_an_unknown_name(cli: Commands) -> None:
    assert "no released run 'rnnsearch-60'" in cli.refused("get", "rnnsearch-60")
