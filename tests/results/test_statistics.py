"""Per-sentence statistics and evaluations: what is kept comes back, and what is broken is named."""

import json
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from nmt.records import as_record
from nmt.results import (
    Condition,
    Evaluation,
    HypothesisStatistics,
    PairStatistics,
    SentenceStatistics,
)

PAIRS = PairStatistics(
    source_words=np.array([3, 4]),
    reference_words=np.array([4, 5]),
    reference_length=np.array([5, 6]),
    reference_characters=np.array([20, 30]),
    source_unknown=np.array([0, 1]),
    reference_unknown=np.array([0, 0]),
    reference_tokens=np.array([6, 7]),
    reference_log_probability=np.array([-9.0, -11.5]),
)
HYPOTHESES = HypothesisStatistics(
    words=np.array([4, 4]),
    length=np.array([5, 5]),
    matches=np.array([[3, 2, 1, 0], [5, 4, 3, 2]]),
    characters=np.array([21, 28]),
    character_matches=np.array([[9, 8, 7, 6, 5, 4], [20, 10, 5, 2, 1, 0]]),
    edits=np.array([2, 3]),
    tokens=np.array([6, 6]),
    log_probability=np.array([-4.25, -6.125]),
)


def same(a: Any, b: Any) -> bool:
    return all(
        (x is None and y is None) or np.array_equal(x, y)
        for x, y in ((getattr(a, field.name), getattr(b, field.name)) for field in fields(a))
    )


def column(value: float, hypotheses: HypothesisStatistics, unk: str = "yes") -> Condition:
    sentences = len(hypotheses)
    signature = f"tok:13a|unk:{unk}|n:{sentences}"
    return Condition(
        bleu=value,
        chrf=value,
        ter=value,
        sentences=sentences,
        signature=signature,
        chrf_signature=signature,
        ter_signature=signature,
        hypotheses=hypotheses,
    )


def evaluation() -> Evaluation:
    everything = column(30.5, HYPOTHESES)
    no_unk = column(40.5, HYPOTHESES.take([0]), "no")
    return Evaluation(
        system="run",
        test_set="set",
        sentences_given=2,
        everything=everything,
        no_unk=no_unk,
        pairs=PAIRS,
        source_sha256="aa",
        reference_sha256="bb",
        weights_sha256="cc",
    )


@pytest.mark.parametrize("record", [PAIRS, HYPOTHESES])
def test_columns_survive_json(record: Any) -> None:
    data = json.loads(json.dumps(record.to_dict()))
    assert same(type(record).from_dict(data), record)
    optional = [field.name for field in fields(record) if field.default is None]
    without = replace(record, **dict.fromkeys(optional))
    assert not set(optional) & without.to_dict().keys()
    assert same(type(record).from_dict(json.loads(json.dumps(without.to_dict()))), without)


def test_choosing_and_joining() -> None:
    both = SentenceStatistics(PAIRS, HYPOTHESES)
    again = SentenceStatistics.join([both.take([0]), both.take(np.array([False, True]))])
    assert same(again.pairs, PAIRS)
    assert same(again.hypotheses, HYPOTHESES)
    assert len(both.take([])) == 0
    mixed = SentenceStatistics.join([both, SentenceStatistics(PAIRS, replace(HYPOTHESES, log_probability=None))])
    assert mixed.hypotheses.log_probability is None
    assert mixed.bleu.tolist() == both.bleu.tolist() * 2


def test_pairs_without_an_unknown_word_need_both_counts() -> None:
    assert PAIRS.source_unknown is not None
    none = np.zeros_like(PAIRS.source_unknown)
    one = np.array([1] + [0] * (len(none) - 1))
    for source, reference in ((one, none), (none, one)):
        found = replace(PAIRS, source_unknown=source, reference_unknown=reference).without_unknown()
        assert found is not None
        assert found.tolist() == [*range(1, len(none))]
    for missing in ("source_unknown", "reference_unknown"):
        assert replace(PAIRS, **{missing: None}).without_unknown() is None  # type: ignore[arg-type]


def test_an_evaluation_survives_json() -> None:
    given = evaluation()
    again = as_record(Evaluation, json.loads(json.dumps(given.to_dict())))
    assert again.to_dict() == given.to_dict()
    no_unk = again.statistics(no_unk=True)
    assert no_unk is not None
    assert no_unk.pairs.source_words.tolist() == [3]
    assert no_unk.hypotheses.matches.tolist() == [[3, 2, 1, 0]]
    scores = given.to_dict(statistics=False)
    assert "pairs" not in scores
    assert "hypotheses" not in scores["all"] | scores["no_unk"]


def broken(change: str) -> dict[str, Any]:
    data = json.loads(json.dumps(evaluation().to_dict()))
    pairs, everything = data["pairs"], data["all"]["hypotheses"]
    if change == "missing":
        del pairs["reference_words"]
    elif change == "short":
        everything["edits"].pop()
    elif change == "text":
        everything["words"][0] = "4"
    elif change == "fraction":
        everything["words"][0] = 4.5
    elif change == "negative":
        pairs["source_words"][1] = -1
    elif change == "infinite":
        everything["log_probability"][1] = float("inf")
    elif change == "ragged":
        everything["matches"][2].pop()
    elif change == "orders":
        everything["matches"].pop()
    elif change == "too many":
        everything["matches"][0][0] = 6
    elif change == "sentences":
        data["sentences_given"] = 3
    elif change == "no_unk":
        pairs["source_unknown"] = [0, 0]
    return data


@pytest.mark.parametrize(
    ("change", "says"),
    {
        "missing": "reference_words",
        "short": r"edits .*\(1,\).*\(2,\)",
        "text": r"hypotheses: words ",
        "fraction": r"hypotheses: words ",
        "negative": "source_words",
        "infinite": "log_probability",
        "ragged": "hypotheses: matches ",
        "orders": r"matches .*\(2, 3\).*\(2, 4\)",
        "too many": "n-grams",
        "sentences": "3 sentences .*2 ",
        "no_unk": "2 sentence pairs.*1 translations",
    }.items(),
)
def test_what_is_broken_is_named(change: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        as_record(Evaluation, broken(change))


def test_nats_are_written_with_three_decimals() -> None:
    hypotheses = replace(HYPOTHESES, log_probability=np.array([-4.25049, -6.12551]))
    assert hypotheses.to_dict()["log_probability"] == [-4.25, -6.126]
    assert HypothesisStatistics.from_dict(hypotheses.to_dict()).log_probability.tolist() == [-4.25, -6.126]  # type: ignore[union-attr]
