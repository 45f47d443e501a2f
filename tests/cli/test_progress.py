"""Bars of progress: they count to the end of what was given, and are drawn only where they are in nobody's way."""

import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from tqdm import tqdm

from nmt.cli.lines import progress, stage_bars
from tests.programs import main

SOURCE = ["The girl reads, the cat sleeps.", "she has never seen the sea", "a cat is on a mat .", "a cat", "the sea"]
TARGET = ["La fille lit, le chat dort.", "elle a jamais vu la mer", "un chat est sur une .", "un chat", "la mer"]


class Stream(io.TextIOWrapper):
    """What a command writes to, a terminal or not."""

    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]


def bars(text: str) -> list[str]:
    """Name, count and unit of each bar, as it was drawn last."""
    found = {}
    for line in re.split(r"[\r\n]+", text):
        if bar := re.fullmatch(r"(?:(.+?): +)?(?:\d+%\|.*\| )?(\d+(?:/\d+)?)(?: \w+)? \[.*[\d?] ?(\w+)/s\]", line):
            found[bar[1] or "work"] = f"{bar[2]} {bar[3]}"
    return [f"{name} {count}" for name, count in found.items()]


@pytest.fixture
def places(tmp_path: Path, random_runs: Path) -> dict[str, str]:
    texts = {"S": SOURCE, "T": TARGET, "G": ["0-0"] * 5, "LINKS": ["0-0 1-1"] * 5}
    texts["TABLE"] = [f"{s} ||| {t} ||| 1" for s, t in zip(SOURCE, TARGET, strict=True)]
    texts["LIST"] = [f"{k} ||| {t} ||| f= 1" for k, t in enumerate(TARGET)]
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    paths = {name: str(tmp_path / name) for name in (*texts, "OUT")}
    return paths | {"RUN": str(random_runs / "search-words")}


def drawn(
    words: str, places: dict[str, str], monkeypatch: pytest.MonkeyPatch, *, out: bool = False, error: bool = True
) -> list[str]:
    """The bars that a command draws; ``out``, ``error``: whether the streams are terminals."""
    if "--shards" in words:
        assert main(["shard", places["S"], "--lines", "1", "--out", places["OUT"]]) == 0
    stdout, stderr = Stream(out), Stream(error)
    with Path(places["S"]).open(encoding="utf-8") as text, monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", text)
        patch.setattr(sys, "stdout", stdout)
        patch.setattr(sys, "stderr", stderr)
        assert main([places.get(word, word) for word in words.split()]) == 0
    return bars(stderr.text())


BESIDE_OUTPUT = {
    "translate RUN --beam 1 --precision fp32": ["translate in fp32 5/5 sentences"],
    "score RUN --source S --target T": ["score 5/5 sentences"],
    "experiments phrase-based score RUN TABLE": ["score 5 sentences"],
    "align RUN --source S --target T": ["align 5/5 sentences"],
    "rescore LIST --source S --reference T --forward RUN --weights OUT": ["forward:search-words 5/5 sentences"],
}
"""Commands that print a line for each sentence, and their bars."""
OTHERS = {
    "aer RUN --source S --target T --gold G": ["aer 5/5 sentences"],
    "experiments phrase-based score RUN TABLE --out OUT": ["score 5 sentences"],
    "release aligner --runs RUN --source S --target T --out OUT": ["aligner 5/5 sentences"],
    "evaluate-output a --hypothesis T --source S --reference T --name mine --out OUT": ["count 5/5 sentences"],
    "evaluate RUN --source S --reference T --beam 1 --fresh": [
        *("score references 5/5 sentences", "translate 5/5 sentences", "count 5/5 sentences")
    ],
    "stress RUN --source S --reference T --most 1 --words 9 --beam 1 --fresh": [
        *("translate 5/5 sentences", "score the references of 1 concatenated sentences 5/5 sentences")
    ],
    "release dictionary RUN --source S --target T --links LINKS --out OUT": ["dictionary 5 sentences"],
    "translate RUN --shards OUT": ["work 5/5 shards"],
}
"""Commands that print when they are ready."""


@pytest.mark.parametrize("words", [*BESIDE_OUTPUT, *OTHERS])
def test_a_bar_counts_to_the_end(words: str, places: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(words, places, monkeypatch) == (BESIDE_OUTPUT | OTHERS)[words]
    assert drawn(words, places | {"OUT": f"{places['OUT']}2"}, monkeypatch, error=False) == []
    expected = OTHERS.get(words, [])  # lines and a bar on one terminal would be mixed
    assert drawn(words, places | {"OUT": f"{places['OUT']}3"}, monkeypatch, out=True) == expected


class Raw(io.RawIOBase):
    """Counts what arrives at a file or pipe."""

    def __init__(self) -> None:
        self.arrived: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.arrived.append(bytes(data))
        return len(data)


@pytest.mark.parametrize(
    "words",
    [
        *("translate RUN --beam 1", "translate RUN --beam 1 --json", "translate RUN --beam 3 --n-best 2"),
        *("score RUN --source S --target T", "score RUN --source S --target T --json"),
        *("experiments phrase-based score RUN TABLE --json", "align RUN --source S --target T"),
        *("rescore LIST --source S --weights W", "rescore LIST --source S --weights W --json"),
    ],
)
def test_each_line_leaves_as_soon_as_it_is_there(
    words: str, places: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its reader may be waiting for it, though a pipe is not flushed by itself."""
    (tmp_path / "weights").write_text('{"format": 1, "weights": {"f": 1}}', encoding="utf-8")
    raw = Raw()
    stdout = io.TextIOWrapper(io.BufferedWriter(raw, 2**20), encoding="utf-8")
    with Path(places["S"]).open(encoding="utf-8") as text, monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", text)
        patch.setattr(sys, "stdout", stdout)
        assert main([(places | {"W": str(tmp_path / "weights")}).get(word, word) for word in words.split()]) == 0
    assert len(raw.arrived) == (10 if "--n-best" in words else 5)
    assert all(data.count(b"\n") == 1 and data.endswith(b"\n") for data in raw.arrived)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of bars, in seconds."""
    now = [0.0]
    monkeypatch.setattr(tqdm, "monitor_interval", 0)
    monkeypatch.setattr("tqdm.std.time", lambda: now[0])
    return now


def test_the_rate_is_that_of_all_sentences(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that of the last ones, which are the longest."""
    stderr = Stream(True)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stderr)
        with progress("score", 4) as show:
            for clock[0], done in ((1.0, 1), (101.0, 2)):
                show(done)
            shown = stderr.text()
    assert "50.50s/ sentences" in shown.rpartition("\r")[2]


@pytest.mark.parametrize(("terminal", "seconds"), [(True, 0.2), (False, 10)])
def test_a_log_is_written_to_more_seldom_than_a_terminal(
    terminal: bool, seconds: float, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first line of a bar is written at once."""
    with monkeypatch.context() as patch:
        stderr = Stream(terminal)
        patch.setattr(sys, "stderr", stderr)
        with stage_bars(lambda stage: {"unit": "x", "miniters": 1}) as show:
            for done in range(101):
                clock[0] = done * seconds / 16 * 1.001
                show("reading", done, 100)
            assert stderr.text().count("\r") == 1 + 100 // 16  # a sixteenth of the interval apart
