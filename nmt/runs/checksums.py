"""Checksums of the files of a run that decide its translations, in RUN/checksums.json. Loading a run thus detects a
file of another run, and a changed file that can still be read.

``python -m release publish`` and ``checksums`` write the list. A command that changes a listed file later renews the
entry. The checksums do not cover the section "search" of config.json, which users may edit. No torch is imported.
"""

import hashlib
import json
import logging
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from nmt.errors import InputError
from nmt.files import read_json, read_versioned_json, sha256_of

CHECKSUMS = "checksums.json"
_CONFIG, _RESUME = "config.json", "resume.safetensors"
_COVERED = re.compile(
    r"config\.json|dictionary\.tsv|source\.word-counts|(source|target)\.(vocabulary\.json|sentencepiece\.model)"
    r"|(model|last|phrases|steps/[0-9]{1,12})\.safetensors"
)
"""Names of the files that a list of checksums covers, relative to the run folder."""
_SHA256 = re.compile(r"[0-9a-f]{64}")
_log = logging.getLogger(__name__)


def digest(run: Path, name: str) -> str:
    """Compute the SHA-256 of the bytes of a file of the run. For config.json, the section "search" is left out. Raises
    InputError if the file is missing or cannot be read."""
    if name == _CONFIG:
        return _config_digest(read_json(run / name))
    return sha256_of(run / name)


def _config_digest(data: Mapping[str, Any]) -> str:
    covered_settings = {key: value for key, value in data.items() if key != "search"}
    text = json.dumps(covered_settings, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def drop_checksums(run: Path) -> None:
    """Delete the list of checksums, because a training will change the files."""
    (run / CHECKSUMS).unlink(missing_ok=True)


def read_checksums(run: Path) -> dict[str, str] | None:
    """Read the list of checksums: SHA-256 by name. None if the run has no list. Raises InputError if it is broken."""
    path = run / CHECKSUMS
    if not path.is_file():
        return None
    files = read_versioned_json(path).get("files")
    if not isinstance(files, dict) or not all(
        _COVERED.fullmatch(name) and isinstance(value, str) and _SHA256.fullmatch(value)
        for name, value in files.items()
    ):
        raise InputError(f"{path} is not a list of the checksums of a run's files")
    return files


def check_config(run: Path, data: Mapping[str, Any]) -> None:
    """Raise InputError if ``data``, the content of config.json, does not match its checksum in the run's list."""
    listed = read_checksums(run)
    if listed is not None:
        _compare(run, listed, {_CONFIG: _config_digest(data)})


def check_files(run: Path, names: Iterable[str]) -> dict[str, str]:
    """Compute the checksums of these files, by name. Raises InputError for a missing file, and for a file whose
    checksum is not in the run's list. A run without a list is logged, unless its training can be resumed."""
    digests = {name: digest(run, name) for name in names}
    listed = read_checksums(run)
    if listed is not None:
        _compare(run, listed, digests)
    elif not (run / _RESUME).exists():
        _mention_unlisted(str(run))
    return digests


def check_all_files(run: Path) -> None:
    """If the run has a list, raise InputError for a missing listed file, and for a covered file that differs."""
    listed = read_checksums(run)
    if listed is not None:
        _compare(run, listed, {name: digest(run, name) for name in sorted({*listed, *covered(run)})})


def covered(run: Path) -> list[str]:
    """Names of the existing files of a run that a list of checksums covers."""
    paths = [*run.glob("*"), *run.glob("steps/*")]
    names = sorted(path.relative_to(run).as_posix() for path in paths if path.is_file())
    return [name for name in names if _COVERED.fullmatch(name)]


def _compare(run: Path, listed: Mapping[str, str], digests: Mapping[str, str]) -> None:
    for name, value in digests.items():
        if _COVERED.fullmatch(name) and listed.get(name) != value:
            what = "is not in" if name not in listed else "does not match its entry in"
            raise InputError(
                f"{run / name} {what} {CHECKSUMS}: it is damaged or was replaced "
                f"(if the change is your own, delete {CHECKSUMS})"
            )


@cache
def _mention_unlisted(run: str) -> None:
    _log.warning("%s has no %s: damage to its files is not noticed", run, CHECKSUMS)
