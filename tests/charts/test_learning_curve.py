"""The learning curve shows the events' own numbers."""

from __future__ import annotations

from nmt.charts.learning_curve import learning_curve
from nmt.results import Event, SampleEvent, StopEvent, UpdateEvent, ValidationEvent

EVENTS: list[Event] = [
    UpdateEvent(
        update=50,
        epoch=0.5,
        nll_per_word=5.0,
        nll_per_sentence=60.0,
        words_per_second=1000.0,
        gradient_norm=1.0,
        learning_rate=1.0,
        seconds=3.0,
    ),
    SampleEvent(50, "a", "b"),
    ValidationEvent(update=50, nll_per_word=4.5, nll_per_sentence=55.0, bleu=None, best=True, seconds=4.0),
    UpdateEvent(
        update=100,
        epoch=1.0,
        nll_per_word=4.0,
        nll_per_sentence=50.0,
        words_per_second=1000.0,
        gradient_norm=1.0,
        learning_rate=1.0,
        seconds=6.0,
    ),
    ValidationEvent(update=100, nll_per_word=4.25, nll_per_sentence=50.0, bleu=None, best=True, seconds=7.0),
    ValidationEvent(update=150, nll_per_word=4.75, nll_per_sentence=58.0, bleu=None, best=False, seconds=9.0),
    StopEvent(150, "enough", 9.0),
]


def test_training_development_and_best() -> None:
    training, development, best = learning_curve(EVENTS).data
    assert (training.x, training.y) == ((50, 100), (5.0, 4.0))
    assert (development.x, development.y) == ((50, 100, 150), (4.5, 4.25, 4.75))
    assert (best.x, best.y) == ((100,), (4.25,))


def test_a_training_that_has_just_begun() -> None:
    figure = learning_curve(iter(()))
    assert [len(trace.x) for trace in figure.data] == [0, 0, 0]
    assert "nats" in figure.layout.yaxis.title.text
