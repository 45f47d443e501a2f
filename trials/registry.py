"""All trials, in the order in which their first pieces run."""

from trials import (
    addresses,
    archives,
    arguments,
    code_faults,
    connections,
    disk,
    hostile,
    html_page,
    interrupts,
    jobs,
    kills,
    large_files,
    load,
    look_steps,
    native,
    other_browser,
    run_folders,
    sentences,
    service,
    sessions,
    shards,
    stores,
    text_files,
    together,
    uploads,
    weights,
)
from trials.trial import Trial

TRIALS: tuple[Trial, ...] = (
    sentences.TRIAL,
    native.TRIAL,
    arguments.TRIAL,
    text_files.TRIAL,
    service.TRIAL,
    connections.TRIAL,
    run_folders.TRIAL,
    archives.TRIAL,
    weights.TRIAL,
    sessions.TRIAL,
    uploads.TRIAL,
    large_files.TRIAL,
    html_page.TRIAL,
    hostile.TRIAL,
    kills.TRIAL,
    interrupts.TRIAL,
    jobs.TRIAL,
    shards.TRIAL,
    disk.FULL_DISK,
    disk.FOLDERS,
    stores.TRIAL,
    addresses.TRIAL,
    look_steps.TRIAL,
    look_steps.IN_FIREFOX,
    other_browser.TRIAL,
    other_browser.SITE,
    load.TRIAL,
    together.TRIAL,
    code_faults.TRIAL,
)


def trials(seconds: float, readers: int) -> tuple[Trial, ...]:
    """All trials, that of the load with so many readers, who ask for so long."""
    return tuple(load.load_trial(seconds, readers) if trial is load.TRIAL else trial for trial in TRIALS)
