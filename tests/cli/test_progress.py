"""Bars of progress: they count to the end of what was given, and are drawn only where they are in nobody's way."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from nmt.cli import main

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
    found = dict(re.findall(r"([\w :.-]+?): +(?:\d+%\|.*\| *)?(\d+(?:/\d+)?(?: \w+)?) \[.*?, *[\d.?]+ ?\w+/s\]", text))
    units = re.findall(r"[\d.?] (\w+)/s\]", text)
    return [f"{name} {count} {units[-1]}" if "/" in count else f"{name} {count}" for name, count in found.items()]


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
    "score RUN --phrase-table TABLE": ["score 5 sentences"],
    "align RUN --source S --target T": ["align 5/5 sentences"],
    "rescore LIST --source S --reference T --forward RUN --weights OUT": ["forward:search-words 5/5 sentences"],
}
"""Commands that print a line for each sentence, and their bars."""
OTHERS = {
    "aer RUN --source S --target T --gold G": ["aer 5/5 sentences"],
    "score RUN --phrase-table TABLE --out OUT": ["score 5 sentences"],
    "aligner --runs RUN --source S --target T --out OUT": ["aligner 5/5 sentences"],
    "evaluate --system a --hypothesis T --source S --reference T --name mine --out OUT": ["count 5/5 sentences"],
}
"""Commands that print when they are ready."""


@pytest.mark.parametrize("words", [*BESIDE_OUTPUT, *OTHERS])
def test_a_bar_counts_to_the_end(words: str, places: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(words, places, monkeypatch) == (BESIDE_OUTPUT | OTHERS)[words]
    assert drawn(words, places | {"OUT": f"{places['OUT']}2"}, monkeypatch, error=False) == []
    expected = OTHERS.get(words, [])  # lines and a bar on one terminal would be mixed
    assert drawn(words, places | {"OUT": f"{places['OUT']}3"}, monkeypatch, out=True) == expected
