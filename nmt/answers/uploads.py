"""Uploads of users, stored under the hash of their text for some days. Only a user with the hash finds an upload.

The owners of an upload are the sessions that stored it or looked it up. An upload is deleted when its last owner gives
it up, after ``DAYS`` days without use, or to make room for other uploads.
"""

import hashlib
import re
import threading
import zlib
from collections.abc import Callable

from nmt.answers.store import Store, StoredValue, keeps_translations
from nmt.errors import InputError
from nmt.files import cache_folder
from nmt.texts import say

DAYS = 30
"""An upload is deleted this many days after its last use."""
ON_DISK, IN_MEMORY = 500_000_000, 100_000_000
"""Largest number of bytes of all compressed uploads: on disk, or in memory if no file is used."""
_KEY = re.compile(r"[0-9a-f]{40}")


class UploadStore:
    """The uploads of all users of this server. A broken upload counts as missing."""

    def __init__(self) -> None:
        on_disk = keeps_translations()
        limit = ON_DISK if on_disk else IN_MEMORY
        self._store = Store(cache_folder(), "uploads-1", limit, days=DAYS, in_memory=not on_disk)
        self._lock = threading.Lock()
        self._owners: dict[str, set[str]] = {}

    @property
    def in_memory(self) -> bool:
        """Whether uploads are lost when the server ends."""
        return self._store.in_memory

    def close(self) -> None:
        """Close the file. The next use opens it again."""
        self._store.close()

    def keep(self, data: bytes, owner: str) -> str:
        """Store a text, and return its key: 160 bits of its SHA-256. Raises InputError if the text cannot be stored."""
        key = _key_of(data)
        self._store.put(key, {b"": StoredValue(zlib.compress(data))}, replace=True)
        if self.find(key, owner) is None:
            raise InputError(say("errors.upload_not_kept"))
        return key

    def find(self, key: str, owner: str) -> bytes | None:
        """Return the text of a key, count it as used now, and make ``owner`` an owner of it. ``key`` may be any text.
        None if there is no intact upload with this key."""
        if _KEY.fullmatch(key) is None or not (rows := self._store.parts(key, [b""], "head")):
            return None
        try:
            data = zlib.decompress(rows[b""])
        except zlib.error:
            return None
        if _key_of(data) != key:
            return None
        with self._lock:
            self._owners.setdefault(key, set()).add(owner)
        return data

    def give_up(self, key: str, owner: str, is_open: Callable[[str], bool]) -> None:
        """Remove ``owner`` from the owners of an upload. Delete the upload if no other owner is an open session."""
        with self._lock:
            others = {other for other in self._owners.pop(key, set()) if other != owner and is_open(other)}
            if others:
                self._owners[key] = others
        if not others:
            self._store.drop(key)


def _key_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:40]
