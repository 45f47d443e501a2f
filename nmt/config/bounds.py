"""Types of settings with their bounds, and the check of conditions between settings."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from nmt.errors import InputError

MOST_UNITS = 100_000
"""Largest layer allowed: a matrix of so many rows and columns takes 40 GB."""

Units = Annotated[int, Field(ge=1, le=MOST_UNITS)]
AtLeastOne = Annotated[int, Field(ge=1)]
NotNegative = Annotated[int, Field(ge=0)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
BelowOne = Annotated[float, Field(ge=0, lt=1, allow_inf_nan=False)]
UpToOne = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]


def require(condition: bool, message: str) -> None:
    """Raise InputError with this sentence unless the condition holds."""
    if not condition:
        raise InputError(message)
