"""Figure 3 from a command: its pages, its panels, and which sentences it draws."""

import io
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import nmt
from nmt.charts.figure3 import PrintSettings, figure3
from nmt.cli import main
from nmt.errors import InputError
from nmt.figures import figure3_sentences

WORDS = "the girl has never seen the sea".split()


def lines() -> list[str]:
    """Sentences of 8 to 23 words; every third has a word that no random run knows."""
    made = []
    for number in range(60):
        words = (WORDS * 4)[: 8 + number % 16]
        words[number % len(words)] = "zzz" if number % 3 == 0 else "cat"
        made.append(" ".join(words))
    return made


def test_the_sentences_are_known_of_ten_to_twenty_words_and_the_same_for_every_run(random_runs: Path) -> None:
    models = [nmt.load(random_runs / "search-words") for _ in range(2)]
    first, *three = figure3_sentences(models[:1], lines(), 5)
    assert first.startswith("The agreement on the European Economic Area")
    assert [first, *three] == figure3_sentences(models, lines(), 5) != figure3_sentences(models, lines(), 6)
    for sentence in three:
        assert 10 <= len(sentence.split()) <= 20
        assert "zzz" not in sentence
    with pytest.raises(InputError, match="fewer than three"):
        figure3_sentences(models, lines()[:4], 5)


def test_every_run_has_a_page(random_runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lines").write_text("\n".join(lines()), encoding="utf-8")
    out, runs = tmp_path / "figure.pdf", [str(random_runs / name) for name in ("search-words", "search-bpe")]
    assert main(["figure3", *runs, "--paper", "--source", str(tmp_path / "lines"), "--out", str(out)]) == 0
    assert len(re.findall(rb"/Type /Page\b", out.read_bytes())) == 2
    printed = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in printed] == ["search-words"] * 4 + ["search-bpe"] * 4
    first, second = ([line.split(":", 1)[1].split(" -> ")[0] for line in part] for part in (printed[:4], printed[4:]))
    assert first == second


def test_sentences_can_be_given(random_runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def given(text: bytes) -> int:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        return main(["figure3", str(random_runs / "search-words"), "--out", str(tmp_path / "figure.pdf")])

    assert given(b"the girl\n\nthe cat\n") == 0
    assert (tmp_path / "figure.pdf").is_file()
    assert given(b"\n") == 2
    assert main(["figure3", str(random_runs / "encdec-words"), "--paper", "--out", str(tmp_path / "f.pdf")]) == 2
    assert main(["figure3", str(random_runs / "search-words"), "--paper", "--out", str(tmp_path / "f.png")]) == 2


def test_panels_are_the_matrices_alone_beside_each_other(random_runs: Path) -> None:
    record = nmt.load(random_runs / "search-words").translate("the girl reads").record()
    settings = PrintSettings(titles=False, caption="(a) search-words: the girl reads")
    alone = figure3(record, settings=settings)
    one, three = (figure3(*[record] * number, settings=replace(settings, lettered=True)) for number in (1, 3))
    assert (one.width, one.height) == (alone.width, alone.height)
    assert (three.width, three.height) == (2 * alone.width, 2 * alone.height)
    assert all(f"({letter}) search-words: the girl reads" in three.to_bytes("svg").decode() for letter in "abc")
