"""An aligner against its parts: posteriors of the runs, their mean, all paths, the rules for links."""

import json
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.aligners.aligner import Aligner
from nmt.aligners.combination import read_aligner
from nmt.alignments.formats import read
from nmt.alignments.formats.checks import Given
from nmt.alignments.links import Extraction
from nmt.errors import InputError
from nmt.results import END
from release.aligner import build_aligner
from tests.aligners.conftest import SOURCE, TARGET
from tests.oracles.source_paths import state_probabilities


def expected(place: Path, runs: list[str], source: str, target: str, counts: tuple[int, ...]) -> np.ndarray:
    """The mean of the runs' own maps, and every path through it."""
    maps = [nmt.load(place / "checkpoints" / run).posterior(source, target, pretokenised=True).merged() for run in runs]
    logarithms = [np.log(np.maximum(one.weights[:-1, :-1].astype(float), 1e-4)) for one in maps]
    return np.array(state_probabilities(np.exp(np.mean(logarithms, axis=0)).tolist(), counts, 0.2))


@pytest.mark.parametrize("pair", range(4))
def test_maps_are_smoothed_means_of_posteriors(place: Path, pair: int) -> None:
    aligner = nmt.load_aligner(place / "aligners" / "both")
    settings = read_aligner(place / "aligners" / "both")
    assert settings.smoothing.reverse_jumps is not None
    source, target = SOURCE[pair], TARGET[pair]
    found = aligner.align(source, target, pretokenised=True)
    forward = expected(place, ["words", "pieces"], source, target, settings.smoothing.jumps)
    backward = expected(place, ["back"], target, source, settings.smoothing.reverse_jumps)
    mean = (forward + backward.T) / 2
    np.testing.assert_allclose(found.alignment.weights[:-1, :-1], mean, atol=1e-5)
    assert found.alignment.weights[-1, -1] == 1
    assert not found.alignment.weights[-1, :-1].any()
    assert not found.alignment.weights[:-1, -1].any()
    assert (found.alignment.source, found.alignment.target) == ((*source.split(), END), (*target.split(), END))
    assert set(found.links) == {(j, i) for i, j in enumerate(mean.argmax(axis=1)) if mean[:, j].argmax() == i}
    assert (found.map, found.rule) == ("posterior of 2 runs and 1 of the other direction, smoothed", "intersection")


def test_a_stream_is_the_pairs_one_by_one(place: Path) -> None:
    aligner = nmt.load_aligner(place / "aligners" / "one")
    done: list[int] = []
    pairs = list(zip(SOURCE, TARGET, strict=True))
    found = list(aligner.stream(pairs, pretokenised=True, on_progress=done.append))
    assert done == [1, 2, 3, 4]
    for one, (source, target) in zip(found, pairs, strict=True):
        alone = aligner.align(source, target, pretokenised=True)
        np.testing.assert_allclose(one.alignment.weights, alone.alignment.weights, atol=1e-6)
        assert (one.source, one.target, one.links) == (alone.source, alone.target, alone.links)
        text = json.dumps(one.to_dict())
        parts = read(text).parts
        assert [each.rpartition(" ")[2] for each in parts] == ["smoothed", "links"]
        assert sorted(read(text, given=Given(part=parts[-1])).links[0].sure) == list(one.links)
    (other,) = aligner.stream(pairs[:1], pretokenised=True, extraction=Extraction("columns"))
    assert set(other.links) == Extraction("columns").links(other.alignment)
    assert other.rule == "columns"


@pytest.mark.parametrize("pair", [("", "la mer"), ("the sea", ""), ("", ""), ("the \u200b sea", "la \u200b mer")])
def test_lines_with_nothing_on_a_side_or_words_without_a_token(place: Path, pair: tuple[str, str]) -> None:
    found = nmt.load_aligner(place / "aligners" / "both").align(*pair)
    weights = found.alignment.weights
    assert weights.min() >= 0
    if all(line.split() for line in pair):
        np.testing.assert_allclose(weights.sum(), sum(weights.shape) / 2, rtol=1e-5)  # a mean of rows and of columns
    for j, i in found.links:
        assert j < len(pair[0].split())
        assert i < len(pair[1].split())


def test_words_of_untokenised_lines_are_those_between_white_space(place: Path) -> None:
    found = nmt.load_aligner(place / "aligners" / "one").align("The girl, she reads.", "La fille lit.")
    assert found.source == ("The", "girl,", "she", "reads.")
    assert found.alignment.weights.shape == (4, 5)


def test_bf16_is_nearly_the_same(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.model.kernels._SLOW_BF16", False)
    pairs = list(zip(SOURCE, TARGET, strict=True))
    plain, fast = (
        list(nmt.load_aligner(place / "aligners" / "one", precision=precision).maps(pairs, pretokenised=True))
        for precision in ("fp32", "bf16")
    )
    differences = [np.abs(a.weights - b.weights).max() for a, b in zip(plain, fast, strict=True)]
    assert 0 < max(differences) < 0.1
    with pytest.raises(InputError, match="precision"):
        nmt.load_aligner(place / "aligners" / "one", precision="fp8")


def test_runs_that_do_not_fit_are_refused(place: Path) -> None:
    words, encdec, back = (nmt.load(place / "checkpoints" / name) for name in ("words", "encdec", "back"))
    settings = read_aligner(place / "aligners" / "one")
    with pytest.raises(InputError, match="encdec"):
        Aligner("mine", settings, [words, encdec], [], False, None)
    with pytest.raises(InputError, match=r"back .*fr.*en"):
        Aligner("mine", settings, [words, back], [], False, None)
    with pytest.raises(InputError, match=r"words .*en.*fr"):
        build_aligner([words], [words], [("a", "b")])
    with pytest.raises(InputError, match="jumps"):
        build_aligner([words], [], [])
    with pytest.raises(InputError, match=r"\bwords\b"):
        build_aligner([words, words], [], [("a", "b")])
