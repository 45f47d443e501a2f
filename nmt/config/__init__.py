"""Settings of a run: frozen, validated, and stored as config.json in the run folder.

An unknown key is an error that names the most similar known key. ``sections.py`` defines the sections.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from nmt.config.sections import (
    MOST_BEAM,
    MOST_PENALTY,
    ModelConfig,
    SearchSettings,
    TrainingConfig,
    usual_precision,
)
from nmt.errors import InputError
from nmt.records import FORMAT_VERSION, as_record, check_fields, check_key, field_type, from_text


@dataclass(frozen=True, kw_only=True)
class Config:
    """Everything that defines a run except the data: recipe name, model, training and default search settings."""

    recipe: str = "custom"
    model: ModelConfig = field(default_factory=ModelConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    search: SearchSettings = field(default_factory=SearchSettings)

    def __post_init__(self) -> None:
        check_fields(self)
        if self.training.guided and self.model.architecture != "rnnsearch":
            raise InputError("training.guided must be 0 for a model without attention")

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Config:
        """Build from nested dicts; InputError for an unknown key or a value of the wrong type."""
        return as_record(cls, data)

    def override(self, assignments: list[str]) -> Config:
        """Return a copy with ``section.key=value`` assignments applied, e.g. ``training.batch_size=32``.

        Raises InputError for an unknown key, a missing "=" or a value of the wrong type.

        >>> Config().override(["training.batch_size=32", "model.dropout=.1"]).training.batch_size
        32
        """
        data = self.to_dict()
        for assignment in assignments:
            path, equals, text = assignment.partition("=")
            section, dot, key = path.strip().partition(".")
            if not equals or not dot:
                raise InputError(f"{assignment!r} is not of the form section.key=value")
            sections = {"model": ModelConfig, "training": TrainingConfig, "search": SearchSettings}
            if section not in sections:
                raise InputError(f"there is no section {section!r} in {path!r}; the sections are {', '.join(sections)}")
            check_key(sections[section], key, f"{section}.")
            data[section][key] = from_text(field_type(sections[section], key), text.strip(), path.strip())
        return Config.from_dict(data)
