"""``shard``, work on shards in one process and by workers of which one is killed, and what joins them."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from nmt.cli.shards import part
from nmt.data.shards import Shards
from nmt.errors import InputError
from tests.cli.test_commands import stdin
from tests.oracles.random_run import ENGLISH, FRENCH
from tests.programs import Commands, main

LINES = [f"{ENGLISH[k % len(ENGLISH)]} {ENGLISH[k * k % len(ENGLISH)]}" for k in range(23)]
NUMBER = re.compile(r"-\d+\.\d{6}")
"""A log-probability."""
TARGETS = [f"{FRENCH[k % len(FRENCH)]} {FRENCH[k * k % len(FRENCH)]}" for k in range(23)]


@pytest.fixture
def run(random_runs: Path, tmp_path: Path) -> str:
    folder = shutil.copytree(random_runs / "search-words", tmp_path / "run")
    assert main(["release", "checksums", str(folder)]) == 0
    return str(folder)


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    for name, lines in (("source", LINES), ("target", TARGETS)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [str(tmp_path / "source"), str(tmp_path / "target")]


def cut(texts: list[str], folder: Path, lines: int = 5) -> str:
    assert main(["shard", texts[0], "--target", texts[1], "--lines", str(lines), "--out", str(folder)]) == 0
    return str(folder)


def whole(
    command: list[str], texts: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """What the command prints of the whole text."""
    capsys.readouterr()
    if command[0] == "translate":
        stdin(monkeypatch, Path(texts[0]).read_bytes())
        assert main(command) == 0
    else:
        assert main([*command, "--source", texts[0], "--target", texts[1]]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        ["translate", "RUN", "--beam", "3"],
        ["translate", "RUN", "--beam", "3", "--n-best", "2", "--precision", "fp32"],
        ["score", "RUN"],
        ["align", "RUN", "--rule", "columns"],
    ],
    ids=lambda words: " ".join(words[:1] + words[2:]),
)
def test_parts_by_three_jobs_merge_to_what_one_process_prints(
    command: list[str],
    run: str,
    texts: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cli: Commands,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = [run if word == "RUN" else word for word in command]
    folder = cut(texts, tmp_path / "shards")
    expected = whole(command, texts, monkeypatch, capsys)
    for job in ("1/3", "3/3"):
        assert main([*command, "--shards", folder, "--part", job]) == 0
    assert "2 of 5 parts" in cli.refused("shard", folder, "--out", str(tmp_path / "out"))
    assert "2 of 5 parts computed now" in cli.printed(*command, "--shards", folder)
    assert main(["shard", folder, "--out", str(tmp_path / "out")]) == 0
    found = (tmp_path / "out").read_text(encoding="utf-8")
    assert NUMBER.sub("", found) == NUMBER.sub("", expected)
    numbers = [[float(number) for number in NUMBER.findall(text)] for text in (found, expected)]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-3)  # they depend on the sentences of a batch by rounding


def test_other_weights_and_other_settings_have_parts_of_their_own(
    run: str, texts: list[str], tmp_path: Path, random_runs: Path, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = cut(texts, tmp_path / "shards")
    other = shutil.copytree(random_runs / "encdec-words", tmp_path / "other" / "run")
    for words in ([run], [run, "--beam", "2"], [run, "--json"], [run, "--json"], [str(other)]):
        assert main(["translate", *words, "--shards", folder]) == 0
    works = Shards.read(Path(folder)).works()
    assert len(works) == 4
    identities = [json.loads((work / "work.json").read_text(encoding="utf-8")) for work in works]
    assert len({identity["runs"][0]["weights"] for identity in identities}) == 2
    assert {identity["search"]["beam"] for identity in identities} >= {2, 12}
    (merged,) = cli.objects("shard", folder, "--work", works[1].name, "--out", str(tmp_path / "out"))
    assert merged["work"] == works[1].name


def workers_of(process: int) -> list[psutil.Process]:
    """Processes that compute: children of the nannies that dask starts."""
    try:
        children = psutil.Process(process).children(recursive=True)
        return [child for child in children if not child.children() and "spawn_main" in " ".join(child.cmdline())]
    except psutil.NoSuchProcess:
        return []


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds the workers by their command lines")
def test_of_two_workers_one_is_killed_and_the_bytes_are_those_of_one_process(
    run: str, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["translate", run, "--beam", "3"]
    expected = whole(command, texts, monkeypatch, capsys)
    folder = Path(cut(texts, tmp_path / "shards", lines=1))
    process = subprocess.Popen(
        [sys.executable, "-m", "nmt", *command, "--shards", str(folder), "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list(folder.glob("translate-*/*.part.json")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    killed = workers_of(process.pid)
    os.kill(killed[0].pid, signal.SIGKILL)
    out, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    assert "23 of 23 parts" in out
    assert main(["shard", str(folder), "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out").read_text(encoding="utf-8") == expected


@pytest.mark.slow
def test_workers_evaluate_several_runs_on_several_sets_as_one_process_does(
    run: str, texts: list[str], tmp_path: Path, random_runs: Path, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    other = str(shutil.copytree(random_runs / "encdec-words", tmp_path / "other"))
    sets = [word for name in ("one", "two") for word in ("--set", name, *texts)]
    command = ["evaluate", run, other, *sets, "--beam", "2", "--json"]
    capsys.readouterr()
    expected = cli.printed(*command, "--fresh")
    assert len(expected.splitlines()) == 6  # of each run both sets, and both together
    assert cli.printed(*command, "--fresh", "--workers", "2") == expected


@pytest.mark.slow
def test_a_fault_of_the_input_is_one_sentence_from_workers_too(
    run: str, texts: list[str], tmp_path: Path, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = cut(texts, tmp_path / "shards")
    (tmp_path / "shards" / "0000002.source").write_text("changed\n", encoding="utf-8")
    capsys.readouterr()
    assert "0000002.source is missing or is not the shard that was cut" in cli.refused(
        "translate", run, "--shards", folder, "--workers", "1"
    )


REFUSED = {
    "part": (["translate", "RUN", "--part", "1/2"], "--part requires --shards"),
    "workers": (["score", "RUN", "--workers", "2"], "--workers requires --shards"),
    "both": (["align", "RUN", "--shards", "SHARDS", "--source", "s"], "--source cannot be combined with --shards"),
    "no folder": (["translate", "RUN", "--shards", "nowhere"], "it has no manifest.json"),
    "one side": (["score", "RUN", "--shards", "SHARDS"], "these shards have no target side"),
    "neither": (["align", "RUN"], "give --source and --target, or --shards"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_does_not_fit_is_one_sentence(
    fault: str, run: str, texts: list[str], tmp_path: Path, cli: Commands
) -> None:
    assert main(["shard", texts[0], "--out", str(tmp_path / "shards")]) == 0
    arguments, sentence = REFUSED[fault]
    places = {"RUN": run, "SHARDS": str(tmp_path / "shards")}
    assert sentence in cli.refused(*[places.get(word, word) for word in arguments])


def test_part_is_a_number_of_so_many() -> None:
    assert part("17/1000") == (17, 1000)
    for text in ("0/3", "4/3", "3", "1/", "a/b", "1/2/3", "-1/2"):
        with pytest.raises(Exception, match="must be like 17/1000"):
            part(text)


def test_without_dask_a_sentence_says_what_to_install(
    run: str, texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Commands
) -> None:
    folder = cut(texts, tmp_path / "shards")
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'jointly[cluster]'" in cli.refused("translate", run, "--shards", folder, "--workers", "2")
    from nmt.cluster import run_tasks

    with pytest.raises(InputError, match="dask"):
        next(run_tasks(part, print, [(("1/2",), 1)], 1))
