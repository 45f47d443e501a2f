"""Steps of a training against models that are loaded and asked one by one."""

import shutil
from math import log2
from pathlib import Path

import numpy as np
import pytest
import torch

import nmt
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.inference.checkpoint import load_model, save_weights
from nmt.inference.translator import Translator
from nmt.inspection.learning import watch_learning
from nmt.runs.folder import read_run, snapshot_file

SENTENCE = "the girl has never seen the sea ."


@pytest.fixture(params=["search-words", "search-bpe"])
def run(request: pytest.FixtureRequest, random_runs: Path, tmp_path: Path) -> Path:
    """Three steps: at the first alpha is even, as all weights of its score are 0; the last is the run itself."""
    folder = tmp_path / "run"
    shutil.copytree(random_runs / request.param, folder)
    (folder / "steps").mkdir()
    settings = read_run(folder)
    for update, factor in ((0, 0.0), (5, 0.5), (7, 1.0)):
        model = load_model(settings, folder / "model.safetensors")
        with torch.no_grad():
            model.get_parameter("attention.v_a").mul_(factor)
        save_weights(folder / snapshot_file(update), model, {"update": update})
    return folder


def steps_of(run: Path) -> list[tuple[int, Translator]]:
    return [(update, nmt.load(run, weights=update)) for update in (0, 5, 7)]


def test_every_step_says_what_it_says_when_asked_alone(run: Path) -> None:
    steps, whole, done = steps_of(run), nmt.load(run), []
    found = watch_learning(steps, SENTENCE, "", SearchSettings(beam=3), lambda k, limit: done.append((k, limit)))
    assert done == [(0, 3), (1, 3), (2, 3)]
    assert [step.update for step in found.steps] == [0, 5, 7]
    last = whole.translate(SENTENCE, beam=3)
    assert found.target == last.best.text
    assert found.unknown_words == last.unknown_words
    assert found.steps[-1].own.tokens == last.best.tokens
    for (_, model), answer in zip(steps, found.steps, strict=True):
        assert answer.own.tokens == model.translate(SENTENCE, beam=3).best.tokens
        assert answer.given.tokens == last.best.tokens
    assert found.steps[-1].given.log_probability == pytest.approx(last.best.log_probability, abs=1e-4)
    assert last.best.alignment is not None
    np.testing.assert_allclose(found.alignment(2, own=False).weights, last.best.alignment.weights, atol=1e-5)


def test_an_even_alpha_has_the_entropy_of_its_source(run: Path) -> None:
    found = watch_learning(steps_of(run), SENTENCE, "", SearchSettings(beam=2), lambda *_: None)
    alignment = found.alignment(0, own=False)
    length = alignment.weights.shape[1]
    np.testing.assert_allclose(alignment.weights, 1 / length, atol=1e-6)
    counts = np.unique(alignment.source_words, return_counts=True)[1]
    by_hand = sum(-(n / length) * log2(n / length) for n in counts)
    assert found.steps[0].entropy == pytest.approx(by_hand, abs=1e-5)
    assert found.steps[0].entropy > found.steps[1].entropy > found.steps[2].entropy > 0


def test_a_target_of_ones_own(run: Path) -> None:
    found = watch_learning(steps_of(run), SENTENCE, "la fille a vu la mer .", SearchSettings(beam=2), lambda *_: None)
    score = nmt.load(run).score(SENTENCE, "la fille a vu la mer .")
    assert found.target == "la fille a vu la mer ."
    assert found.steps[-1].given.log_probability == pytest.approx(score.log_probability, abs=1e-4)


def test_a_model_without_attention_translates_at_every_step(run: Path, random_runs: Path) -> None:
    model = nmt.load(random_runs / "encdec-words")
    (step,) = watch_learning([(7, model)], SENTENCE, "", SearchSettings(beam=2), lambda *_: None).steps
    assert step.own.tokens == model.translate(SENTENCE, beam=2).best.tokens
    assert step.given.log_probability == pytest.approx(step.own.log_probability, abs=1e-4)


def test_a_step_that_was_not_kept_is_refused(run: Path) -> None:
    with pytest.raises(InputError, match=r"steps/6\.safetensors"):
        nmt.load(run, weights=6)
