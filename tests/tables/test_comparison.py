"""Whole tables of a comparison whose numbers were made by hand, so that each cell can be read off them."""

from dataclasses import replace

from nmt.results import (
    Comparison,
    CurvePoint,
    Entry,
    Interval,
    LengthAnalysis,
    LengthCurve,
    LengthCurves,
    Likelihood,
    PairedTest,
    Ratio,
    ScoreDifference,
    SetScores,
    Span,
    TestMethod,
)
from nmt.tables.comparison import difference_tables, lengths_table, tables
from nmt.tables.table import Table

SPANS = (Span(1, 10), Span(11))


def shown(table: Table) -> list[str]:
    return table.text().splitlines()


def curve(system: str, spans: tuple[Span, ...] = SPANS) -> LengthCurve:
    """The k-th range has 1000 k sentences and a score of 10.25 k within half a point; the first has none."""
    points = [
        CurvePoint(
            span=span,
            sentences=1000 * k,
            mean_length=5.0 * k if k else None,
            value=10.25 * k if k else None,
            interval=Interval(10.25 * k - 0.5, 10.25 * k + 0.5) if k == 1 else None,
        )
        for k, span in enumerate(spans)
    ]
    everything = CurvePoint(span=Span(0), sentences=1234, mean_length=7.5, value=20.04, interval=Interval(19.0, 21.06))
    return LengthCurve(system=system, points=tuple(points), overall=everything)


def pair_of(method: TestMethod) -> PairedTest:
    overall = ScoreDifference(
        span=Span(0),
        sentences=1234,
        difference=-1.25,
        difference_interval=Interval(-2.0, -0.55),
        ratio=Ratio(0.954, Interval(0.906, 0.996)),
        p=0.0123,
    )
    ranges = (
        ScoreDifference(span=SPANS[0], sentences=0),
        ScoreDifference(span=SPANS[1], sentences=1000, difference=0.75, p=0.0621, corrected_p=0.1242),
    )
    return PairedTest(first="a", second="b", metric="BLEU", method=method, overall=overall, by_length=ranges)


def comparison(method: TestMethod = "bootstrap") -> Comparison:
    entry = Entry(bleu=20.04, chrf=45.25, ter=60.5, sentences=1234)
    rarer = Entry(bleu=25.5, chrf=50.0, ter=55.0, sentences=567)
    scores = {
        "a": {
            "one": SetScores(everything=entry, no_unk=rarer, signature="s:a", no_unk_signature="s:a|no"),
            "two": SetScores(no_unk=rarer),
        },
        "b": {"one": SetScores(everything=entry, no_unk=entry, likelihood=Likelihood(45.678, 2.3456), signature="s:b")},
    }
    curves = LengthCurves(metric="BLEU", side="source", curves=(curve("a"), curve("b")), test_set="one", resamples=40)
    retention = {"a": Ratio(0.756, Interval(0.7, 0.8)), "b": None}
    look = LengthAnalysis(test_set="one", curves=curves, retention=retention, pairs=(pair_of(method),))
    return Comparison(
        systems=("a", "b"),
        test_sets=("one", "two"),
        scores=scores,
        closer=(look,),
        notes=(),
        resamples=40,
        seed=7,
        trials=99,
    )


def test_all_tables_of_a_comparison() -> None:
    bleu, others, likelihood, lengths, pairs, signatures = tables(comparison())
    assert shown(bleu) == [
        "BLEU, all / no UNK (Table 1), one number where both are the same",
        "                   one       two",
        "a          20.0 / 25.5  – / 25.5",
        "b                 20.0         –",
        "sentences  1,234 / 567   – / 567",
    ]
    assert shown(others) == [
        "chrF / TER, all sentences",
        "           one  two",
        "a  45.2 / 60.5    –",
        "b  45.2 / 60.5    –",
    ]
    assert others.records() == [
        {"system": name, "test_set": "one", "chrf": 45.25, "ter": 60.5, "sentences": 1234} for name in "ab"
    ]
    assert shown(likelihood) == [
        "NLL of the references in nats, per sentence / per token",
        "             one  two",
        "a              –    –",
        "b  45.68 / 2.346    –",
    ]
    assert shown(lengths) == [
        "BLEU on one by words of the source, with 95 % intervals (Figure 2)",
        "           1–10               11+                all   51–60 over 11–20",
        "a             –  10.2 [9.8, 10.8]  20.0 [19.0, 21.1]  0.76 [0.70, 0.80]",
        "b             –  10.2 [9.8, 10.8]  20.0 [19.0, 21.1]                  –",
        "sentences     0             1,000",
    ]
    assert shown(pairs) == [
        "BLEU on one in pairs: paired bootstrap, 40 resamples, seed 7",
        "              difference              ratio      p",
        "a – b  -1.2 [-2.0, -0.6]  0.95 [0.91, 1.00]  0.012",
    ]
    assert shown(signatures) == ["Signatures of BLEU", "", "a  s:a", "a  s:a|no", "b  s:b"]
    assert tables(comparison("randomisation"))[4].title == (
        "BLEU on one in pairs: approximate randomisation, 99 trials, seed 7"
    )


def test_records_of_scores_and_of_differences() -> None:
    bleu, *_, pairs, _ = tables(comparison())
    missing = {"bleu": None, "sentences": None}
    assert bleu.records()[1] == {
        "system": "a",
        "test_set": "two",
        **missing,
        "no_unk_bleu": 25.5,
        "no_unk_sentences": 567,
        "signature": "",
        "no_unk_signature": "",
    }
    difference = {"first": 0, "last": None, "sentences": 1234, "difference": -1.25, "low": -2.0, "high": -0.55}
    (record,) = pairs.records()
    words = "b is better by 1.2 BLEU (95 %: 0.6 to 2.0), p = 0.012"
    names = {"first_system": "a", "second_system": "b", "metric": "BLEU", "method": "bootstrap"}
    assert record == names | difference | {"ratio": 0.954, "p": 0.0123, "corrected_p": None, "in_words": words}


def test_one_system_has_no_differences_and_a_title_says_the_column() -> None:
    (look,) = comparison().closer
    alone = replace(comparison(), closer=(replace(look, pairs=()),))
    assert difference_tables(alone) == []
    assert not any("bootstrap" in table.title for table in tables(alone))
    other = replace(look.curves, no_unk=True, side="reference", resamples=None, test_set="")
    assert lengths_table(other, look.retention).title == "BLEU, no UNK by words of the reference (Figure 2)"


def test_tables_of_the_differences() -> None:
    differences, words = difference_tables(comparison())
    brackets = "in brackets p, corrected for the ranges of each pair (Holm)"
    assert shown(differences) == [
        f"Differences in BLEU on one by words of the source; {brackets}",
        "           1–10           11+",
        "a – b         –  +0.8 (0.124)",
        "sentences     0         1,000",
    ]
    assert shown(words) == [
        "Is the difference on one real?",
        "       words",
        "a – b  all    b is better by 1.2 BLEU (95 %: 0.6 to 2.0), p = 0.012",
        "       1–10   no sentences to compare",
        "       11+    not distinguishable with 1,000 sentences: a is ahead by 0.8 BLEU, p = 0.124",
    ]
    assert [record["difference"] for record in words.records()] == [-1.25, None, 0.75]


def test_twelve_ranges_are_columns_and_thirteen_are_rows() -> None:
    for number in (12, 13):
        spans = tuple(Span(k, k) for k in range(1, number + 1))
        found = lengths_table(LengthCurves(metric="BLEU", side="source", curves=(curve("a", spans),)), {"a": None})
        counts = [f"{1000 * k:,}" for k in range(number)]
        names = [f"{k}" for k in range(1, number + 1)]
        if number == 12:
            assert list(found.head) == ["", *names, "all", "51–60 over 11–20"]
            assert list(found.rows[-1]) == ["sentences", *counts, "", ""]
        else:
            assert list(found.head) == ["words", "a", "sentences"]
            pairs = [[*pair] for pair in zip(names, counts, strict=True)]
            assert [[row[0], row[2]] for row in found.rows] == [*pairs, ["all", ""], ["51–60 over 11–20", ""]]
