"""The scores in the place Models: every table says what the files say, and what cannot be shown is said."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from streamlit.testing.v1 import AppTest

from nmt.evaluation.alignment_error_rate import AlignmentErrorRate
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.evaluation_files import write_evaluation, write_system
from nmt.evaluation.length_curves import REFERENCE
from nmt.evaluation.measurement_files import MeasuredErrorRate, write_error_rates
from nmt.evaluation.metrics import corpus_scores
from nmt.evaluation.test_set import TestSet
from nmt.results import Evaluation, SentenceStatistics
from nmt.results.evaluation import ALL_SETS
from nmt.texts import MODELS
from nmt.ui.formatting import as_sentence
from nmt.ui.length.additions import Addition, SessionUploads
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.ui.opened import opened as page

LENGTHS = range(3, 15)
ERROR = AlignmentErrorRate(links=10, sure=8, possible=12, sure_found=6, possible_found=9, sentences=2)


@pytest.fixture
def board(runs: Path, write_run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two checkpoints, and a place for systems."""
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    write_run(runs / "search")
    write_run(runs / "encdec", "rnnencdec")
    return runs


def opened(added: Mapping[str, Addition] | None = None, **parameters: str) -> AppTest:
    state = {"length-uploads": SessionUploads(additions=dict(added))} if added else None
    return page("models", state, **({"show": "scores"} | parameters))


def frame(at: AppTest, first: str, second: str) -> pd.DataFrame:
    (found,) = [e.value for e in at.dataframe if list(e.value.columns[:2]) == [first, second]]
    return found


def keep(run: Path, evaluations: Sequence[Evaluation]) -> None:
    for evaluation in evaluations:
        write_evaluation(run, evaluation)


def test_scores_of_checkpoints_and_systems(board: Path, tmp_path: Path) -> None:
    given = {name: texts(LENGTHS, seed) for seed, name in enumerate(("b-set", "a-set"))}
    found = {
        name: [evaluated(name, test_set, text, [0, 1] * 6) for test_set, text in given.items()]
        for name in ("search", "encdec")
    }
    keep(board / "search", found["search"])
    keep(board / "encdec", found["encdec"][:1])
    write_system(tmp_path / "systems" / "moses", "moses", "phrases")
    keep(tmp_path / "systems" / "moses", [evaluated("moses", "b-set", given["b-set"])])
    at = opened()
    table = frame(at, "Checkpoint", "a-set").set_index("Checkpoint")
    assert list(table.columns) == ["a-set", "b-set", ALL_SETS]
    assert list(table.index) == ["encdec", "search", "moses"]
    for evaluation in found["search"]:
        assert evaluation.everything is not None
        assert table.loc["search", evaluation.test_set] == evaluation.everything.bleu
    parts = [s for e in found["search"] if (s := e.statistics()) is not None]
    assert table.loc["search", ALL_SETS] == corpus_scores(SentenceStatistics.join(parts)).bleu
    assert pd.isna(table.loc["encdec", "a-set"])
    assert pd.isna(table.loc["moses", ALL_SETS])
    assert any("run:moses" in code.value for code in at.code)

    at.segmented_control(key="choice-column").set_value("known").run()
    at.segmented_control(key="choice-score").set_value("ter").run()
    table = frame(at, "Checkpoint", "a-set").set_index("Checkpoint")
    first = found["search"][0]
    assert first.no_unk is not None
    assert table.loc["search", "b-set"] == first.no_unk.ter
    output = evaluated("moses", "b-set", given["b-set"]).statistics()
    assert output is not None  # of a system that is only its output the same sentences count as of the runs
    assert table.loc["moses", "b-set"] == corpus_scores(output.take([0, 2, 4, 6, 8, 10])).ter
    assert any("b-set 6" in caption.value.replace("\\", "") for caption in at.caption)


def test_scores_have_intervals_and_the_best_is_bold(board: Path) -> None:
    found = {}
    for name, kept in (("search", 0.9), ("encdec", 0.5)):
        found[name] = evaluated(name, "toy", texts(LENGTHS, kept=kept))
        keep(board / name, [found[name]])
    (element,) = [e for e in opened().dataframe if list(e.value.columns[:2]) == ["Checkpoint", "toy"]]
    scores = element.value.set_index("Checkpoint")["toy"]
    assert "font-weight: 700" in element.proto.arrow_data.styler.styles
    shown = (
        pa.ipc.open_stream(element.proto.arrow_data.styler.display_values).read_pandas().astype(str).to_numpy().ravel()
    )
    for name, evaluation in found.items():
        statistics = evaluation.statistics()
        assert statistics is not None
        resamples = Resamples.draw(len(statistics)).times
        samples = [
            corpus_scores(statistics.take(np.repeat(np.arange(len(statistics)), times))).bleu for times in resamples.T
        ]
        half = (np.quantile(samples, 0.975) - np.quantile(samples, 0.025)) / 2
        (text,) = [each for each in shown if each.startswith(f"{scores[name]:.1f} ± ")]
        assert float(text.partition("± ")[2]) == pytest.approx(half, abs=0.3)


def test_scores_that_were_added_on_length_are_one_more_score(board: Path) -> None:
    """Of two systems with scores, over the sentences that both have; not on other sentences, nor of other systems."""
    given = texts(LENGTHS, kept=0.9)
    for name in ("search", "encdec"):
        keep(board / name, [evaluated(name, "toy", given), evaluated(name, "other", texts(range(3, 9)))])
    test = TestSet(name="toy", sources=tuple(given.sources), references=tuple(given.references))
    random = np.random.default_rng(1)
    columns = {name: tuple(random.random(len(test)).tolist()) for name in ("search", "encdec", "unknown", REFERENCE)}
    columns["search"] = (None, *columns["search"][1:])
    about = {"metric": "COMET", "sha256": "f" * 64}  # of one file
    added = {name: Addition(test=test, system=name, scores=column, **about) for name, column in columns.items()}
    moved = replace(test, sources=test.sources[::-1])
    added["moved"] = Addition(test=moved, system="encdec", scores=columns["encdec"], metric="x", sha256="0" * 64)
    at = opened(added=added, score="comet")
    shown = frame(at, "Checkpoint", "toy")
    assert [*shown.columns] == ["Checkpoint", "toy"]
    found = dict(zip(shown["Checkpoint"], shown["toy"], strict=True))
    expected = {name: 100 * np.mean(columns[name][1:]) for name in ("search", "encdec")}
    assert found == pytest.approx(expected, abs=0.01)
    (caption,) = [each.value for each in at.caption if "COMET × 100" in each.value]
    assert f"{len(test) - 1:,}" in caption
    assert MODELS.by_key.added_better["higher"] in caption
    other = opened(added=added, score="x")
    assert [each.value for each in other.info] == [MODELS.scores_of_others]
    assert not opened(added={}, score="comet").info


def test_no_unk_over_other_sentences_is_noted(board: Path) -> None:
    same = texts(LENGTHS)
    keep(board / "search", [evaluated("search", "toy", same, [0, 1] * 6)])
    keep(board / "encdec", [evaluated("encdec", "toy", same, [0] * len(LENGTHS))])
    at = opened()
    assert not any("for encdec" in caption.value for caption in at.caption)
    at.segmented_control(key="choice-column").set_value("known").run()
    (note,) = [caption.value for caption in at.caption if "for encdec" in caption.value]
    assert "6 for search" in note
    assert f"{len(LENGTHS)} for encdec" in note


def test_a_set_of_ones_own_leaves_the_known_ones_joined(board: Path) -> None:
    known = ("canada-laws-test", "tatoeba-test")
    for name, sets in (("search", (*known, "mine")), ("encdec", known)):
        keep(board / name, [evaluated(name, test_set, texts(LENGTHS)) for test_set in sets])
    table = frame(opened(), "Checkpoint", known[0]).set_index("Checkpoint")
    assert list(table.columns) == [*known, ALL_SETS]
    assert table[ALL_SETS].notna().all()


def test_other_sentences_are_left_out_and_named(board: Path) -> None:
    keep(board / "search", [evaluated("search", "toy", texts(LENGTHS, 1))])
    keep(board / "encdec", [evaluated("encdec", "toy", texts(LENGTHS, 2))])
    at = opened()
    table = frame(at, "Checkpoint", "toy").set_index("Checkpoint")
    (name,) = table.index[table["toy"].isna()]
    left_out = as_sentence(MODELS.other_sentences.format(name=name, test_set="toy"))
    assert any(caption.value.endswith(left_out) for caption in at.caption)


def test_alignment_errors(board: Path) -> None:
    for name in ("posterior", "attention"):
        write_error_rates(
            board / "search",
            "gold",
            [MeasuredErrorRate(**vars(ERROR), run="search", update=1200, map=name, rule=f"{name} argmax")],
            into_run=False,
        )
    at = opened()
    links = frame(at, "Checkpoint", "Gold links")
    assert links["AER"].tolist() == [pytest.approx(100 * ERROR.aer)] * 2
    assert set(links["Rule"]) == {"argmax"}


def test_nothing_evaluated_is_said(board: Path) -> None:
    at = opened()
    assert [info.value for info in at.info] == [MODELS.no_scores]
    assert not at.dataframe


def test_a_broken_file_is_named_and_the_rest_is_shown(board: Path) -> None:
    keep(board / "search", [evaluated("search", "toy", texts(LENGTHS, 1))])
    (board / "encdec" / "evaluation").mkdir()
    (board / "encdec" / "evaluation" / "toy.json").write_text(json.dumps({"format": 1, "run": "<b>x</b>"}))
    at = opened()
    assert any("toy.json" in warning.value.replace("\\", "") for warning in at.warning)
    assert frame(at, "Checkpoint", "toy")["Checkpoint"].tolist() == ["search"]


def test_a_table_has_one_pair_of_languages(board: Path, write_run: Any) -> None:
    """That of the first checkpoint; the others are one choice away, with their alignment errors and signatures."""
    write_run(board / "kyoto")
    settings = json.loads((board / "kyoto" / "config.json").read_text("utf-8"))
    (board / "kyoto" / "config.json").write_text(json.dumps(settings | {"target_language": "ja"}), "utf-8")
    write_error_rates(
        board / "kyoto",
        "links",
        [MeasuredErrorRate(**vars(ERROR), run="kyoto", update=1, map="attention", rule="argmax")],
        into_run=False,
    )
    for name in ("encdec", "search", "kyoto"):
        keep(board / name, [evaluated(name, "toy", texts(LENGTHS))])
    at = opened()
    assert set(frame(at, "Checkpoint", "toy")["Checkpoint"]) == {"encdec", "search"}
    assert not any("run:kyoto" in code.value for code in at.code)
    assert not any("AER" in e.value.columns for e in at.dataframe)
    at.selectbox(key="choice-pair").set_value("en-ja").run()
    assert not at.exception
    assert list(frame(at, "Checkpoint", "toy")["Checkpoint"]) == ["kyoto"]
    assert any("AER" in e.value.columns for e in at.dataframe)
