"""A small run folder with one of each file that a run folder may have, and some that it should not have."""

import io
import json
import pickle
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from nmt.evaluation.evaluation_files import write_evaluation
from nmt.files import write_json
from nmt.runs.folder import BEST
from release.checksums import write_checksums
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.oracles.random_run import Kind, random_run
from trials.texts import random_text
from trials.trial import drawn_bytes

_EVENTS = (
    {"event": "update", "update": 1, "epoch": 0.5, "nll_per_word": 2.0, "nll_per_sentence": 9.0,
     "words_per_second": 5.0, "gradient_norm": 1.0, "learning_rate": 1.0, "seconds": 3.0},
    {"event": "stop", "update": 7, "reason": "max_updates", "seconds": 9.0},
)  # fmt: skip
_CORPUS = {
    "source": "a/b", "target": "a/c", "source_sha256": "1", "target_sha256": "2", "repeat": 1, "read": 5, "kept": 4,
    "links_sha256": None,
}  # fmt: skip
_MACHINE = {"processor": "p", "cores": 1, "memory_gb": 1, "system": "s", "python": "3", "torch": "2"}
_SESSION = {
    "command": "c", "commit": "", "device": "cpu", "processes": 1, "threads": 1, "from_update": 0, "machine": _MACHINE
}  # fmt: skip
_PROVENANCE = {
    "format": 1, "train": [_CORPUS], "dev": [_CORPUS], "pairs_per_epoch": 4, "tokens": 9, "sessions": [_SESSION]
}  # fmt: skip
_DEEP = 100_000
_ENTRIES = 100_000
_SPARSE = 2**30
_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1.5, 1e300, 10**12, 10**30, float("nan"), float("inf"), "", "x", "\ud800", "../x", [], {}, [[]],
    {"a": 1}, "a" * 100_000,
)  # fmt: skip


def whole_run(folder: Path, kind: Kind = "words") -> Path:
    """Write the run, with checksums of all files that may have them."""
    random_run(folder, kind=kind)
    (folder / "steps").mkdir()
    (folder / "steps" / "7.safetensors").write_bytes((folder / BEST).read_bytes())
    (folder / "training.jsonl").write_text("".join(f"{json.dumps(event)}\n" for event in _EVENTS), encoding="utf-8")
    (folder / "dictionary.tsv").write_text("cat\tchat\t3\t1.000\n", encoding="utf-8")
    write_json(folder / "provenance.json", _PROVENANCE)
    write_evaluation(folder, evaluated(folder.name, "set", texts([3, 4, 5, 6, 7])))
    write_checksums(folder)
    return folder


def files(run: Path) -> list[Path]:
    return sorted(path for path in run.rglob("*") if path.is_file())


@dataclass(frozen=True)
class Damage:
    """A kind of damage: returns what it did to a file."""

    name: str
    do: Callable[[Random, Path, Path], str]


def damage(random: Random, run: Path, other: Path) -> str:
    """Damage one file of the run, which may take others' place from ``other``; returns what was done."""
    path = random.choice(files(run))
    kind = random.choice(_KINDS)
    return f"{path.relative_to(run)}: {kind.name} {kind.do(random, path, other)}".rstrip()


def _bytes(random: Random, path: Path, _: Path) -> str:
    done, data = drawn_bytes(random, path.read_bytes())
    path.write_bytes(data)
    return done


def _missing(_random: Random, path: Path, _: Path) -> str:
    path.unlink()
    return ""


def _folder(_random: Random, path: Path, _: Path) -> str:
    path.unlink()
    path.mkdir()
    return ""


def _link(random: Random, path: Path, _: Path) -> str:
    path.unlink()
    target = random.choice((path.name, "nowhere", "/dev/null", "..", "config.json"))
    path.symlink_to(target)
    return f"to {target}"


def _swapped(random: Random, path: Path, other: Path) -> str:
    source = random.choice([*files(other), *files(path.parent)])
    path.write_bytes(source.read_bytes())
    return f"with {source.name} of {source.parent.name}"


def _foreign(random: Random, path: Path, _: Path) -> str:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps({"weights": [1, 2]}))
    contents = {
        "a picture": b"\x89PNG\r\n\x1a\n" + random.randbytes(200),
        "a pickle": pickle.dumps({"weights": [1, 2]}),
        "a torch file": packed.getvalue(),
        "text": random_text(random).encode("utf-8", "replace"),
        "random bytes": random.randbytes(5000),
        "UTF-16": "{}".encode("utf-16"),
    }
    name = random.choice(sorted(contents))
    path.write_bytes(contents[name])
    return name


def _absurd(_random: Random, path: Path, __: Path) -> str:
    """A gigabyte that takes no room on the disk."""
    with path.open("r+b") as file:
        file.truncate(_SPARSE)
    return ""


def _deep(random: Random, path: Path, _: Path) -> str:
    bracket = random.choice(("[", '{"a":'))
    path.write_text(bracket * _DEEP, encoding="utf-8")
    return bracket


def _header(random: Random, path: Path, _: Path) -> str:
    """A header as of safetensors: of many entries, deeply nested, or with a length that is not there."""
    what = random.choice(("entries", "dimensions", "deep", "length", "metadata"))
    tensor = {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}
    match what:
        case "entries":
            header = json.dumps({f"t{number}": tensor for number in range(_ENTRIES)})
        case "dimensions":
            header = json.dumps({"t": tensor | {"shape": [1] * _ENTRIES, "data_offsets": [0, 4]}})
        case "deep":
            header = '{"__metadata__":' + "[" * _DEEP
        case "metadata":
            header = json.dumps({"__metadata__": {"nmt": "[" * _DEEP}, "t": tensor})
        case _:
            path.write_bytes(random.choice((2**63, 2**64 - 1, 10**8, 1)).to_bytes(8, "little") + b"{}")
            return what
    path.write_bytes(len(header.encode()).to_bytes(8, "little") + header.encode() + bytes(4))
    return what


def _leaf(random: Random, path: Path, _: Path) -> str:
    """Another value anywhere in a file of JSON; a list of JSON lines has them in one line."""
    try:
        lines = [json.loads(line) for line in _documents(path)]
    except (ValueError, UnicodeDecodeError):
        return _bytes(random, path, path)
    number = random.randrange(len(lines))
    place: Any = lines[number]
    keys: list[Any] = []
    while isinstance(place, dict | list) and place:
        key = random.choice(sorted(place)) if isinstance(place, dict) else random.randrange(len(place))
        keys.append(key)
        parent, place = place, place[key]
        if random.random() < 0.15:
            break
    if not keys:
        return "nothing"
    value = random.choice(_VALUES)
    parent[keys[-1]] = value
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return f"{keys} = {value!a}"[:300]


def _documents(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return text.splitlines() if path.suffix == ".jsonl" else [text]


_KINDS = (
    Damage("bytes", _bytes),
    Damage("bytes", _bytes),
    Damage("another value", _leaf),
    Damage("another value", _leaf),
    Damage("missing", _missing),
    Damage("a folder", _folder),
    Damage("a link", _link),
    Damage("swapped", _swapped),
    Damage("another type:", _foreign),
    Damage("absurdly large", _absurd),
    Damage("nested deeply", _deep),
    Damage("a header:", _header),
)
