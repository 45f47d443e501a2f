"""Turns: never two at a time, the urgent before the background, and a way out for all who wait."""

import threading
import time

import pytest

from nmt.turns import Turns


class Enough(Exception):  # noqa: N818
    pass


def test_never_two_at_a_time() -> None:
    turns, inside, most, rounds = Turns(), 0, 0, 0
    lock = threading.Lock()

    def enter() -> None:
        nonlocal inside, most, rounds
        with lock:
            inside += 1
            most, rounds = max(most, inside), rounds + 1
        time.sleep(0.0005)
        with lock:
            inside -= 1

    def urgently() -> None:
        for _ in range(20):
            with turns.urgent():
                enter()

    def in_the_background() -> None:
        for _ in range(4):
            with turns.background():
                for _ in range(5):
                    enter()
                    turns.give_way()

    threads = [threading.Thread(target=target) for target in [urgently] * 3 + [in_the_background] * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (most, rounds, inside) == (1, 100, 0)


def test_background_work_gives_way_to_all_who_wait_and_goes_on() -> None:
    turns, order = Turns(), []
    waiting = threading.Semaphore(0)

    def ask(name: str) -> None:
        with turns.urgent(waiting.release):
            order.append(name)

    with turns.background():
        order.append("begun")
        turns.give_way()  # nobody waits
        threads = [threading.Thread(target=ask, args=(name,)) for name in ("one", "two")]
        for thread in threads:
            thread.start()
        assert waiting.acquire(timeout=10)
        assert waiting.acquire(timeout=10)
        order.append("still")
        turns.give_way()
        order.append("ended")
    for thread in threads:
        thread.join(10)
    assert order[:2] + sorted(order[2:4]) + order[4:] == ["begun", "still", "one", "two", "ended"]


def test_work_in_the_background_begins_after_those_who_wait() -> None:
    turns, order = Turns(), []
    waits = threading.Semaphore(0)

    def wait(name: str) -> None:
        with turns.background(waits.release) if name == "background" else turns.urgent(waits.release):
            order.append(name)

    with turns.urgent():
        threads = [threading.Thread(target=wait, args=(name,)) for name in ("background", "urgent")]
        threads[0].start()
        assert waits.acquire(timeout=10)
        threads[1].start()
        for _ in range(4):
            assert waits.acquire(timeout=10)
    for thread in threads:
        thread.join(10)
    assert order == ["urgent", "background"]


@pytest.mark.parametrize("kind", ["urgent", "background"])
def test_one_who_waits_may_leave(kind: str) -> None:
    turns = Turns()

    def leave() -> None:
        raise Enough

    with turns.urgent():
        with pytest.raises(Enough), getattr(turns, kind)(leave):
            raise AssertionError("got a turn that was taken")
        turns.give_way()
    with turns.background():  # nobody is waited for who has left
        turns.give_way()


@pytest.mark.parametrize("kind", ["urgent", "background"])
def test_a_turn_that_fails_is_over(kind: str) -> None:
    turns = Turns()
    with pytest.raises(Enough), getattr(turns, kind)():
        raise Enough
    with turns.urgent(lambda: pytest.fail("still taken")):
        pass
