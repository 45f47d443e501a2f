"""A text in shards: cut, computed in parts, and joined, whatever happens in between."""

import gzip
import hashlib
import json
import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nmt.data.shards import Shards, Work, cut
from nmt.errors import InputError

TEXT = st.text(st.characters(blacklist_characters="\n\r\ufeff", blacklist_categories=("Cs",)), max_size=12)


def upper(sides: Sequence[Sequence[str]], first: int) -> Iterable[str]:
    return (f"{number} {' '.join(line)}".upper() for number, line in enumerate(zip(*sides, strict=True), first))


WORK = Work("upper", {"command": "upper", "weights": "1"}, upper)


def said_nothing(what: str) -> None:
    raise AssertionError(what)


def cut_lines(folder: Path, lines: Sequence[str], size: int, name: str = "text") -> Shards:
    (folder / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
    cut([folder / name], size, folder / f"{name}-shards", 1000, said_nothing)
    return Shards.read(folder / f"{name}-shards")


def compute(shards: Shards, work: Work = WORK) -> list[int]:
    missing = shards.missing(work, range(len(shards)))
    for number in missing:
        shards.compute(work, number)
    return missing


@given(lines=st.lists(TEXT, min_size=1, max_size=30), size=st.integers(1, 12))
def test_what_is_merged_is_what_the_whole_text_gives(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], size: int
) -> None:
    """Lines with other separators than a line feed, blank lines, and a last shard that is shorter."""
    folder = tmp_path_factory.mktemp("shards")
    shards = cut_lines(folder, lines, size)
    assert shards.manifest.lines == len(lines)
    assert len(shards) == math.ceil(len(lines) / size)
    assert len(compute(shards)) == len(shards)
    shards.merge(None, folder / "out")
    assert (folder / "out").read_bytes() == "".join(f"{line}\n" for line in upper([lines], 0)).encode()


def test_two_sides_stay_parallel_and_a_long_line_empties_both(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a\nb\nc\n", encoding="utf-8")
    (tmp_path / "t.gz").write_bytes(gzip.compress(f"A\n{'B' * 101}\n{'C' * 100}\n".encode()))
    said: list[str] = []
    cut([tmp_path / "s", tmp_path / "t.gz"], 2, tmp_path / "shards", 100, said.append)
    assert said == [f"{tmp_path / 't.gz'}, line 2: more than 100 characters, the limit; it is treated as blank"]
    shards = Shards.read(tmp_path / "shards")
    compute(shards, Work("both", {}, lambda sides, _: map("|".join, zip(*sides, strict=True))))
    shards.merge("both-44136fa3", tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8") == f"a|A\n|\nc|{'C' * 100}\n"


def test_what_stands_in_the_folder_can_be_read_by_people_and_by_other_machines(tmp_path: Path) -> None:
    """The files of a work belong to whoever computes it; anybody may read them."""
    shards = cut_lines(tmp_path, "abc", 2)
    checksums = [hashlib.sha256(text).hexdigest() for text in (b"a\nb\nc\n", b"a\nb\n", b"c\n")]
    assert json.loads((shards.folder / "manifest.json").read_text(encoding="utf-8")) == {
        "format": 1,
        "files": ["text"],
        "sha256": checksums[:1],
        "lines": 3,
        "lines_per_shard": 2,
        "shards": [[checksum] for checksum in checksums[1:]],
    }
    assert Work("a", {"b": 1, "c": 2}, upper).sha256 == Work("d", {"c": 2, "b": 1}, upper).sha256
    work = Work("upper", {"of": "été"}, upper)
    shards.compute(work, 1)
    out = shards.folder / work.folder
    assert shards.works() == [out]
    assert (out / "work.json").read_text(encoding="utf-8") == '{\n  "of": "été"\n}\n'
    part = hashlib.sha256(b"2 C\n").hexdigest()
    record = {"sha256": part, "shard": [checksums[2]], "work": work.sha256, "format": 1}
    assert (out / "0000001.part.json").read_text(encoding="utf-8") == json.dumps(record, indent=2) + "\n"
    assert {path.stat().st_mode & 0o777 for path in out.iterdir()} == {0o644}


def test_files_of_other_lengths_and_a_folder_that_exists_are_refused(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a\nb\n", encoding="utf-8")
    (tmp_path / "t").write_text("A\n", encoding="utf-8")
    with pytest.raises(InputError, match="t ends before line 2"):
        cut([tmp_path / "s", tmp_path / "t"], 1, tmp_path / "shards", 100, said_nothing)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s", "t"]
    with pytest.raises(InputError, match="exists already"):
        cut([tmp_path / "s"], 1, tmp_path, 100, said_nothing)


def test_a_part_that_is_there_is_not_computed_again_and_another_work_has_its_own(tmp_path: Path) -> None:
    shards = cut_lines(tmp_path, "abcde", 2)
    shards.compute(WORK, 1)
    assert shards.missing(WORK, range(3)) == [0, 2]
    other = Work("upper", {"command": "upper", "weights": "2"}, upper)
    assert compute(shards, other) == [0, 1, 2]
    compute(shards)
    with pytest.raises(InputError, match=f"does not have exactly one work; it has .*{other.folder}"):
        shards.merge(None, tmp_path / "out")
    with pytest.raises(InputError, match="has no work absent"):
        shards.merge("absent", tmp_path / "out")
    assert shards.merge(other.folder, tmp_path / "out").name == other.folder


def test_gaps_strangers_and_parts_of_others_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    shards = cut_lines(tmp_path, "abcdefgh", 1)
    part = shards.folder / WORK.folder / "0000002.part"

    def refused(why: str) -> None:
        with pytest.raises(InputError, match=why):
            shards.merge(None, tmp_path / "out")
        assert not (tmp_path / "out").exists()

    refused("nothing was computed there yet")
    for number in (0, 2, 4):
        shards.compute(WORK, number)
    refused("5 of 8 parts of upper-[0-9a-f]+ are missing: 1, 3, 5 and others")
    shards.compute(WORK, 7)
    refused("4 of 8 parts of upper-[0-9a-f]+ are missing: 1, 3, 5 and others$")
    shards.compute(WORK, 5)
    refused("3 of 8 parts of upper-[0-9a-f]+ are missing: 1, 3, 6$")
    compute(shards)
    (part.parent / "0000008.part").touch()
    refused("0000008.part is not a part of this text, which has 8 shards")
    (part.parent / "0000008.part").unlink()

    good = part.read_bytes()
    part.write_bytes(good + b"more\n")
    refused("0000002.part is not as it was written")
    part.write_bytes(good)
    record = part.with_name("0000002.part.json")
    kept = json.loads(record.read_text(encoding="utf-8"))
    for field, value, why in (
        ("work", "0" * 64, "was made by other weights or settings"),
        ("shard", ["0" * 64], "was made from another text"),
        ("sha256", "0" * 64, "is not as it was written"),
    ):
        record.write_text(json.dumps(kept | {field: value}), encoding="utf-8")
        refused(why)
    record.write_text("{}", encoding="utf-8")
    refused("0000002.part.json")
    record.unlink()
    refused("1 of 8 parts .* missing: 2")
    assert compute(shards) == [2]
    shards.merge(None, tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8").split() == [
        w for n, c in enumerate("ABCDEFGH") for w in (str(n), c)
    ]


def test_a_part_that_fails_leaves_nothing_and_what_a_kill_left_is_cleared(tmp_path: Path) -> None:
    shards = cut_lines(tmp_path, "ab", 1)

    def broken(sides: Sequence[list[str]], first: int) -> Iterable[str]:
        yield "begun"
        raise InputError("no")

    out = shards.folder / WORK.folder
    with pytest.raises(InputError, match="no"):
        shards.compute(Work(WORK.name, WORK.identity, broken), 0)
    assert [path.name for path in out.iterdir()] == ["work.json"]
    (out / ".5-1-2.tmp").touch()
    compute(shards)
    shards.merge(None, tmp_path / "out")
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("content", [b"[", b"\xff", b"[]", b'{"a": NaN}', b"[" * 100_000, b"", None])
def test_a_damaged_record_of_the_work_is_named(content: bytes | None, tmp_path: Path) -> None:
    shards = cut_lines(tmp_path, "ab", 1)
    compute(shards)
    record = shards.folder / WORK.folder / "work.json"
    record.unlink()
    if content is None:
        record.mkdir()
    else:
        record.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(str(record))):
        shards.merge(None, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["0000000.part", "0000000.part.json", "work.json", "new", "../manifest.json", "link"])
def test_nothing_is_merged_into_the_folder_of_shards(name: str, tmp_path: Path) -> None:
    shards = cut_lines(tmp_path, "ab", 1)
    compute(shards)
    out = shards.folder / WORK.folder / name
    if name == "link":
        out = tmp_path / "link"
        out.symlink_to(shards.folder / WORK.folder / "0000001.part")
    before = {path: path.read_bytes() for path in shards.folder.rglob("*.*")}
    with pytest.raises(InputError, match=f"{re.escape(str(out))} is inside .*choose another place"):
        shards.merge(None, out)
    assert {path: path.read_bytes() for path in shards.folder.rglob("*.*")} == before
    shards.merge(None, tmp_path / "out")


@pytest.mark.parametrize("side", [0, 1])
def test_a_part_of_pairs_is_that_of_both_sides(side: int, tmp_path: Path) -> None:
    files = [tmp_path / "s", tmp_path / "t"]
    folders = [tmp_path / "one", tmp_path / "other"]
    texts = [["a\n", "b\n"], ["a\n", "b\n"]]
    texts[1][side] = "c\n"
    for lines, folder in zip(texts, folders, strict=True):
        for file, line in zip(files, lines, strict=True):
            file.write_text(line, encoding="utf-8")
        cut(files, 1, folder, 1000, said_nothing)
    one, other = map(Shards.read, folders)
    compute(one)
    compute(other)
    for path in (one.folder / WORK.folder).glob("*.part*"):
        path.replace(other.folder / WORK.folder / path.name)
    with pytest.raises(InputError, match="was made from another text"):
        other.merge(None, tmp_path / "out")


def test_a_shard_that_has_changed_is_named(tmp_path: Path) -> None:
    shards = cut_lines(tmp_path, "ab", 1)
    (shards.folder / "0000001.source").write_text("c\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"0000001\.source is missing or is not the shard"):
        compute(shards)
    with pytest.raises(InputError, match=r"is not a folder of shards: it has no manifest\.json"):
        Shards.read(tmp_path)
