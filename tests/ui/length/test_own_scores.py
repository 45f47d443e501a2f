"""Scores of sentences that readers add to Length: one more score, in curve, tests, sentences and link."""

import json
from collections.abc import Sequence
from unittest.mock import patch

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmt.texts import APP, CHARTS, LENGTH, say
from tests.ui.length.lengths_page import chart, lines, opened, said
from tests.ui.length.test_own_uploads import address, uploads
from tests.ui.length.test_test_sets import add_set, finish, press, text

pytestmark = pytest.mark.usefixtures("server_without_systems")
SOURCES = [" ".join(["word"] * (1 + k % 20)) + f" {k}" for k in range(60)]
SOURCES[7] = "word " * 500 + "7"  # 2,501 characters
REFERENCES = [f"{source} ." for source in SOURCES]
X, Y = [0.5 + k / 200 for k in range(60)], [0.9 - k / 200 for k in range(60)]


@pytest.fixture
def at() -> AppTest:
    """A test set with the output of two systems."""
    page = add_set(opened(systems=""), text(SOURCES), text(REFERENCES))
    page.file_uploader(key="add-output").set_value([("x.fr", text(SOURCES), ""), ("y.fr", text(SOURCES[::-1]), "")])
    page.selectbox(key="add-output-of").set_value("mine")
    return finish(press(page, LENGTH.add_system))


def add_scores(
    at: AppTest, files: Sequence[tuple[str, bytes]], system: str = "", metric: str = "", better: str | None = None
) -> AppTest:
    at.file_uploader(key="add-scores").set_value([(name, data, "") for name, data in files])
    at.selectbox(key="scores-of").set_value("mine")
    at.selectbox(key="scored").set_value(system or LENGTH.by_file_name)
    at.text_input(key="add-metric").set_value(metric)
    at.segmented_control(key="add-better").set_value(better)
    return press(at, LENGTH.add_scores)


def comet(**systems: Sequence[float | None]) -> bytes:
    return json.dumps(
        {
            name: [{"src": source, "COMET": value} for source, value in zip(SOURCES, column, strict=True)]
            for name, column in systems.items()
        }
    ).encode()


def of_documents(names: Sequence[str]) -> bytes:
    return text(json.dumps({"doc_id": name, "esa_score": value}) for name, value in zip(names, X, strict=True))


def test_scores_are_one_more_score_with_its_link(at: AppTest) -> None:
    add_scores(at, [("comet.json", comet(x=X, y=[None, *Y[1:]], reference=[0.95] * 60))])
    assert not at.error
    assert at.segmented_control(key="choice-metric").value == "comet"
    assert [*lines(at)] == ["x", "y", CHARTS.control]
    assert LENGTH.curve_title.format(metric="COMET × 100") in said(at)
    assert len([each for each in at.caption if "COMET" in each.value and ": 1" in each.value]) == 1  # sentence left out
    means = LENGTH.mean_of_sentences.format(unit=CHARTS.by_key.units["sentences"])
    (help,) = {each.help for each in at.markdown if each.help and means in each.help}
    assert LENGTH.control not in help
    assert LENGTH.control.format(metric="COMET × 100") in said(at)
    for name, column in (("x", X), ("y", Y)):
        counts = [row[2] for row in lines(at)[name]["customdata"]]
        values = np.array(lines(at)[name]["y"])
        assert sum(counts) == 59
        assert float(values @ counts) / 59 / 100 == pytest.approx(np.mean(column[1:]), abs=1e-6)
    assert "y" in said(at)
    before = chart(at)["data"]
    there = opened(**address(at))
    assert chart(finish(there))["data"] == before
    there.query_params["bucket"] = "all"
    there.run()
    assert not there.exception
    frame = there.dataframe[0].value
    shown = frame[frame.columns[frame.columns.str.startswith("COMET × 100 x")][0]]
    assert sorted(shown / 100) == pytest.approx(sorted(X[1:]))
    assert len(shown) == 59
    assert sum(frame["sentence"].str.startswith("✂")) == 2  # and one with a long translation
    assert LENGTH.cut in said(there)


def test_a_chosen_test_set_that_fits_stays_though_another_has_as_many_sentences(at: AppTest) -> None:
    at = add_set(at, text(SOURCES[::-1]), text(REFERENCES[::-1]), name="other")
    for name in ("mine", "other"):
        at.selectbox(key="scores-of").set_value(name).run()
        at.file_uploader(key="add-scores").set_value([(f"{name}.txt", text(map(str, X)), "")]).run()
        assert at.selectbox(key="scores-of").value == name


def test_the_test_set_of_scores_is_the_one_that_has_as_many_sentences(at: AppTest) -> None:
    at.selectbox(key="scores-of").set_value("jointly-300").run()
    at.file_uploader(key="add-scores").set_value([("comet.txt", text(map(str, X)), "")]).run()
    assert at.selectbox(key="scores-of").value == "mine"
    at.file_uploader(key="add-scores").set_value([("comet.txt", text(["0.5"] * 300), "")]).run()
    assert at.selectbox(key="scores-of").value == "jointly-300"


DOCUMENTS = [f"d{k // 4}" for k in range(60)]


@pytest.mark.parametrize("said_by", ["the scores", "a file of documents"])
def test_documents_are_compared_in_place_of_sentences(at: AppTest, said_by: str) -> None:
    """A score is the mean of a document, a length the sum; one with a missing score is left out, with its sentences."""
    scores = {"x": X, "y": [None, *Y[1:]]}
    if said_by == "the scores":
        rows = {n: [{"doc_id": d, "esa_score": v} for d, v in zip(DOCUMENTS, scores[n], strict=True)] for n in scores}
        files = [(f"{n}.jsonl", text(map(json.dumps, rows[n]))) for n in rows]
        add_scores(at, files, metric="ESA", better="higher")
    else:
        add_scores(at, [("comet.json", comet(**scores))])
        assert not [each for each in at.segmented_control if each.key == "choice-unit"]
        add_scores(at, [("mine.docs", text(DOCUMENTS))], LENGTH.documents_file)
    assert not at.error
    at.segmented_control(key="choice-unit").set_value("documents").run()
    assert not at.exception
    lengths = np.bincount(np.arange(60) // 4, weights=[len(source.split()) for source in SOURCES])[1:]
    for name, column in (("x", X), ("y", Y)):
        points = lines(at)[name]
        counts = [row[2] for row in points["customdata"]]
        assert sum(counts) == 14
        means = [np.mean(column[k : k + 4]) for k in range(4, 60, 4)]
        assert np.dot(points["y"], counts) / 14 / 100 == pytest.approx(np.mean(means), abs=1e-6)
        assert np.dot(points["x"], counts) / 14 == pytest.approx(lengths.mean())
        assert CHARTS.by_key.units["documents"] in points["hovertemplate"]
    assert LENGTH.by_key.units["documents"] in at.dataframe[-1].value.columns
    there = opened(**address(at) | {"by-length": "width", "width": "20", "bucket": "all"})
    finish(there)
    assert sum(row[2] for row in lines(there)["x"]["customdata"]) == 14
    frame = there.dataframe[0].value
    assert [*frame.sort_values("no")[LENGTH.document]] == DOCUMENTS[4:]
    least, most = map(int, lines(there)["x"]["customdata"][0][1].split("–"))
    there.query_params["bucket"] = f"{least}-{most}"
    there.run()
    (inside,) = np.nonzero((lengths >= least) & (lengths <= most))
    assert len(inside)
    assert {*there.dataframe[0].value[LENGTH.document]} == {f"d{k + 1}" for k in inside}


def test_documents_need_scores_and_the_sentences_of_their_set(at: AppTest) -> None:
    add_scores(at, [("mine.docs", text(DOCUMENTS))], LENGTH.documents_file)
    assert LENGTH.scores_first.format(file="mine.docs", test_set="mine") in at.error[0].value.replace("\\", "")
    add_scores(at, [("x.txt", text([*map(str, X)]))], metric="m", better="higher")
    assert not [each for each in at.segmented_control if each.key == "choice-unit"]  # numbers are no documents
    add_scores(at, [("mine.docs", text(DOCUMENTS[1:]))], LENGTH.documents_file)
    assert "59" in at.error[0].value
    add_scores(at, 2 * [("mine.docs", text(DOCUMENTS))], LENGTH.documents_file)
    assert LENGTH.one_documents_file in at.error[0].value


def test_scores_go_with_remove(at: AppTest) -> None:
    add_scores(at, [("x.txt", text([*map(str, X)])), ("y.txt", text([*map(str, Y)]))], metric="mine", better="lower")
    assert at.segmented_control(key="choice-metric").value == "mine"
    assert LENGTH.lower_is_better.format(metric="mine × 100") in said(at)
    for key in [key for key, each in uploads(at).additions.items() if each.metric]:
        press(at, f"remove-{key}")
    assert at.segmented_control(key="choice-metric").value == "bleu"
    assert [*lines(at)] == ["x", "y"]


@pytest.mark.parametrize(
    ("files", "system", "metric", "better", "sentence"),
    [
        ([], "", "", None, LENGTH.choose_scores),
        ([("z.txt", text(["1"] * 60))], "", "", "lower", LENGTH.scores_of_whom.format(file="z.txt")),
        ([("x.txt", text(["1"] * 59))], "", "", "lower", "59"),
        ([("x.txt", text(["1"] * 60))], "", "m", None, "higher or a lower m"),
        ([("x.txt", text(["1"] * 60))], "", "BLEU", "lower", say("errors.scores_metric_taken", name="BLEU")),
        ([("x.txt", text(["1"] * 60)), ("y.txt", text(["nan"] * 60))], "", "", "lower", "nan"),
        ([("x.json", comet(y=X))], "x", "", None, "no scores of x, but those of y"),
        ([("x.json", comet(x=X).replace(b"word 1", b"word 2"))], "", "", None, "differ from those of the test set"),
        (
            [("x.jsonl", of_documents(DOCUMENTS)), ("y.jsonl", of_documents(DOCUMENTS[::-1]))],
            "",
            "",
            None,
            "documents of the sentences differ: x.jsonl, y.jsonl",
        ),
    ],
)
def test_all_are_added_or_none(
    at: AppTest, files: list[tuple[str, bytes]], system: str, metric: str, better: str | None, sentence: str
) -> None:
    add_scores(at, files, system, metric, better)
    (error,) = at.error
    assert sentence in error.value.replace("\\", "")
    assert not [each for each in uploads(at).additions.values() if each.metric]


def test_a_system_without_scores_is_named(at: AppTest) -> None:
    add_scores(at, [("scores.txt", text([*map(str, X)]))], "x", "MetricX")
    assert LENGTH.without_scores.format(metric="MetricX", names="y") in said(at)
    assert [*lines(at)] == ["x"]
    assert APP.remove in [button.label for button in at.button]


def test_scores_never_stand_beside_another_output(at: AppTest) -> None:
    """Neither beside a new output of the same name, nor beside a stored system if the name was taken since."""
    add_scores(at, [("comet.json", comet(x=X, y=Y))])
    for output, left in ((SOURCES, {"x", "y"}), (SOURCES[::-1], {"y"})):
        at.file_uploader(key="add-output").set_value([("x.fr", text(output), "")])
        finish(press(at, LENGTH.add_system))
        assert set(uploads(at).scores("mine")["COMET"]) == left
    folders = patch("nmt.ui.length.page.evaluated_folders", lambda checkpoints: ({"y": None}, []))
    with folders, patch("nmt.ui.length.choose.known_systems", lambda *_: {}):
        at.run()
    assert not uploads(at).scores("mine")
