"""What a run says of its origin survives the disk, session after session."""

from pathlib import Path

import pytest

from nmt.errors import InputError
from nmt.provenance import PROVENANCE, Session, machine, read_provenance, record_session
from tests.oracles.toy_corpus import toy_corpus


def test_sessions_are_added_up(tmp_path: Path) -> None:
    manifest = toy_corpus(tmp_path, pairs=20).manifest
    assert read_provenance(tmp_path) is None
    sessions = tuple(Session(f"train {k}", "abc", "cpu", 1, 2, 10 * k, machine()) for k in range(3))
    for session in sessions:
        record_session(tmp_path, manifest, session)
    found = read_provenance(tmp_path)
    assert found is not None
    assert found.sessions == sessions
    (used,), (dev,) = found.train, found.dev
    assert (used.source, used.read, used.kept, used.repeat) == (f"{tmp_path.name}/train.src", 20, 20, 1)
    assert used.source_sha256 == manifest.train.corpora[0].source.sha256
    assert dev.target == f"{tmp_path.name}/dev.tgt"
    assert (found.pairs_per_epoch, found.tokens) == (20, manifest.train.target.tokens)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"format": 1, "train": []}', '{"format": 1, "train": [{"a": 1}], "dev": []}', '{"format": 9}']
)
def test_a_broken_file_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / PROVENANCE).write_text(text)
    with pytest.raises(InputError, match=r"provenance\.json"):
        read_provenance(tmp_path)
