"""Systems side by side, against sacreBLEU over the texts."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import sacrebleu

from nmt.errors import InputError
from nmt.evaluation.comparison import compare, scores_by_set, statistics_by_set
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.evaluation.length_curves import LengthAnalysisSettings
from nmt.evaluation.metrics import corpus_scores
from nmt.results import ALL_SETS
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import Texts, texts

FEW = LengthAnalysisSettings(resamples=40)
ONE, TWO = [15] * 20 + [55] * 14, [5, 8, 30]
UNKNOWN = {"one": [0, 1] * 17, "two": [0, 0, 3]}


@cache
def given(test_set: str, kept: float) -> Texts:
    return texts(ONE, 1, kept) if test_set == "one" else texts(TWO, 2, kept)


def system(name: str, kept: float, test_sets: str = "one two", run: bool = True) -> EvaluatedSystem:
    found = {s: evaluated(name, s, given(s, kept), UNKNOWN[s] if run else None) for s in test_sets.split()}
    return EvaluatedSystem(name=name, path=Path("runs") / name, about="", evaluations=found)


@pytest.fixture(scope="module")
def systems() -> list[EvaluatedSystem]:
    return [replace(system("good", 0.9), trained_to=50), system("bad", 0.5), system("moses", 0.7, run=False)]


def bleu(kept: float, test_sets: str, no_unk: bool = False) -> float:
    chosen = [(s, i) for s in test_sets.split() for i in range(len(UNKNOWN[s])) if not (no_unk and UNKNOWN[s][i])]
    hypotheses = [given(s, kept).hypotheses[i] for s, i in chosen]
    return sacrebleu.corpus_bleu(hypotheses, [[given(s, kept).references[i] for s, i in chosen]]).score


def test_table_1_equals_sacrebleu(systems: list[EvaluatedSystem]) -> None:
    found = compare(systems, settings=FEW)
    assert (found.systems, found.test_sets) == (("good", "bad", "moses"), ("one", "two", ALL_SETS))
    for name, kept in (("good", 0.9), ("bad", 0.5), ("moses", 0.7)):
        for test_set, sets in (("one", "one"), ("two", "two"), (ALL_SETS, "one two")):
            scores = found.scores[name][test_set]
            assert scores.everything is not None
            assert scores.no_unk is not None
            assert scores.everything.bleu == bleu(kept, sets)
            assert scores.no_unk.bleu == bleu(kept, sets, no_unk=True)
    assert found.scores["good"][ALL_SETS].no_unk.sentences == 17 + 2  # type: ignore[union-attr]
    assert found.notes == ()
    likelihood = found.scores["good"]["one"].likelihood
    assert likelihood is not None
    assert likelihood.nll_per_token == 2  # as the texts are made
    assert found.scores["moses"]["one"].likelihood is None
    assert "run:good|test:one" in found.scores["good"]["one"].signature


def test_a_closer_look(systems: list[EvaluatedSystem]) -> None:
    (look,) = compare(systems, closer=["one"], settings=LengthAnalysisSettings(resamples=80)).closer
    assert look.test_set == "one"
    assert [(pair.first, pair.second) for pair in look.pairs] == [("good", "bad"), ("good", "moses"), ("bad", "moses")]
    best = look.pairs[0]
    assert best.overall.difference == bleu(0.9, "one") - bleu(0.5, "one")
    assert best.overall.p == 1 / 81
    assert [found.sentences for found in best.by_length] == [0, 20, 0, 0, 0, 14, 0]
    curves = {curve.system: curve for curve in look.curves.curves}
    points, kept = curves["moses"].points, look.retention["moses"]
    assert [point.sentences for point in points] == [0, 20, 0, 0, 0, 14, 0]
    assert kept is not None
    assert points[5].value is not None
    assert points[1].value is not None
    assert kept.value == points[5].value / points[1].value
    overall = curves["bad"].overall.interval
    assert overall is not None
    assert overall.low < bleu(0.5, "one") < overall.high
    assert {name: curve.trained_to for name, curve in curves.items()} == {"good": 50, "bad": None, "moses": None}
    assert compare(systems, closer=["one"], settings=LengthAnalysisSettings(resamples=80)).closer == (look,)


@pytest.mark.parametrize("no_unk", [False, True])
def test_counts_by_set_are_those_of_the_scores(systems: list[EvaluatedSystem], no_unk: bool) -> None:
    """Nothing is there for a column that was not measured, or has no sentence."""
    parts = ["one", "two"]
    counts, scores = statistics_by_set(systems, parts, no_unk=no_unk), scores_by_set(systems, parts)
    for of_system, expected in zip(counts, scores, strict=True):
        columns = {name: each.no_unk if no_unk else each.everything for name, each in expected.items()}
        assert {name: corpus_scores(each) for name, each in of_system.items()} == columns
        assert ALL_SETS in columns
    other = evaluated("other", "two", given("two", 0.6), [1, 2, 1])
    for evaluation, empty in ((other, no_unk), (replace(other, everything=None), True)):
        alone = EvaluatedSystem(name="other", path=Path("other"), about="", evaluations={"two": evaluation})
        assert (statistics_by_set([alone], parts, no_unk=no_unk) == [{}]) == empty


@pytest.mark.parametrize("missing", ["reference_tokens", "reference_log_probability"])
def test_a_likelihood_needs_tokens_and_their_probabilities(systems: list[EvaluatedSystem], missing: str) -> None:
    measured = systems[0].evaluations["two"]
    lacking = replace(measured, pairs=replace(measured.pairs, **{missing: None}))
    (scores,) = scores_by_set([replace(systems[0], evaluations={"two": lacking})], ["two"])
    assert scores["two"].everything is not None
    assert scores["two"].likelihood is None


def test_a_set_that_is_named_twice_counts_once(systems: list[EvaluatedSystem]) -> None:
    assert compare(systems, ["one", "one"], ["one"], FEW) == compare(systems, ["one"], ["one"], FEW)


def test_what_is_missing_is_named(systems: list[EvaluatedSystem]) -> None:
    some = system("some", 0.8, "one")
    found = compare([*systems, some], ["two", "one"], settings=FEW)
    assert found.test_sets == ("two", "one", ALL_SETS)
    assert found.scores["some"].keys() == {"one"}
    assert found.closer[0].test_set == ALL_SETS
    assert "some" not in {curve.system for curve in found.closer[0].curves.curves}
    (note,) = found.notes
    assert re.match(r"some .*\btwo\b", note)
    assert [look.test_set for look in compare([some, system("two", 0.8, "two")], settings=FEW).closer] == ["one", "two"]
    alone = compare([some], settings=FEW)
    assert (alone.test_sets, alone.closer[0].pairs) == (("one",), ())


def test_other_vocabularies_are_noted(systems: list[EvaluatedSystem]) -> None:
    for unknown, size in (([1, 0, 0], 2), ([0, 2, 1], 1)):
        other = EvaluatedSystem(
            name="other",
            path=Path("other"),
            about="",
            evaluations={"two": evaluated("other", "two", given("two", 0.6), unknown)},
        )
        (note,) = compare([systems[0], other], ["two"], settings=FEW).notes
        assert re.match(rf'"No UNK" of two .*\b2 for good\b.*\b{size} for other\b', note)
    same = EvaluatedSystem(
        name="same",
        path=Path("same"),
        about="",
        evaluations={"two": evaluated("same", "two", given("two", 0.6), [0, 0, 1])},
    )
    assert compare([systems[0], same], ["two"], settings=FEW).notes == ()


def test_the_same_name_twice_is_told_by_the_path(systems: list[EvaluatedSystem]) -> None:
    twin = EvaluatedSystem(name="good", path=Path("other") / "good", about="", evaluations=systems[0].evaluations)
    found = compare([systems[0], twin], ["one"], settings=FEW)
    assert found.systems == (str(Path("runs/good")), str(Path("other/good")))
    assert found.closer[0].pairs[0].overall.p == 1


def test_what_cannot_be_compared_is_refused(systems: list[EvaluatedSystem]) -> None:
    for seed, side in ((2, "reference"), (3, "source")):
        lines = texts(TWO, seed, 0.8)
        if side == "reference":
            lines = Texts(lines.sources, lines.hypotheses, [*lines.references[:2], "another one"])
        other = EvaluatedSystem(
            name="other", path=Path("other"), about="", evaluations={"two": evaluated("other", "two", lines)}
        )
        with pytest.raises(InputError, match=f"good and other .*{side} sentences .*'two'"):
            compare([systems[0], other])
        with pytest.raises(InputError, match=f"good and other .*{side} sentences"):
            compare([other, *systems[:2]])
    for sets, closer in ((["three"], []), ([], ["three"])):
        with pytest.raises(InputError, match=r"'three'; there are evaluations on one, two$"):
            compare(systems, sets, closer)
    for sets, closer in ((["twoo"], []), ([], ["twoo"])):
        with pytest.raises(InputError, match=r"'twoo'; did you mean two\?$"):
            compare(systems, sets, closer)
    with pytest.raises(InputError, match="statistics"):
        compare([EvaluatedSystem(name="new", path=Path("new"), about="", evaluations={})])


def test_a_closer_look_in_the_other_column(systems: list[EvaluatedSystem]) -> None:
    """Only sentences without a word unknown to any run."""
    settings = LengthAnalysisSettings(metric="chrF", no_unk=True, resamples=40)
    (look,) = compare(systems, closer=[ALL_SETS], settings=settings).closer
    assert look.curves.no_unk
    assert "unk:no|n:19|" in look.curves.signature
    for curve, kept in zip(look.curves.curves, (0.9, 0.5, 0.7), strict=True):
        chosen = [(s, i) for s in ("one", "two") for i in range(len(UNKNOWN[s])) if not UNKNOWN[s][i]]
        hypotheses = [given(s, kept).hypotheses[i] for s, i in chosen]
        references = [given(s, kept).references[i] for s, i in chosen]
        assert curve.overall.value == sacrebleu.corpus_chrf(hypotheses, [references]).score
    with pytest.raises(InputError, match=r'"No UNK": evaluate a system on it first$'):
        compare([system("moses", 0.7, run=False)], settings=settings)
