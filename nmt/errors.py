"""The exception for invalid input, whose message is meant for the user, and a check for repeated names."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

LONGEST = 1000
"""Characters of a message."""


def shortened(message: str) -> str:
    """The message, or its beginning and its end if it has more than ``LONGEST`` characters.

    >>> len(shortened("x" * 2000))
    1000
    """
    if len(message) <= LONGEST:
        return message
    return f"{message[: LONGEST // 2]} … {message[3 - LONGEST // 2 :]}"


class InputError(ValueError):
    """Something the user gave cannot be used; the message is one plain sentence that says what and where.

    The commands print it and exit with status 2, the pages show it in place of a result. Anything else that
    is raised is a fault of the program and keeps its traceback. A message that quotes a long input loses its middle.
    """

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))


class MissingWeightsError(InputError):
    """The weights of a released run are missing. Its stored translations can be shown all the same."""


@contextmanager
def needs_torch() -> Iterator[None]:
    """Raise InputError in place of Python's error if PyTorch, without which all can be viewed, is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise InputError("models need PyTorch, which is not installed: pip install 'jointly[torch]'") from None


def refuse_repeated(names: Iterable[str], what: str) -> None:
    """Raise InputError if a name occurs more than once; the sentence names it.

    Args:
        what: the kind of the named things, in the plural, such as "runs".
    """
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise InputError(f"two {what} are named {repeated[0]}")
