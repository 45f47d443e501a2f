"""``shard``, work on shards, and what joins them."""

import json
import re
import shutil
from pathlib import Path

import pytest

from nmt.cli.shards import part
from nmt.data.shards import Shards
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
    run: str, texts: list[str], tmp_path: Path, random_runs: Path, cli: Commands
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


def test_a_shard_that_was_changed_is_refused(run: str, texts: list[str], tmp_path: Path, cli: Commands) -> None:
    folder = cut(texts, tmp_path / "shards")
    (tmp_path / "shards" / "0000002.source").write_text("changed\n", encoding="utf-8")
    refusal = cli.refused("translate", run, "--shards", folder)
    assert "0000002.source is missing or is not the shard that was cut" in refusal


REFUSED = {
    "part": (["translate", "RUN", "--part", "1/2"], "--part requires --shards"),
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
