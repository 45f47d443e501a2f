"""What the service refuses, so that a single client can exhaust neither its time nor its memory."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nmt.aligners.pairs import MOST_COST
from nmt.config import AtLeastOne, SearchSettings, require
from nmt.data.text_files import refuse_other_kinds
from nmt.errors import InputError
from nmt.records import check_fields


class Refusal(Exception):  # noqa: N818  the service is right, and so may be the client
    """An answer with an error status.

    Attributes:
        status: HTTP status.
        sentence: what the client is told, one plain sentence.
        retry_after: seconds after which another try makes sense; None if it makes none.
    """

    def __init__(self, status: int, sentence: str, retry_after: int | None = None) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.retry_after = status, sentence, retry_after


_WEIGHTS = 4_000_000
"""Maximum number of alignment weights in one answer, about 40 MB of JSON."""
_COST = 1_000_000
"""Maximum cost of all pairs of a request, in the unit of ``nmt.aligners.pairs.MOST_COST``."""
READING = 10
"""Seconds in which a request has to be complete."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of the service.

    Attributes:
        characters: of one sentence.
        sentences: of one request; pairs count once.
        body: bytes of a request's body.
        beam: beam width; the run's own is allowed even if it is larger.
        waiting: sentences that wait for the same model.
        together: sentences of the same model that are under way at a time.
    """

    characters: AtLeastOne = 1_000
    sentences: AtLeastOne = 64
    body: AtLeastOne = 2**20
    beam: AtLeastOne = 24
    waiting: AtLeastOne = 256
    together: AtLeastOne = 32

    def __post_init__(self) -> None:
        check_fields(self)
        require(
            self.sentences <= self.waiting, "a request must not have more sentences than may wait for the same model"
        )

    def check_texts(self, key: str, texts: Sequence[str]) -> None:
        """Raise InputError for no sentence, too many, or one that is too long. ``key``: their key in the request."""
        if not texts:
            raise InputError(f"{key} is empty; give at least one sentence")
        if len(texts) > self.sentences:
            raise InputError(f"{key} has {len(texts):,} sentences; the limit is {self.sentences:,}")
        for number, text in enumerate(texts):
            if len(text) > self.characters:
                raise InputError(f"{key}[{number}] has {len(text):,} characters; the limit is {self.characters:,}")
        refuse_other_kinds(texts, key)

    def check_settings(self, settings: SearchSettings, own: SearchSettings) -> None:
        """Raise InputError for a beam that is too wide; that of the run's ``own`` settings is always allowed."""
        most = max(self.beam, own.beam)
        if settings.beam > most:
            raise InputError(f"beam must be at most {most:,}, not {settings.beam:,}")

    def check_weights(self, sizes: Iterable[tuple[int, int]]) -> None:
        """Raise InputError if the alignments of an answer may hold too many weights.

        ``sizes``: most tokens of target and source of each alignment.
        """
        weights = sum(rows * columns for rows, columns in sizes)
        if weights > _WEIGHTS:
            raise InputError(
                f"the answer may hold up to {weights:,} alignment weights; the limit is {_WEIGHTS:,}: ask for fewer or "
                "shorter sentences"
            )

    def check_costs(self, costs: Sequence[int]) -> None:
        """Raise InputError if scoring or aligning a pair, or all of a request, would take too long."""
        for number, cost in enumerate(costs):
            if cost > MOST_COST:
                raise InputError(
                    f"sources[{number}] and targets[{number}] are too long together: their cost, which grows with the "
                    f"product of their tokens, is {cost:,}, and the limit is {MOST_COST:,}"
                )
        if sum(costs) > _COST:
            raise InputError(f"the pairs have a cost of {sum(costs):,}; the limit is {_COST:,}: send fewer at a time")
