"""Key-value store in one SQLite file, safe against damage.

Many threads and processes of one machine may use it at the same time. WAL requires a folder on a local disk. The store
is a cache: values may be lost, but each returned value equals the stored value.
"""

import contextlib
import logging
import math
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeVar

from nmt.errors import InputError

Result = TypeVar("Result")
Part = Literal["head", "body"]

_PATIENCE, _DEADLINE = 30.0, 60.0
"""Seconds to wait for another process that is writing, and seconds after which an operation counts as stuck."""
_PAUSE = 0.01
"""Seconds until the next try in places where SQLite itself does not wait."""
_ASKED_AT_ONCE = 500
_LARGEST = 32 * 2**20
"""Size of the largest value, in bytes."""
_DAY = 86_400
_SUM = 12
"""Bytes of a checksum."""
_DAMAGE = (sqlite3.Error, OSError, UnicodeDecodeError, TypeError, ValueError, OverflowError)
"""Errors that a broken or unusable file can cause."""
_UNUSABLE_DISK = {
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_IOERR,
}  # fmt: skip
"""Errors that another file in the same folder would also cause."""

_LAYOUT = """
CREATE TABLE IF NOT EXISTS groups (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, used REAL NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY, grp INTEGER NOT NULL, name BLOB NOT NULL UNIQUE, head BLOB NOT NULL, body BLOB NOT NULL
);
"""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StoredValue:
    """A value in two parts: ``head`` is often looked up, ``body`` is the rest."""

    head: bytes
    body: bytes = b""


class Store:
    """A store of values by group and name. No fault of the file makes a method fail.

    A row whose checksum fails counts as missing. A file with which SQLite fails is renamed to FILE.broken, and the next
    operation uses a file with a new number. So no file is ever replaced under an open connection. If no file can be
    written, all values are stored in memory.

    Args:
        name: beginning of the file's name, with the version of the layout.
        limit: maximum number of bytes in use. Beyond it, the least recently used groups lose their oldest entries.
        days: number of days without use after which a group is deleted and its values overwritten. None = never.
    """

    def __init__(
        self, folder: Path, name: str, limit: int, *, days: float | None = None, in_memory: bool = False
    ) -> None:
        self._folder, self._name, self._limit, self._days = folder, name, limit, days
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._path: Path | None = None
        self._file: tuple[int, int] | None = None
        self.in_memory = in_memory
        """True if no file is used, or no file can be used."""
        self._until = math.inf
        self.problem = ""
        """The last fault of the file, in one sentence. "" if there was none."""

    @property
    def path(self) -> Path:
        """The file in use, or the file that would be opened now."""
        numbers = {self._number(path): path for path in self._folder.glob(f"{self._name}.*.sqlite")}
        if numbers:
            return numbers[max(numbers)]
        broken = [self._number(path) for path in self._folder.glob(f"{self._name}.*.sqlite.broken")]
        return self._folder / f"{self._name}.{max(broken, default=-1) + 1}.sqlite"

    def parts(self, group: str, names: Iterable[bytes], part: Part) -> dict[bytes, bytes]:
        """Look up the heads or the bodies of values, by name. The result lacks names without a value."""
        names_by_row = {_row_name(group, name): name for name in names}
        rows = list(names_by_row)

        def read(connection: sqlite3.Connection) -> dict[bytes, bytes]:
            _used(connection, group)
            values: dict[bytes, bytes] = {}
            for first in range(0, len(rows), _ASKED_AT_ONCE):
                batch = rows[first : first + _ASKED_AT_ONCE]
                marks = ",".join("?" * len(batch))
                query = f"SELECT id, name, {part} FROM entries WHERE name IN ({marks})"
                for number, row, sealed in connection.execute(query, batch).fetchall():
                    value = _opened(row, part, sealed) if row in names_by_row else None
                    if value is None:
                        connection.execute("DELETE FROM entries WHERE id = ?", (number,))
                    else:
                        values[names_by_row[row]] = value
            return values

        return self._do(read)

    def put(self, group: str, values: Mapping[bytes, StoredValue], *, replace: bool = False) -> None:
        """Store values. Existing values stay, unless ``replace`` is set. The values are on disk when this returns."""
        rows = []
        for name, value in values.items():
            row = _row_name(group, name)
            if max(len(value.head), len(value.body)) <= _LARGEST:
                rows.append((row, _sealed(row, "head", value.head), _sealed(row, "body", value.body)))

        def write(connection: sqlite3.Connection) -> None:
            number = _used(connection, group)
            self._make_room(connection, 2 * sum(len(head) + len(body) + 100 for _, head, body in rows))
            connection.executemany(
                f"INSERT OR {'REPLACE' if replace else 'IGNORE'} INTO entries (grp, name, head, body) "
                "VALUES (?, ?, ?, ?)",
                [(number, *row) for row in rows],
            )

        self._do(write)

    def drop(self, group: str) -> None:
        """Delete the values of a group."""
        self._do(lambda connection: _delete(connection, "name = ?", group))

    def close(self) -> None:
        """Close the file. The next use opens it again."""
        with self._lock:
            self._close()

    def _do(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run ``work`` in one transaction. If the file fails, use a new file. If this also fails, use memory."""
        with self._lock:
            for renewed in (False, True):
                if self.in_memory:
                    break
                try:
                    return self._transaction(work)
                except _DAMAGE as error:
                    self._give_up(error, renewed)
            return self._transaction(work)

    def _transaction(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        if self._path is not None and _identity(self._path) != self._file:
            self._close()  # another process has deleted or renamed the file
        connection = self._connection = self._connection or self._open()
        connection.execute("BEGIN IMMEDIATE")
        self._until = time.monotonic() + _DEADLINE
        try:
            if self._days is not None:
                _delete(connection, "used < ?", time.time() - self._days * _DAY)
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(*_DAMAGE):
                connection.execute("ROLLBACK")
            raise
        finally:
            self._until = math.inf
        return result

    def _open(self) -> sqlite3.Connection:
        if not self.in_memory:
            self._folder.mkdir(parents=True, exist_ok=True)
        self._path = None if self.in_memory else self.path
        connection = sqlite3.connect(
            self._path or ":memory:", timeout=_PATIENCE, check_same_thread=False, isolation_level=None
        )
        try:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 2 * _LARGEST + 4096)
            connection.set_progress_handler(lambda: time.monotonic() > self._until, 10_000)
            self._until = time.monotonic() + _DEADLINE
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute(f"PRAGMA secure_delete = {'OFF' if self._days is None else 'ON'}")
            _write_ahead(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA journal_size_limit = 4194304")
            connection.executescript(f"BEGIN IMMEDIATE; {_LAYOUT} COMMIT;")  # without IMMEDIATE SQLite may not wait
        except BaseException:
            connection.close()
            raise
        finally:
            self._until = math.inf
        self._file = None if self._path is None else _identity(self._path)
        return connection

    def _give_up(self, error: Exception, renewed: bool) -> None:
        """Rename the broken file, or use memory if another file would not help. Close the file in both cases."""
        path, code = self._path, getattr(error, "sqlite_errorcode", 0)
        self._close()
        if code == sqlite3.SQLITE_READONLY_DBMOVED and not renewed:
            return  # another process renamed the file
        code &= 0xFF
        writable = path is not None and os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
        content = code == sqlite3.SQLITE_READONLY and writable  # SQLite refuses what the system lets us write
        unusable = code in _UNUSABLE_DISK and not content
        if renewed or isinstance(error, OSError) or unusable or path is None:
            self.in_memory = True
            self._report(f"{self.path} cannot be used ({error}): its values are kept only until the program ends")
            return
        aside = path.with_name(path.name + ".broken")
        with contextlib.suppress(OSError):  # another process was quicker
            path.replace(aside)
            for ending in ("-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    path.with_name(path.name + ending).replace(aside.with_name(aside.name + ending))
        self._report(f"{path} was broken ({error}); it was renamed to {aside.name}, and a new cache was started")

    def _report(self, problem: str) -> None:
        self.problem = problem
        _log.warning(problem)

    def _close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(*_DAMAGE):
                self._connection.close()
            self._connection = None

    def _number(self, path: Path) -> int:
        middle = path.name.removeprefix(f"{self._name}.").removesuffix(".broken").removesuffix(".sqlite")
        return int(middle) if middle.isdecimal() else -1

    def _make_room(self, connection: sqlite3.Connection, needed: int) -> None:
        """Delete a tenth of the entries at a time until ``needed`` bytes are free. The least recently used groups go
        first, and in a group the oldest entries."""
        while _bytes_used(connection) + needed > self._limit:
            deleted = connection.execute(
                "DELETE FROM entries WHERE id IN (SELECT e.id FROM entries e LEFT JOIN groups g ON g.id = e.grp "
                "ORDER BY g.used, e.id LIMIT 1 + (SELECT count(*) / 10 FROM entries))"
            ).rowcount
            if deleted < 1:
                return


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and number of a file. None if there is no such file."""
    with contextlib.suppress(OSError):
        status = path.stat()
        return status.st_dev, status.st_ino
    return None


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Turn WAL on. SQLite does not wait here for another process that is opening the file, so this function waits."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_PAUSE)


def _used(connection: sqlite3.Connection, group: str) -> int:
    """Return the id of the group, and mark the group as just used."""
    (number,) = connection.execute(
        "INSERT INTO groups (name, used) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET used = excluded.used RETURNING id",
        (group, time.time()),
    ).fetchone()
    return int(number)


def _delete(connection: sqlite3.Connection, which: str, value: str | float) -> None:
    """Delete the groups that meet the SQL condition ``which``, with ``value`` in place of "?", and their entries."""
    connection.execute(f"DELETE FROM entries WHERE grp IN (SELECT id FROM groups WHERE {which})", (value,))
    connection.execute(f"DELETE FROM groups WHERE {which}", (value,))


def _bytes_used(connection: sqlite3.Connection) -> int:
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _row_name(group: str, name: bytes) -> bytes:
    return blake2b(name, digest_size=16, key=blake2b(group.encode(), digest_size=32).digest()).digest()


def _checksum(row: bytes, part: str, data: bytes) -> bytes:
    return blake2b(data, digest_size=_SUM, key=row, person=part.encode()).digest()


def _sealed(row: bytes, part: str, data: bytes) -> bytes:
    return _checksum(row, part, data) + data


def _opened(row: bytes, part: str, sealed: object) -> bytes | None:
    """The data without their checksum, or None if data and checksum do not match."""
    if not isinstance(sealed, bytes):
        return None
    data = sealed[_SUM:]
    return data if sealed[:_SUM] == _checksum(row, part, data) else None


_TRANSLATIONS = "JOINTLY_TRANSLATIONS"


def keeps_translations() -> bool:
    """True if translations and scores, which contain users' sentences, are stored on disk. False if
    $JOINTLY_TRANSLATIONS is "memory". InputError for any value but "memory" and "disk"."""
    chosen = os.environ.get(_TRANSLATIONS) or "disk"
    if chosen not in ("disk", "memory"):
        raise InputError(f"{_TRANSLATIONS} must be disk or memory, not {chosen!r}")
    return chosen == "disk"
