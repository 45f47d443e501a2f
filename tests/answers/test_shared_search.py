"""Sentences that share a search: each has the translation that it has alone."""

from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.answers.searches import SharedSearch, Translating
from nmt.config import SearchSettings
from nmt.inference.text_search import TextSearch
from nmt.inference.translator import Translator
from nmt.results import Translation
from nmt.search.beam import ContinuousSearch
from tests.oracles.random_run import ENGLISH


@pytest.fixture(params=["search-words", "encdec-bpe"])
def model(request: pytest.FixtureRequest, random_runs: Path) -> Translator:
    return nmt.load(random_runs / request.param)


def random_texts(seed: int, number: int) -> list[str]:
    """Texts of up to twelve words; the first is blank."""
    random = np.random.default_rng(seed)
    return ["", *(" ".join(random.choice(ENGLISH, length)) for length in random.integers(1, 13, number - 1))]


def check_equal(found: Translation, expected: Translation) -> None:
    assert found.source == expected.source
    assert [h.text for h in found.hypotheses] == [h.text for h in expected.hypotheses]
    assert [h.tokens for h in found.hypotheses] == [h.tokens for h in expected.hypotheses]
    assert found.unk_in_beam == expected.unk_in_beam
    for one, other in zip(found.hypotheses, expected.hypotheses, strict=True):
        assert one.log_probability == pytest.approx(other.log_probability, abs=1e-4)
        assert (one.alignment is None) == (other.alignment is None)
        if one.alignment is not None and other.alignment is not None:
            np.testing.assert_allclose(one.alignment.weights, other.alignment.weights, rtol=0, atol=1e-4)


def all_of(search: SharedSearch, model: Translator, texts: list[str]) -> dict[int, Translation]:
    """Two texts join before each step."""
    results: dict[int, Translation] = {}
    for step in range(500):
        for number in range(2 * step, min(2 * step + 2, len(texts))):
            search.join(number, model.read(texts[number]))
        for number, end in search.step().items():
            assert isinstance(end, Translation)
            results[number] = end
        if len(results) == len(texts):
            break
    return results


def test_a_sentence_that_has_left_fails_no_other(model: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its result may be among those of the step in which it leaves."""
    search = Translating(model, SearchSettings(beam=3), alpha=False).begin()
    assert isinstance(search, SharedSearch)
    for number in (0, 1):
        search.join(number, model.read("the cat sleeps"))
    assert search.step() == {}
    search.leave([0])
    step = ContinuousSearch.step
    monkeypatch.setattr(ContinuousSearch, "step", lambda *given: step(*given) | {0: FloatingPointError()})
    results: dict[int, object] = {}
    for _ in range(100):
        results |= search.step()
    assert [*results] == [1]
    assert isinstance(results[1], Translation)


@pytest.mark.parametrize(("most", "accepted"), [(2, False), (3, True)])
def test_as_many_sentences_join_as_fit_in_memory(
    random_runs: Path, most: int, accepted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TextSearch, "most_together", most)
    model = nmt.load(random_runs / "search-words")
    search = SharedSearch(model.search(SearchSettings(beam=2), alpha=False))
    for number in range(2):
        search.join(number, model.read("cat"))
    assert search.accepts(model.read("mat")) == accepted


def test_a_translation_is_that_of_the_sentence_alone(model: Translator) -> None:
    settings, texts = SearchSettings(beam=3, n_best=2), random_texts(1, 9)
    found = all_of(Translating(model, settings).begin(), model, texts)
    for number, text in enumerate(texts):
        check_equal(found[number], model.translate(text, settings))


def test_where_a_step_fails_each_sentence_is_translated_alone(
    model: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, texts = SearchSettings(beam=3), random_texts(2, 4)
    expected = [model.translate(text, settings) for text in texts]
    alone = TextSearch.translate
    steps: list[None] = []

    def fail(search: ContinuousSearch[object]) -> None:
        steps.append(None)
        raise MemoryError

    def translate(search: TextSearch, sentences: list[object]) -> list[Translation]:
        found = alone(search, sentences)  # type: ignore[arg-type]
        if found[0].source == texts[2]:
            raise ValueError("its own fault")
        return found

    monkeypatch.setattr(ContinuousSearch, "step", fail)
    monkeypatch.setattr(TextSearch, "translate", translate)
    search = Translating(model, settings).begin()
    for number, text in enumerate(texts):
        search.join(number, model.read(text))
    ended = search.step()
    assert len(steps) == 1
    assert isinstance(ended.pop(2), ValueError)
    assert ended.keys() == {0, 1, 3}
    for number, end in ended.items():
        assert isinstance(end, Translation)
        check_equal(end, expected[number])


def test_after_a_failed_step_another_search_begins(model: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = model.translate("a cat reads", SearchSettings(beam=3))
    search = Translating(model, SearchSettings(beam=3)).begin()
    with monkeypatch.context() as patch:
        patch.setattr(ContinuousSearch, "step", lambda _: 1 / 0)
        search.join(0, model.read("the girl"))
        assert search.step().keys() == {0}
    alone: list[object] = []
    monkeypatch.setattr(TextSearch, "translate", lambda _, sentences: alone.extend(sentences))
    found = all_of(search, model, ["a cat reads"])
    check_equal(found[0], expected)
    assert not alone


def test_a_sentence_that_leaves_before_its_first_step_never_joins(model: Translator) -> None:
    search = Translating(model, SearchSettings(beam=3)).begin()
    search.join(0, model.read("a cat"))
    search.join(1, model.read("the girl reads"))
    search.join(2, model.read(""))
    search.leave([1, 2])
    found: set[int] = set()
    for _ in range(100):
        ended = search.step()
        assert all(isinstance(end, Translation) for end in ended.values())
        assert search.progress().keys() <= {0}
        found |= ended.keys()
        if found:
            break
    assert found == {0}


def test_only_equal_models_and_settings_share_a_search(random_runs: Path) -> None:
    one, other = nmt.load(random_runs / "search-words"), nmt.load(random_runs / "encdec-bpe")
    works = [
        Translating(one, SearchSettings(beam=3)),
        Translating(one, SearchSettings(beam=4)),
        Translating(one, SearchSettings(beam=3, length_penalty=1.0)),
        Translating(one, SearchSettings(beam=3), alpha=False),
        Translating(other, SearchSettings(beam=3)),
    ]
    assert len(set(works)) == len(works)
    assert Translating(one, SearchSettings(beam=3)) == works[0]


def test_no_more_join_than_fit_in_memory(random_runs: Path) -> None:
    model = nmt.load(random_runs / "search-words")
    search = Translating(model, SearchSettings(beam=2)).begin()
    for number in range(10):
        search.join(number, model.read("a b c"))
    assert search.accepts(model.read("a b c"))
    assert not search.accepts(model.read("a " * 1000))
