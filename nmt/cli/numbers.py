"""Options that take a number: each with its bounds, which ``--help`` states and one sentence enforces."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from nmt.errors import InputError

MOST_SEED = 2**32 - 1


class _Bounded(argparse.Action):
    """Store the number if it is within the bounds; InputError otherwise."""

    least: float
    most: float
    whole: bool

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, self._checked(str(values)))

    def _checked(self, text: str) -> float:
        try:
            number = int(text) if self.whole else float(text)
        except (ValueError, OverflowError):
            number = float("nan")
        if not self.least <= number <= self.most:  # false for NaN too
            kind = "a whole number" if self.whole else "a number"
            shown = repr(text) if len(text) <= 20 else f"{text[:20]!r}…"
            raise InputError(f"{self.option_strings[0]} must be {kind} from {_range(self)}, not {shown}")
        return number


def _range(action: _Bounded) -> str:
    return f"{action.least:,} to {action.most:,}"


def add_whole_number(
    parser: argparse._ActionsContainer,
    option: str,
    least: int,
    most: int,
    help: str,
    *,
    default: int | None = None,
    usual: str = "",
    metavar: str = "N",
) -> None:
    """Add an option that takes a whole number from ``least`` to ``most``. ``help`` says what it is; bounds and default
    are added. ``usual``: description of the default if it is None."""
    _add(parser, option, least, most, help, default=default, usual=usual, metavar=metavar, whole=True)


def add_number(
    parser: argparse._ActionsContainer,
    option: str,
    least: float,
    most: float,
    help: str,
    *,
    default: float | None = None,
    usual: str = "",
    metavar: str = "X",
) -> None:
    """Add an option that takes a number from ``least`` to ``most``; as ``add_whole_number`` otherwise."""
    _add(parser, option, least, most, help, default=default, usual=usual, metavar=metavar, whole=False)


def _add(
    parser: argparse._ActionsContainer,
    option: str,
    least: float,
    most: float,
    help: str,
    *,
    default: float | None,
    usual: str,
    metavar: str,
    whole: bool,
) -> None:
    action = parser.add_argument(option, action=_Bounded, default=default, metavar=metavar)
    assert isinstance(action, _Bounded)
    action.least, action.most, action.whole = least, most, whole
    preset = usual or ("" if default is None else f"{default:,}" if whole else f"{default:g}")
    action.help = f"{help}; {_range(action)}" + (f" (default {preset})" if preset else "")
