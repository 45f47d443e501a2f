"""The curve over length: every point is sacreBLEU's score of exactly the sentences of its range."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sacrebleu
from streamlit.testing.v1 import AppTest

from nmt.charts.style import line_style
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.evaluation.comparison import has_column
from nmt.evaluation.evaluation_files import write_system
from nmt.evaluation.measurement_files import SavedTranslations
from nmt.results import WrittenSentence
from nmt.texts import APP, LENGTH
from nmt.ui.length import select
from nmt.ui.length.choose import _numbers
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import Texts, texts
from tests.ui.length.lengths_page import chart, keep, lines, opened, said

LENGTHS = [*range(3, 15), *range(21, 26), *range(31, 34)] * 2
UNKNOWN = [0, 1] * (len(LENGTHS) // 2)


def given(kept: float) -> Texts:
    return texts(LENGTHS, seed=4, kept=kept)


@pytest.fixture
def systems(runs: Path, write_run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two checkpoints and a system that is only its output, on "toy"; the checkpoints on "more", too."""
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    for name, architecture, kept in (("search", "rnnsearch", 0.9), ("encdec", "rnnencdec", 0.6)):
        write_run(runs / name, architecture)
        more = evaluated(name, "more", texts(range(3, 9), 7, kept), [0] * 6)
        keep(runs / name, [evaluated(name, "toy", given(kept), UNKNOWN), more])
    write_system(tmp_path / "systems" / "moses", "moses", "phrases")
    keep(tmp_path / "systems" / "moses", [evaluated("moses", "toy", given(0.75))])
    return runs


def bleu(text: Texts, rows: list[int]) -> float:
    hypotheses, references = ([side[i] for i in rows] for side in (text.hypotheses, text.references))
    return sacrebleu.corpus_bleu(hypotheses, [references]).score


def colours(at: AppTest) -> dict[str, str]:
    return {name: line["line"]["color"].lower() for name, line in lines(at).items()}


def test_points_are_sacrebleus_scores_of_their_sentences(systems: Path) -> None:
    found = lines(opened(sets="toy", systems=["search", "encdec", "moses"], by_length="width"))
    assert list(found) == ["search", "encdec", "moses"]
    for name, kept in (("search", 0.9), ("encdec", 0.6), ("moses", 0.75)):
        line = found[name]
        for k, (first, last) in enumerate([(1, 10), (11, 20), (21, 30), (31, 40)]):
            rows = [i for i, length in enumerate(LENGTHS) if first <= length <= last]
            assert line["y"][k] == pytest.approx(bleu(given(kept), rows))
            assert line["x"][k] == pytest.approx(sum(LENGTHS[i] for i in rows) / len(rows))
            assert line["customdata"][k][2] == len(rows)
        assert line["y"][4:] == [None] * 3


def test_everything_that_is_chosen_stands_in_the_address(systems: Path) -> None:
    at = opened(
        sets="toy", systems="moses", metric="ter", side="reference", by_length="custom", firsts="1, 11 20",
        curve="counts",
    )  # fmt: skip
    (line,) = lines(at).values()
    text = given(0.75)
    rows = [i for i, length in enumerate(LENGTHS) if 11 <= length + 2 < 20]
    wanted = [[text.references[i] for i in rows]]
    assert line["y"][1] == pytest.approx(sacrebleu.corpus_ter([text.hypotheses[i] for i in rows], wanted).score)
    assert [row[1] for row in line["customdata"]] == ["1–10", "11–19", "20+"]
    assert not [trace for trace in chart(at)["data"] if trace.get("fill")]
    assert len(lines(opened(sets="toy", by_length="rolling", window="5"))["search"]["x"]) == max(LENGTHS)
    parts = lines(opened(sets="toy", by_length="equal", parts="4"))["search"]["customdata"]
    assert [row[2] for row in parts] == [10, 10, 10, 10]


def test_ranges_are_fitted_until_the_reader_chooses(systems: Path) -> None:
    rows = lines(opened(sets="toy"))["search"]["customdata"]
    assert sum(row[2] for row in rows) == len(LENGTHS)
    assert 0 not in [row[2] for row in rows]
    assert len(lines(opened(sets="more"))["search"]["x"]) == 1


def test_what_is_to_be_seen_is_said_from_the_numbers(systems: Path) -> None:
    at = opened(sets="toy", systems=["search", "encdec"], by_length="custom", firsts="1 11")
    found = {name: [round(y, 1) for y in line["y"]] for name, line in lines(at).items()}
    for first, last in found.values():
        assert f"{first:.1f} → {last:.1f}" in said(at)


def test_with_no_test_set_or_no_checkpoint_it_says_which_to_choose(systems: Path) -> None:
    at = opened(sets="toy", systems="search")
    (sets,) = (field for field in at.multiselect if field.value == ["toy"])
    assert LENGTH.choose_test_set in said(sets.set_value([]).run())
    at = opened(sets="toy", systems="search")
    (chosen,) = (field for field in at.multiselect if field.value == ["search"])
    assert APP.choose_checkpoint in said(chosen.set_value([]).run())


def test_no_unk_counts_the_sentences_without_an_unknown_word(systems: Path) -> None:
    found = lines(opened(sets="toy", systems=["search", "moses"], unkcol="known", by_length="width"))
    known = [i for i, unknown in enumerate(UNKNOWN) if not unknown and LENGTHS[i] <= 10]
    for name, kept in (("search", 0.9), ("moses", 0.75)):
        assert found[name]["y"][0] == pytest.approx(bleu(given(kept), known))


def test_several_sets_are_one(systems: Path) -> None:
    at = opened(sets=["toy", "more"], systems=["search", "moses"], by_length="width", width="10")
    found = lines(at)
    assert list(found) == ["search"]
    assert found["search"]["customdata"][0][2] == sum(length <= 10 for length in LENGTHS) + 6
    assert LENGTH.not_measured.format(test_set="more", names="moses") in said(at)
    assert [*lines(opened(systems=["search", "moses"]))] == ["search", "moses"]  # a link to both opens a set of both


def test_a_system_looks_as_on_look_by_its_place_in_the_choice(systems: Path, write_run: Any) -> None:
    look = [line_style(place).colour.lower() for place in range(3)]
    for chosen in (["search", "encdec", "moses"], ["moses"], ["encdec", "search"]):
        assert colours(opened(sets="toy", systems=chosen)) == dict(zip(chosen, look, strict=False))
    both = opened(sets=["toy", "more"], systems=["moses", "search"], by_length="width")  # moses lacks more
    assert colours(both)["search"] == look[1]
    for name in ("rnnsearch-50", "rnnsearch-30", "rnnencdec-50"):
        write_run(systems / name, name.partition("-")[0])
        keep(systems / name, [evaluated(name, "newstest2014", given(0.8))])
    assert [*colours(opened())][:2] == ["rnnsearch-50", "rnnencdec-50"]


def test_as_in_the_paper(runs: Path, write_run: Any) -> None:
    for name in ("rnnsearch-50", "rnnsearch-30", "mine"):
        write_run(runs / name, "rnnsearch")
        keep(runs / name, [evaluated(name, "toy", given(0.8))])
    at = opened(sets="toy", systems="mine", metric="chrf", by_length="equal")
    next(button for button in at.button if button.label == LENGTH.as_in_paper).click().run()
    assert not at.exception
    assert set(lines(at)) == {"rnnsearch-50", "rnnsearch-30"}
    assert chart(at)["layout"]["xaxis"]["range"] == [0, 60]
    assert chart(at)["layout"]["yaxis"]["title"]["text"] == "BLEU"
    assert [row[1] for row in lines(at)["rnnsearch-50"]["customdata"]][-2:] == ["51–60", "61+"]
    at = opened(
        sets="toy", systems="mine", side="reference", unkcol="known", by_length="width", width="5", open_from="21"
    )
    next(button for button in at.button if button.label == LENGTH.as_in_paper).click().run()
    assert [row[1] for row in lines(at)["rnnsearch-50"]["customdata"]][-2:] == ["51–60", "61+"]
    assert not {"side", "unkcol", "width", "open-from"} & {*at.query_params}


def test_as_in_the_paper_is_on_its_test_set_if_a_model_was_measured_there(runs: Path, write_run: Any) -> None:
    write_run(runs / "rnnsearch-50", "rnnsearch")
    keep(runs / "rnnsearch-50", [evaluated("rnnsearch-50", name, given(0.8)) for name in ("toy", "newstest2014")])
    at = opened(sets="toy")
    next(button for button in at.button if button.label == LENGTH.as_in_paper).click().run()
    assert at.multiselect(key="choice-sets").value == ["newstest2014"]
    assert set(lines(at)) == {"rnnsearch-50"}


def _clicked() -> None:
    import streamlit as st

    from nmt.ui.address import open_address
    from nmt.ui.length.curve import _take_click

    open_address("length")
    st.session_state["length-chart"] = st.session_state.get("clicked")
    _take_click(["1-10", "11-20"])


@pytest.mark.parametrize(
    ("clicked", "expected"),
    [
        ([{"customdata": [1, "11–20"]}], "11-20"),
        ([{"x": 3}, {"customdata": [0]}, {"customdata": [1]}], "1-10"),
        ([{"customdata": [1.0]}], "11-20"),
        ([{"customdata": [2]}], "before"),
        ([{"customdata": [-1]}], "before"),
        ([{"customdata": ["x"]}], "before"),
        ([{"x": 3}], "before"),
        ([], "before"),
        (None, "before"),
    ],
)
def test_a_click_on_a_point_chooses_its_range(clicked: list[object] | None, expected: str) -> None:
    at = AppTest.from_function(_clicked, default_timeout=20)
    at.query_params["bucket"] = "before"
    at.session_state["clicked"] = None if clicked is None else {"selection": {"points": clicked}}
    assert not at.run().exception
    assert at.query_params["bucket"] in (expected, [expected])


def test_other_sentences_and_broken_files_are_named(systems: Path) -> None:
    strange = evaluated("encdec", "toy", texts(LENGTHS, seed=5))
    keep(systems / "encdec", [replace(strange, test_set="toy")])
    at = opened(sets="toy", systems=["search", "encdec"])
    assert list(lines(at)) == ["search"]
    assert LENGTH.other_sentences.format(name="encdec", test_set="toy") in said(at)
    (systems / "encdec" / "evaluation" / "toy.json").write_text("{}")
    assert "toy.json" in said(opened(sets="toy"))


def test_nothing_there_is_said(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write_run: Any) -> None:
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    assert LENGTH.nothing_to_show in said(opened())
    write_run(runs / "search")
    at = opened()
    assert not at.get("plotly_chart")
    assert "jointly-300" in said(at)


@pytest.mark.parametrize(
    ("name", "value"),
    [("sets", "x"), ("systems", "x"), ("metric", "x"), ("unkcol", "x"), ("side", "x"), ("by_length", "x"),
     ("curve", "x"), ("width", "-3"), ("width", "x"), ("width", "1e999"), ("open_from", "-inf"), ("sentence", "inf"),
     ("bucket", "x"), ("bucket", "99+")],
)  # fmt: skip
def test_whatever_the_address_says_the_page_opens(systems: Path, name: str, value: str) -> None:
    opened(**{name: value})


def test_ranges_begin_at_whole_numbers_of_six_digits_at_most() -> None:
    assert _numbers("1,11, 999999") == (1, 11, 999999)
    for text in ("", " , ", "x", "1 1000000", "1 -2", "1.5", "1 ²", "1 ٣"):
        with pytest.raises(InputError):
            _numbers(text)


@pytest.mark.parametrize(
    ("measured", "no_unk", "kept", "has"),
    [
        ("all", False, None, True),
        ("no unk", False, [], False),
        ("", True, [], False),
        ("all", True, None, True),
        ("all", True, [3], False),
        ("all", True, [], True),
        ("all, no unk", True, [3], True),
    ],
)
def test_a_column_without_a_sentence_counts_as_measured(
    measured: str, no_unk: bool, kept: list[int] | None, has: bool
) -> None:
    """``kept``: pairs without an unknown word, or None for an external system, whose output is in both columns."""
    columns = measured.split(", ")
    evaluation: Any = SimpleNamespace(
        statistics=lambda *, no_unk=False: "measured" if ("no unk" if no_unk else "all") in columns else None,
        pairs=SimpleNamespace(without_unknown=lambda: kept),
    )
    assert has_column(evaluation, no_unk) == has


@pytest.mark.parametrize("no_unk", [False, True])
@pytest.mark.parametrize("known", ["nothing", "scores", "search"])
def test_a_sentence_is_searched_as_it_was_measured_or_as_usual(no_unk: bool, known: str) -> None:
    search = SearchSettings(beam=3)
    condition = {"nothing": None, "scores": SimpleNamespace(search=None), "search": SimpleNamespace(search=search)}
    columns: dict[str, Any] = {
        "everything": None,
        "no_unk": None,
        "no_unk" if no_unk else "everything": condition[known],
    }
    system: Any = SimpleNamespace(evaluated=SimpleNamespace(evaluations={"toy": SimpleNamespace(**columns)}))
    selection: Any = SimpleNamespace(view=SimpleNamespace(analysis=SimpleNamespace(no_unk=no_unk)))
    expected = search if known == "search" else SearchSettings(no_unk=no_unk)
    assert select.Selection.search_of(selection, system, "toy") == expected


@pytest.mark.parametrize(
    ("uploaded", "external", "no_unk", "text"),
    [
        (True, True, True, "uploaded"),
        (True, False, False, "everything"),
        (False, False, False, "everything"),
        (False, False, True, "no unk"),
        (False, True, True, "everything"),
    ],
)
def test_translations_are_those_of_the_column(
    uploaded: bool, external: bool, no_unk: bool, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An external system has one output for both, which may be an upload."""
    written = SavedTranslations({0: WrittenSentence("everything")}, {0: WrittenSentence("no unk")})
    uploads = SimpleNamespace(written=lambda *_: ("uploaded",) if uploaded else None)
    monkeypatch.setattr(select, "session_uploads", lambda: uploads)
    monkeypatch.setattr(select, "translations_path", lambda *_: Path(__file__))
    monkeypatch.setattr(select, "_read", lambda *_: written)
    evaluation = evaluated("a", "toy", texts(range(3, 9)))
    system: Any = SimpleNamespace(
        name="a", evaluated=SimpleNamespace(path=tmp_path, evaluations={"toy": evaluation}), run=None if external else 1
    )
    assert select._kept(system, "toy", no_unk)[0].text == text
