"""Scores of sentences from files of other programs: read to the last digit, or refused in one sentence."""

import csv
import hashlib
import io
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from nmt.data.uploads import Upload
from nmt.errors import InputError
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.buckets import by_hand
from nmt.evaluation.length_curves import REFERENCE, length_curves, retention
from nmt.evaluation.score_files import Held, ScoreFile, held_beside, probably_cut, read_scores
from nmt.evaluation.significance import paired_tests
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.results import Languages, SentenceStatistics, Span
from nmt.texts import for_reader

Scores = dict[str, list[float | None]]
SENTENCES = 40
_CHANCE = np.random.default_rng(58)
TWO: Scores = {name: [round(float(x), 6) for x in _CHANCE.uniform(0.1, 0.9, SENTENCES)] for name in ("A", "B")}
ONE: Scores = {"": TWO["A"]}
GAPS: Scores = {"A": [None, *TWO["A"][1:]], "B": [*TWO["B"][:-1], None]}


def lines(rows: Sequence[object]) -> str:
    return "".join(f"{row}\n" for row in rows)


def table(scores: Scores, field: str, delimiter: str = "\t") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["system", "seg_id", field])
    writer.writerows([s, k, str(v)] for s, column in scores.items() for k, v in enumerate(column, start=1))
    return out.getvalue()


def records(scores: Scores, field: str, first: int = 1) -> str:
    return lines(
        [
            json.dumps({"system": s, "line_id": k, "src": "x", field: v})
            for s, column in scores.items()
            for k, v in enumerate(column, start=first)
        ]
    )


FORMATS: dict[str, tuple[Callable[[Scores], str], Scores, str]] = {
    "COMET's JSON":
        (lambda s: json.dumps({k: [{"src": "x", "COMET": v} for v in c] for k, c in s.items()}), TWO, "COMET"),
    "COMET's output": (
        lambda s: lines([f"{k}\tSegment {i}\tscore: {v}" for k, c in s.items() for i, v in enumerate(c)])
        + lines([f"{k}\tscore: 0.5" for k in s]), TWO, "COMET",
    ),
    "Prediction": (lambda s: json.dumps({"scores": s[""], "system_score": 0.5, "metadata": {}}), ONE, ""),
    "MetricX": (lambda s: lines([json.dumps({"source": "x", "prediction": v}) for v in s[""]]), ONE, "MetricX"),
    "mt-metrics-eval": (lambda s: lines([f"{k}\t{v}" for k, c in s.items() for v in c]), GAPS, ""),
    "mt-metrics-eval with spaces": (lambda s: lines([f"{k} {v}" for k, c in s.items() for v in c]), TWO, ""),
    "ESA": (lambda s: records(s, "esa_score"), TWO, "ESA"),
    "ESA with null, from 0": (lambda s: records(s, "esa_score", 0), GAPS, "ESA"),
    "MQM": (lambda s: table(s, "MQM"), TWO, "MQM"),
    "MQM with None": (lambda s: table(s, "mqm-score"), GAPS, "MQM"),
    "CSV": (lambda s: table(s, "score", ","), TWO, ""),
    "pymarian, one number a line": (lambda s: lines(s[""]), ONE, ""),
}  # fmt: skip


def read(text: str, name: str = "a.txt") -> object:
    return read_scores(Upload(name, text.encode()))


@pytest.mark.parametrize("kind", FORMATS)
def test_each_format_gives_its_scores(kind: str) -> None:
    write, scores, metric = FORMATS[kind]
    text = write(scores)
    file = read_scores(Upload("a.txt", text.encode()))
    assert {name: list(column) for name, column in file.systems.items()} == scores
    assert file.metric == metric
    assert file.sha256 == hashlib.sha256(text.encode()).hexdigest()


def systems(number: int = SENTENCES) -> dict[str, SentenceStatistics]:
    """Two systems on sentences of 1, 2, … words."""
    texts = [" ".join(["word"] * (k + 1)) for k in range(number)]
    statistics = sentence_statistics(texts, texts, texts, languages=Languages("en", "fr"))
    return {"A": statistics, "B": statistics}


def held(kind: str, **more: list[float | None]) -> Held:
    write, scores, _ = FORMATS[kind]
    file = read_scores(Upload("a.txt", write(scores).encode()))
    columns = {name: file.of(name, SENTENCES, "M", "higher") for name in ("A", "B")}
    for name, column in more.items():
        values = np.array([math.nan if value is None else value for value in column])
        columns[name] = replace(columns["A"], values=values)
    beside = held_beside(systems(), columns)
    assert beside is not None
    return beside


@pytest.mark.parametrize("kind", FORMATS)
def test_the_curve_has_the_mean_of_each_range_and_of_the_file(kind: str) -> None:
    _, scores, _ = FORMATS[kind]
    beside = held(kind)
    columns = {name: scores.get(name, scores.get("")) for name in ("A", "B")}
    rows = [
        k for k in range(SENTENCES) if all(column is not None and column[k] is not None for column in columns.values())
    ]
    assert beside.rows.tolist() == rows
    curves = length_curves(
        beside.systems, by_hand([1, 13, 25]), metric=beside.metric, resamples=Resamples.draw(len(rows))
    )
    assert curves.metric == "M × 100"
    for curve in curves.curves:
        column = columns[curve.system]
        assert column is not None
        values = {k + 1: float(column[k] or 0) for k in rows}
        assert curve.overall.value is not None
        assert curve.overall.value / 100 == pytest.approx(np.mean([*values.values()]), abs=1e-6)
        for point in curve.points:
            inside = [v for words, v in values.items() if point.span.holds(np.array([words]))[0]]
            assert point.value == pytest.approx(100 * np.mean(inside), abs=1e-6)
            assert point.interval is not None
            assert point.interval.low <= point.value <= point.interval.high
    assert f"={curves.curves[0].overall.value:.6f}" in curves.signature


def test_a_paired_test_agrees_with_one_by_hand() -> None:
    beside, resamples = held("MQM"), Resamples.draw(SENTENCES)
    (test,) = paired_tests(beside.systems, metric=beside.metric, method="bootstrap", resamples=resamples)
    differences = 100 * (np.array(TWO["A"], dtype=float) - np.array(TWO["B"], dtype=float))
    sampled = differences @ resamples.times / resamples.times.sum(axis=0)
    assert test.overall.difference == pytest.approx(differences.mean(), abs=1e-9)
    above = np.abs(np.abs(sampled) - np.abs(sampled).mean() * 0)
    p = (np.count_nonzero(above - np.abs(sampled).mean() >= abs(differences.mean())) + 1) / (len(sampled) + 1)
    assert test.overall.p == pytest.approx(p)
    assert retention(beside.systems, resamples, metric=beside.metric) == {"A": None, "B": None}


@pytest.mark.parametrize("lower", [False, True])
def test_who_is_better_depends_on_the_direction(lower: bool) -> None:
    beside = held("MQM")
    turned = {}
    for name, one in beside.systems.items():
        assert one.scores is not None
        turned[name] = replace(one, scores=replace(one.scores, lower_is_better=lower))
    (test,) = paired_tests(turned, metric=beside.metric, resamples=Resamples.draw(SENTENCES), trials=10)
    better = max(TWO, key=lambda name: (-1 if lower else 1) * sum(float(v or 0) for v in TWO[name]))
    assert better in test.in_words(test.overall)
    assert test.lower_is_better == lower


def test_scores_of_the_references_are_the_control_and_leave_sentences_out() -> None:
    beside = held("MQM", reference=[None, *([1.5] * (SENTENCES - 1))])
    assert beside.systems.keys() == {"A", "B"}
    assert len(beside.rows) == SENTENCES - 1
    curves = length_curves(beside.systems, by_hand([1, 21]), metric=beside.metric, control=beside.control)
    assert curves.expected is not None
    assert curves.expected.system == REFERENCE
    assert [point.value for point in curves.expected.points] == pytest.approx([150, 150])
    assert [curve.system for curve in curves.curves] == ["A", "B"]


def test_large_scores_stay_as_they_are_and_may_be_negative() -> None:
    values = [-25.0 + k / 2 for k in range(SENTENCES)]
    file = read_scores(Upload("mqm.tsv", lines(values).encode()))
    scores = file.of("A", SENTENCES, better="higher")
    beside = held_beside(systems(), {"A": scores})
    assert beside is not None
    assert beside.metric == "mqm"
    (curve,) = length_curves(beside.systems, [Span(1, 10)], metric="mqm", resamples=Resamples.draw(SENTENCES)).curves
    assert curve.points[0].value == pytest.approx(np.mean(values[:10]))
    assert curve.overall.value == pytest.approx(np.mean(values))


def test_what_nobody_scored_is_nothing() -> None:
    file = read_scores(Upload("a", lines([0.5] * SENTENCES).encode()))
    assert held_beside(systems(), {"C": file.of("C", SENTENCES, better="lower")}) is None
    assert held_beside(systems(), {}) is None
    none = read_scores(Upload("a", lines(["None"] * SENTENCES).encode()))
    assert held_beside(systems(), {"A": none.of("A", SENTENCES, better="lower")}) is None


NO_FORMAT = (
    "a has no format of scores that is read here: COMET, MetricX, mt-metrics-eval, ESA, MQM, pymarian, or one number a "
    "line"
)
OTHER_ORDER = "a has the sentences of system A in another order: {} stands where another must"


@pytest.mark.parametrize(
    ("texts", "metric", "cut"),
    [
        (["x" * 2049, ""], "COMET × 100", True),
        (["x" * 2048, "x" * 2048], "COMET", False),
        (["x" * 1030, "x" * 1030], "MetricX", True),
        (["가" * 770], "COMET", True),
        (["가" * 760], "COMET", False),
    ],
)
def test_long_sentences_are_said_to_be_cut(texts: list[str], metric: str, cut: bool) -> None:
    assert probably_cut(texts, metric) == cut


FAULTS = {
    "NaN": ("0.5\nnan\n", "score 2 of a is nan, which is not a number from -1e9 to 1e9"),
    "inf": ("0.5\ninf\n", "score 2 of a is inf, which is not a number from -1e9 to 1e9"),
    "NaN in JSON": ('{"scores": [0.5, NaN]}', "score 2 of a is nan, which is not a number from -1e9 to 1e9"),
    "a long cell": (f"system,score\n{140_000 * 'x'},0.5\n", NO_FORMAT),
    "a large number": ("0.5\n1e999\n", "score 2 of a is 1e999, which is not a number from -1e9 to 1e9"),
    "a number whose sums are infinite":
        ("-1e9\n1e9\n-1e308\n", "score 3 of a is -1e308, which is not a number from -1e9 to 1e9"),
    "true": ('{"scores": [0.5, true]}', "score 2 of a is True, which is not a number from -1e9 to 1e9"),
    "text": ('{"A": [{"COMET": "good"}]}', "score A 1 of a is good, which is not a number from -1e9 to 1e9"),
    "twice": (table(TWO, "MQM") + "A\t40\t0.5\n", "a has sentence 40 of system A twice"),
    "another order": (table({"A": TWO["A"]}, "MQM").replace("A\t2\t", "A\t99\t"), OTHER_ORDER.format(99)),
    "a sentence left out": (records({"A": [0.5, 0.5]}, "ESA", 7), OTHER_ORDER.format(7)),
    "numbered in part":
        ('{"esa": 1, "id": 1}\n{"esa": 1}\n', "a numbers some sentences of system -, but not this one: -"),
    "two fields":
        ('{"COMET": 1, "MQM": 2}\n', "score 1 of a must have one field of a known score, not these: COMET, MQM"),
    "a column twice": ("score\tscore\n1\t2\n", "a has the field score twice in one object or row"),
    "a system twice": ('{"A": [0.5], "A": [1]}', "a has the field A twice in one object or row"),
    "a key twice in JSON lines":
        ('{"esa": 1}\n{"esa": 1, "esa": 2}\n', "a has the field esa twice in one object or row"),
    "two metrics": ('{"esa": 1}\n{"score": 1}\n', "a has scores of several metrics: ESA, score"),
    "no field": ('[{"src": "x"}]', "score 1 of a must have one field of a known score, not these: -"),
    "columns": ("system\tMQM\nA\t1\t2\n", "line 2 of a has 3 columns, but the header has 2"),
    "a pair of numbers": ("0.5 0.7\n0.1 0.2\n", NO_FORMAT),
    "a text": ("the cat\nsleeps .\n", NO_FORMAT),
    "a blank line": ("0.5\n \n0.5\n", "line 2 of a is blank, but each line must have a score"),
    "a blank line at the end": ("A 0.5\nA 1\n\n", "line 3 of a is blank, but each line must have a score"),
    "a blank line in a text": ("the cat\n\nsleeps .\n", NO_FORMAT),
    "a number of many digits":
        ("seg_id,score\n" + "1" * 4400 + ",0.5\n",
         "a numbers some sentences of system -, but not this one: " + "1" * 40),
    "half of a surrogate pair": ('{"system": "\\ud800", "seg_id": "1", "score": 0.5}\n' * 2, NO_FORMAT),
    "broken JSON": ('{"scores": [0.5', NO_FORMAT),
    "deep JSON": ("[" * 100_000, NO_FORMAT),
    "an object": ('{"a": 1}', NO_FORMAT),
    "digits with a line between": ("1_0\n2\n", NO_FORMAT),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_not_understood_is_refused_in_one_sentence(fault: str) -> None:
    text, sentence = FAULTS[fault]
    with pytest.raises(InputError) as error:
        read(text, "a")
    assert for_reader(str(error.value)) == sentence


@pytest.mark.parametrize(
    ("system", "sentences", "better", "sentence"),
    [
        ("C", SENTENCES, "higher", "a.tsv has no scores of C, but those of A, B"),
        ("A", 39, "higher", "a.tsv has 40 scores for A, but the test set has 39 sentences"),
        ("A", SENTENCES, None, "it is not known whether a higher or a lower MQM is better; say which"),
    ],
)
def test_a_file_of_others_is_refused(system: str, sentences: int, better: str | None, sentence: str) -> None:
    file = read_scores(Upload("a.tsv", table(TWO, "MQM").encode()))
    with pytest.raises(InputError) as error:
        file.of(system, sentences, better="higher" if better else None)
    assert for_reader(str(error.value)) == sentence


@pytest.mark.parametrize("field", ["src", "source"])
def test_sources_must_be_those_of_the_test_set_in_its_order(field: str) -> None:
    sources = [f"é {k}" for k in range(SENTENCES)]
    checksum = hashlib.sha256(lines(sources).encode()).hexdigest()

    def scored(sources: Sequence[str | None]) -> ScoreFile:
        rows = [{field: source, "COMET": 1} if source else {"COMET": 1} for source in sources]
        return read_scores(Upload("a", lines([*map(json.dumps, rows)]).encode()))

    for same in (scored(sources), scored([None] * SENTENCES)):
        assert same.of("A", SENTENCES, source_sha256=checksum).values.tolist() == [1] * SENTENCES
    assert scored(sources).of("A", SENTENCES).metric == "COMET"
    swapped = [sources[1], sources[0], *sources[2:]]
    for other in (swapped, [None, *sources[1:]], [*sources[:-1], "another"]):
        with pytest.raises(InputError) as error:
            scored(other).of("A", SENTENCES, source_sha256=checksum)
        assert for_reader(str(error.value)) == (
            "the source sentences in a differ from those of the test set, or are in another order"
        )


@pytest.mark.parametrize("field", ["src", "doc"])
def test_the_systems_of_a_file_have_the_same_sentences_and_documents(field: str) -> None:
    rows = [{"system": system, field: name, "MQM": 1} for system in "AB" for name in ("x", "y")]
    assert read_scores(Upload("a", lines([*map(json.dumps, rows)]).encode())).systems.keys() == {"A", "B"}
    for other in (rows[:2] + rows[:1:-1], [*rows[:3], {"system": "B", "MQM": 1}]):
        with pytest.raises(InputError, match="the systems in a have different sentences or documents"):
            read(lines([*map(json.dumps, other)]), "a")


def test_a_file_of_one_system_keeps_its_name_if_that_is_another_system() -> None:
    file = read_scores(Upload("a.tsv", table({"A": TWO["A"]}, "ESA").encode()))
    assert file.of("B", SENTENCES, others=["B", "C"]).values.tolist() == TWO["A"]
    assert file.of("A", SENTENCES, others=["A", "B"]).values.tolist() == TWO["A"]
    with pytest.raises(InputError, match=r"a\.tsv has no scores of B, but those of A"):
        file.of("B", SENTENCES, others=["A", "B"])


@pytest.mark.parametrize(("metric", "lower"), [("COMET", False), ("MetricX", True), ("ESA", False)])
def test_the_direction_of_known_metrics_is_known(metric: str, lower: bool) -> None:
    file = read_scores(Upload("a", lines([0.5] * 3).encode()))
    assert file.of("A", 3, metric).lower_is_better == lower
