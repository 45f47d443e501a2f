"""Scores of given pairs through a store: what the model alone would give, each pair scored once."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import nmt
from nmt.answers.request import Progress
from nmt.answers.searches import CachedScoring
from nmt.answers.translations import TranslationCache
from nmt.inference.translator import Translator
from tests.inference.test_text_search import random_texts


@pytest.fixture(params=["search-words", "encdec-bpe"])
def model(request: pytest.FixtureRequest, random_runs: Path) -> Translator:
    return nmt.load(random_runs / request.param)


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, str]]:
    """How often each pair was scored from here on."""
    found = Counter[tuple[str, str]]()
    stream = Translator.score_stream

    def counted(self: Translator, pairs: Iterable[tuple[str, str]], **others: Any) -> Any:
        pairs = list(pairs)
        found.update(pairs)
        return stream(self, pairs, **others)

    monkeypatch.setattr(Translator, "score_stream", counted)
    return found


class Cancelled(Exception):  # noqa: N818
    pass


def test_the_same_as_the_models_each_pair_once(
    model: Translator, tmp_path: Path, scored: Counter[tuple[str, str]]
) -> None:
    pairs = list(zip(random_texts(1, 23), random_texts(2, 23), strict=True)) * 2
    expected = model.score([source for source, _ in pairs], [target for _, target in pairs])
    scored.clear()
    cache = TranslationCache(tmp_path)
    found = CachedScoring(model, cache, 5).score(pairs)
    assert [(each.source, each.target) for each in found] == pairs
    assert [each.tokens for each in found] == [len(each.tokens) for each in expected]
    wanted = [each.log_probability for each in expected]
    assert [each.log_probability for each in found] == pytest.approx(wanted, abs=1e-4)
    assert CachedScoring(model, TranslationCache(tmp_path), 5).score(pairs[::-1]) == found[::-1]
    assert scored == dict.fromkeys(pairs, 1)
    again = CachedScoring(model, None, 5).score(pairs)
    assert [each.log_probability for each in again] == [each.log_probability for each in found]
    assert scored == dict.fromkeys(pairs, 2)


def test_cancelled_and_gone_on_with(model: Translator, tmp_path: Path, scored: Counter[tuple[str, str]]) -> None:
    pairs = [(f"the cat {'sleeps ' * i}", "le chat") for i in range(12)]
    through = CachedScoring(model, TranslationCache(tmp_path), 5)
    told: list[Progress] = []

    def cancel(progress: Progress) -> None:
        told.append(progress)
        if progress.done == 10:
            raise Cancelled

    with pytest.raises(Cancelled):
        through.score(pairs, cancel)
    assert told == [Progress(0, 12), Progress(5, 12), Progress(10, 12)]
    told.clear()
    through.score(pairs, told.append)
    assert told == [Progress(10, 12), Progress(12, 12)]
    assert scored == dict.fromkeys(pairs, 1)
    told.clear()
    assert through.score([], told.append) == []
    assert told == [Progress(0, 0)]
