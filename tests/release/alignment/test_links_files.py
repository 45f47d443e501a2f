"""Training text and links files line by line, and the whole command with a stand-in for eflomal."""

import json
import lzma
from collections.abc import Sequence
from pathlib import Path

import pytest

import nmt
import release.alignment.command as command
from nmt.aligners.partners import read_counts
from nmt.alignments.links import BothDirections, Extraction, vote
from nmt.data.links import read_links
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import alignment_error_rate, read_gold
from nmt.results import Alignment
from nmt.results.links import Gold, LinkSet
from release.aligner import build_aligner, write_aligner
from release.alignment.eflomal import Alignments
from release.alignment.gold import better
from release.alignment.training_text import corpora_in, write_words
from tests.oracles.random_run import random_run
from tests.programs import main

LINES = [("It's a cat.", "C'est un chat."), ("a b c d e f", "trop long"), ("", "vide"), ("Yes, yes!", "Oui, oui !")]
SETS = ("first", "second")
WORDS = [("It 's a cat .", "C' est un chat ."), ("Yes , yes !", "Oui , oui !")]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("one", "two"):
        for side, language in enumerate(("en", "fr")):
            path = tmp_path / "data" / name / f"train.{language}.xz"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(lzma.compress("".join(pair[side] + "\n" for pair in LINES).encode()))
    return tmp_path / "data"


def diagonal(source: Path, target: Path, folder: Path, threads: int) -> Alignments:
    """In place of eflomal: word i with word i, forward; backward the first one is missing."""
    assert threads == 1
    paths = folder / "forward", folder / "backward"
    pairs = list(zip(source.read_text("utf-8").splitlines(), target.read_text("utf-8").splitlines(), strict=True))
    for first, path in enumerate(paths):
        lengths = [min(len(s.split()), len(t.split())) for s, t in pairs]
        path.write_text("".join(" ".join(f"{k}-{k}" for k in range(first, n)) + "\n" for n in lengths))
    return Alignments(*paths, seconds=1.0)


def run(monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str]) -> int:
    monkeypatch.setattr(command, "align", diagonal)
    return main(["release", "links", *arguments])


def test_words_of_the_pairs_that_are_kept(data: Path, tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    with source.open("w", encoding="utf-8") as left, target.open("w", encoding="utf-8") as right:
        corpora = write_words(corpora_in(data), 5, left, right)
    assert [(corpus.name, corpus.lines, corpus.kept) for corpus in corpora] == [("one", 4, (0, 3)), ("two", 4, (0, 3))]
    lines = zip(source.read_text("utf-8").splitlines(), target.read_text("utf-8").splitlines(), strict=True)
    assert list(lines) == 2 * WORDS


def test_a_line_of_links_for_each_line_of_the_corpus(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert run(monkeypatch, ["--data", str(data), "--max-length", "5", "--links-out", str(out)]) == 0
    for name in ("one", "two"):
        for suffix, first in (("train.links", 0), ("train.intersection.links", 1)):
            links = [line.words for line in read_links(out / f"{name}.{suffix}")]
            assert links == [[(k, k) for k in range(first, 5)], [], [], [(k, k) for k in range(first, 4)]]


def test_gold_sets_come_after_the_corpora(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two sentences linked along the diagonal, and one whose words after the first are linked crosswise."""
    for name, text, gold in ((SETS[0], "a b\nc\n", "0-0 1-1\n0-0\n"), (SETS[1], "a b c\n", "0-0 1-2 2-1\n")):
        (tmp_path / name).mkdir()
        for file, content in (("text", text), ("links", gold)):
            (tmp_path / name / file).write_text(content, encoding="utf-8")
    sets = [["--gold", *(str(tmp_path / name / file) for file in ("text", "text", "links"))] for name in SETS]
    assert run(monkeypatch, ["--data", str(data), *sets[0], *sets[1]]) == 0
    found = {(item["gold"], item["rule"]): item for item in map(json.loads, capsys.readouterr().out.splitlines())}
    assert found["first/links", "union"]["aer"] == 0
    assert found["first/links", "intersection"]["recall"] == pytest.approx(1 / 3)
    assert found["second/links", "union"]["aer"] == pytest.approx(1 - 2 / 6)
    assert found["second/links", "backward"]["precision"] == 0


def test_no_corpus_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, ["--data", str(tmp_path), "--links-out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert str(tmp_path) in error
    assert "train.en.xz" in error
    with pytest.raises(InputError):
        corpora_in(tmp_path / "nowhere")


def test_an_aligner_votes_with_the_links_and_with_their_counts(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Against the same aligner in Python with a partner that has the stand-in's links."""
    random_run(tmp_path / "checkpoints" / "words")
    run_of_words = nmt.load(tmp_path / "checkpoints" / "words")
    folder = tmp_path / "aligners" / "toy"
    folder.mkdir(parents=True)
    write_aligner(folder, build_aligner([run_of_words], [], [("the girl reads", "la fille lit")]))
    files = {"source": "the cat\nthe sea\n", "target": "un chat\nla mer\n", "links": "0-0 1-1\n0-0 1-1\n"}
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    gold = ["--gold", *(str(tmp_path / name) for name in files), "--aligner", str(folder)]
    assert run(monkeypatch, ["--data", str(data), *gold, "--every", "2", "--counts-out", str(folder)]) == 0
    found = {(item["system"], item["rule"]): item for item in map(json.loads, capsys.readouterr().out.splitlines())}
    counts = read_counts(folder)
    assert counts is not None
    assert counts.pairs == 2, "lines 0 and 2 of each corpus, of which the latter is blank"
    pairs = list(zip(["the cat", "the sea"], ["un chat", "la mer"], strict=True))
    aligner = nmt.load_aligner(folder).with_partner(None)
    own = [rule_links(one) for one in aligner.maps(pairs, pretokenised=True)]
    gold_links = read_gold(tmp_path / "links")
    assert found["toy", "intersection"]["aer"] == alignment_error_rate(own, gold_links).aer
    both = BothDirections(frozenset({(0, 0), (1, 1)}), frozenset({(1, 1)}))
    voted = [vote(links, both) for links in own]
    by_vote = found["toy with eflomal", "vote"]
    assert by_vote["aer"] == alignment_error_rate(voted, gold_links).aer
    assert by_vote["better"]["toy"]["difference"] == pytest.approx(found["toy", "intersection"]["aer"] - by_vote["aer"])
    stored = [frozenset(one.links) for one in nmt.load_aligner(folder).stream(pairs, pretokenised=True)]
    assert found["toy with stored counts", "vote"]["aer"] == alignment_error_rate(stored, gold_links).aer
    assert ("toy with stored counts", "intersection of the mean") in found


def rule_links(one: Alignment) -> LinkSet:
    return Extraction("intersection").links(one)


def test_the_better_of_two_is_better_on_each_resample() -> None:
    right = frozenset({(0, 0), (1, 1)})
    gold = [Gold(right, right)] * 20
    half = [right, frozenset({(0, 0)})] * 10
    found = better([right] * 20, half, gold)
    assert found.difference == pytest.approx(1 - 2 * 30 / 70)
    assert found.interval is not None
    assert found.interval.low > 0
    assert found.p < 0.01
    same = better(half, half, gold)
    assert (same.difference, same.p) == (0, 1)
