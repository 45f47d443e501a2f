"""The estimate is measured with the training itself."""

import sys
from pathlib import Path

import pytest

from nmt.errors import InputError
from nmt.jobs import probe
from nmt.jobs.job import Training

pytestmark = pytest.mark.slow


def test_what_is_measured_is_what_the_training_needs(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty pairs of 330 target tokens are four minibatches of sixteen at most; ten times through them all."""
    monkeypatch.setattr(probe, "_ALONE", ("training.log_every=1", "training.keep=", "training.max_updates=41"))
    training = Training(recipe="debug", data=data, assignments=("training.max_updates=1000",), device="cpu")
    seconds: list[int] = []
    found = probe.probe(training, seconds.append)
    assert found.updates == 1000
    assert found.words == pytest.approx(1000 * 330 / 4, rel=0.05)
    assert 0 < found.minutes < 30
    assert 50_000 < found.disk < 10_000_000
    assert sys.platform != "linux" or found.memory > 50_000_000
    assert seconds == sorted(seconds)


def test_what_cannot_be_trained_is_said(data: Path) -> None:
    training = Training(recipe="debug", data=data, assignments=("training.guided=0.5",), device="cpu")
    with pytest.raises(InputError, match=r"a trial of the training failed: training\.guided needs word links"):
        probe.probe(training, lambda _: None)
    endless = Training(recipe="debug", data=data, assignments=("training.max_updates=none", "training.max_epochs=1"))
    with pytest.raises(InputError, match="needs a number of updates"):
        probe.probe(endless, lambda _: None)
