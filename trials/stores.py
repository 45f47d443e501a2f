"""The cache of translations, used by four processes of which some are killed, and its file, damaged at random."""

import hashlib
import sqlite3
from pathlib import Path
from random import Random

from nmt.answers.store import Store, StoredValue
from trials.children import kill_after, start, wait
from trials.trial import Cases, Trial, drawn_bytes, must

_PROCESSES, _ROWS, _ROUNDS = 4, 400, 10
_DAMAGES = 60
_LIMIT = 64 * 2**20


def _value(name: bytes) -> StoredValue:
    """The one value that a name may have."""
    digest = hashlib.sha256(name).digest()
    return StoredValue(head=digest, body=digest * (digest[0] + 1))


def _names(seed: str) -> list[bytes]:
    random = Random(seed)
    return [str(random.randrange(2 * _ROWS)).encode() for _ in range(_ROWS)]


def _work(folder: Path, seed: str) -> int:
    """Add values and look them up; 1 if one is lost or wrong."""
    store = Store(folder, "trial", _LIMIT)
    names = _names(seed)
    for begin in range(0, len(names), 20):
        part = names[begin : begin + 20]
        store.put("group", {name: _value(name) for name in part})
        heads, bodies = store.parts("group", part, "head"), store.parts("group", part, "body")
        for name in part:
            if heads.get(name) != _value(name).head or bodies.get(name) != _value(name).body:
                print(f"{name!r} is lost or wrong", flush=True)
                return 1
    return 0


def _run(random: Random, cases: Cases, folder: Path) -> None:
    for number in range(_ROUNDS):
        killed = random.random() < 0.5
        with cases.case(f"round {number}, {'one of four processes killed' if killed else 'four processes'}"):
            _together(random, folder / f"store{number}", killed)
    _damaged(random, cases, folder)


def _together(random: Random, folder: Path, killed: bool) -> None:
    folder.mkdir()
    seeds = [f"{random.random()}" for _ in range(_PROCESSES)]
    logs = [folder / f"log{number}" for number in range(_PROCESSES)]
    children = [
        start(log, lambda seed=seed: _work(folder, seed))  # type: ignore[misc]
        for log, seed in zip(logs, seeds, strict=True)
    ]
    if killed:
        kill_after(children.pop(), random.uniform(0, 0.5))
    for child, log in zip(children, logs, strict=False):
        must(wait(child) == 0, log.read_text(encoding="utf-8")[-1500:])
    path = Store(folder, "trial", _LIMIT).path
    with sqlite3.connect(path) as connection:
        (found,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    must(found == "ok", f"integrity: {found}")


def _damaged(random: Random, cases: Cases, folder: Path) -> None:
    """Damage the file anywhere: what is returned is what was put in, or nothing, and it takes new values."""
    names = sorted(set(_names("whole")))
    whole = folder / "whole"
    store = Store(whole, "trial", _LIMIT)
    store.put("group", {name: _value(name) for name in names})
    store.close()
    data = store.path.read_bytes()
    for number in range(_DAMAGES):
        done, spoilt = drawn_bytes(random, data)
        place = folder / f"damaged{number}"
        place.mkdir()
        (place / store.path.name).write_bytes(spoilt)
        with cases.case(f"the file of {len(data)} bytes, {done}"):
            again = Store(place, "trial", _LIMIT)
            for name, body in again.parts("group", names, "body").items():
                must(body == _value(name).body, f"{name!r} has another value")
            again.put("group", {b"new": _value(b"new")})
            must(again.parts("group", [b"new"], "body") == {b"new": _value(b"new").body}, "a new value is lost")
            again.close()


TRIAL = Trial(
    name="store",
    tried="the cache file under four processes that add and look up, one of them killed in half the rounds; the file "
    "damaged anywhere",
    holds="no value lost or wrong, SQLite finds the file whole; from a damaged file the right value or none",
    run=_run,
    pieces=20,
    ci=1,
    seconds=600,
    case_seconds=100,
)
