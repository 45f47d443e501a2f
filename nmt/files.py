"""Atomic file writing, and JSON reading with a one-sentence error for a broken file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nmt.errors import InputError
from nmt.records import check_format, parse_object


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path next to ``path`` to write to; on success it atomically replaces ``path``, flushed to disk.
    On any error ``path`` is unchanged and the temporary file is removed."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        yield temporary
        with temporary.open("r+b") as file:
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    """Return the permission bits that new files must not have (the safetensors library writes files as 0600)."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def is_plain_name(name: str) -> bool:
    """True if a name can be given to a file or folder on any system: letters, digits, ".", "_" and "-", the first one
    a letter or digit of ASCII."""
    return re.fullmatch(r"[A-Za-z0-9][\w.-]*", name) is not None


def write_json(path: Path, data: Any) -> None:
    """Write human-readable JSON atomically."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; InputError if the file is missing, is not JSON, or is not an object."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    return parse_object(content, str(path))


def read_versioned_json(path: Path) -> dict[str, Any]:
    """Read a JSON object of the format that this program reads; InputError as ``read_json``, and for another one."""
    data = read_json(path)
    check_format(data, str(path))
    del data["format"]
    return data
