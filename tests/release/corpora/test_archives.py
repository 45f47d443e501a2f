import io
import re
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from nmt.errors import InputError
from release.corpora.archives import extract, open_member

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
