"""How many threads torch computes with: one for few multiplications, as many as before for many and afterwards."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import nmt
from nmt import native
from nmt.answers.searches import Translating
from nmt.config import SearchSettings
from nmt.inference.text_search import PreparedSteps
from nmt.inspection.what_if import beam_tree
from nmt.model.steps import DecodingSteps

THREADS = 3


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(THREADS)
    yield
    assert torch.get_num_threads() == THREADS
    torch.set_num_threads(before)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of threads of each step."""
    steps: list[int] = []
    step, prepare = DecodingSteps.step, DecodingSteps.__init__

    def counted(self: DecodingSteps, *arguments: Any) -> Any:
        steps.append(torch.get_num_threads())
        return step(self, *arguments)

    def prepared(self: DecodingSteps, *arguments: Any) -> None:
        steps.append(torch.get_num_threads())
        prepare(self, *arguments)

    monkeypatch.setattr("nmt.inference.text_search.search_steps", DecodingSteps)
    monkeypatch.setattr(DecodingSteps, "step", counted)
    monkeypatch.setattr(DecodingSteps, "__init__", prepared)
    return steps


def test_one_sentence_needs_one_thread(random_runs: Path, seen: list[int]) -> None:
    model = nmt.load(random_runs / "search-words")
    model.translate("a cat", beam=3)
    model.translate("a cat", beam=1)
    search = Translating(model, SearchSettings(beam=3)).begin()
    search.join(0, model.read("a cat"))
    while not search.step():
        pass
    beam_tree(model, "a cat", SearchSettings(beam=3))
    assert len(seen) > 10
    assert set(seen) == {1}


def test_many_multiplications_take_all_threads(
    random_runs: Path, seen: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = nmt.load(random_runs / "search-words")
    monkeypatch.setattr("nmt.model.kernels._LEAST_FOR_THREADS", 1)
    model.translate("a cat", beam=3)
    assert set(seen[1:]) == {THREADS}


def test_every_sentence_and_every_hypothesis_counts(
    random_runs: Path, seen: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three sentences with two hypotheses each are six rows."""
    model, texts = nmt.load(random_runs / "search-words"), ["a cat", "the cat", "a mat"]
    weights = sum(p.numel() for part in (model.model.decoder, model.model.readout) for p in part.parameters())
    model.translate("a cat")  # prepares the steps, with one thread
    for least, threads in ((6, THREADS), (7, 1)):
        monkeypatch.setattr("nmt.model.kernels._LEAST_FOR_THREADS", least * (weights - model.model.decoder.E.numel()))
        del seen[:]
        model.translate(texts, beam=2)
        search = Translating(model, SearchSettings(beam=2)).begin()
        for number, text in enumerate(texts):
            search.join(number, model.read(text))
        search.step()
        assert set(seen) == {threads}


@pytest.mark.parametrize("computed_by", ["torch", "engine"])
def test_the_limit_depends_on_hypotheses_and_weights(
    computed_by: str, random_runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Threads of torch, and parts of the engine's 120 lines. Where the engine has several threads torch has one; the
    engine computes up to 11 rows here."""
    model = nmt.load(random_runs / "search-words").model
    if computed_by == "engine" and native.library() is None:
        pytest.skip("there is no compiler")
    if computed_by == "torch":
        monkeypatch.setattr("nmt.inference.text_search.search_steps", DecodingSteps)
    else:
        monkeypatch.setattr("nmt.model.native_steps.usual_rows", lambda *_: 11)
    weights = sum(p.numel() for part in (model.decoder, model.readout) for p in part.parameters())
    monkeypatch.setattr("nmt.model.kernels._LEAST_FOR_THREADS", 10 * (weights - model.decoder.E.numel()))
    found = []
    for rows in (9, 10, 11, 12):
        with PreparedSteps(model).threads(rows):
            longest = native.in_parts(lambda first, end: end - first, 120, native.LEAST_ROWS)
            found.append((torch.get_num_threads(), 120 // longest))
    several = (THREADS, THREADS)
    assert found == [(1, 1), *([several] * 3 if computed_by == "torch" else [(1, THREADS)] * 2 + [several])]


def test_an_error_leaves_the_threads_as_they_were(random_runs: Path) -> None:
    steps = PreparedSteps(nmt.load(random_runs / "search-words").model)
    with pytest.raises(RuntimeError, match="its own"), steps.threads(1):
        raise RuntimeError("its own")
    assert torch.get_num_threads() == THREADS
