"""What readers upload, under the hash of its text, within a budget of bytes and days: only who has the hash finds it.

The owners of an upload are the sessions that have it. An upload is deleted when its last owner gives it up, or when
nobody has asked for it for ``DAYS`` days, or to make room for others.
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
"""Days for which an upload is kept after its last use."""
ON_DISK, IN_MEMORY = 500_000_000, 100_000_000
"""Most bytes of all uploads, compressed: on the disk, and in memory where nothing is written to the disk."""
_KEY = re.compile(r"[0-9a-f]{40}")


class UploadStore:
    """The uploads of all readers of this server. A broken one counts as missing."""

    def __init__(self) -> None:
        on_disk = keeps_translations()
        limit = ON_DISK if on_disk else IN_MEMORY
        self._store = Store(cache_folder(), "uploads-1", limit, days=DAYS, in_memory=not on_disk)
        self._lock = threading.Lock()
        self._owners: dict[str, set[str]] = {}

    @property
    def in_memory(self) -> bool:
        """Whether uploads are gone when the server ends."""
        return self._store.in_memory

    def close(self) -> None:
        """Close the file. The next use opens it again."""
        self._store.close()

    def keep(self, data: bytes, owner: str) -> str:
        """Keep a text and return its key, 160 bits of its SHA-256. Raises InputError without room for the text."""
        key = _key_of(data)
        self._store.put(key, {b"": StoredValue(zlib.compress(data))}, replace=True)
        if self.find(key, owner) is None:
            raise InputError(say("errors.upload_not_kept"))
        return key

    def find(self, key: str, owner: str) -> bytes | None:
        """Return the text of a key, which may be any text, and count it as used now. None for an unknown key."""
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
        """Take an upload from an owner, and delete it if no other session that is still open has it."""
        with self._lock:
            others = {other for other in self._owners.pop(key, set()) if other != owner and is_open(other)}
            if others:
                self._owners[key] = others
        if not others:
            self._store.drop(key)


def _key_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:40]
