"""The exception for requests refused for reasons other than invalid content, for which there is ``InputError``."""

from __future__ import annotations


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
