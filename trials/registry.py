"""All trials, in the order in which their first pieces run."""

from __future__ import annotations

from trials import (
    addresses,
    archives,
    arguments,
    code_faults,
    damaged_pages,
    disk,
    installs,
    kills,
    pins,
    run_folders,
    sentences,
    service,
    stores,
    text_files,
    upgrade,
)
from trials.trial import Trial

TRIALS: tuple[Trial, ...] = (
    sentences.TRIAL,
    arguments.TRIAL,
    text_files.TRIAL,
    pins.TRIAL,
    service.TRIAL,
    run_folders.TRIAL,
    archives.TRIAL,
    damaged_pages.TRIAL,
    kills.TRIAL,
    disk.FULL_DISK,
    disk.FOLDERS,
    stores.TRIAL,
    addresses.PAGES,
    addresses.BROWSER,
    upgrade.TRIAL,
    installs.TRIAL,
    code_faults.TRIAL,
)
