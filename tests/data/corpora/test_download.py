"""?"""

import hashlib
import re
import socket
from pathlib import Path
from unittest.mock import patch

import pytest

from nmt.data.corpora.download import download
from nmt.errors import InputError
from tests.oracles.site import Site

BLOCK = 16_384
"""Bytes that are read at a time: those of one that breaks off are lost."""
CONTENT = bytes(range(256)) * 2000
SHA256 = "sha256:" + hashlib.sha256(CONTENT).hexdigest()


def fetch(site: Site, path: Path, checksum: str | None = SHA256, attempts: int = 3) -> None:
    with patch.multiple("nmt.data.corpora.download", ATTEMPTS=attempts, TIMEOUT=5):
        download(site.url("a.zip"), path, checksum)


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.data.corpora.download.PAUSE", 0)


@pytest.fixture
def path(site: Site, tmp_path: Path) -> Path:
    site.files["a.zip"] = CONTENT
    return tmp_path / "new" / "downloads" / "a.zip"


def names(path: Path) -> list[str]:
    return sorted(other.name for other in path.parent.iterdir())


def test_a_file_arrives_whole_and_is_not_fetched_again(site: Site, path: Path) -> None:
    told: list[tuple[int, int | None]] = []
    for _ in range(2):
        download(site.url("a.zip"), path, SHA256, lambda here, total: told.append((here, total)))
    assert path.read_bytes() == CONTENT
    assert names(path) == ["a.zip"]
    assert len(site.requests) == 1
    assert told[0] == (0, len(CONTENT))
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert [here for here, _ in told] == sorted(here for here, _ in told)


def test_a_lost_connection_is_taken_up_where_it_broke(site: Site, path: Path) -> None:
    site.cut_after["a.zip"] = [BLOCK, 3 * BLOCK + 5]
    fetch(site, path)
    assert path.read_bytes() == CONTENT
    assert [wanted for _, wanted in site.requests] == ["", f"bytes={BLOCK}-", f"bytes={4 * BLOCK}-"]


def test_a_later_call_goes_on(site: Site, path: Path) -> None:
    site.cut_after["a.zip"] = [BLOCK, 0, 0]
    with pytest.raises(InputError, match=rf"/a\.zip .* {BLOCK:,} bytes"):
        fetch(site, path, attempts=2)
    assert not path.exists()
    fetch(site, path)
    assert path.read_bytes() == CONTENT
    assert site.requests[-1] == ("a.zip", f"bytes={BLOCK}-")


def test_a_call_that_ended_before_the_last_step_is_completed(site: Site, path: Path) -> None:
    site.cut_after["a.zip"] = [BLOCK, 0]
    with pytest.raises(InputError):
        fetch(site, path, attempts=1)
    path.with_name("a.zip.part").write_bytes(CONTENT)
    fetch(site, path)
    assert path.read_bytes() == CONTENT
    assert len(site.requests) == 3


def test_a_server_without_ranges_is_asked_again_from_the_start(site: Site, path: Path) -> None:
    site.plain.add("a.zip")
    site.cut_after["a.zip"] = [BLOCK]
    fetch(site, path)
    assert path.read_bytes() == CONTENT


def test_two_versions_of_a_file_are_never_joined(site: Site, path: Path) -> None:
    site.files["a.zip"], site.tags["a.zip"] = b"x" * len(CONTENT), "old"
    site.cut_after["a.zip"] = [BLOCK, 0]
    with pytest.raises(InputError):
        fetch(site, path, attempts=1)
    site.files["a.zip"], site.tags["a.zip"] = CONTENT, "new"
    fetch(site, path)
    assert path.read_bytes() == CONTENT


def test_a_wrong_checksum(site: Site, path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.zip .*http.*/a\.zip .*md5 .* 0{32}"):
        fetch(site, path, "md5:" + "0" * 32)
    assert names(path) == ["a.zip.part.json"]
    path.write_bytes(b"something else")
    with pytest.raises(InputError, match=re.escape(str(path))):
        fetch(site, path)


@pytest.mark.parametrize("algorithm", ["md5", "sha1", "sha256"])
def test_all_algorithms_that_sites_publish(site: Site, path: Path, algorithm: str) -> None:
    fetch(site, path, f"{algorithm}:{hashlib.new(algorithm, CONTENT).hexdigest()}")
    assert path.exists()


def test_a_file_that_has_moved(site: Site, path: Path) -> None:
    del site.files["a.zip"]
    with pytest.raises(InputError, match=r"^127\.0\.0\.1:\d+ .*404 .*http.*/a\.zip"):
        fetch(site, path)
    assert len(site.requests) == 1


@pytest.mark.parametrize(
    ("answer", "times"), [(403, 1), (429, 4), (500, 4), (501, 1), (502, 4), (503, 4), (504, 4), (505, 1)]
)
def test_a_busy_server_is_asked_again_and_no_other(site: Site, path: Path, answer: int, times: int) -> None:
    site.answers["a.zip"] = answer
    with pytest.raises(InputError, match=f"{answer}"):
        download(site.url("a.zip"), path)
    assert len(site.requests) == times


def test_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    with pytest.raises(InputError, match=rf"^127\.0\.0\.1:{port} .*http.*/a\.zip"):
        download(f"http://127.0.0.1:{port}/a.zip", tmp_path / "a.zip")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk(site: Site, path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.with_name("a.zip.part").symlink_to("/dev/full")
    with pytest.raises(InputError, match=r"disk.*downloads/a\.zip"):
        fetch(site, path)


def test_a_folder_that_is_a_file(site: Site, path: Path) -> None:
    path.parent.parent.mkdir()
    path.parent.write_text("")
    with pytest.raises(InputError, match=re.escape(str(path.parent))):
        fetch(site, path)
