"""Whether two systems differ: the page says what sacreBLEU's tests say."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest as SacreBleuTest
from streamlit.testing.v1 import AppTest

from nmt.results import Span
from nmt.results.comparison import ScoreDifference
from nmt.texts import APP, LENGTH
from nmt.ui.length.draw import _verdict
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.ui.length.lengths_page import keep, opened, said

LENGTHS = [*range(3, 15), *range(21, 26)] * 3


@pytest.fixture(autouse=True)
def systems(runs: Path, write_run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    for name, kept in (("search", 0.85), ("encdec", 0.8)):
        write_run(runs / name)
        keep(runs / name, [evaluated(name, "toy", texts(LENGTHS, kept=kept))])


def table(at: AppTest) -> pd.DataFrame:
    (found,) = [each.value for each in at.dataframe if LENGTH.corrected_p in each.value.columns]
    return found


@pytest.mark.parametrize(("method", "name"), [("bootstrap", "bs"), ("randomisation", "ar")])
def test_p_of_all_lengths_is_sacrebleus(method: str, name: str) -> None:
    at = opened(sets="toy", systems=["search", "encdec"], test=method, by_length="width")
    one, other = (texts(LENGTHS, kept=kept) for kept in (0.85, 0.8))
    named = [("search", one.hypotheses), ("encdec", other.hypotheses)]
    metrics = {"BLEU": BLEU(references=[one.references])}
    samples = 1000 if name == "bs" else 10_000
    test = SacreBleuTest(named, metrics, references=None, test_type=name, n_samples=samples)
    _, scores = test()
    p = scores["BLEU"][1].p_value
    assert f"p = {p:.3f}" in said(at)
    rows = table(at)
    assert list(rows[APP.sentences]) == [24, 12, 15, 0, 0, 0, 0]
    tested = rows[rows[LENGTH.p] != "–"]
    assert len(tested) == 3
    assert all(tested[LENGTH.corrected_p].astype(float) >= tested[LENGTH.p].astype(float))
    better = [float(p) < 0.05 for p in tested[LENGTH.corrected_p]]
    assert [verdict != LENGTH.may_be_chance for verdict in tested[LENGTH.verdict]] == better
    assert list(rows[LENGTH.verdict][3:]) == [LENGTH.no_sentences.format(unit="sentences")] * 4


def test_the_second_is_never_the_first() -> None:
    at = opened(sets="toy", systems=["search", "encdec"], one="encdec")
    assert at.selectbox(key="choice-other").options == ["search"]
    forward = table(at)[LENGTH.difference]
    at = opened(sets="toy", systems=["search", "encdec"])
    assert list(table(at)[LENGTH.difference]) == [d.translate(str.maketrans("+−", "−+")) for d in forward]
    assert any(d.startswith("−") for d in [*forward, *table(at)[LENGTH.difference]])


def test_one_system_and_rolling_windows_are_not_tested() -> None:
    assert LENGTH.choose_two in said(opened(sets="toy", systems="search"))
    at = opened(sets="toy", systems=["search", "encdec"], by_length="rolling")
    assert LENGTH.rolling_not_tested in said(at)
    assert not at.dataframe


@pytest.mark.parametrize(
    ("metric", "difference", "corrected_p", "verdict"),
    [
        ("BLEU", 0.5, 0.01, LENGTH.is_better.format(name="one")),
        ("BLEU", -0.5, 0.01, LENGTH.is_better.format(name="other")),
        ("TER", 0.5, 0.01, LENGTH.is_better.format(name="other")),
        ("TER", -0.5, 0.01, LENGTH.is_better.format(name="one")),
        ("BLEU", 9.0, 0.05, LENGTH.may_be_chance),
        ("BLEU", 9.0, None, LENGTH.too_few.format(unit="sentences")),
        ("BLEU", None, None, LENGTH.no_sentences.format(unit="sentences")),
    ],
)
def test_a_verdict_names_the_better_one_or_why_there_is_none(
    metric: str, difference: float | None, corrected_p: float | None, verdict: str
) -> None:
    each = ScoreDifference(span=Span(1, 10), sentences=9, difference=difference, p=corrected_p, corrected_p=corrected_p)
    tests: Any = SimpleNamespace(
        first="one", second="other", metric=metric, lower_is_better=metric == "TER", unit="sentences"
    )
    assert _verdict(tests, each) == verdict
