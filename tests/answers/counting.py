"""Work that can be watched: it counts each item down, one at a step."""

import threading
from collections.abc import Collection
from dataclasses import dataclass, field

FAULTY = 13


@dataclass
class Gate:
    """Lets steps through one by one, or all once it is open, and notes what each of them worked on.

    Attributes:
        steps: kind of the work, and the items with what is left of them.
    """

    steps: list[tuple[str, list[int]]] = field(default_factory=list)
    begun: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    passes: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    opened: bool = False

    def pass_one(self) -> None:
        """Wait until a step has begun, and let it through."""
        assert self.begun.acquire(timeout=20)
        self.passes.release()

    def open(self) -> None:
        self.opened = True
        self.passes.release(1000)


@dataclass
class Countdowns:
    """Items under way; the result of an item is its double."""

    kind: str
    gate: Gate
    most: int
    items: dict[int, int] = field(default_factory=dict)
    left: dict[int, int] = field(default_factory=dict)

    def accepts(self, item: int) -> bool:
        return len(self.items) < self.most

    def join(self, number: int, item: int) -> None:
        self.items[number] = self.left[number] = item

    def leave(self, numbers: Collection[int]) -> None:
        for number in numbers:
            self.items.pop(number)

    def step(self) -> dict[int, int | Exception]:
        self.gate.begun.release()
        assert self.gate.passes.acquire(timeout=20)
        if not self.items:
            return {}
        self.gate.steps.append((self.kind, [self.left[number] for number in self.items]))
        faulty = {n: ValueError(str(FAULTY)) for n, item in self.items.items() if item == FAULTY}
        for number in self.items:
            self.left[number] -= 1
        done = {n: 2 * item for n, item in self.items.items() if not self.left[n] and n not in faulty}
        for number in (*done, *faulty):
            del self.items[number]
        return done | faulty

    def progress(self) -> dict[int, tuple[int, int]]:
        return {number: (item - self.left[number], item) for number, item in self.items.items()}


@dataclass(frozen=True)
class Counting:
    kind: str
    gate: Gate = field(compare=False)
    most: int = field(default=100, compare=False)

    def begin(self) -> Countdowns:
        if self.kind == "impossible":
            raise ValueError(self.kind)
        return Countdowns(self.kind, self.gate, self.most)
