"""``aligner``, and an aligner in place of a run: against the same in Python, and how faults end."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.aligners.combination import read_aligner
from nmt.aligners.partners import WordPair, read_counts
from nmt.alignments.links import RULES, BothDirections, Extraction
from nmt.evaluation.alignment_error_rate import alignment_error_rate, read_gold
from nmt.evaluation.measurement_files import read_error_rates
from nmt.records import to_data
from release.alignment.counting import count_links, write_counts
from tests.aligners.conftest import SOURCE, TARGET, reversed_run
from tests.oracles.random_run import random_run
from tests.programs import Commands, main

GOLD = ["0-0 1-1 2-2 3p3", "0-0 1-1 2-2 3p2", "0-0 1-1 4p3", "0-0 0p1"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """checkpoints/{words,pieces,back} and the files source, target, gold."""
    random_run(tmp_path / "checkpoints" / "words")
    random_run(tmp_path / "checkpoints" / "pieces", kind="bpe")
    random_run(tmp_path / "checkpoints" / "encdec", "rnnencdec")
    reversed_run(tmp_path / "checkpoints" / "back")
    for name, lines in (("source", SOURCE), ("target", TARGET), ("gold", GOLD)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def made(root: Path, *more: str) -> Path:
    runs = [str(root / "checkpoints" / name) for name in ("words", "pieces")]
    sides = ["--source", str(root / "source"), "--target", str(root / "target")]
    out = root / "aligners" / "toy"
    assert main(["release", "aligner", "--runs", *runs, *sides, "--out", str(out), *more]) == 0
    return out


def test_it_says_what_it_wrote(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = made(root, "--pairs", "2", "--rule", "grow-diag")
    printed = capsys.readouterr().out
    file = re.escape(str(out / "aligner.json"))
    assert re.fullmatch(rf"{file}: en to fr, .*\b2 runs\b.*\b2 sentence pairs\n", printed)
    settings = read_aligner(out)
    assert (settings.rule, settings.smoothing.pairs) == ("grow-diag", 2)
    assert [run.name for run in settings.runs] == ["words", "pieces"]
    made(root, "--json")
    assert json.loads(capsys.readouterr().out) == {"format": 1} | to_data(read_aligner(out))


def test_several_texts_are_read_alike_far(root: Path) -> None:
    (root / "source").write_text("the sea\n\nthe girl\nthe cat\n", encoding="utf-8")
    (root / "target").write_text("la mer\nla mer\nla fille\nle chat\n", encoding="utf-8")
    sides = ["--source", *[str(root / "source")] * 2, "--target", *[str(root / "target")] * 2]
    assert read_aligner(made(root, *sides, "--pairs", "4")).smoothing.pairs == 4
    assert read_aligner(made(root, *sides)).smoothing.pairs == 6


def test_align_takes_it(root: Path, cli: Commands) -> None:
    out = made(root, "--reverse", str(root / "checkpoints" / "back"))
    sides = ["--source", str(root / "source"), "--target", str(root / "target"), "--pretokenised"]
    found = cli.objects("align", str(out), *sides, "--partner", "none")
    aligner = nmt.load_aligner(out)
    alone = list(aligner.stream(zip(SOURCE, TARGET, strict=True), pretokenised=True))
    assert [{"format": 1} | item for item in found] == [one.to_dict() for one in alone]
    lines = cli.printed("align", str(out), *sides, "--rule", "union", "--partner", "none").splitlines()
    expected = aligner.stream(zip(SOURCE, TARGET, strict=True), pretokenised=True, extraction=Extraction("union"))
    assert lines == [" ".join(f"{i}-{j}" for i, j in one.links) for one in expected]


@pytest.mark.parametrize("directions", [1, 2])
def test_aer_takes_it_and_keeps_what_it_finds(root: Path, directions: int, cli: Commands) -> None:
    out = made(root, *(["--reverse", str(root / "checkpoints" / "back")] if directions == 2 else []))
    sides = [*(f"--{side}={root / side}" for side in ("source", "target", "gold")), "--partner=none"]
    found = cli.objects("aer", str(out), *sides, "--rule", "all", "--name", "toy")
    aligner, gold = nmt.load_aligner(out), read_gold(root / "gold")
    assert [item["rule"].split()[0] for item in found] == list(RULES)
    for item in found:
        rule = Extraction(item["rule"].split()[0])
        pairs = aligner.stream(zip(SOURCE, TARGET, strict=True), pretokenised=True, extraction=rule)
        error = alignment_error_rate([frozenset(pair.links) for pair in pairs], gold)
        assert (item["run"], item["update"], item["map"]) == ("toy", None, aligner.settings.map)
        assert (item["aer"], item["links"], item["interval"]) == (error.aer, error.links, None)
    (one,) = cli.objects("aer", str(out), *sides)
    assert one == next(item for item in found if item["rule"] == "intersection")
    assert [kept.to_dict() for kept in read_error_rates(out)["toy"]] == found
    assert f"run:toy|map:{aligner.settings.map}|rule:intersection|n:4" in cli.printed("aer", str(out), *sides)
    made(root)
    assert not read_error_rates(out), "error rates of an aligner that was there before"


def test_the_partner_is_named(
    root: Path, cli: Commands, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without sil-thot the links are those of the runs, and stderr says so; its part is played by a stand-in."""
    out = made(root)
    sides = ["--source", str(root / "source"), "--target", str(root / "target"), "--pretokenised"]
    alone = cli.objects("align", str(out), *sides, "--partner", "none")
    monkeypatch.setattr("nmt.aligners.partners.is_installed", lambda: False)
    capsys.readouterr()
    assert main(["align", str(out), *sides, "--json"]) == 0
    captured = capsys.readouterr()
    assert [json.loads(line) for line in captured.out.splitlines()] == [{"format": 1} | item for item in alone]
    assert captured.err.count("\n") == 1
    assert "jointly[smt]" in captured.err

    read: list[int] = []

    def sampled(pairs: Sequence[WordPair]) -> Iterator[frozenset[tuple[int, int]]]:
        read.append(len(pairs))
        return (frozenset({(0, 0)}) for _ in pairs)

    monkeypatch.setattr("nmt.aligners.partners.is_installed", lambda: True)
    monkeypatch.setattr("nmt.aligners.partners._sampled", sampled)
    training = ["--training", str(root / "source"), str(root / "target")]
    for more, pairs in (([], 4), (training, 8)):
        found = cli.objects("align", str(out), *sides, *more)
        assert read[-2:] == [pairs, pairs]
        linked = [item["systems"][0]["maps"][-1] for item in found]
        assert [(each["kind"], each["rule"]) for each in linked] == [("links", "vote")] * 4
        assert [np.argwhere(np.array(each["weights"])).tolist() for each in linked] == [[[0, 0]]] * 4
    words = [(source.split(), target.split()) for source, target in zip(SOURCE, TARGET, strict=True)]
    counts = count_links(words, (BothDirections(frozenset({(0, 0)}), frozenset()) for _ in words))
    write_counts(out, counts)
    (voted,) = cli.objects("aer", str(out), *sides[:4], f"--gold={root / 'gold'}", "--partner", "counts")
    assert (voted["rule"], voted["map"]) == ("vote", f"{read_aligner(out).map}, with stored counts")
    (voted,) = cli.objects("aer", str(out), *sides[:4], f"--gold={root / 'gold'}")
    assert voted["map"].endswith("with stored counts"), "few pairs, and sil-thot is there"
    made(root)
    assert read_counts(out) == counts, "a new aligner keeps the counts"


FAULTS = {
    "a partner of a run": (["align", "WORDS", "SIDES", "--partner", "counts"], "--partner requires an aligner"),
    "no counts": (["align", "TOY", "SIDES", "--partner", "counts"], "no stored counts"),
    "a vote of one": (["align", "TOY", "SIDES", "--partner", "none", "--rule", "vote"], "no statistical partner"),
    "a run's vote": (["align", "WORDS", "SIDES", "--rule", "vote"], "no statistical partner"),
    "training for counts": (
        ["align", "TOY", "SIDES", "--partner", "none", "--training", "WORDS", "WORDS"],
        "--training is for",
    ),
    "encdec": (["release", "aligner", "--runs", "ENCDEC", "SIDES", "--out", "OUT"], "RNNencdec"),
    "other direction": (
        ["release", "aligner", "--runs", "WORDS", "--reverse", "WORDS", "SIDES", "--out", "OUT"],
        "translates en",
    ),
    "taken": (["release", "aligner", "--runs", "WORDS", "SIDES", "--out", "WORDS"], "is not an aligner"),
    "few pairs": (["release", "aligner", "--runs", "WORDS", "SIDES", "--out", "OUT", "--pairs", "0"], "from 1 to "),
    "a map": (["align", "TOY", "SIDES", "--map", "attention"], "--map must be posterior"),
    "a reverse run": (["align", "TOY", "SIDES", "--reverse", "WORDS"], "--reverse cannot be combined"),
    "runs for a run": (["align", "WORDS", "SIDES", "--runs", "WORDS"], "--runs requires an aligner"),
    "no runs": (["align", "TOY", "SIDES", "--runs", "OUT"], "needs the run words"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_user_got_wrong_is_one_sentence_and_status_2(
    fault: str, root: Path, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    toy = made(root) if "TOY" in FAULTS[fault][0] else root
    capsys.readouterr()
    arguments, message = FAULTS[fault]
    places = {"WORDS": root / "checkpoints" / "words", "ENCDEC": root / "checkpoints" / "encdec", "TOY": toy}
    places["OUT"] = root / "aligners" / "new"
    sides = ["--source", str(root / "source"), "--target", str(root / "target")]
    given = [word for part in arguments for word in (sides if part == "SIDES" else [str(places.get(part, part))])]
    assert message in cli.refused(*given)
