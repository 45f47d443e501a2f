"""From a range of lengths to its sentences and their translations, on the page "Lengths"."""

import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pandas as pd
import pytest
import sacrebleu
import streamlit as st
from streamlit.testing.v1 import AppTest

import nmt
from nmt.alignments.measures import jensen_shannon, summary
from nmt.evaluation.evaluation_files import read_evaluation, write_evaluation
from nmt.evaluation.measurement_files import write_translations
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.evaluation.test_set import find_in_corpora, from_corpus, from_folder
from nmt.results import AlignmentSummary, Evaluation, WrittenSentence
from nmt.runs.folder import read_run
from nmt.texts import LENGTH, counted
from nmt.ui.formatting import escaped
from nmt.ui.length.sentences import (
    ATTENTION,
    COVERAGE,
    DIFFERENCE,
    ENTROPY,
    NUMBER,
    PICTURE,
    RATIO,
    TEXT,
    sentence_table,
)
from nmt.ui.length.significance import SystemPair
from nmt.ui.length.tasks import EvaluateTask
from nmt.ui.resources import translation_cache
from tests.ui.length.lengths_page import APP, FIRST_REFERENCES, SOURCES, finish, opened, said

REFERENCES = [*FIRST_REFERENCES, "la fille dort sur lit ."]
CHOSEN = {"sets": "stories-test1", "systems": ["search-words", "search-bpe"], "bucket": "all"}


@pytest.fixture(autouse=True)
def corpora(server_without_systems: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus with a test set."""
    monkeypatch.setenv("JOINTLY_DATA", str(tmp_path / "corpora"))
    folder = tmp_path / "corpora" / "stories"
    folder.mkdir(parents=True)
    (folder / "test1.en").write_text("".join(f"{line}\n" for line in SOURCES))
    (folder / "test1.fr").write_text("".join(f"{line}\n" for line in REFERENCES))
    return folder


def press(at: AppTest, button: str) -> AppTest:
    """By its key or its label."""
    next(each for each in at.button if button in (each.key, each.label.replace("\\", ""))).click().run()
    return finish(at)


@pytest.fixture
def measured(corpora: Path) -> None:
    press(opened(**CHOSEN), "measure")


def translate(sentences: int) -> str:
    """The label of the button that translates so many sentences."""
    return counted(sentences, LENGTH.forms.translate_sentences, names="search-words and search-bpe")


def rows(at: AppTest) -> pd.DataFrame:
    (found,) = [each.value for each in at.dataframe if NUMBER in each.value.columns]
    return found.set_index(NUMBER)


def written(random_runs: Path, name: str) -> list[str]:
    return [each.text for each in nmt.load(random_runs / name).translate(SOURCES)]


def test_the_rows_say_what_the_models_wrote(measured: None, random_runs: Path) -> None:
    at = opened(**(CHOSEN | {"bucket": "6+"}), by_length="custom", firsts="1 6")
    found = rows(at)
    assert sorted(found.index) == [2, 3, 5]
    assert found.loc[3, TEXT] == SOURCES[2]
    texts = {name: written(random_runs, name) for name in ("search-words", "search-bpe")}
    for name, lines in texts.items():
        for number, score in found[f"BLEU {name}"].items():
            expected = sacrebleu.sentence_bleu(lines[number - 1], [REFERENCES[number - 1]]).score
            assert score == pytest.approx(expected)
    assert list(found[DIFFERENCE]) == sorted(found[DIFFERENCE], reverse=True)
    alpha = nmt.load(random_runs / "search-words").translate(SOURCES[4]).best.alignment
    assert alpha is not None
    words = alpha.merged()
    read = [k for k, word in enumerate(words.source) if word not in (".", "</s>")]
    assert found.loc[5, COVERAGE] == pytest.approx(words.weights.sum(axis=0)[read].min(), abs=1e-4)


def test_the_first_and_the_last_length_of_a_range_belong_to_it(measured: None) -> None:
    """The sentences have 4, 6, 6, 2 and 7 words."""
    for bucket, numbers in {"1": [], "2-4": [1, 4], "5-6": [2, 3], "7+": [5]}.items():
        at = opened(**(CHOSEN | {"bucket": bucket}), by_length="custom", firsts="1 2 5 7")
        assert sorted(rows(at).index if numbers else []) == numbers
        assert (LENGTH.no_such_length in said(at)) == (not numbers)


def test_each_sentence_leads_to_its_neighbours_in_the_table(measured: None) -> None:
    at = opened(**CHOSEN, sort="no", order="smallest")
    for number in (1, 2, 3, 4, 5):
        assert LENGTH.line.format(test_set="stories-test1", line=number) in said(at)
        ways = [at.button(key=f"to-arrow_{way}") for way in ("back", "forward")]
        assert [way.disabled for way in ways] == [number == 1, number == 5]
        if number < 5:
            ways[1].click().run()
    for number in (4, 3, 2, 1):
        at.button(key="to-arrow_back").click().run()
        assert LENGTH.line.format(test_set="stories-test1", line=number) in said(at)


def test_a_range_is_changed_and_closed_beside_the_curve(measured: None, monkeypatch: pytest.MonkeyPatch) -> None:
    at = opened(**(CHOSEN | {"bucket": "6+"}), by_length="custom", firsts="1 6", sentence="3")
    again: list[str] = []
    rerun = st.rerun  # AppTest has no runs of a part
    monkeypatch.setattr(st, "rerun", lambda *scopes: again.extend(scopes) if scopes else rerun())
    at.selectbox(key="length-range").set_value("1-5").run()
    assert not at.exception
    assert at.query_params["bucket"] in ("1-5", ["1-5"])
    assert sorted(rows(at).index) == [1, 4]
    assert "sentence" not in at.query_params
    at.button(key="close-range").click().run()
    assert "bucket" not in at.query_params
    assert not [each for each in at.dataframe if NUMBER in each.value.columns]
    assert again == [PICTURE] * 2


def _row_taken() -> None:
    import streamlit as st

    from nmt.ui.length.sentences import _take_row

    st.session_state["sentence"] = 99
    st.session_state["sentence-table"] = st.session_state.get("taken")
    _take_row([7, 5, 8])
    st.text(str(st.session_state["sentence"]))


@pytest.mark.parametrize(("taken", "expected"), [([0], 7), ([2, 1], 8), ([3], 99), ([-1], 99), ([], 99), (None, 99)])
def test_a_row_that_is_chosen_is_shown(taken: list[int] | None, expected: int) -> None:
    at = AppTest.from_function(_row_taken, default_timeout=20)
    at.session_state["taken"] = None if taken is None else {"selection": {"rows": taken}}
    assert at.run().text[0].value == str(expected)


def test_an_order_is_chosen(measured: None) -> None:
    found = rows(opened(**CHOSEN, sort="length-ratio", order="smallest"))
    assert list(found[RATIO]) == sorted(found[RATIO])
    assert list(found.columns)[:4] == [RATIO, "BLEU search-words", "BLEU search-bpe", TEXT]  # what is seen at first
    assert list(rows(opened(**CHOSEN, sort="no", order="smallest")).index) == [1, 2, 3, 4, 5]


def test_better_is_more_also_where_less_is_better(measured: None) -> None:
    found = rows(opened(**CHOSEN, metric="ter"))
    expected = found["TER search-bpe"] - found["TER search-words"]
    assert list(found[DIFFERENCE]) == pytest.approx(list(expected))


def test_an_address_with_everything_off_stays_so(measured: None) -> None:
    at = opened(**CHOSEN, sentence="3", curve="")
    (link,) = [each for each in at.get("page_link") if each.proto.label == LENGTH.where_they_looked]
    taken = json.loads(parse_qs(link.proto.query_string)["take"][0])
    assert json.loads(taken["back"])["curve"] == [""]


def test_attention_of_two_checkpoints_is_compared_on_the_reference(measured: None, random_runs: Path) -> None:
    at = press(opened(**CHOSEN), LENGTH.compare_attention)
    one, other = (nmt.load(random_runs / name) for name in ("search-words", "search-bpe"))
    for number, value in rows(at)[ATTENTION].items():
        pair = SOURCES[number - 1], REFERENCES[number - 1]
        p, q = (model.align(*pair).merged().weights.astype(np.float64) for model in (one, other))
        assert value == pytest.approx(jensen_shannon(p, q).mean(), abs=1e-4)
    assert LENGTH.by_key.table_columns[ATTENTION] in at.selectbox(key="choice-sort").options


def test_a_sentence_is_held_against_the_reference_and_leads_to_explore(measured: None, random_runs: Path) -> None:
    at = opened(**CHOSEN, sentence="3", metric="ter")
    selection = [each.value for each in at.get("html") if 'word-diff"' in str(each.value)]
    for markup, name in zip(selection, ("search-words", "search-bpe"), strict=True):
        text = written(random_runs, name)[2]
        kept = markup.removesuffix("</div>").split(">", 1)[1]
        kept = re.sub("<del[^>]*>[^<]*</del> ?", "", kept)
        assert re.sub("<[^>]*>", "", kept).strip() == text
    (link,) = [each for each in at.get("page_link") if each.proto.label == LENGTH.where_they_looked]
    assert link.proto.page == ""
    taken = json.loads(parse_qs(link.proto.query_string)["take"][0])
    assert (taken["s"], taken["models"], taken["beam"]) == (SOURCES[2], ["search-words", "search-bpe"], "12")
    assert taken["unk"] == "keep"
    back = json.loads(taken["back"])
    assert (back["sentence"], back["metric"], back["sets"]) == ("3", ["ter"], ["stories-test1"])


def forget_translations(cache: Path) -> None:
    """As after a measurement on another machine: statistics are there, translations are not."""
    translation_cache().close()
    for path in cache.glob("translations*"):
        path.unlink()
    st.cache_resource.clear()


def copied(random_runs: Path, copies: Path, look_in: Callable[..., None]) -> list[tuple[Path, Evaluation]]:
    """Copies of the runs, with what was measured in their folders, in place of the runs."""
    found = []
    (test,) = map(from_corpus, find_in_corpora(Path(os.environ["JOINTLY_DATA"]), "en", "fr"))
    for name in CHOSEN["systems"]:
        run = read_run(random_runs / name)
        tasks = (EvaluateTask(checkpoint=run, test=test, settings=run.config.search, no_unk=k) for k in (True, False))
        evaluation = next(filter(None, (task.stored() for task in tasks)))
        copy = shutil.copytree(random_runs / evaluation.system, copies / evaluation.system)
        write_evaluation(copy, evaluation)
        found.append((copy, evaluation))
    look_in(copies)
    return found


@pytest.mark.parametrize(("beam", "most"), [(7, "7"), (30, "20")])
def test_a_sentence_leads_to_the_search_that_was_measured(
    measured: None, random_runs: Path, tmp_path: Path, look_in: Callable[..., None], beam: int, most: str
) -> None:
    """As far as Look can search: beams up to 20."""
    for copy, evaluation in copied(random_runs, tmp_path / "copies", look_in):
        assert evaluation.everything is not None
        assert evaluation.everything.search is not None
        search = replace(evaluation.everything.search, beam=beam)
        write_evaluation(copy, replace(evaluation, everything=replace(evaluation.everything, search=search)))
    at = opened(**CHOSEN, sentence="3")
    (link,) = [each for each in at.get("page_link") if each.proto.label == LENGTH.where_they_looked]
    assert json.loads(parse_qs(link.proto.query_string)["take"][0])["beam"] == most


def test_translations_beside_the_scores_are_shown(
    measured: None, random_runs: Path, cache: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    forget_translations(cache)
    for copy, evaluation in copied(random_runs, tmp_path / "copies", look_in):
        lines = [f"{copy.name} wrote {row}" for row in range(len(SOURCES))]
        write_translations(copy, evaluation, [WrittenSentence(line, AlignmentSummary(1.5, 0.25, 1)) for line in lines])
    at = opened(**CHOSEN, sentence="3")
    selection = " ".join(str(each.value) for each in at.get("html"))
    for name in ("search-words", "search-bpe"):
        assert f"<ins>{name}</ins> <ins>wrote</ins> <ins>2</ins>" in selection
    at = opened(**CHOSEN)
    assert rows(at)[ENTROPY].tolist() == [1.5] * len(SOURCES)
    assert not [button for button in at.button if str(button.key).startswith("translate-")]


def test_what_only_one_of_two_translations_has_right_is_marked(
    measured: None, random_runs: Path, cache: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    forget_translations(cache)
    lines = {"search-words": "une chat est sur la table", "search-bpe": "est une chat dans la mer"}
    for copy, evaluation in copied(random_runs, tmp_path / "copies", look_in):
        write_translations(copy, evaluation, [WrittenSentence(lines[copy.name])] * len(SOURCES))
    found = rows(opened(**CHOSEN))  # the reference of the second is "une chat est sur la mer"
    assert found.loc[2, LENGTH.only.format(name="search-words")] == LENGTH.ngrams.join(["chat est", "sur"])
    assert found.loc[2, LENGTH.only.format(name="search-bpe")] == "mer"
    markup = " ".join(str(each.value) for each in opened(**CHOSEN, sentence="2").get("html"))
    assert '<span class="gained">sur</span>' in markup
    assert '<del class="lost">mer</del>' in markup
    assert '<span class="gained">mer</span>' in markup
    assert '<del class="lost">sur</del>' in markup


def test_segments_are_shown_with_their_cuts(
    measured: None, random_runs: Path, cache: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    forget_translations(cache)
    cuts = {"search-words": "the girl | reads . ||| la fille | lit .", "search-bpe": ""}
    for copy, evaluation in copied(random_runs, tmp_path / "copies", look_in):
        write_translations(
            copy, evaluation, [WrittenSentence("la fille lit .", segments=cuts[copy.name])] * len(SOURCES)
        )
    at = opened(**CHOSEN, sentence="1")
    assert [each.value for each in at.text if "|" in each.value] == ["the girl | reads .\nla fille | lit ."]
    assert [each.value for each in at.caption].count(LENGTH.segments) == 1


def test_one_sentence_is_translated_alone(measured: None, random_runs: Path, cache: Path) -> None:
    forget_translations(cache)
    at = opened(**CHOSEN, sentence="3")
    press(at, translate(1))
    assert LENGTH.not_kept not in said(at)
    assert escaped(translate(4)) in {button.label for button in at.button}


def test_translations_that_are_not_kept_are_made_again(measured: None, random_runs: Path, cache: Path) -> None:
    forget_translations(cache)
    at = opened(**CHOSEN, sentence="1")
    assert LENGTH.not_kept in said(at)
    at = opened(**CHOSEN)
    assert ENTROPY not in rows(at).columns
    press(at, translate(5))
    assert LENGTH.not_kept not in said(at)
    best = nmt.load(random_runs / "search-words").translate(SOURCES[4]).best
    assert best.alignment is not None
    measured_again = summary(best.alignment)
    assert measured_again is not None
    assert rows(at).loc[5, ENTROPY] == pytest.approx(measured_again.entropy, abs=1e-4)


def test_without_the_sentences_the_statistics_are_shown_and_it_is_said_why(
    measured: None, corpora: Path, random_runs: Path, tmp_path: Path, look_in: Callable[..., None]
) -> None:
    copied(random_runs, tmp_path / "copies", look_in)
    (corpora / "test1.en").write_text("".join(f"{line} !\n" for line in SOURCES))
    at = opened(**CHOSEN, sentence="3")
    assert LENGTH.not_the_measured.format(test_set="stories-test1") in said(at)
    at = opened(**CHOSEN)
    assert TEXT not in rows(at).columns
    shutil.rmtree(corpora)
    at = opened(**CHOSEN, sentence="3")
    assert LENGTH.only_statistics.format(test_set="stories-test1", how_to_get=LENGTH.add_files) in said(at)
    at = opened(**CHOSEN)
    assert len(rows(at)) == 5
    assert not [button for button in at.button if button.key == "another-set"]  # no other set was measured
    here = from_folder(APP.parent / "testsets" / "jointly-300", "en", "fr")
    for name in CHOSEN["systems"]:
        evaluation = read_evaluation(tmp_path / "copies" / name / "evaluation" / "stories-test1.json")
        sums = {"source_sha256": here.source_sha256, "reference_sha256": here.reference_sha256}
        write_evaluation(tmp_path / "copies" / name, replace(evaluation, test_set="jointly-300", **sums))
    at = opened(**CHOSEN)
    assert TEXT not in rows(at).columns  # never sentences of another set than that of the curve
    at = press(at, "another-set")
    assert at.multiselect(key="choice-sets").value == ["jointly-300"]
    assert sorted(rows(at)[TEXT]) == sorted(here.sources[:5])


@pytest.mark.parametrize(
    ("name", "value"), [("sentence", "99"), ("sentence", "x"), ("sort", "x"), ("order", "x"), ("one", "x")]
)
def test_whatever_the_address_says_there_are_sentences(measured: None, name: str, value: str) -> None:
    assert len(rows(opened(**(CHOSEN | {name: value})))) == 5


def test_a_ratio_of_lengths_needs_a_reference_with_a_word() -> None:
    given = ["la", "la mer", "la mer"], ["", "mer", "la mer ."]
    statistics = {"one": sentence_statistics(given[0], *given)}
    analysis = SimpleNamespace(metric="BLEU")
    selection: Any = SimpleNamespace(
        view=SimpleNamespace(analysis=analysis), statistics=statistics, lengths=np.array([1, 2, 2]), documents=()
    )
    shown: list[Any] = [
        SimpleNamespace(index=k, number=k + 1, source=None, reference=None) for k in range(len(given[0]))
    ]
    found = sentence_table(selection, SystemPair("one", ""), shown, {"one": {}})
    np.testing.assert_allclose(found[RATIO], [np.nan, 2, 2 / 3])
