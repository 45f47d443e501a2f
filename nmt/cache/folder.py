"""Folder for results that could be recomputed, and for uploaded runs."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path

from nmt.errors import InputError

_TRANSLATIONS = "JOINTLY_TRANSLATIONS"


def cache_folder() -> Path:
    """Return $JOINTLY_CACHE, or else the system's place for caches, such as ~/.cache/jointly. It need not exist."""
    configured = os.environ.get("JOINTLY_CACHE")
    return Path(configured) if configured else user_cache_path("jointly", appauthor=False)


def keeps_translations() -> bool:
    """Return whether translations and scores, and with them the sentences that were typed, are kept on disk: unless
    $JOINTLY_TRANSLATIONS is "memory". InputError for any value other than that and "disk"."""
    chosen = os.environ.get(_TRANSLATIONS) or "disk"
    if chosen not in ("disk", "memory"):
        raise InputError(f"{_TRANSLATIONS} must be disk or memory, not {chosen!r}")
    return chosen == "disk"
