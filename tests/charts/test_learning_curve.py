"""The learning curve shows the events' own numbers."""

from __future__ import annotations

from nmt.charts import learning_curve
from nmt.results import Event, SampleEvent, StopEvent, UpdateEvent, ValidationEvent

EVENTS: list[Event] = [
    UpdateEvent(50, 0.5, 5.0, 60.0, 1000.0, 1.0, 1.0, 3.0),
    SampleEvent(50, "a", "b"),
    ValidationEvent(50, 4.5, 55.0, None, True, 4.0),
    UpdateEvent(100, 1.0, 4.0, 50.0, 1000.0, 1.0, 1.0, 6.0),
    ValidationEvent(100, 4.25, 50.0, None, True, 7.0),
    ValidationEvent(150, 4.75, 58.0, None, False, 9.0),
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
