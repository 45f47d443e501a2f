"""Stored steps: they are what the runs compute, and those that are shipped are of the shipped runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import arrays

from nmt.answers.sentences import SENTENCES
from nmt.errors import InputError
from nmt.inference.translator import load
from nmt.inspection.steps import translation_steps
from nmt.runs.fingerprint import read_fingerprint
from nmt.runs.folder import read_run
from nmt.scenes.making_steps import make_steps
from nmt.scenes.steps import FILE, Packed, StoredSteps, read_steps, write_steps

CHECKPOINTS = Path(__file__).parents[2] / "checkpoints"
SENTENCE = SENTENCES[0].sentence


@pytest.fixture(scope="module")
def made(random_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_steps(tmp_path_factory.mktemp("steps"), make_steps(random_runs)).parent


def test_the_steps_are_those_of_the_runs(made: Path, random_runs: Path) -> None:
    stored = StoredSteps(read_steps(made))
    runs = [one.run for one in read_steps(made).systems]
    assert len(runs) == 2
    for run in runs:
        translator, info = load(random_runs / run), read_run(random_runs / run)
        search = info.config.search.changed(n_best=1, replace_unk=False)
        found = stored.find(read_fingerprint(info), search, SENTENCE)
        assert found is not None
        best = translator.translate(SENTENCE, search).best
        assert best.encoded is not None
        assert (found.source, found.target) == (translator.source.encode(SENTENCE), best.encoded)
        live, kept = translation_steps(translator, found.source, found.target), found.steps()
        assert (kept.text, kept.attends, kept.hidden) == (live.text, live.attends, live.hidden)
        np.testing.assert_allclose(kept.annotations, live.annotations, atol=1e-3)
        for ours, theirs in zip(kept.steps, live.steps, strict=True):
            for name in ("state", "context", "maxout", "energies", "alpha", "update_gate", "next_state"):
                one, other = getattr(ours, name), getattr(theirs, name)
                assert (one is None) == (other is None), name
                if one is not None:
                    np.testing.assert_allclose(one, other, atol=2e-3, err_msg=name)
            assert ours.log_probability == pytest.approx(theirs.log_probability, abs=1e-4)
            assert [token.token for token in ours.next_tokens] == [token.token for token in theirs.next_tokens]
            assert ours.rank == theirs.rank


def test_other_settings_sentences_and_weights_are_not_found(made: Path) -> None:
    stored, one = StoredSteps(read_steps(made)), read_steps(made).systems[0]
    assert stored.find(one.fingerprint, one.search, SENTENCE) is not None
    assert stored.find(one.fingerprint, one.search, SENTENCE + " ") is None
    assert stored.find(one.fingerprint, one.search.changed(beam=3), SENTENCE) is None
    assert stored.find(replace(one.fingerprint, weights=""), one.search, SENTENCE) is None


def test_a_broken_file_is_named_and_nothing_is_found(made: Path, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text((made / FILE).read_text("utf-8").replace('"rank"', '"place"'), "utf-8")
    with pytest.raises(InputError, match=FILE):
        read_steps(tmp_path)
    one = read_steps(made).systems[0]
    assert StoredSteps(None).find(one.fingerprint, one.search, SENTENCE) is None


@given(arrays(np.float32, (2, 3), elements={"min_value": -4, "max_value": 4, "allow_subnormal": False}))
def test_packed_numbers_come_back(values: np.ndarray) -> None:
    assert (Packed.of(values, "float32").array() == values).all()
    np.testing.assert_allclose(Packed.of(values).array(), values, atol=2e-3)


def test_what_is_shipped_is_of_the_shipped_runs() -> None:
    """Whoever changes a released run has to run `jointly scenes checkpoints` again."""
    found = read_steps()
    assert found.sentence == SENTENCE
    assert {one.architecture for one in found.systems} == {"rnnsearch", "rnnencdec"}
    for one in found.systems:
        info = read_run(CHECKPOINTS / one.run)
        assert one.fingerprint == read_fingerprint(info), one.run
        assert one.search == info.config.search.changed(n_best=1, replace_unk=False)
