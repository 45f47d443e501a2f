"""Where results are kept that could be computed again, and runs that readers upload."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder() -> Path:
    """$JOINTLY_CACHE, or where the system keeps caches of programs, such as ~/.cache/jointly. It need not exist."""
    given = os.environ.get("JOINTLY_CACHE")
    return Path(given) if given else user_cache_path("jointly", appauthor=False)
