"""``jointly stress``: the table and the JSON have the points that the core computes."""

import json
import re
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

import nmt
from nmt.cli.stress import _spans
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.evaluation.evaluate import StressTest
from nmt.evaluation.measurement_files import read_stress
from nmt.evaluation.test_set import digest
from nmt.inference.text_search import EncodedSentence, TextSearch
from nmt.records import as_record
from nmt.results import StressPoint
from tests.answers.onlooker import Onlooker
from tests.evaluation.test_stress import TEST
from tests.programs import Commands, main


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    long = "the girl is on the mat , " * 3
    for name, lines in (("s", [*TEST.sources[:2], long, *TEST.sources[2:]]), ("r", ["x", "y", "z", "u", "v", "w"])):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return ["--source", str(tmp_path / "s"), "--reference", str(tmp_path / "r")]


def test_table_and_json(random_runs: Path, files: list[str], cli: Commands) -> None:
    runs = [str(random_runs / name) for name in ("search-words", "encdec-words")]
    options = [*runs, *files, "--beam", "2", "--most", "2", "--words", "8"]
    data = json.loads(cli.printed("stress", *options, "--json"))
    assert data["sentences"] == 5
    assert [used["beam"] for used in data["search"].values()] == [2, 2]
    test = replace(TEST, name=None, references=["x", "y", "u", "v", "w"])
    for name, points in data["systems"].items():
        expected = list(
            StressTest(model=nmt.load(random_runs / name), settings=SearchSettings(beam=2), reporter=Onlooker()).points(
                test, 2
            )
        )
        assert [as_record(StressPoint, point).bleu for point in points] == [point.bleu for point in expected]
        found = [point["log_probability"] for point in points]
        assert found == pytest.approx([point.log_probability for point in expected], rel=1e-5)
    lines = cli.printed("stress", *options).splitlines()
    assert [line.split()[:3] for line in lines[2:]] == [
        [name, str(k), str(5 // k)] for name in ("search-words", "encdec-words") for k in (1, 2)
    ]


@pytest.mark.parametrize(
    ("extra", "named"),
    [
        (["--most", "0"], "--most .* 1 .* 100, .*'0'"),
        (
            ["--most", "6", "--words", "8"],
            r"\b5 of the 6 sentences .*\b8 words .*lines [1-6, ]+\. .* --most 5 ",
        ),
        (["--words", "1"], r"\b1 words"),
        (["--most", "1", "--beam", "0"], "beam"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    random_runs: Path, files: list[str], extra: list[str], named: str, cli: Commands
) -> None:
    assert re.search(named, cli.refused("stress", str(random_runs / "search-words"), *files, *extra))


def test_two_runs_of_one_name(random_runs: Path, files: list[str], cli: Commands) -> None:
    assert "search-words" in cli.refused(
        "stress", *[str(random_runs / "search-words")] * 2, *files, "--words", "40", "--most", "1"
    )


def test_a_run_of_other_languages_is_named_and_left_out(
    random_runs: Path, files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = shutil.copytree(random_runs / "search-words", tmp_path / "other")
    settings = json.loads((other / "config.json").read_text("utf-8"))
    (other / "config.json").write_text(json.dumps(settings | {"target_language": "ja"}), "utf-8")
    options = [str(random_runs / "search-words"), str(other), *files, "--beam", "1", "--most", "1", "--words", "8"]
    assert main(["stress", *options, "--json"]) == 0
    found = capsys.readouterr()
    assert "Note: Excluded, because they do not translate en to fr: other (en to ja)." in found.err
    data = json.loads(found.out)
    assert (list(data["systems"]), data["tokeniser"]) == (["search-words"], "13a")


def test_stored_results_are_read_back(
    random_runs: Path, files: list[str], tmp_path: Path, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both kinds of result share a file as long as sentences, weights and settings are the same."""
    run = shutil.copytree(random_runs / "search-words", tmp_path / "run")
    common = ["stress", str(run), *files, "--store", "mine", "--json"]
    printed = {}
    for name, options in (("points", ["--most", "2", "--words", "40"]), ("retention", ["--lengths", "7-12"])):
        printed[name] = json.loads(cli.printed(*common, "--beam", "2", *options))["systems"]["run"]
    stored = read_stress(run)["mine"]
    assert [asdict(point) for point in stored.points] == printed["points"]
    assert [asdict(point) for point in stored.retention] == printed["retention"]
    assert (stored.search.beam, stored.most_words, stored.run) == (2, 40, "run")
    assert stored.source_sha256 == digest(Path(files[1]).read_text("utf-8").splitlines())
    assert main([*common, "--beam", "3", "--lengths", "7-12"]) == 0
    again = read_stress(run)["mine"]
    assert (again.search.beam, again.points, len(again.retention)) == (3, (), 1)
    for command in (["release", "card", str(run), "--print"], ["release", "overview", str(tmp_path)]):
        capsys.readouterr()
        assert "## Length" in cli.printed(*command)


@pytest.mark.parametrize("damaged", ["[]", '{"format": 1}', '{"format": 2}', "{"])
def test_a_broken_file_is_named_and_replaced(
    random_runs: Path, files: list[str], tmp_path: Path, damaged: str, cli: Commands
) -> None:
    run = shutil.copytree(random_runs / "search-words", tmp_path / "run")
    (run / "stress").mkdir()
    path = run / "stress" / "mine.json"
    path.write_text(damaged)
    assert str(path) in cli.refused("release", "card", str(run), "--print")
    assert main(["stress", str(run), *files, "--store", "mine", "--most", "1", "--beam", "1"]) == 0
    assert len(read_stress(run)["mine"].points) == 1


@pytest.mark.parametrize(
    ("ranges", "expected"),
    [
        ("7-12", [(7, 12)]),
        ("1-1, 21-30", [(1, 1), (21, 30)]),
        ("9999-9999", [(9999, 9999)]),
        *((wrong, None) for wrong in ("0-5", "8-7", "7", "7-", "-7", "7-12,", "10000-10001", "7-12;3-4", "a-b", "")),
    ],
)
def test_ranges_of_lengths_go_from_one_upwards(ranges: str, expected: list[tuple[int, int]] | None) -> None:
    if expected is None:
        with pytest.raises(InputError, match="--lengths"):
            _spans(ranges)
    else:
        assert [(span.first, span.last) for span in _spans(ranges)] == expected


@pytest.mark.parametrize("long", [0, 1, 3])
@pytest.mark.parametrize("short", [3, 20, 21])
def test_what_is_left_out_is_said_and_no_more_than_twenty_lines_are_named(
    short: int, long: int, random_runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = [*["the girl is on the mat ."] * long, *(f"a cat {k}" for k in range(short))]
    for name, lines in (("s", sources), ("r", ["x"] * len(sources))):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    files = ["--source", str(tmp_path / "s"), "--reference", str(tmp_path / "r")]
    given = ["--words", "3", "--most", "1", "--beam", "1", "--json"]
    assert main(["stress", str(random_runs / "encdec-words"), *files, *given]) == 0
    note = capsys.readouterr().err
    if not long:
        assert note == ""
        return
    assert f"Note: {short} of the {short + long} sentences of {tmp_path / 's'} are used" in note
    assert "up to 3 words" in note
    assert "--sentences" not in note
    numbers = [str(number) for number in range(long + 1, long + short + 1)]
    assert note.rstrip().endswith(f"in lines {', '.join(numbers[:20])}{', …' if short > 20 else ''}.")
    assert main(["stress", str(random_runs / "encdec-words"), *files, *given, "--sentences", "2"]) == 0
    note = capsys.readouterr().err
    assert "the first 2 of them (--sentences)" in note
    assert note.rstrip().endswith(f"in lines {', '.join(numbers[:2])}.")


def test_as_many_sentences_as_are_concatenated_are_enough_and_each_is_searched_once(
    random_runs: Path, files: list[str], monkeypatch: pytest.MonkeyPatch, cli: Commands
) -> None:
    searched: list[str] = []
    translate = TextSearch.translate

    def counted(self: TextSearch, sentences: list[EncodedSentence], *others: Any) -> Any:
        searched.extend(sentence.text for sentence in sentences)
        return translate(self, sentences, *others)

    monkeypatch.setattr(TextSearch, "translate", counted)
    command = ["stress", str(random_runs / "search-words"), *files, "--most", "5", "--words", "8", "--beam", "1"]
    table, once = cli.printed(*command, "--format", "markdown"), len(searched)
    assert once == len({*searched}) > 5, "the sentences, and what they make"
    assert re.search(r"(?m)^\| search-words \| 5 \| 1 \|", table)
    assert "|" not in cli.printed(*command)
    assert len(searched) == once
    assert main([*command, "--fresh"]) == 0
    assert {*searched[once:]} == {*searched[:once]}


def test_by_lengths_all_sentences_with_words_are_used(
    random_runs: Path, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(files[1])
    path.write_text(path.read_text("utf-8").replace(TEST.sources[1], ""), "utf-8")
    run = str(random_runs / "search-words")
    for more, words in (([], 12), (["--lengths", "3-20"], None), (["--lengths", "3-20", "--words", "9"], 9)):
        assert main(["stress", run, *files, "--most", "1", "--beam", "1", "--json", *more]) == 0
        told = capsys.readouterr()
        which = "those with words" if words is None else f"those of up to {words} words (--words)"
        numbers = "1, 3, 4, 5, 6" if words is None else "1, 4, 5, 6"
        sentences = numbers.count(",") + 1
        note = f"Note: {sentences} of the 6 sentences of {path} are used: {which}, in lines {numbers}."
        assert note in told.err.splitlines()
        data = json.loads(told.out)
        assert (data["most_words"], data["sentences"]) == (words, sentences)
    path.write_text("a cat\n" * 6, "utf-8")  # the same sentence in each line
    assert main(["stress", run, *files, "--most", "1", "--beam", "1", "--sentences", "2"]) == 0
    assert capsys.readouterr().err.splitlines()[0].endswith("in lines 1, 2.")
