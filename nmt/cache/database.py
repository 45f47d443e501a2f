"""On-disk cache of finished translations and scores.

One SQLite file in the cache folder, for all runs and settings. Any number of threads and processes on one machine may
use it at the same time (WAL, so the folder must be on a local disk).
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from nmt.cache.folder import cache_folder
from nmt.cache.keys import ScoreKey, SearchKey
from nmt.results import AlignmentSummary, FinishedScore, FinishedTranslation

Result = TypeVar("Result")

LIMIT = 256 * 2**20
"""Maximum size of the file in bytes: about 500,000 sentences."""

_NAME = "translations-1.sqlite"
"""File name with the version of the layout, so that programs with different layouts use different files."""
_PATIENCE = 30.0
"""Seconds to wait for another process that is writing."""
_ASKED_AT_ONCE = 500
_UNUSABLE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH}
"""Errors of SQLite for a file that is not a database, is damaged, or has other tables."""

_LAYOUT = """
CREATE TABLE IF NOT EXISTS settings (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, used REAL NOT NULL);
CREATE TABLE IF NOT EXISTS translations (
    id INTEGER PRIMARY KEY, settings INTEGER NOT NULL, source BLOB NOT NULL, text BLOB NOT NULL,
    tokens INTEGER NOT NULL, log_probability REAL NOT NULL,
    entropy REAL, least_coverage REAL, mean_coverage REAL,
    UNIQUE (settings, source)
);
CREATE TABLE IF NOT EXISTS scores (
    id INTEGER PRIMARY KEY, settings INTEGER NOT NULL, source BLOB NOT NULL, target BLOB NOT NULL,
    tokens INTEGER NOT NULL, log_probability REAL NOT NULL,
    UNIQUE (settings, source, target)
);
"""
_TABLES = ("translations", "scores")
_COLUMNS = "source, text, tokens, log_probability, entropy, least_coverage, mean_coverage"

_log = logging.getLogger(__name__)


class TranslationCache:
    """Cache of translations by search and source sentence, and of scores by model and pair. No method fails because of
    the file: a broken file is set aside and a new one started, and if no file can be written, everything is kept in
    memory.

    Args:
        folder: folder of the file; None = the cache folder.
        limit: maximum size of the file in bytes; beyond it, the least recently used settings are evicted first.
    """

    def __init__(self, folder: Path | None = None, limit: int = LIMIT) -> None:
        self.path = (folder or cache_folder()) / _NAME
        self._limit = limit
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._in_memory = False
        self._failures = 0
        self._problem = ""

    @property
    def problem(self) -> str:
        """Fault of the file, in one sentence; "" if there is none."""
        return self._problem

    def find(self, key: SearchKey, sources: Iterable[str]) -> dict[str, FinishedTranslation]:
        """Look up cached translations, by source."""
        wanted = list(dict.fromkeys(sources))

        def read(connection: sqlite3.Connection) -> dict[str, FinishedTranslation]:
            settings = _used(connection, key)
            found: dict[str, FinishedTranslation] = {}
            for first in range(0, len(wanted), _ASKED_AT_ONCE):
                part = wanted[first : first + _ASKED_AT_ONCE]
                marks = ",".join("?" * len(part))
                rows = connection.execute(
                    f"SELECT {_COLUMNS} FROM translations WHERE settings = ? AND source IN ({marks})",
                    [settings, *map(_bytes, part)],
                )
                found |= {translation.source: translation for translation in map(_translation, rows)}
            return found

        return self._do(read)

    def add(self, key: SearchKey, translations: Sequence[FinishedTranslation]) -> None:
        """Store translations, without replacing existing ones. They are on disk when this returns."""

        def write(connection: sqlite3.Connection) -> None:
            settings = _used(connection, key)
            connection.executemany(
                f"INSERT OR IGNORE INTO translations (settings, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(settings, *_row(translation)) for translation in translations],
            )
            self._make_room(connection, settings)

        self._do(write)

    def find_scores(self, key: ScoreKey, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], FinishedScore]:
        """Look up cached scores, by source and target."""
        wanted = list(dict.fromkeys(pairs))

        def read(connection: sqlite3.Connection) -> dict[tuple[str, str], FinishedScore]:
            settings = _used(connection, key)
            found: dict[tuple[str, str], FinishedScore] = {}
            for first in range(0, len(wanted), _ASKED_AT_ONCE):
                part = wanted[first : first + _ASKED_AT_ONCE]
                rows = connection.execute(
                    "SELECT source, target, tokens, log_probability FROM scores "
                    f"WHERE settings = ? AND (source, target) IN (VALUES {','.join(['(?, ?)'] * len(part))})",
                    [settings, *(_bytes(text) for pair in part for text in pair)],
                )
                found |= {(score.source, score.target): score for score in map(_score, rows)}
            return found

        return self._do(read)

    def add_scores(self, key: ScoreKey, scores: Sequence[FinishedScore]) -> None:
        """Store scores, in the same way as ``add``."""

        def write(connection: sqlite3.Connection) -> None:
            settings = _used(connection, key)
            connection.executemany(
                "INSERT OR IGNORE INTO scores (settings, source, target, tokens, log_probability) "
                "VALUES (?, ?, ?, ?, ?)",
                [(settings, _bytes(s.source), _bytes(s.target), s.tokens, s.log_probability) for s in scores],
            )
            self._make_room(connection, settings)

        self._do(write)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._close()

    def _do(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run ``work`` in one transaction."""
        with self._lock:
            while True:
                try:
                    connection = self._connection = self._connection or self._open()
                    connection.execute("BEGIN IMMEDIATE")
                    try:
                        result = work(connection)
                        connection.execute("COMMIT")
                    except BaseException:
                        with contextlib.suppress(sqlite3.Error):
                            connection.execute("ROLLBACK")
                        raise
                    self._failures = 0
                    self._shrink(connection)
                    return result
                except (sqlite3.Error, OSError) as error:
                    if self._in_memory:
                        raise
                    self._recover(error)

    def _open(self) -> sqlite3.Connection:
        if self._in_memory:
            connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        else:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, _PATIENCE, check_same_thread=False, isolation_level=None)
        try:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA journal_size_limit = 4194304")
            connection.executescript(_LAYOUT)
        except BaseException:
            connection.close()
            raise
        return connection

    def _recover(self, error: sqlite3.Error | OSError) -> None:
        """Recover before the next attempt: first reopen the file (another process may have replaced it), then set it
        aside, then continue without a file."""
        self._close()
        self._failures += 1
        unusable = isinstance(error, _Garbled) or getattr(error, "sqlite_errorcode", 0) & 0xFF in _UNUSABLE
        if unusable and self._failures == 1:
            return
        if unusable and self._failures == 2:
            aside = self.path.with_suffix(".broken.sqlite")
            try:
                self.path.replace(aside)
                for ending in ("-wal", "-shm"):
                    self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
            except OSError as reason:
                error = reason
            else:
                self._say(
                    f"{self.path} was broken ({error}); it was renamed to {aside.name}, and a new cache was started"
                )
                return
        self._in_memory = True
        self._say(f"{self.path} cannot be used ({error}): translations are kept only until the program ends")

    def _say(self, problem: str) -> None:
        self._problem = problem
        _log.warning(problem)

    def _close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _make_room(self, connection: sqlite3.Connection, current: int) -> None:
        """Delete the least recently used settings, and once only the current ones are left, their oldest entries."""
        while self._bytes_used(connection) > self._limit:
            (oldest,) = connection.execute(
                "SELECT min(id) FROM settings WHERE used = (SELECT min(used) FROM settings WHERE id != ?) AND id != ?",
                (current, current),
            ).fetchone()
            if oldest is not None:
                for table in _TABLES:
                    connection.execute(f"DELETE FROM {table} WHERE settings = ?", (oldest,))
                connection.execute("DELETE FROM settings WHERE id = ?", (oldest,))
            elif not sum(
                connection.execute(
                    f"DELETE FROM {table} WHERE id IN "
                    f"(SELECT id FROM {table} ORDER BY id LIMIT 1 + (SELECT count(*) / 10 FROM {table}))"
                ).rowcount
                for table in _TABLES
            ):
                return

    @staticmethod
    def _shrink(connection: sqlite3.Connection) -> None:
        """Return free pages to the file system, now or when there is more time."""
        with contextlib.suppress(sqlite3.OperationalError):
            if connection.execute("PRAGMA freelist_count").fetchone()[0]:
                connection.executescript("PRAGMA incremental_vacuum")  # execute would free one page

    @staticmethod
    def _bytes_used(connection: sqlite3.Connection) -> int:
        pages, free, size = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)


class _Garbled(sqlite3.DatabaseError):
    """Error for a row that this program cannot have written."""


def _used(connection: sqlite3.Connection, key: SearchKey | ScoreKey) -> int:
    """Return the id of the settings, and mark them as just used."""
    (number,) = connection.execute(
        "INSERT INTO settings (key, used) VALUES (?, ?) "
        "ON CONFLICT (key) DO UPDATE SET used = excluded.used RETURNING id",
        (key.text(), time.time()),
    ).fetchone()
    return int(number)


def _bytes(text: str) -> bytes:
    """Encode as UTF-8, keeping lone surrogates, which a string may contain though no file can."""
    return text.encode("utf-8", "surrogatepass")


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")


def _row(translation: FinishedTranslation) -> tuple[Any, ...]:
    summary = translation.alignment
    return (
        _bytes(translation.source),
        _bytes(translation.text),
        translation.tokens,
        translation.log_probability,
        *((None, None, None) if summary is None else (summary.entropy, summary.least_coverage, summary.mean_coverage)),
    )


def _translation(row: Sequence[Any]) -> FinishedTranslation:
    try:
        source, text = _text(row[0]), _text(row[1])
        alignment = None if row[4] is None else AlignmentSummary(*map(float, row[4:]))
        return FinishedTranslation(
            source=source, text=text, tokens=int(row[2]), log_probability=float(row[3]), alignment=alignment
        )
    except (AttributeError, TypeError, ValueError):
        raise _Garbled("a translation in it cannot be read") from None


def _score(row: Sequence[Any]) -> FinishedScore:
    try:
        return FinishedScore(
            source=_text(row[0]), target=_text(row[1]), tokens=int(row[2]), log_probability=float(row[3])
        )
    except (AttributeError, TypeError, ValueError):
        raise _Garbled("a score in it cannot be read") from None
