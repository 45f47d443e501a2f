"""Downloads over HTTP: resumable, verified, and moved into place only when complete.

Maintained download libraries such as pooch restart from the first byte. The files of WMT'14 are gigabytes.
"""

import errno
import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import requests

from nmt.errors import InputError

OnBytes = Callable[[int, int | None], None]
"""Progress callback: number of bytes received, and the total if known."""

TIMEOUT, ATTEMPTS, PAUSE = 60, 4, 2
"""Seconds without data after which a connection fails. Consecutive connections without a new byte after which a
download fails. Seconds before the second attempt, with as many more before each later attempt."""

BLOCK = 1 << 14
"""Bytes read at a time. A block interrupted by a lost connection is discarded."""

_HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; jointly-nmt)",  # manythings.org refuses the names of libraries
    "Accept-Encoding": "identity",  # offsets and checksums count the bytes as stored
}
_BUSY = (429, 500, 502, 503, 504)


class _BrokenOffError(Exception):
    """Raised when a connection ends before the file is complete. Its text is the reason, for people."""


def download(
    url: str,
    path: Path,
    checksum: str | None = None,
    on_bytes: OnBytes = lambda here, total: None,
) -> None:
    """Fetch ``url`` into ``path``, unless ``path`` exists. Verify the ``checksum``, such as "sha256:…", in both cases.

    A partial download stays beside ``path`` as NAME.part. A later call resumes it if the server supports that and the
    file on the server has not changed. The download fails after ``ATTEMPTS`` connections without a new byte.

    Raises InputError for no connection, a response such as 404, a broken download, a wrong checksum and a full disk.
    """
    if path.exists():
        _verify(path, checksum, url)
        on_bytes(path.stat().st_size, path.stat().st_size)
        return
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _fetch(url, part, on_bytes)
        try:
            _verify(part, checksum, url)
        except InputError:
            part.unlink()
            raise
        part.replace(path)
        _validator_path(part).unlink(missing_ok=True)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise InputError(
                f"the disk is full: {path} could not be downloaded; free some space, and the next attempt resumes"
            ) from None
        raise InputError(f"{error.filename or path} cannot be written: {error.strerror or error}") from None


def _fetch(url: str, part: Path, on_bytes: OnBytes) -> None:
    """Connect repeatedly until the file is complete."""
    fruitless = 0
    while True:
        before = _size(part)
        try:
            _connect(url, part, on_bytes)
            return
        except _BrokenOffError as error:
            fruitless = 0 if _size(part) > before else fruitless + 1
            if fruitless >= ATTEMPTS:
                raise InputError(_gave_up(url, str(error), _size(part))) from None
        time.sleep(PAUSE * fruitless)


def _gave_up(url: str, reason: str, received: int) -> str:
    host = urlsplit(url).netloc
    if not received:
        return f"{host} cannot be reached for {url}: {reason}"
    return f"the download of {url} stopped after {received:,} bytes ({reason}); the next attempt resumes"


def _connect(url: str, part: Path, on_bytes: OnBytes) -> None:
    """Request and append the missing bytes in one connection. Raises _BrokenOffError if bytes are still missing."""
    begun = _size(part)
    headers = dict(_HEADERS)
    validator = _read_validator(part, url)
    if begun and validator:
        headers |= {"Range": f"bytes={begun}-", "If-Range": validator}
    try:
        with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
            if response.status_code in _BUSY:
                raise _BrokenOffError(f"the server answers {response.status_code} {response.reason}")
            content_range = response.headers.get("Content-Range", "")  # such as bytes 5-9/10
            resumed = response.status_code == 206 and content_range.startswith(f"bytes {begun}-")
            if response.status_code == 416 and content_range == f"bytes */{begun}":
                return  # complete: the program ended before it renamed the file
            if response.status_code == 416 or (response.status_code == 206 and not resumed):
                part.unlink(missing_ok=True)
                raise _BrokenOffError("the file on the server has changed; restarted")
            if not response.ok:
                raise InputError(
                    f"{urlsplit(url).netloc} answers {response.status_code} {response.reason} for {url}: "
                    "the file has moved or is not public"
                )
            if not resumed:
                begun = 0
                _write_validator(part, url, response)
            length = response.headers.get("Content-Length")
            total = begun + int(length) if length is not None and length.isdigit() else None
            with part.open("ab" if resumed else "wb") as file:
                on_bytes(begun, total)
                for block in response.iter_content(BLOCK):
                    file.write(block)
                    begun += len(block)
                    on_bytes(begun, total)
    except requests.exceptions.Timeout:
        raise _BrokenOffError(f"no answer for {TIMEOUT:g} seconds") from None
    except requests.exceptions.SSLError:
        raise InputError(f"{urlsplit(url).netloc} has no valid certificate, so {url} was not downloaded") from None
    except requests.exceptions.ConnectionError:
        raise _BrokenOffError("no connection") from None
    except requests.exceptions.ChunkedEncodingError:
        raise _BrokenOffError("the connection was lost") from None
    except requests.exceptions.RequestException as error:
        raise InputError(f"{url} cannot be downloaded: {error}") from None
    if total is not None and begun < total:
        raise _BrokenOffError(f"{total:,} were announced")


def _size(part: Path) -> int:
    return part.stat().st_size if part.exists() else 0


def _validator_path(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _write_validator(part: Path, url: str, response: requests.Response) -> None:
    """Save the server's ETag or date of this version of the file, so that bytes of two versions are never mixed."""
    tag = response.headers.get("ETag", "")
    validator = tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified", "")
    _validator_path(part).write_text(json.dumps({"url": url, "validator": validator}), encoding="utf-8")


def _read_validator(part: Path, url: str) -> str:
    """Return the ETag or date of the partial file, or "" if the download cannot be resumed."""
    try:
        data = json.loads(_validator_path(part).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    same_url = isinstance(data, dict) and data.get("url") == url
    return str(data.get("validator", "")) if same_url else ""


def _verify(path: Path, checksum: str | None, url: str) -> None:
    if checksum is None:
        return
    algorithm, _, expected = checksum.partition(":")
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, algorithm).hexdigest()
    if digest != expected:
        raise InputError(
            f"{path.name.removesuffix('.part')} from {url} has the {algorithm} checksum {digest} instead of "
            f"{expected}: it is damaged or has been changed"
            + ("" if path.name.endswith(".part") else f"; delete {path} to fetch it again")
        )
