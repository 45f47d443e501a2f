"""The film's JavaScript and its data."""

import json

import numpy as np

from nmt.charts.film_view import FilmStep, film_data
from nmt.results import ValidationEvent
from tests.results.events import reported


def test_the_data_hold_the_steps_and_both_losses() -> None:
    weights = np.array([[0.25, 0.75], [0.5, 0.5]], dtype=np.float32)
    steps = [FilmStep(update=update, text="un", weights=weights, entropy=1.0 / update) for update in (5, 700)]
    update = reported(50, nll_per_word=9.0)
    validation = ValidationEvent(update=500, nll_per_word=4.0, nll_per_sentence=40.0, bleu=None, best=True, seconds=2.0)
    data = json.loads(json.dumps(film_data(steps, [update, validation], source=["a", "</s>"], start=1)))
    assert [step["update"] for step in data["steps"]] == [5, 700]
    assert data["steps"][0]["weights"] == weights.tolist()
    assert (data["training"], data["development"]) == ([[50, 9.0]], [[500, 4.0]])
    assert data["start"] == 1
    assert data["scale"]["transform"] == "square root"
