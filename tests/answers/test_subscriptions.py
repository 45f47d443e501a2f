"""Work ends when the last reader turns to something else."""

from __future__ import annotations

from nmt.answers.jobs import Subscriptions


def test_work_that_somebody_still_wants_is_not_given_up() -> None:
    subscriptions = Subscriptions()
    assert subscriptions.update("one", "texts", ["a", "b"]) == []
    assert subscriptions.update("two", "texts", ["a"]) == []
    assert subscriptions.update("one", "texts", []) == ["b"]
    assert subscriptions.update("two", "texts", ["b"]) == ["a"]
    assert subscriptions.update("two", "texts", ["b"]) == []


def test_another_kind_of_work_is_another_matter() -> None:
    subscriptions = Subscriptions()
    subscriptions.update("one", "texts", ["a"])
    assert subscriptions.update("one", "stress", ["b"]) == []
    assert subscriptions.update("one", "stress", []) == ["b"]
