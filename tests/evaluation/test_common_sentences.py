"""Systems over the same sentences, against a choice of texts by hand."""

from dataclasses import replace
from pathlib import Path

import pytest
import sacrebleu

from nmt.evaluation.comparison import common_rows, common_sentences
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.metrics import corpus_scores
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import Texts, texts

UNKNOWN = {
    "a": {"one": [0, 1, 0, 0, 2], "two": [0, 0]},
    "b": {"one": [0, 0, 0, 3, 1], "two": [1, 0]},
    "moses": {"one": None, "two": None},
}
KEPT = {"a": 0.9, "b": 0.6, "moses": 0.7}
BOTH = {"one": [0, 2], "two": [1]}
"""Without a word unknown to a or to b."""


def given(test_set: str, system: str) -> Texts:
    return texts([9, 12, 8, 14, 7] if test_set == "one" else [6, 11], 1, KEPT[system])


@pytest.fixture(scope="module")
def systems() -> dict[str, EvaluatedSystem]:
    return {
        name: EvaluatedSystem(
            name=name, path=Path(name), about="", evaluations={s: evaluated(name, s, given(s, name), of[s]) for s in of}
        )
        for name, of in UNKNOWN.items()
    }


@pytest.mark.parametrize("parts", [["one"], ["two"], ["two", "one"]])
@pytest.mark.parametrize("no_unk", [False, True])
def test_scores_are_those_of_the_common_sentences(
    systems: dict[str, EvaluatedSystem], parts: list[str], no_unk: bool
) -> None:
    found = common_sentences(systems, parts, no_unk=no_unk)
    assert list(found) == ["a", "b", "moses"]
    for name, statistics in found.items():
        chosen = [(s, i) for s in parts for i in (BOTH[s] if no_unk else range(len(given(s, name).sources)))]
        hypotheses = [given(s, name).hypotheses[i] for s, i in chosen]
        references = [given(s, name).references[i] for s, i in chosen]
        assert len(statistics) == len(chosen)
        assert corpus_scores(statistics).bleu == sacrebleu.corpus_bleu(hypotheses, [references]).score


def test_systems_without_a_part_are_left_out(systems: dict[str, EvaluatedSystem]) -> None:
    only_one = replace(systems["b"], evaluations={"one": systems["b"].evaluations["one"]})
    found = common_sentences({**systems, "b": only_one}, ["one", "two"], no_unk=True)
    assert {name: len(statistics) for name, statistics in found.items()} == {"a": 5, "moses": 5}
    everything = replace(systems["a"].evaluations["two"], no_unk=None)
    unmeasured = replace(systems["a"], evaluations={"two": everything})
    assert list(common_sentences({**systems, "a": unmeasured}, ["two"], no_unk=True)) == ["b", "moses"]
    assert list(common_sentences({**systems, "a": unmeasured}, ["two"], no_unk=False)) == ["a", "b", "moses"]


def test_without_a_run_or_a_sentence_there_is_nothing(systems: dict[str, EvaluatedSystem]) -> None:
    assert common_sentences({"moses": systems["moses"]}, ["one"], no_unk=True) == {}
    hard = evaluated("c", "two", given("two", "a"), [1, 1])
    others = {
        "c": EvaluatedSystem(name="c", path=Path("c"), about="", evaluations={"two": hard}),
        "moses": systems["moses"],
    }
    assert common_sentences(others, ["two"], no_unk=True) == {}
    assert len(common_sentences(others, ["two"], no_unk=False)["c"]) == 2
    both = {"c": others["c"], "a": systems["a"]}
    assert common_sentences(both, ["two"], no_unk=True) == {}


@pytest.mark.parametrize("names", [["a"], ["moses"], ["a", "b", "moses"]])
def test_rows_are_those_of_the_sentences_that_are_scored(systems: dict[str, EvaluatedSystem], names: list[str]) -> None:
    chosen = {name: systems[name] for name in names}
    assert common_rows(chosen, "one", no_unk=False).tolist() == [0, 1, 2, 3, 4]
    without_unknown = {"a": [0, 2, 3], "moses": [0, 1, 2, 3, 4]}.get(names[0] if len(names) == 1 else "", BOTH["one"])
    assert common_rows(chosen, "one", no_unk=True).tolist() == without_unknown
