"""Events of a training run. Each event is one line of training.jsonl."""

from dataclasses import asdict, dataclass
from typing import Any

from nmt.errors import InputError
from nmt.records import as_record


@dataclass(frozen=True, kw_only=True)
class UpdateEvent:
    """Summary of the updates since the last UpdateEvent.

    Attributes:
        epoch: passes over the training set so far, as a fractional number.
        nll_per_word: mean training loss in nats per target token, end-of-sentence tokens included.
        nll_per_sentence: mean training loss in nats per sentence (Table 2's "NLL").
        words_per_second: target tokens per second of wall time.
        gradient_norm: mean L2 norm of the gradient before clipping.
        seconds: training time since the start of the run, over all resumptions.
    """

    update: int
    epoch: float
    nll_per_word: float
    nll_per_sentence: float
    words_per_second: float
    gradient_norm: float
    learning_rate: float
    seconds: float


@dataclass(frozen=True, kw_only=True)
class ValidationEvent:
    """Scores on the development set after ``update`` updates.

    Attributes:
        nll_per_word: NLL in nats per target token, end-of-sentence tokens included.
        nll_per_sentence: NLL in nats per sentence (Table 2's "NLL").
        bleu: corpus BLEU (0 to 100, greedy search). None if not measured.
        best: whether these weights were saved as the run's: the best so far or, with ``weights=last``, the last.
        seconds: training time since the start of the run.
    """

    update: int
    nll_per_word: float
    nll_per_sentence: float
    bleu: float | None
    best: bool
    seconds: float


@dataclass(frozen=True)
class SampleEvent:
    """Translation of one of our example sentences, after ``update`` updates."""

    update: int
    source: str
    translation: str


@dataclass(frozen=True)
class StopEvent:
    """The end of a training. ``reason``: a sentence. ``seconds``: training time since the start of the run."""

    update: int
    reason: str
    seconds: float


Event = UpdateEvent | ValidationEvent | SampleEvent | StopEvent
_KINDS: dict[str, type[Any]] = {
    "update": UpdateEvent,
    "validation": ValidationEvent,
    "sample": SampleEvent,
    "stop": StopEvent,
}


def event_to_dict(event: Event) -> dict[str, Any]:
    """Convert an event to its fields, with its kind under "event"."""
    kind = next(name for name, cls in _KINDS.items() if isinstance(event, cls))
    return {"event": kind} | asdict(event)


def event_from_dict(data: dict[str, Any]) -> Event:
    """Invert ``event_to_dict``. Raises InputError for an unknown kind, and for wrong fields."""
    fields = dict(data)
    kind = fields.pop("event", None)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise InputError(f"{kind!r} is no training event")
    event: Event = as_record(_KINDS[kind], fields)
    return event
