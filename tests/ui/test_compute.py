"""One translation at a time, each computed once, and a way out at every word."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from nmt.config import SearchSettings
from nmt.ui.compute import Answer, ComputeService
from nmt.ui.requests import TranslationRequest


def request(run: Path, sentence: str) -> TranslationRequest:
    return TranslationRequest(run, 1, sentence, SearchSettings(beam=12, n_best=1))


def nothing(*_: Any) -> None:
    pass


class GiveUp(BaseException):
    """As Streamlit's own signal, no Exception."""


def test_two_who_ask_the_same_get_one_computation(runs: Path, translators: dict[str, Any], write_run: Any) -> None:
    run = write_run(runs / "search").path
    desk, answers, waited = ComputeService(), [], threading.Event()
    begun, go_on = threading.Event(), threading.Event()

    def first_step(done: int, limit: int) -> None:
        begun.set()
        assert go_on.wait(10)

    def ask(on_wait: Any, on_step: Any) -> None:
        answers.append(desk.answer(request(run, "the cat"), on_wait, on_step))

    first = threading.Thread(target=ask, args=(nothing, first_step))
    second = threading.Thread(target=ask, args=(waited.set, nothing))
    first.start()
    assert begun.wait(10)
    second.start()
    assert waited.wait(10)
    go_on.set()
    first.join(10)
    second.join(10)
    assert len(answers) == 2
    assert answers[0] is answers[1]
    assert translators["search"].calls == 1


def test_giving_up_at_a_word_frees_the_desk_and_leaves_no_answer(
    runs: Path, translators: dict[str, Any], write_run: Any
) -> None:
    run = write_run(runs / "search").path
    desk, steps = ComputeService(), []

    def give_up(done: int, limit: int) -> None:
        steps.append(done)
        if done == 2:
            raise GiveUp

    with pytest.raises(GiveUp):
        desk.answer(request(run, "the cat sleeps on the mat"), nothing, give_up)
    assert steps == [0, 1, 2]
    assert desk.remembered(request(run, "the cat sleeps on the mat")) is None
    assert isinstance(desk.answer(request(run, "the cat"), nothing, nothing), Answer)


def test_one_who_waits_may_leave(runs: Path, translators: dict[str, Any], write_run: Any) -> None:
    run = write_run(runs / "search").path
    desk = ComputeService()

    def leave() -> None:
        raise GiveUp

    def meanwhile(done: int, limit: int) -> None:
        with pytest.raises(GiveUp):
            desk.answer(request(run, "she reads"), leave, nothing)

    desk.answer(request(run, "cat"), nothing, meanwhile)
    assert translators["search"].calls == 1


def test_old_answers_make_room(
    runs: Path, translators: dict[str, Any], write_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write_run(runs / "search").path
    monkeypatch.setattr("nmt.ui.compute._REMEMBERED", 2)
    desk = ComputeService()
    for sentence in ("a", "b"):
        desk.answer(request(run, sentence), nothing, nothing)
    desk.remembered(request(run, "a"))
    desk.answer(request(run, "c"), nothing, nothing)
    assert [desk.remembered(request(run, s)) is not None for s in "abc"] == [True, False, True]


def test_new_weights_are_another_request(runs: Path, translators: dict[str, Any], write_run: Any) -> None:
    run = write_run(runs / "search").path
    desk = ComputeService()
    for stamp in (1, 2):
        desk.answer(TranslationRequest(run, stamp, "cat", SearchSettings(beam=12, n_best=1)), nothing, nothing)
    assert translators["search"].calls == 2
