"""Identity of a training run: it can be resumed only with the same settings and data."""

from __future__ import annotations

import hashlib

from nmt.config import Config, TrainingConfig
from nmt.data.prepared import MANIFEST, Prepared
from nmt.errors import InputError
from nmt.runs.folder import RunSettings, VocabularyInfo


def settings_of(config: Config, prepared: Prepared) -> RunSettings:
    """The content of config.json; the data are identified by the checksum of their manifest."""
    return RunSettings(
        config=config,
        source_language=prepared.source_language,
        target_language=prepared.target_language,
        source_vocabulary=VocabularyInfo(prepared.source_vocabulary.kind, len(prepared.source_vocabulary)),
        target_vocabulary=VocabularyInfo(prepared.target_vocabulary.kind, len(prepared.target_vocabulary)),
        data=hashlib.sha256((prepared.folder / MANIFEST).read_bytes()).hexdigest(),
    )


def check_only_limits(old: TrainingConfig, new: TrainingConfig) -> None:
    """Raise InputError for a difference in any setting other than the limits and ``keep``, or in a limit that the
    learning rate depends on."""
    may_change = {"max_epochs", "max_minutes", "patience", "keep"}
    if old.schedule not in ("cosine", "linear") and old.guided_until is None:
        may_change.add("max_updates")
    for name in old.__dataclass_fields__:
        if name not in may_change and getattr(old, name) != getattr(new, name):
            raise InputError(
                f"training.{name} cannot be changed on resuming: the result would differ from an uninterrupted run"
            )
