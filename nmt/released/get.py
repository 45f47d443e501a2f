"""Released runs that are not on this machine: fetched from a release or a folder, and unpacked among the user's runs.

The package has the checksums of every released run, so files from any source are verified.
"""

import sys
from dataclasses import replace
from pathlib import Path

from nmt.data.corpora.download import OnBytes, download
from nmt.errors import InputError
from nmt.evaluation.measurement_files import check_run_evaluations
from nmt.files import cache_folder, sha256_of
from nmt.released import RELEASED
from nmt.runs.archive import LIMITS, unpack_run
from nmt.runs.checksums import CHECKSUMS, read_checksums
from nmt.runs.folder import RELEASED_RUNS, RunInfo, read_run, runs_folder

RELEASE = ""
"""Address of the files of the release. Empty until there is a release."""
SUMS = "SHA256SUMS"
"""Name of the list of the checksums of a release's files, in the format of ``sha256sum``."""

_LIMITS = replace(LIMITS, kept=sys.maxsize)


def released() -> list[str]:
    """Names of the released runs that have a list of checksums."""
    return [name for name in RELEASED if (RELEASED_RUNS / name / CHECKSUMS).is_file()]


def present(name: str) -> Path | None:
    """Folder of a released run whose weights are on this machine, else None. Raises InputError for an unknown name."""
    if name not in released():
        raise InputError(f"there is no released run {name!r}; `jointly get` lists them")
    places = (runs_folder() / name, RELEASED_RUNS / name)
    return next((place for place in places if place.is_dir() and read_run(place).has_weights), None)


def get_run(name: str, folder: Path | None = None, on_bytes: OnBytes = lambda here, total: None) -> RunInfo:
    """Get a released run, and unpack it among the user's runs.

    Args:
        folder: folder with the files of a release, such as a USB stick. None = download them, or resume their download.
        on_bytes: called with the progress of the download.

    Raises InputError, and unpacks nothing, if the file is missing, damaged, truncated or of another run or release.
    """
    file = f"{name}.zip"
    archive = cache_folder() / "downloads" / file if folder is None else folder / file
    if folder is None:
        expected = _listed(_fetched_sums(archive.with_name(SUMS)), file)
        download(f"{RELEASE}/{file}", archive, f"sha256:{expected}", on_bytes)
    elif sha256_of(archive) != _listed(folder / SUMS, file):
        raise InputError(f"{archive} does not match its entry in {SUMS}: it is damaged, cut, or of another release")
    expected_files = read_checksums(RELEASED_RUNS / name)

    def is_it(run: RunInfo) -> None:
        if run.name != name or read_checksums(run.path) != expected_files:
            raise InputError(f"it is not the run {name} that belongs to this version of the program")

    try:
        with archive.open("rb") as opened:
            return unpack_run(opened, file, runs_folder(), (is_it, check_run_evaluations), _LIMITS)
    finally:
        if folder is None:
            archive.unlink()


def _fetched_sums(path: Path) -> Path:
    if not RELEASE:
        raise InputError("there is no release to download from yet; --from FOLDER takes runs from a folder")
    path.unlink(missing_ok=True)
    download(f"{RELEASE}/{SUMS}", path)
    return path


def _listed(path: Path, file: str) -> str:
    """Look up the SHA-256 of ``file`` in the list ``path``. Raises InputError if either is missing."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path} is missing or cannot be read") from None
    digests = [digest for digest, _, name in (line.partition("  ") for line in lines) if name == file]
    if not digests:
        raise InputError(f"{path} does not list {file}")
    return digests[0]
