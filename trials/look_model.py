"""What the page Look and its address must have after any steps of a reader: what belongs to a sentence goes with it,
what belongs to a reader stays. A test takes the steps without a browser, a trial in Chromium."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

SENTENCES = ("the cat sleeps", "she has never seen the sea", "a girl reads on the mat")
OWN = ("the sea is a cat", "she sleeps")
"""Sentences that can be added to each."""
KINDS = ("type", "pin", "unpin", "drag", "begin", "undo", "reset", "models", "beam", "add", "leave")
TRAVELS = ("back", "forward", "reload")
"""Steps of a browser alone: each address has the state that it had before."""


@dataclass(frozen=True)
class Step:
    """A step of the reader. text: the sentence that is typed. name: checkpoint of the word or the ribbon. i: the target
    word. number: the beam, or sentences as one. models: those chosen."""

    kind: str
    text: str = ""
    name: str = ""
    i: int = 0
    number: int = 0
    models: tuple[str, ...] = ()


@dataclass
class LookModel:
    """What page and address must have. known: all checkpoints that can be chosen. changes: "begin", or "weights" with
    the checkpoint after a colon."""

    sentence: str
    models: tuple[str, ...]
    known: tuple[str, str]
    beam: int
    number: int = 1
    pin: str = ""
    changes: list[str] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """Source words."""
        return " ".join((self.sentence, *OWN[: self.number - 1])).split()

    def draw(self, chance: Random, kinds: Sequence[str] = KINDS) -> Step:
        """Draw a step of one of these kinds."""
        one, other = self.known
        return Step(
            chance.choice(kinds),
            text=chance.choice(SENTENCES),
            name=chance.choice(self.models),
            i=chance.randrange(len(self.words)),
            number=chance.randint(1, 3),
            models=chance.choice([(one,), (other,), (one, other), (other, one)]),
        )

    def offers(self, step: Step) -> bool:
        """Whether the page has what the step needs."""
        shown = [change for change in self.changes if change.partition(":")[2] in ("", *self.models)]
        undoable = bool(shown) or not self.changes  # Undo stands beside a line that is changed
        offered = {"begin": "begin" not in self.changes, "reset": bool(self.changes), "undo": undoable}
        return offered.get(step.kind, True)

    def take(self, step: Step) -> None:
        """Take a step."""
        if step.kind == "type" and step.text != self.sentence:
            self.sentence, self.number, self.pin, self.changes = step.text, 1, "", []
        elif step.kind == "add" and step.number != self.number:
            self.number, self.pin, self.changes = step.number, "", []
        elif step.kind in ("pin", "unpin"):
            self.pin = f"{step.name}.{step.i}." if step.kind == "pin" else ""
        elif step.kind in ("drag", "begin"):
            self.changes = [*self.changes[:19], f"weights:{step.name}" if step.kind == "drag" else "begin"]
        elif step.kind == "undo" and (self.changes or self.number == 1):
            shown = [k for k, change in enumerate(self.changes) if change.partition(":")[2] in ("", *self.models)]
            self.changes = [change for k, change in enumerate(self.changes) if k not in shown[-1:]]
        elif step.kind == "undo":
            self.number, self.pin = self.number - 1, ""
        elif step.kind == "reset":
            self.changes = []
        elif step.kind == "models":
            self.models = step.models
        elif step.kind == "beam":
            self.beam = step.number
        if not self.changes and self.pinned is None:
            self.pin = ""

    @property
    def pinned(self) -> tuple[int, int] | None:
        """Number of the checkpoint and of the target word that is pinned and shown."""
        name, _, i = self.pin.strip(".").partition(".")
        return (self.models.index(name), int(i)) if name in self.models else None

    def address(self) -> dict[str, list[str]]:
        """Parameters of the address that belong to the sentence; of changes their kinds."""
        number = [str(self.number)] if self.number > 1 else []
        return {
            "pin": [self.pin] if self.pin else [],
            "change": [change.partition(":")[0] for change in self.changes],
            "k": number,
        }
