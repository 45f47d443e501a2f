"""``compare`` by length and into files."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nmt.charts import figure2
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import by_equal_counts, by_hand, by_width, rolling
from nmt.evaluation.evaluation_files import read_evaluated_system, read_evaluation, write_evaluation, write_system
from nmt.evaluation.length_curves import length_curves
from nmt.results import Languages, LengthCurves
from nmt.results.evaluation import ALL_SETS
from nmt.tables.table import FORMATS
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import Texts, texts
from tests.programs import Commands, main

LENGTHS = [3, 8, 12, 18, 25, 33, 40, 5, 9, 14, 70] * 4
KEPT = {"good": 0.9, "bad": 0.5, "third": 0.7}
SOURCE, TARGET = ["the cat reads .", "she sees the sea", ""], ["le chat lit .", "elle voit la mer", ""]


def given(kept: float) -> Texts:
    return texts(LENGTHS, 1, kept)


@pytest.fixture
def systems(tmp_path: Path) -> list[str]:
    """Folders of systems that were evaluated on the same sentences, the last under another name."""
    folders = []
    for name, kept in KEPT.items():
        write_system(tmp_path / name, name, "")
        write_evaluation(tmp_path / name, evaluated(name, "other" if name == "third" else "mine", given(kept)))
        folders.append(str(tmp_path / name))
    return folders


def files(folder: Path, sources: list[str], references: list[str]) -> list[str]:
    for name, side in (("test.en", sources), ("test.fr", references)):
        (folder / name).write_text("".join(line + "\n" for line in side), encoding="utf-8")
    return ["--source", str(folder / "test.en"), "--reference", str(folder / "test.fr")]


def compared(cli: Commands, *arguments: str) -> dict[str, Any]:
    (found,) = cli.objects("compare", *arguments, "--resamples", "40")
    return found


@pytest.mark.parametrize(
    ("how", "spans"),
    [
        ("width=20", by_width(20)),
        ("width=5,21", by_width(5, 21)),
        ("from=1,13,30", by_hand([1, 13, 30])),
        ("rolling=7", rolling(7, 70)),
        ("equal=3", None),
    ],
)
@pytest.mark.parametrize("side", ["source", "reference"])
def test_by_length(systems: list[str], how: str, spans: Any, side: Any, cli: Commands) -> None:
    options = ["--metric", "chrF", "--words-of", side, "--test", "randomisation", "--trials", "64", "--seed", "3"]
    (look,) = compared(cli, *systems[:2], "--buckets", how, *options)["closer"]
    statistics = {Path(f).name: read_evaluation(Path(f, "evaluation", "mine.json")).statistics() for f in systems[:2]}
    pairs = statistics["good"].pairs  # type: ignore[union-attr]
    lengths = pairs.source_words if side == "source" else pairs.reference_words
    if spans is None:
        spans = by_equal_counts(lengths, 3)
    if how.startswith("rolling"):
        spans = rolling(7, int(lengths.max()))
    drawn = Resamples.draw(len(LENGTHS), 40, 3)
    expected = length_curves(statistics, spans, metric="chrF", side=side, resamples=drawn, test_set="mine")  # type: ignore[arg-type]
    assert look["curves"] == json.loads(json.dumps(asdict(expected)))
    (pair,) = look["pairs"]
    assert (pair["first"], pair["second"], pair["method"]) == ("good", "bad", "randomisation")
    assert pair["p"] == 1 / 65
    assert len(pair["by_length"]) == (0 if how.startswith("rolling") else len(spans))


def test_a_run_is_searched_with_its_own_settings(random_runs: Path, tmp_path: Path, cli: Commands) -> None:
    run = tmp_path / "own"
    cli.printed("release", "publish", str(random_runs / "search-words"), str(run), "--search", "length_penalty=1")
    assert main(["evaluate", str(run), *files(tmp_path, SOURCE, TARGET), "--name", "mine"]) == 0
    everything = read_evaluated_system(run).evaluations["mine"].everything
    assert everything is not None
    assert "|lp:1|" in everything.signature


@pytest.mark.slow
def test_the_figure_is_that_of_the_curves(systems: list[str], tmp_path: Path, cli: Commands) -> None:
    for ending in ("pdf", "svg", "png"):
        path = tmp_path / f"figure.{ending}"
        found = compared(cli, *systems[:2], "--figure", str(path), "--longest", "60", "--no-bands")
        statistics = {
            Path(f).name: read_evaluation(Path(f, "evaluation", "mine.json")).statistics() for f in systems[:2]
        }
        drawn = Resamples.draw(len(LENGTHS), 40)
        curves: LengthCurves = length_curves(statistics, by_width(), resamples=drawn, test_set="mine")  # type: ignore[arg-type]
        assert path.read_bytes() == figure2(curves, longest=60, bands=False).to_bytes(ending)
        assert found["closer"][0]["overall"].keys() == {"good", "bad"}


def test_the_tables_of_the_screen_are_those_of_the_file(systems: list[str], tmp_path: Path, cli: Commands) -> None:
    for ending in FORMATS:
        path = tmp_path / f"tables.{ending}"
        shown = cli.printed("compare", *systems[:2], "--resamples", "40", "--tables", str(path), "--format", "markdown")
        if ending == "md":
            assert path.read_text("utf-8").strip() == shown.strip()
        assert path.stat().st_size > 500
    (pair,) = compared(cli, *systems[:2])["closer"][0]["pairs"]
    assert f"| good – bad | all | {pair['in_words']} |" in shown


FAULTS = {
    "bands": (["--no-bands"], "--no-bands .*--figure"),
    "longest": (["--longest", "60"], "--longest .*--figure"),
    "buckets": (["--buckets", "10"], "--buckets .*width=.*'10'"),
    "no number": (["--buckets", "equal=many"], "--buckets .*width=.*'equal=many'"),
    "two windows": (["--buckets", "rolling=2,3"], "--buckets .*width=.*'rolling=2,3'"),
    "descending": (["--buckets", "from=5,1"], "ascending"),
    "resamples": (["--resamples", "3"], "--resamples .* 40 .* 100,000, .*'3'"),
    "trials": (
        ["--test", "randomisation", "--trials", "0"],
        "--trials .* 1 .*'0'",
    ),
    "seed": (["--seed", "-1"], "--seed .* 0 .*'-1'"),
    "figure": (["--figure", "x.jpg"], r"\.pdf, \.svg .*\.png"),
    "tables": (["--tables", "x.xls"], r"\.csv, \.tex, \.json .*\.md"),
    "no unk": (["--no-unk"], '"No UNK"'),
    "metrics": (["--metric", "BLEU", "--metric", "chrF"], "several metrics"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_user_got_wrong(fault: str, systems: list[str], cli: Commands) -> None:
    arguments, named = FAULTS[fault]
    assert re.search(named, cli.refused("compare", *systems[:2], *arguments))


def test_two_looks_are_not_one_figure(systems: list[str], tmp_path: Path, cli: Commands) -> None:
    write_evaluation(Path(systems[0]), evaluated("good", "more", texts([4, 5], 2, 0.9)))
    both = ["--on", "mine", "--on", "more", "--figure", str(tmp_path / "a.pdf")]
    assert "mine, more" in cli.refused("compare", systems[0], *both)


def test_sentences_of_a_set_of_on_alone_are_compared_too(systems: list[str], cli: Commands) -> None:
    for folder, source in zip(systems[:2], ("a" * 64, "b" * 64), strict=True):
        more = evaluated(Path(folder).name, "more", texts([4, 5], 2, 0.9))
        write_evaluation(Path(folder), replace(more, source_sha256=source))
    assert "sentences of 'more'" in cli.refused("compare", *systems[:2], "--set", "mine", "--on", "more")


def test_the_own_test_set_is_no_part_of_all_test_sets(systems: list[str], cli: Commands) -> None:
    for folder in systems:
        for name in ("another", "jointly-300"):
            write_evaluation(Path(folder), evaluated(Path(folder).name, name, given(0.8)))
    usual = compared(cli, *systems[:2])
    assert usual["test_sets"] == ["another", "mine", ALL_SETS]
    asked = compared(cli, *systems[:2], "--on", "jointly-300")
    assert asked["test_sets"] == ["another", "mine", ALL_SETS, "jointly-300"]
    assert asked["scores"]["good"][ALL_SETS] == usual["scores"]["good"][ALL_SETS]
    for folder in systems:
        for name in ("another", "mine", "other"):
            (Path(folder) / "evaluation" / f"{name}.json").unlink(missing_ok=True)
    assert compared(cli, *systems[:2])["test_sets"] == ["jointly-300"]
    assert "there are some on jointly-300" in cli.refused("compare", *systems[:2], "--on", "all")


def test_systems_of_other_languages_are_named_and_left_out(systems: list[str], cli: Commands) -> None:
    """In the tables, and in JSON; the first system's languages are the table's."""
    for folder, pair in zip(systems[:2], (Languages("en", "fr"), Languages("en", "ja")), strict=True):
        (evaluation,) = read_evaluated_system(folder).evaluations.values()
        write_evaluation(Path(folder), replace(evaluation, languages=pair))
    note = "Excluded (the others are en to fr): bad (en to ja)."
    found = compared(cli, *systems)
    assert found["systems"] == ["good", "third"]
    assert note in found["notes"]
    shown = cli.printed("compare", *systems, "--resamples", "40")
    assert f"Note: {note}" in shown
    assert not any(line.startswith("bad ") for line in shown.splitlines())


DOCUMENTS: dict[str, Callable[[list[str]], str]] = {
    ".docs": lambda names: "".join(f"news\t{name}\n" for name in names),
    "XML": lambda names: (
        '<?xml version="1.0"?><dataset>'
        + "".join(f'<doc id="{d}"><src><p>{len([*g]) * "<seg>a</seg>"}</p></src></doc>' for d, g in groupby(names))
        + "</dataset>"
    ),
    "scores": lambda names: "".join(f'{{"doc_id": "{name}", "esa_score": 1}}\n' for name in names),
}


@pytest.mark.parametrize("kind", [*DOCUMENTS])
def test_documents_are_compared_in_place_of_sentences(
    systems: list[str], tmp_path: Path, cli: Commands, kind: str
) -> None:
    """A score is the mean of a document, a length the sum; one with a missing score is left out."""
    count = len(LENGTHS)
    names = [f"d{k // 3}" for k in range(count)]
    scores = {"good": [2.0 + k * k for k in range(count)], "bad": [1.0 + k for k in range(count)]}
    for name, values in scores.items():
        path = tmp_path / f"{name}.txt"
        path.write_text("".join(f"{value}\n" for value in [None, *values[1:]]), encoding="utf-8")
    (tmp_path / "docs").write_text(DOCUMENTS[kind](names), encoding="utf-8")
    chosen = [part for name in scores for part in ("--metric", f"m:higher:{name}={tmp_path / name}.txt")]
    chosen += ["--metric", f"documents={tmp_path / 'docs'}", "--on", "mine", "--buckets", "from=1"]
    (look,) = (found := compared(cli, *systems[:2], *chosen))["closer"]
    rows = [[k for k in range(count) if names[k] == name] for name in dict.fromkeys(names[3:])]
    assert (look["curves"]["unit"], look["curves"]["metric"]) == ("documents", "m")
    for curve in look["curves"]["curves"]:
        means = [np.mean([scores[curve["system"]][k] for k in of_document]) for of_document in rows]
        (point,) = curve["points"]
        assert (point["sentences"], point["value"]) == (len(rows), pytest.approx(np.mean(means), abs=1e-4))
        lengths = [sum(LENGTHS[k] for k in of_document) for of_document in rows]
        assert point["mean_length"] == pytest.approx(np.mean(lengths))
    assert any("leaves out documents" in note and note.endswith(": 1") for note in found["notes"])
    shown = [
        line.split()
        for line in cli.printed("compare", *systems[:2], *chosen).splitlines()
        if line.startswith("documents")
    ]
    assert [row[:2] for row in shown] == 2 * [["documents", str(len(rows))]]


def test_documents_that_are_not_those_of_the_set_are_refused(systems: list[str], tmp_path: Path, cli: Commands) -> None:
    count = len(LENGTHS)
    (tmp_path / "good.txt").write_text("1\n" * count, encoding="utf-8")
    asked = ["--on", "mine", "--metric", f"documents={tmp_path / 'docs'}"]
    for text in ("a\n" * (count - 1), "a\n" * (count - 1) + " \n"):
        (tmp_path / "docs").write_text(text, encoding="utf-8")
        message = cli.refused("compare", *systems[:2], *asked, "--metric", f"m:higher:good={tmp_path / 'good.txt'}")
        assert f"names a document of {count - 1} sentences, but the set has {count}" in message
    (tmp_path / "docs").write_text("a\n" * count, encoding="utf-8")
    assert "requires scores of a system" in cli.refused("compare", *systems[:2], *asked)


def test_scores_of_reordered_sentences_or_documents_are_refused(
    systems: list[str], tmp_path: Path, cli: Commands
) -> None:
    sources, documents = given(1).sources, [f"d{k // 3}" for k in range(len(LENGTHS))]
    for name, column in (("good", [1, *range(len(sources) - 1)]), ("bad", range(len(sources)))):
        rows = [{"src": sources[k], "COMET": 0.5} for k in column]
        (tmp_path / f"{name}.json").write_text(json.dumps({name: rows}), encoding="utf-8")
        rows = [{"doc_id": documents[k], "COMET": 0.5} for k in column]
        (tmp_path / f"{name}.docs.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "docs").write_text("".join(f"{name}\n" for name in documents), encoding="utf-8")
    scored = {name: ("--metric", f"{name}={tmp_path / name}.json") for name in ("good", "bad")}
    by_document = {name: ("--metric", f"{name}={tmp_path / name}.docs.json") for name in ("good", "bad")}
    asked = ["compare", *systems[:2], "--on", "mine"]
    assert "source sentences in" in cli.refused(*asked, *scored["bad"], *scored["good"])
    assert "documents of the sentences differ" in cli.refused(*asked, *by_document["bad"], *by_document["good"])
    docs = ("--metric", f"documents={tmp_path / 'docs'}")
    assert "documents of the sentences differ" in cli.refused(*asked, *by_document["good"], *docs)
    for accepted in (scored["bad"], (*by_document["bad"], *docs)):
        compared(cli, *asked[1:], *accepted)


def test_scores_of_another_program_are_the_metric(
    systems: list[str], tmp_path: Path, cli: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    count = len(LENGTHS)
    scores = {
        "good": [k / 50 for k in range(count)],
        "bad": [0.9 - k / 50 for k in range(count)],
        "reference": [1.0] * count,
    }
    for name, values in scores.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{value}\n" for value in [None, *values[1:]]), encoding="utf-8")
    chosen = [part for name in scores for part in ("--metric", f"COMET:{name}={tmp_path / name}.txt")]
    documents = ["--metric", f"documents={tmp_path / 'good.txt'}"]
    (tmp_path / "named.json").write_text(json.dumps({"bad": [{"COMET": 0.5}] * count}), encoding="utf-8")
    (look,) = (found := compared(cli, *systems[:2], "--on", "mine", *chosen))["closer"]
    assert look["curves"]["metric"] == "COMET × 100"
    for curve in look["curves"]["curves"]:
        mean = sum(scores[curve["system"]][1:]) / (count - 1)
        assert curve["overall"]["value"] / 100 == pytest.approx(mean, abs=1e-6)
        assert curve["overall"]["sentences"] == count - 1
    assert look["curves"]["expected"]["overall"]["value"] == pytest.approx(100)
    assert any("COMET" in note and note.endswith("1") for note in found["notes"])
    for fault, sentence in (
        (["--on", "mine", "--metric", f"COMET:good={tmp_path / 'good.txt'}", "--metric", "TER"], "several metrics"),
        (["--on", "mine", "--metric", f"a:b:good={tmp_path / 'good.txt'}"], "NAME:lower"),
        (["--on", "mine", "--metric", f"x:good={tmp_path / 'good.txt'}"], "not known whether"),
        (["--on", "all", "--metric", f"COMET:good={tmp_path / 'good.txt'}"], "require --on"),
        (["--on", "mine", "--metric", f"BLEU:higher:good={tmp_path / 'good.txt'}"], "BLEU is computed here"),
        (["--on", "mine", "--metric", "nope"], "must be one of BLEU, chrF, TER"),
        (["--on", "mine", *chosen, "--metric", f"COMET:bat={tmp_path / 'bad.txt'}"], "names 'bat', but"),
        (["--on", "mine", *chosen, "--metric", f"COMET:bad={tmp_path / 'good.txt'}"], "several files of 'bad'"),
        (["--on", "mine", "--metric", f"good={tmp_path / 'named.json'}"], "no scores of good, but those of bad"),
        (["--on", "mine", *chosen, *2 * documents], "several files of 'documents'"),
        (["--on", "mien", *chosen], "no system was evaluated on 'mien'; did you mean mine?"),
    ):
        assert sentence in cli.refused("compare", *systems[:2], *fault)
    capsys.readouterr()
    for metrics, stated in ((chosen, ""), (chosen[:2], "without scores, so left out: bad\n")):
        assert main(["compare", *systems[:2], "--on", "mine", *metrics]) == 0
        assert capsys.readouterr().err == stated
