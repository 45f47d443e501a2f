"""Folder for results that could be recomputed, and for uploaded runs."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder() -> Path:
    """Return $JOINTLY_CACHE, or else the system's place for caches, such as ~/.cache/jointly. It need not exist."""
    given = os.environ.get("JOINTLY_CACHE")
    return Path(given) if given else user_cache_path("jointly", appauthor=False)
