"""What ``evaluate`` prints as text, which sets and buckets ``compare`` takes, and which sentences ``figure3`` draws."""

import io
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nmt.cli import main
from nmt.cli.compare import _buckets, _usual_sets
from nmt.cli.evaluate import print_evaluation
from nmt.errors import InputError
from nmt.evaluation.buckets import LAST, Buckets
from nmt.evaluation.evaluation_files import read_evaluated_system, write_evaluation, write_system
from nmt.evaluation.metrics import NEEDS_MECAB
from nmt.results import Languages
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.programs import Commands

GIVEN = texts([3, 8, 12] * 4, 1, 0.7)


@pytest.mark.parametrize("columns", ["both", "all", "no UNK"])
@pytest.mark.parametrize("name", ["mine", ""])
def test_an_evaluation_is_printed_with_its_columns(name: str, columns: str, capsys: pytest.CaptureFixture[str]) -> None:
    evaluation = evaluated("run", name, GIVEN, [0, 1, 0] * 4)
    everything, no_unk = evaluation.everything, evaluation.no_unk
    assert everything is not None
    assert no_unk is not None
    evaluation = replace(
        evaluation, everything=None if columns == "no UNK" else everything, no_unk=None if columns == "all" else no_unk
    )
    print_evaluation(evaluation, False)
    lines = [name] if name else []
    for column, shown in ((everything, columns != "no UNK"), (no_unk, columns != "all")):
        if shown and column is no_unk:
            lines.append("8 of 12 sentences have no unknown word in source and reference")
        lines += [f"{one.metric.ljust(4)} {one.value:>7.2f}  {one.signature}" for one in column.each if shown]
    assert capsys.readouterr() == ("".join(f"{line}\n" for line in lines), "")
    print_evaluation(evaluation, True)
    assert json.loads(capsys.readouterr().out) == {"format": 1} | evaluation.to_dict(statistics=False)


@pytest.mark.parametrize(("target", "told"), [("fr", ""), ("ja", f"{NEEDS_MECAB}\n")])
def test_what_words_of_japanese_would_need_is_said(target: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_evaluation(replace(evaluated("run", "mine", GIVEN), languages=Languages("en", target)), False)
    assert capsys.readouterr().err == told


def test_of_several_runs_each_is_named(random_runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, other = str(random_runs / "search-words"), str(random_runs / "encdec-words")
    for name in ("s", "t"):
        (tmp_path / name).write_text("the cat\n", encoding="utf-8")
    files = ["--source", str(tmp_path / "s"), "--reference", str(tmp_path / "t"), "--beam", "1"]

    def first_words(*words: str) -> list[str]:
        assert main(["evaluate", *words, *files]) == 0
        return [line.split()[0] for line in capsys.readouterr().out.splitlines()]

    assert first_words(run) == ["BLEU", "chrF", "TER"]
    assert first_words(run, other) == ["search-words", "BLEU", "chrF", "TER", "encdec-words", "BLEU", "chrF", "TER"]
    assert first_words(run, other, "--json") == ['{"format":'] * 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("width=10", Buckets("width", (10, LAST))),
        ("width=10,61", Buckets("width", (10, 61))),
        ("equal=8", Buckets("equal counts", (8,))),
        ("from=1", Buckets("hand", (1,))),
        ("from=1,11,10000", Buckets("hand", (1, 11, 10_000))),
        ("rolling=10000", Buckets("rolling", (10_000,))),
        ("from=1,10001", "--buckets takes numbers up to 10,000, not 'from=1,10001'"),
        *(
            (text, f"--buckets takes width=10, width=10,61, equal=8, from=1,11,31 or rolling=10, not {text!r}")
            for text in ("from=", "width=", "width=1,2,3", "equal=", "equal=1,2", "rolling=", "rolling=1,2", "other=1")
        ),
    ],
)
def test_buckets_are_read_as_they_are_described(text: str, expected: Buckets | str) -> None:
    if isinstance(expected, Buckets):
        assert _buckets(text) == expected
    else:
        with pytest.raises(InputError) as caught:
            _buckets(text)
        assert str(caught.value) == expected


def test_known_sets_come_first_and_those_of_the_repository_only_if_they_are_wanted(tmp_path: Path) -> None:
    def systems(*names: str) -> list[Any]:
        folder = tmp_path / "-".join(names)
        write_system(folder, "system", "")
        for name in names:
            write_evaluation(folder, evaluated("system", name, GIVEN))
        return [read_evaluated_system(folder)]

    some = systems("b", "a", "jointly-300", "newstest2014", "tatoeba-test", "multi30k-test2016-concatenated")
    assert _usual_sets(some, []) == ["tatoeba-test", "newstest2014", "a", "b"]
    wanted = _usual_sets(some, ["jointly-300", "nothing"])
    assert wanted == ["tatoeba-test", "newstest2014", "jointly-300", "a", "b"]
    assert _usual_sets(systems("jointly-300"), []) == ["jointly-300"]


def test_the_sentences_of_the_figure(
    random_runs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cli: Commands,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Up to twenty-six, a letter for each panel; drawing itself is left out here."""
    run, out = str(random_runs / "search-words"), tmp_path / "figure.pdf"
    drawn: list[Any] = []

    def pdf(translations: dict[str, list[Any]]) -> bytes:
        drawn.extend(len(each) for each in translations.values())
        return b"%PDF"

    def chosen(models: list[Any], lines: list[str] | None, seed: int) -> list[str]:
        drawn.append((len(models), lines, seed))
        return ["the cat"]

    monkeypatch.setattr("nmt.figures.figure3_pdf", pdf)
    monkeypatch.setattr("nmt.figures.figure3_sentences", chosen)
    for number, status in ((1, 0), (26, 0), (27, 2)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a cat\n" * number)))
        assert main(["figure3", run, "--out", str(out), "--json"]) == status
        told = capsys.readouterr()
    assert told.err.splitlines()[-1] == "jointly figure3: a figure has 1 to 26 sentences, but 27 were given"
    (tmp_path / "lines").write_text("one\ntwo\n", encoding="utf-8")
    for words in ([], ["--source", str(tmp_path / "lines"), "--seed", "0"]):
        result = json.loads(cli.printed("figure3", run, "--paper", "--out", str(out), *words, "--json"))
        assert (result["run"], result["source"]) == ("search-words", "the cat")
    assert drawn == [1, 26, (1, None, 2014), 1, (1, ["one", "two"], 0), 1]
    other = shutil.copytree(run, tmp_path / "other")
    settings = json.loads((other / "config.json").read_text("utf-8"))
    (other / "config.json").write_text(json.dumps(settings | {"source_language": "de"}), "utf-8")
    assert cli.refused("figure3", run, str(other), "--paper", "--out", str(out)).endswith(
        "other has another source language than search-words\n"
    )
