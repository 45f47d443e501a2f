"""Records: merging against plain loops, links against a search by hand, and the round trip through JSON."""

import json
from dataclasses import replace

import numpy as np
import pytest

from nmt.alignments.links import Extraction
from nmt.records import as_record, to_data
from nmt.results import (
    END,
    Alignment,
    Encoded,
    Hypothesis,
    SampleEvent,
    Score,
    Scores,
    StopEvent,
    Translation,
    UpdateEvent,
    ValidationEvent,
    event_from_dict,
    event_to_dict,
)
from tests.alignments.examples import random_alignment
from tests.results.events import reported


@pytest.mark.parametrize("seed", range(20))
def test_merging_sums_over_the_source_and_averages_over_the_target(seed: int) -> None:
    a = random_alignment(seed, pieces=True, gaps=True)
    merged = a.merged()
    for i, target_word in enumerate(merged.target_words):
        rows = [k for k, word in enumerate(a.target_words) if word == target_word]
        for j, source_word in enumerate(merged.source_words):
            columns = [k for k, word in enumerate(a.source_words) if word == source_word]
            expected = sum(float(a.weights[r, c]) for r in rows for c in columns) / len(rows)
            assert merged.weights[i, j] == pytest.approx(expected, abs=1e-6)
        assert merged.target[i] == "".join(a.target[k] for k in rows)
    np.testing.assert_allclose(merged.weights.sum(axis=1), 1, atol=1e-5)
    assert merged.merged().to_dict() == merged.to_dict()


@pytest.mark.parametrize("seed", range(20))
def test_links_go_to_the_likeliest_source_word_proper(seed: int) -> None:
    a = random_alignment(seed, pieces=True, gaps=True)
    expected = []
    for target_word in dict.fromkeys(a.target_words[:-1]):
        rows = [k for k, word in enumerate(a.target_words) if word == target_word]
        mass: dict[int, float] = {}
        for k, word in enumerate(a.source_words[:-1]):
            mass[word] = mass.get(word, 0.0) + float(a.weights[rows, k].sum())
        expected.append((max(mass, key=lambda word: mass[word]), target_word))
    assert Extraction("argmax").links(a) == Extraction("argmax").links(a.merged()) == set(expected)


def test_shapes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        Alignment(source=("a", END), target=("b", END), weights=np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"\bword"):
        Alignment(source=("a", END), target=("b", END), weights=np.ones((2, 2)), source_words=(0,), target_words=(0, 1))


@pytest.mark.parametrize(
    "event",
    [
        reported(3, epoch=0.5, gradient_norm=0.7, learning_rate=1e-3),
        ValidationEvent(update=3, nll_per_word=2.0, nll_per_sentence=20.0, bleu=None, best=True, seconds=9.0),
        SampleEvent(3, "a", "b"),
        StopEvent(3, "done", 9.0),
    ],
)
def test_events_survive_json(event: UpdateEvent | ValidationEvent | SampleEvent | StopEvent) -> None:
    assert event_from_dict(json.loads(json.dumps(event_to_dict(event)))) == event


def test_an_unknown_event_is_refused() -> None:
    with pytest.raises(ValueError, match="'party'"):
        event_from_dict({"event": "party"})


def test_what_is_known_beside_a_translation_is_no_part_of_it() -> None:
    """Its ids, and whether the search may have held [UNK], which is so unless somebody knows better."""
    parts = {"log_probability": -1.0, "score": -1.0, "token_log_probabilities": (-0.5, -0.5)}
    ids = Encoded(ids=(2, 0), tokens=("la", END), words=(0, 1), unknown=())
    plain = Hypothesis(text="la", tokens=("la", END), **parts)  # type: ignore[arg-type]
    found = replace(plain, encoded=ids)
    assert found == plain
    assert repr(found) == repr(plain)
    translation = Translation("the", (plain,))
    assert translation.unk_in_beam
    searched = Translation("the", (found,), encoded=ids, unk_in_beam=False)
    assert searched == translation
    assert repr(searched) == repr(translation) == "Translation('the' → 'la', log p -1.00)"


def test_scores_survive_json() -> None:
    scores = Scores(
        bleu=31.4,
        signature="tok:13a",
        chrf=50.5,
        chrf_signature="nc:6",
        ter=60.75,
        ter_signature="tok:tercom",
        sentences=7,
    )
    assert as_record(Scores, json.loads(json.dumps(to_data(scores)))) == scores
    assert scores.each[1] == Score("chrF", 50.5, "nc:6")
