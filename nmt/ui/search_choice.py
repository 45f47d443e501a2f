"""Search settings as a reader chooses them."""

from __future__ import annotations

from typing import Literal

from nmt.config import SearchSettings
from nmt.runs.folder import DICTIONARY, RunInfo

Unknown = Literal["Keep", "Forbid", "Replace"]
"""Treatment of [UNK]."""


def chosen_settings(run: RunInfo, beam: int, unknown: Unknown, n_best: int = 1) -> SearchSettings:
    """Change the run's own search settings to what the reader chose on the page. [UNK] is replaced only where the model
    has alpha."""
    replace = unknown == "Replace" and run.has_alignment
    chosen = run.config.search.changed(beam=beam, n_best=n_best, no_unk=unknown == "Forbid", replace_unk=replace)
    return resolved(run, chosen)


def resolved(run: RunInfo, settings: SearchSettings) -> SearchSettings:
    """Resolve "auto" to "dictionary" if the run has one, else to "copy", as its translator does."""
    if settings.replace_unk != "auto":
        return settings
    return settings.changed(replace_unk="dictionary" if (run.path / DICTIONARY).is_file() else "copy")
