"""Comparison of the settings of two runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nmt.runs.folder import RunSettings, settings_to_dict


@dataclass(frozen=True)
class SettingPair:
    """Values of one setting in two runs.

    Attributes:
        name: as in ``--set``, such as "training.batch_size".
        first, second: JSON-ready.
    """

    name: str
    first: Any
    second: Any

    @property
    def differs(self) -> bool:
        return bool(self.first != self.second)


def compare_settings(first: RunSettings, second: RunSettings) -> list[SettingPair]:
    """Pair all settings in the order of config.json; a setting missing from a run's file has its default."""
    first_values, second_values = (dict(_flat(settings_to_dict(settings))) for settings in (first, second))
    return [SettingPair(name, value, second_values[name]) for name, value in first_values.items()]


def _flat(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
