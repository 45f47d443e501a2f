"""The exception for invalid input, with a message for the user, and a check for repeated names."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from nmt.texts import say, shortened, term


class InputError(ValueError):
    """Invalid input of a user. The message is one plain sentence that names the fault and its place.

    The commands print it and exit with status 2. The pages show it in place of a result. Any other exception is a fault
    of the program and keeps its traceback. The middle of a very long message is left out.
    """

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))

    def __str__(self) -> str:
        """The message. A ``NamedSentence`` of nmt.texts remains one, so that the app can translate it."""
        message: str = self.args[0]
        return message


class MissingWeightsError(InputError):
    """The weights of a released run are missing. The run's stored translations can still be shown."""


@contextmanager
def needs_torch() -> Iterator[None]:
    """Raise InputError in place of Python's error if PyTorch is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise InputError("models need PyTorch, which is not installed: pip install 'jointly[torch]'") from None


def refuse_repeated(names: Iterable[str], what: str) -> None:
    """Raise InputError, with the name, if a name occurs more than once. ``what``: their kind, such as "runs"."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise InputError(say("errors.two_named", kind=term(what), name=repeated[0]))
