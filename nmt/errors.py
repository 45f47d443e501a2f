"""The exception for invalid input, whose message is meant for the user, and a check for repeated names."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from nmt.texts import say, shortened, term


class InputError(ValueError):
    """Something the user gave cannot be used; the message is one plain sentence that says what and where.

    The commands print it and exit with status 2, the pages show it in place of a result. Anything else that
    is raised is a fault of the program and keeps its traceback. A message that quotes a long input loses its middle.
    """

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))

    def __str__(self) -> str:
        """The sentence, with its name in the tables of texts if it has one."""
        message: str = self.args[0]
        return message


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
        raise InputError(say("errors.two_named", kind=term(what), name=repeated[0]))
