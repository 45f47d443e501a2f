"""Where a run comes from, as tests write it."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from nmt.files import write_json
from nmt.runs.provenance import CorpusUsed, Machine, Provenance, Session

MACHINE = Machine(processor="a processor", cores=4, memory_gb=8, system="Linux x86_64", python="3.11.4", torch="2.13.0")


def corpus_used(name: str, **others: Any) -> CorpusUsed:
    """A corpus in English and French."""
    usual = {"source_sha256": "ab" * 32, "target_sha256": "cd" * 32, "repeat": 1, "read": 120, "kept": 100}
    return CorpusUsed(source=f"{name}.en", target=f"{name}.fr", **usual | others)


def session(**others: Any) -> Session:
    """A training from its beginning on one processor."""
    usual = {"command": "train", "commit": "abc", "device": "cpu", "processes": 1, "threads": 2, "from_update": 0}
    return Session(**{**usual, "machine": MACHINE, **others})


def write_origin(run: Path, used: CorpusUsed, trained: Session, preparation: str) -> None:
    """Write the origin of a run that was trained and validated on one corpus."""
    origin = Provenance(
        train=(used,), dev=(used,), pairs_per_epoch=200, tokens=900, sessions=(trained,), preparation=preparation
    )
    write_json(run / "provenance.json", {"format": 1, **asdict(origin)})
