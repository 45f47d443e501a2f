"""?"""

import hashlib
import io
import re
import socket
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from nmt.data.corpora.download import download, extract, open_member
from nmt.errors import InputError
from tests.oracles.site import Site

BLOCK = 16_384
"""Bytes that are read at a time: those of one that breaks off are lost."""
CONTENT = bytes(range(256)) * 2000
SHA256 = "sha256:" + hashlib.sha256(CONTENT).hexdigest()


def fetch(site: Site, path: Path, checksum: str | None = SHA256, attempts: int = 3) -> None:
    download(site.url("a.zip"), path, checksum, attempts=attempts, pause=0, timeout=5)


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
        download(site.url("a.zip"), path, pause=0)
    assert len(site.requests) == times


def test_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    with pytest.raises(InputError, match=rf"^127\.0\.0\.1:{port} .*http.*/a\.zip"):
        download(f"http://127.0.0.1:{port}/a.zip", tmp_path / "a.zip", attempts=2, pause=0)
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


MEMBERS = {"top/a.xml": b"first", "top/deep/b.xml": b"second", "top/c.txt": b"third"}
WRITERS = ("a.zip", "a.tar", "a.tgz")


def write(path: Path, members: Sequence[tuple[str, bytes]], link: str = "") -> Path:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members:
                archive.writestr(name, content)
            if link:
                info = zipfile.ZipInfo(link)
                info.external_attr = 0o120777 << 16
                archive.writestr(info, "/etc/hostname")
        return path
    with tarfile.open(path, "w:gz" if path.suffix == ".tgz" else "w") as tar:
        for name, content in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
        if link:
            entry = tarfile.TarInfo(link)
            entry.type, entry.linkname = tarfile.SYMTYPE, "/etc/hostname"
            tar.addfile(entry)
    return path


@pytest.mark.parametrize("name", WRITERS)
def test_wanted_members_are_written_and_links_are_not(tmp_path: Path, name: str) -> None:
    archive = write(tmp_path / name, list(MEMBERS.items()), link="top/link.xml")
    written = extract(archive, tmp_path / "out", lambda member: member.endswith(".xml"))
    found = {str(path.relative_to(tmp_path / "out")): path.read_bytes() for path in written}
    assert found == {name: content for name, content in MEMBERS.items() if name.endswith(".xml")}
    assert sorted(path.name for path in (tmp_path / "out").rglob("*") if path.is_file()) == ["a.xml", "b.xml"]


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("bad", ["../a.xml", "top/../../a.xml", "/a.xml", "C:\\a.xml", "top\\a.xml"])
def test_a_member_that_leads_out_is_refused(tmp_path: Path, name: str, bad: str) -> None:
    archive = write(tmp_path / name, [(bad, b"outside"), *MEMBERS.items()])
    with pytest.raises(InputError, match=re.escape(repr(bad))):
        extract(archive, tmp_path / "out", lambda member: True)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [name]


def test_a_zip_is_looked_through_before_anything_is_written(tmp_path: Path) -> None:
    archive = write(tmp_path / "a.zip", [*MEMBERS.items(), ("../a.xml", b"outside")])
    with pytest.raises(InputError, match=r"a\.zip .*'\.\./a\.xml'"):
        extract(archive, tmp_path / "out", lambda member: member in MEMBERS)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", WRITERS)
def test_one_member_as_a_stream(tmp_path: Path, name: str) -> None:
    archive = write(tmp_path / name, list(MEMBERS.items()))
    with open_member(archive, "top/deep/b.xml".__eq__, "b.xml") as stream:
        assert stream.read() == b"second"
    with pytest.raises(InputError, match=rf"d\.xml .*{name}"), open_member(archive, "d".__eq__, "d.xml"):
        pass


@pytest.mark.parametrize("name", WRITERS)
def test_a_damaged_archive(tmp_path: Path, name: str) -> None:
    archive = write(tmp_path / name, [("a.xml", bytes(range(256)) * 500)])
    content = bytearray(archive.read_bytes())
    for damaged in (content[: len(content) // 2], b"not an archive at all" * 40):
        archive.write_bytes(damaged)
        with pytest.raises(InputError, match=f"{name} "):
            extract(archive, tmp_path / "out", lambda member: True)


def test_a_zip_whose_content_has_changed(tmp_path: Path) -> None:
    archive = write(tmp_path / "a.zip", [("a.xml", bytes(range(256)) * 500)])
    content = bytearray(archive.read_bytes())
    content[len(content) // 3] ^= 0xFF
    archive.write_bytes(content)
    with pytest.raises(InputError, match=r"a\.zip .*'a\.xml'"):
        extract(archive, tmp_path / "out", lambda member: True)
