"""Turns: never two at a time, the urgent before the background, and a way out for all who wait."""

import threading
import time

import pytest

from nmt.answers.shared_queue import PriorityLock


class Enough(Exception):  # noqa: N818
    pass


def test_never_two_at_a_time() -> None:
    priority_lock, inside, most, rounds = PriorityLock(), 0, 0, 0
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
            with priority_lock.foreground():
                enter()

    def in_the_background() -> None:
        for _ in range(4):
            with priority_lock.background():
                for _ in range(5):
                    enter()
                    priority_lock.yield_()

    threads = [threading.Thread(target=target) for target in [urgently] * 3 + [in_the_background] * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (most, rounds, inside) == (1, 100, 0)


def test_background_work_gives_way_to_all_who_wait_and_goes_on() -> None:
    priority_lock, order = PriorityLock(), []
    waiting = threading.Semaphore(0)

    def ask(name: str) -> None:
        with priority_lock.foreground(waiting.release):
            order.append(name)

    with priority_lock.background():
        order.append("begun")
        priority_lock.yield_()  # nobody waits
        threads = [threading.Thread(target=ask, args=(name,)) for name in ("one", "two")]
        for thread in threads:
            thread.start()
        assert waiting.acquire(timeout=10)
        assert waiting.acquire(timeout=10)
        order.append("still")
        priority_lock.yield_()
        order.append("ended")
    for thread in threads:
        thread.join(10)
    assert order[:2] + sorted(order[2:4]) + order[4:] == ["begun", "still", "one", "two", "ended"]


def test_work_in_the_background_begins_after_those_who_wait() -> None:
    priority_lock, order = PriorityLock(), []
    waits = threading.Semaphore(0)

    def wait(name: str) -> None:
        with (
            priority_lock.background(waits.release) if name == "background" else priority_lock.foreground(waits.release)
        ):
            order.append(name)

    with priority_lock.foreground():
        threads = [threading.Thread(target=wait, args=(name,)) for name in ("background", "foreground")]
        threads[0].start()
        assert waits.acquire(timeout=10)
        threads[1].start()
        for _ in range(4):
            assert waits.acquire(timeout=10)
    for thread in threads:
        thread.join(10)
    assert order == ["foreground", "background"]


@pytest.mark.slow
def test_those_who_wait_are_served_in_the_order_in_which_they_came() -> None:
    priority_lock, order = PriorityLock(), []
    waits, busy = threading.Semaphore(0), threading.Event()

    def wait(name: str) -> None:
        def on_wait() -> None:
            waits.release()
            if name == "first":
                busy.wait(10)  # so that the lock becomes free while the first is not waiting for it

        with priority_lock.foreground(on_wait):
            order.append(name)

    threads = [threading.Thread(target=wait, args=(name,)) for name in ("first", "second", "third")]
    with priority_lock.foreground():
        for thread in threads:
            thread.start()
            assert waits.acquire(timeout=10)
    threads[1].join(0.5)  # time enough for another to take the lock
    busy.set()
    for thread in threads:
        thread.join(10)
    assert order == ["first", "second", "third"]


@pytest.mark.parametrize("kind", ["foreground", "background"])
def test_one_who_waits_may_leave(kind: str) -> None:
    priority_lock = PriorityLock()

    def leave() -> None:
        raise Enough

    with priority_lock.foreground():
        with pytest.raises(Enough), getattr(priority_lock, kind)(leave):
            raise AssertionError("got a turn that was taken")
        priority_lock.yield_()
    with priority_lock.background():  # nobody is waited for who has left
        priority_lock.yield_()


@pytest.mark.parametrize("kind", ["foreground", "background"])
def test_a_turn_that_fails_is_over(kind: str) -> None:
    priority_lock = PriorityLock()
    with pytest.raises(Enough), getattr(priority_lock, kind)():
        raise Enough
    with priority_lock.foreground(lambda: pytest.fail("still taken")):
        pass


def test_one_at_a_time_goes_before_work_that_gives_way_and_background_work_waits() -> None:
    priority_lock, order = PriorityLock(), []
    waits = threading.Semaphore(0)

    def ask(name: str) -> None:
        hold = priority_lock.background if name == "background" else priority_lock.foreground
        with hold(waits.release):
            order.append(name)

    threads = [threading.Thread(target=ask, args=(name,)) for name in ("background", "one", "two")]
    with priority_lock.foreground():
        priority_lock.give_way()  # nobody waits
        for thread in threads:
            thread.start()
            assert waits.acquire(timeout=10)
        for step in ("first step", "second step", "third step"):
            order.append(step)
            priority_lock.give_way()
    for thread in threads:
        thread.join(10)
    assert order == ["first step", "one", "second step", "two", "third step", "background"]
