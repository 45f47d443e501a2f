"""``aligner``, and an aligner in place of a run: against the same in Python, and how faults end."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import nmt
from nmt.aligners.settings import read_aligner
from nmt.cli import main
from nmt.evaluation.alignment_error_rate import alignment_error_rate
from nmt.evaluation.error_rate_files import read_error_rates
from nmt.evaluation.link_extraction import RULES, Extraction
from nmt.evaluation.pharaoh import read_gold
from tests.aligners.conftest import SOURCE, TARGET, reversed_run
from tests.oracles.random_run import random_run

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
    assert main(["aligner", "--runs", *runs, *sides, "--out", str(out), *more]) == 0
    return out


def items(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main([*arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_it_says_what_it_wrote(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = made(root, "--pairs", "2", "--mu", "0.3", "--floor", "0.001", "--rule", "grow-diag")
    printed = capsys.readouterr().out
    assert re.fullmatch(rf"{re.escape(str(out / 'aligner.json'))}: .*\b2 runs\b.*\b2 sentence pairs\n", printed)
    settings = read_aligner(out)
    assert (settings.jumps.mu, settings.floor, settings.rule, settings.jump_pairs) == (0.3, 0.001, "grow-diag", 2)
    assert [run.name for run in settings.runs] == ["words", "pieces"]
    made(root, "--json")
    assert json.loads(capsys.readouterr().out) == read_aligner(out).to_dict()


def test_several_texts_are_read_alike_far(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "source").write_text("the sea\n\nthe girl\nthe cat\n", encoding="utf-8")
    (root / "target").write_text("la mer\nla mer\nla fille\nle chat\n", encoding="utf-8")
    sides = ["--source", *[str(root / "source")] * 2, "--target", *[str(root / "target")] * 2]
    assert read_aligner(made(root, *sides, "--pairs", "4")).jump_pairs == 4
    assert read_aligner(made(root, *sides)).jump_pairs == 6
    capsys.readouterr()


def test_align_takes_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = made(root, "--reverse", str(root / "checkpoints" / "back"))
    capsys.readouterr()
    sides = ["--source", str(root / "source"), "--target", str(root / "target"), "--pretokenised"]
    found = items(capsys, "align", str(out), *sides, "--json")
    aligner = nmt.load_aligner(out)
    alone = list(aligner.stream(zip(SOURCE, TARGET, strict=True), pretokenised=True))
    assert found == [{"format": 1} | one.to_dict() for one in alone]
    assert main(["align", str(out), *sides, "--rule", "union"]) == 0
    lines = capsys.readouterr().out.splitlines()
    expected = aligner.stream(zip(SOURCE, TARGET, strict=True), pretokenised=True, extraction=Extraction("union"))
    assert lines == [" ".join(f"{i}-{j}" for i, j in one.links) for one in expected]


@pytest.mark.parametrize("directions", [1, 2])
def test_aer_takes_it_and_keeps_what_it_finds(root: Path, directions: int, capsys: pytest.CaptureFixture[str]) -> None:
    out = made(root, *(["--reverse", str(root / "checkpoints" / "back")] if directions == 2 else []))
    capsys.readouterr()
    sides = [f"--{side}={root / side}" for side in ("source", "target", "gold")]
    found = items(capsys, "aer", str(out), *sides, "--rule", "all", "--json", "--name", "toy")
    aligner, gold = nmt.load_aligner(out), read_gold(root / "gold")
    assert [item["rule"].split()[0] for item in found] == list(RULES)
    for item in found:
        rule = Extraction(item["rule"].split()[0])
        pairs = aligner.stream(zip(SOURCE, TARGET, strict=True), pretokenised=True, extraction=rule)
        error = alignment_error_rate([frozenset(pair.links) for pair in pairs], gold)
        assert (item["run"], item["update"], item["map"]) == ("toy", None, aligner.map_name())
        assert (item["aer"], item["links"], item["interval"]) == (error.aer, error.links, None)
    (one,) = items(capsys, "aer", str(out), *sides, "--json")
    assert one == next(item for item in found if item["rule"] == "intersection")
    assert [kept.to_dict() for kept in read_error_rates(out)["toy"]] == [
        {key: value for key, value in item.items() if key != "format"} for item in found
    ]
    assert main(["aer", str(out), *sides]) == 0
    assert f"run:toy|map:{aligner.map_name()}|rule:intersection|n:4" in capsys.readouterr().out
    made(root)
    assert not read_error_rates(out), "error rates of an aligner that was there before"


@pytest.mark.parametrize("run", ["words", "back"])
def test_a_head_is_trained_and_taken(run: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = made(root, "--reverse", str(root / "checkpoints" / "back"), "--rule", "union")
    sides = ["--source", str(root / "source"), "--target", str(root / "target")]
    capsys.readouterr()
    train = ["aligner-head", str(out), *sides, "--units", "4", "--batch", "1", "--longest", "6", "--run"]
    updates = items(capsys, *train, run, "--json")
    assert [update["update"] for update in updates] == [1, 3], "the first and the last; one pair is too long"
    assert updates[-1]["pairs"] == 3
    (head,) = read_aligner(out).heads
    assert head.run == run
    assert main(["align", str(out), *sides, "--map", "head"]) == (0 if run == "words" else 2)
    printed = capsys.readouterr()
    if run == "back":
        assert "aligner-head" in printed.err
        assert main([*train, "words"]) == 0
    assert main([*train, run]) == 0
    assert re.search(rf"\b{run}, 3 updates\b.*\baligner\.json$", capsys.readouterr().out, re.MULTILINE)
    pretokenised = [*sides, "--pretokenised", "--map", "head", "--rule", "union", "--json"]
    found = items(capsys, "align", str(out), *pretokenised)
    aligner = nmt.load_aligner(out)
    pairs = aligner.stream(zip(SOURCE, TARGET, strict=True), pretokenised=True, weights="head")
    assert found == [{"format": 1} | pair.to_dict() for pair in pairs]
    names = "words and back" if run == "back" else "words"
    (item,) = items(capsys, "aer", str(out), *sides, "--gold", str(root / "gold"), "--map", "head", "--json")
    assert (item["map"], item["rule"]) == (f"alignment head of {names}", "union")


def test_given_links_can_be_taught(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A link to the first source word alone for every target word, from files; the teacher is not asked."""
    out = made(root)
    (root / "source").write_text("she reads\n" * 40, encoding="utf-8")
    (root / "target").write_text("elle lit\n" * 40, encoding="utf-8")
    (root / "links").write_text("0-0 0-1\n" * 40, encoding="utf-8")
    sides = ["--source", str(root / "source"), "--target", str(root / "target"), "--links", str(root / "links")]
    capsys.readouterr()
    train = ["aligner-head", str(out), *sides, "--units", "8", "--batch", "1", "--learning-rate", "0.05", "--json"]
    first, last = items(capsys, *train)
    assert (first["update"], last["update"], last["agreement"]) == (1, 40, 1)
    assert last["loss"] < 0.2 < first["loss"]


FAULTS = {
    "encdec": (["aligner", "--runs", "ENCDEC", "SIDES", "--out", "OUT"], "RNNencdec"),
    "other direction": (["aligner", "--runs", "WORDS", "--reverse", "WORDS", "SIDES", "--out", "OUT"], "translates en"),
    "taken": (["aligner", "--runs", "WORDS", "SIDES", "--out", "WORDS"], "is not an aligner"),
    "few pairs": (["aligner", "--runs", "WORDS", "SIDES", "--out", "OUT", "--pairs", "0"], "from 1 to "),
    "mu": (["aligner", "--runs", "WORDS", "SIDES", "--out", "OUT", "--mu", "2"], "--mu must be"),
    "floor": (["aligner", "--runs", "WORDS", "SIDES", "--out", "OUT", "--floor", "0"], "floor"),
    "a map": (["align", "TOY", "SIDES", "--map", "attention"], "--map must be posterior or head"),
    "no head": (["align", "TOY", "SIDES", "--map", "head"], "has no alignment head"),
    "a head of a run": (["align", "WORDS", "SIDES", "--map", "head"], "--runs and --map"),
    "a reverse run": (["align", "TOY", "SIDES", "--reverse", "WORDS"], "--reverse cannot be combined"),
    "runs for a run": (["align", "WORDS", "SIDES", "--runs", "WORDS"], "--runs and --map"),
    "no such run": (["aligner-head", "TOY", "SIDES", "--run", "star"], "has no run 'star'; it has words, pieces"),
    "no aligner": (["aligner-head", "WORDS", "SIDES"], "is not an aligner's folder"),
    "links and a rule": (["aligner-head", "TOY", "SIDES", "--links", "x", "--rule", "union"], "combined with --links"),
    "two files of links": (["aligner-head", "TOY", "SIDES", "--links", "x", "y"], "2 files of links"),
    "no pairs": (["aligner-head", "TOY", "SIDES", "--pairs", "0"], "from 1 to "),
    "no units": (["aligner-head", "TOY", "SIDES", "--units", "0"], "--units must be"),
    "no runs": (["align", "TOY", "SIDES", "--runs", "OUT"], "needs the run words"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_user_got_wrong_is_one_sentence_and_status_2(
    fault: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toy = made(root) if "TOY" in FAULTS[fault][0] else root
    capsys.readouterr()
    arguments, message = FAULTS[fault]
    places = {"WORDS": root / "checkpoints" / "words", "ENCDEC": root / "checkpoints" / "encdec", "TOY": toy}
    places["OUT"] = root / "aligners" / "new"
    sides = ["--source", str(root / "source"), "--target", str(root / "target")]
    given = [word for part in arguments for word in (sides if part == "SIDES" else [str(places.get(part, part))])]
    assert main(given) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1
