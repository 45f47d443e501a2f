"""``scenes``: what it prints, which runs get their steps stored, and which have whole answers."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import nmt
from nmt.answers.keys import search_key
from nmt.answers.shipped import CONCATENATED, PRECISION, SENTENCES, ShippedAnswers, read_shipped
from nmt.released import INSIDE, OPENS_FIRST
from nmt.runs.fingerprint import read_fingerprint
from nmt.runs.folder import read_run
from release.scenes import _with_steps
from release.trainings import RELEASED_RUNS
from tests.programs import Commands, main


def test_the_translations_are_printed_by_run_or_by_sentence(
    random_runs: Path, tmp_path: Path, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    """The app opens with one of the two runs, so it alone has whole answers of concatenated sentences."""
    names = [OPENS_FIRST[0], "mine"]
    for name in names:
        shutil.copytree(random_runs / "search-words", tmp_path / "runs" / name)
    out = tmp_path / "new" / "out"
    assert main(["release", "scenes", str(tmp_path / "runs"), "--out", str(out)]) == 0
    told = capsys.readouterr()
    english = [each for each in SENTENCES if each.languages == ("en", "fr")]
    assert english != [*SENTENCES]
    model = nmt.load(tmp_path / "runs" / "mine", precision=PRECISION)
    texts = {each.name: model.translate(each.sentence).text for each in english}
    listed = sorted(names)
    lines = []
    for name in listed:
        lines.append(f"{out / name}.json:")
        lines += [line for each in english for line in (f"  {each.sentence}", f"  {texts[each.name]}")]
    assert told.out.splitlines() == lines
    assert [line for line in told.err.splitlines() if line in names] == listed
    assert json.loads(cli.printed("release", "scenes", str(tmp_path / "runs"), "--out", str(out), "--json")) == {
        "format": 1, "scenes": {name: dict.fromkeys(listed, text) for name, text in texts.items()}
    }  # fmt: skip
    for file in read_shipped(out):
        info = read_run(tmp_path / "runs" / file.run)
        key = search_key(info.config.search, read_fingerprint(info))
        answers, sentences = ShippedAnswers([file]), CONCATENATED["en"]
        assert answers.find(key, sentences).keys() == {*sentences}
        assert all((answers.find_whole(key, one) is not None) == (file.run in OPENS_FIRST) for one in sentences)
        assert file.versions.keys() == {"torch", "sentencepiece", "sacremoses"}


def test_steps_are_stored_of_the_run_inside_and_of_the_first_run_of_each_architecture(random_runs: Path) -> None:
    """The first is one that the app opens with, or else of the released ones in their order, or else by name."""
    kinds = {"a": "search", "b": "search", "c": "encdec", "d": "encdec", INSIDE: "search"}
    kinds |= {run.name: "encdec" if run.architecture == "rnnencdec" else "search" for run in RELEASED_RUNS}
    infos = {name: replace(read_run(random_runs / f"{kind}-words"), name=name) for name, kind in kinds.items()}

    def chosen(*names: str) -> set[str]:
        return _with_steps([infos[name] for name in names])

    opened = [name for name in OPENS_FIRST if name != INSIDE]
    others = [
        run.name for run in RELEASED_RUNS if run.name not in (*OPENS_FIRST, INSIDE) and kinds[run.name] == "search"
    ]
    assert chosen("b", "a", "d", "c") == {"a", "c"}
    assert chosen("a", others[1], others[0]) == {others[0]}
    assert chosen("a", others[0], INSIDE) == {others[0], INSIDE}
    searching = [name for name in opened if kinds[name] == "search"]
    assert chosen("a", *others, *reversed(searching), "c") == {searching[0], "c"}
    settings = {name: replace(infos[name], target_language="de") for name in ("a", "b")}
    assert _with_steps([settings["a"], infos["b"]]) == {"b"}
    assert _with_steps([settings["a"]]) == set()
