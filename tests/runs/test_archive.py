"""A run folder as a zip file: what is whole comes in as it was, what is not leaves nothing behind but one sentence."""

import errno
import io
import json
import os
import random
import re
import runpy
import shutil
import stat
import threading
import tomllib
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

import nmt
from nmt.errors import InputError
from nmt.evaluation.evaluation_files import write_evaluation
from nmt.evaluation.measurement_files import check_run_evaluations, read_translations, write_translations
from nmt.inference.checkpoint import (
    check_run_weights,
    check_weights,
    load_model,
    read_tensors,
    save_tensors,
    save_weights,
)
from nmt.results import WrittenSentence
from nmt.runs.archive import LIMITS, ArchiveLimits, remove_run, unpack_run
from nmt.runs.folder import list_runs, list_snapshots, read_run
from release.checksums import write_checksums
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts

Files = dict[str, bytes]
CHECKS = (check_run_weights, check_run_evaluations)
CHECKPOINTS = Path(__file__).parents[2] / "checkpoints"
RELEASE: Any = runpy.run_path(str(CHECKPOINTS.parent / ".ci" / "release.py"))


@pytest.fixture
def run(random_runs: Path, tmp_path: Path) -> Path:
    """A run with kept steps, in int8."""
    folder = tmp_path / "given" / "mine"
    shutil.copytree(random_runs / "search-bpe", folder)
    model = load_model(read_run(folder), folder / "model.safetensors")
    save_weights(folder / "model.safetensors", model, {"update": 9}, torch.int8)
    (folder / "steps").mkdir()
    save_weights(folder / "steps" / "3.safetensors", model, {"update": 3}, torch.int8)
    return folder


@pytest.fixture
def uploads(tmp_path: Path) -> Path:
    return tmp_path / "uploads"


def files_of(run: Path) -> Files:
    return {str(p.relative_to(run.parent)): p.read_bytes() for p in sorted(run.rglob("*")) if p.is_file()}


def packed(files: Files, compression: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name) if "\\" in name else name, data)
    return found


def left(uploads: Path) -> list[str]:
    return [str(p.relative_to(uploads)) for p in sorted(uploads.rglob("*")) if p.name != ".partial"]


def refused(uploads: Path, file: io.BytesIO, message: str, limits: ArchiveLimits | None = None) -> None:
    with pytest.raises(InputError, match=message) as caught:
        unpack_run(file, "given.zip", uploads, CHECKS, limits or ArchiveLimits())
    assert left(uploads) == []
    assert str(uploads) not in str(caught.value)
    assert not (uploads.parent / "outside").exists()


def test_what_goes_in_comes_out(run: Path, uploads: Path) -> None:
    info = unpack_run(packed(files_of(run)), "anything.zip", uploads, CHECKS)
    assert info.path == uploads / "mine"
    assert files_of(info.path) == files_of(run)
    assert [step.update for step in list_snapshots(info.path)] == [3]
    score = nmt.load(info.path).score("she has", "elle a").log_probability
    assert score == nmt.load(run).score("she has", "elle a").log_probability
    assert [found.name for found in list_runs(uploads)] == ["mine"]


def test_checksums_come_along_and_are_checked(run: Path, uploads: Path) -> None:
    write_checksums(run)
    files = files_of(run)
    name = "mine/target.sentencepiece.model"
    swapped = files | {name: files["mine/source.sentencepiece.model"]}
    refused(uploads, packed(swapped), r"target\.sentencepiece\.model .*checksums\.json")
    refused(
        uploads, packed({key: data for key, data in files.items() if key != name}), r"target\.sentencepiece\.model "
    )
    assert files_of(unpack_run(packed(files), "x.zip", uploads, CHECKS).path) == files


def test_files_at_the_top_take_the_name_of_the_zip(run: Path, uploads: Path) -> None:
    files = {name.removeprefix("mine/"): data for name, data in files_of(run).items()}
    assert unpack_run(packed(files, zipfile.ZIP_STORED), "My run (2).zip", uploads, CHECKS).name == "My-run-2"
    assert unpack_run(packed(files), "...zip", uploads, CHECKS).name == "run"


def test_what_systems_and_trainings_add_is_left_out(run: Path, uploads: Path) -> None:
    more = {
        "__MACOSX/mine/._config.json": b"x",
        "mine/.DS_Store": b"x",
        "mine/steps/.DS_Store": b"x",
        "mine/.lock": b"",
        "mine/resume.safetensors": b"x" * 1000,
        "mine/empty/": b"",
    }
    info = unpack_run(packed(files_of(run) | more), "x.zip", uploads, CHECKS)
    assert files_of(info.path) == files_of(run)


def test_a_name_that_is_taken_is_never_overwritten_and_can_be_removed(run: Path, uploads: Path) -> None:
    unpack_run(packed(files_of(run)), "x.zip", uploads, CHECKS)
    before = files_of(uploads / "mine")
    with pytest.raises(InputError, match="mine"):
        unpack_run(packed(files_of(run)), "x.zip", uploads, CHECKS)
    assert files_of(uploads / "mine") == before
    for name in ("", ".", "..", ".partial", "other", "../uploads/mine", "mine/steps"):
        with pytest.raises(InputError, match=re.escape(repr(name))):
            remove_run(name, uploads)
    (uploads / "link").symlink_to(run)
    with pytest.raises(InputError, match="'link'"):
        remove_run("link", uploads)
    remove_run("mine", uploads)
    assert left(uploads) == ["link"]
    assert files_of(run) == before
    unpack_run(packed(files_of(run)), "x.zip", uploads, CHECKS)


def test_an_endless_name_is_cut_in_the_message(run: Path, uploads: Path) -> None:
    for name in ("mine/" + "\x01" * 5000, "mine/" + "a" * 5000):
        with pytest.raises(InputError, match="…") as caught:
            unpack_run(packed(files_of(run) | {name: b"x"}), "given.zip", uploads, CHECKS)
        assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    "name",
    [
        "../outside",
        "mine/../../outside",
        "/outside",
        "C:/outside",
        "mine\\..\\outside",
        "mine//config.json",
        "./mine/x",
        "mine/evaluation/../../outside.json",
        "mine/new\nline.json",
    ],
)
def test_no_path_leads_outside(run: Path, uploads: Path, name: str) -> None:
    refused(uploads, packed(files_of(run) | {name: b"x"}), re.escape(repr(name)))


@pytest.mark.parametrize(
    "name",
    [
        "mine/run.py",
        "mine/model.pt",
        "mine/model.safetensors.pkl",
        "mine/evaluation/x.html",
        "mine/evaluation/deep/x.json",
        "mine/evaluation/.json",
        "mine/steps/best.safetensors",
        "mine/steps/\u0663.safetensors",
        "mine/other/config.txt",
        "mine/steps/.lock",
        "other/x.txt",
        "config.JSON",
    ],
)
def test_only_files_of_a_run_folder_come_in(run: Path, uploads: Path, name: str) -> None:
    refused(uploads, packed(files_of(run) | {name: b"x"}), re.escape(repr(name)))


def test_links_and_devices_are_refused(run: Path, uploads: Path) -> None:
    for kind in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR):
        info = zipfile.ZipInfo("mine/README.md")
        info.external_attr = (kind | 0o644) << 16
        file = packed(files_of(run))
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr(info, "/etc/passwd")
        refused(uploads, file, r"mine/README\.md")


def test_one_run_is_one_run(run: Path, uploads: Path) -> None:
    files = files_of(run)
    refused(uploads, packed({n: d for n, d in files.items() if n != "mine/config.json"}), r"config\.json")
    refused(uploads, packed(files | {"other/config.json": files["mine/config.json"]}), r"config\.json")
    refused(uploads, packed({f"deep/{n}": d for n, d in files.items()}), r"config\.json")
    refused(uploads, packed({}), r"config\.json")
    file = packed(files)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(file, "a") as archive:
        archive.writestr("mine/model.safetensors", b"x")
    refused(uploads, file, r"mine/model\.safetensors")


def test_the_limits_are_those_that_are_documented() -> None:
    root = Path(__file__).parents[2]
    deploy, security, reliability = (
        (root / "docs" / f"{name}.md").read_text("utf-8") for name in ("deploy", "security", "reliability")
    )
    uploads = tomllib.loads((root / ".streamlit" / "config.toml").read_text("utf-8"))["server"]["maxUploadSize"]
    assert f"**Uploads** are at most {uploads} MB" in deploy
    assert f"upload runs ({LIMITS.kept / 10**9:g} GB in all)" in security
    small, texts = LIMITS.unpacked_of_small / 10**6, LIMITS.texts / 10**6
    assert f"at most {small:g} MB or four times its size, {texts:g} MB of these without weights" in reliability
    assert (LIMITS.packed, LIMITS.ratio) == (uploads * 10**6, 4)
    assert f"may unpack to {LIMITS.unpacked / 10**6:g} MB" in reliability
    assert (LIMITS.text, LIMITS.files) == (8 * 10**6, 200)


def test_limits_hold_before_anything_is_unpacked(run: Path, uploads: Path) -> None:
    files = files_of(run)
    total = sum(map(len, files.values()))
    size = packed(files).seek(0, 2)
    texts = [len(data) for name, data in files.items() if not name.endswith(".safetensors")]
    exact = ArchiveLimits(
        packed=size,
        unpacked=total,
        unpacked_of_small=total,
        ratio=1,
        text=max(texts),
        texts=sum(texts),
        files=len(files),
        kept=total,
    )
    unpack_run(packed(files), "x.zip", uploads, CHECKS, exact)
    shutil.rmtree(uploads)
    for field in set(exact.__dataclass_fields__) - {"ratio"}:
        tight = {name: getattr(exact, name) - (name == field) for name in exact.__dataclass_fields__}
        what = "config.json .*" if field == "text" else ""
        refused(uploads, packed(files), rf"{what} {tight[field]:,}\b", ArchiveLimits(**tight))
    bomb = packed(files | {"mine/last.safetensors": bytes(50_000_000)})
    assert bomb.seek(0, 2) < 1_000_000
    refused(uploads, bomb, "10 MB", ArchiveLimits(unpacked=10_000_000))
    refused(uploads, bomb, "50 MB; the limit for its size is 32 MB")
    large = packed(files | {"mine/last.safetensors": bytes(50_000_000)}, zipfile.ZIP_STORED)
    refused(uploads, large, "last")  # no weights


def test_sizes_that_the_archive_lies_about(run: Path, uploads: Path) -> None:
    """The directory says 10 bytes, the stream has many more."""
    file = packed({**files_of(run), "mine/README.md": b"y" * 100_000})
    data = bytearray(file.getvalue())
    at = data.rindex(b"mine/README.md")  # in the directory at the end
    data[at - 46 + 24 : at - 46 + 28] = (10).to_bytes(4, "little")
    refused(uploads, io.BytesIO(bytes(data)), r"README\.md")


def test_damaged_encrypted_and_strange_files(run: Path, uploads: Path) -> None:
    refused(uploads, io.BytesIO(b""), r"given\.zip")
    refused(uploads, io.BytesIO(b"PK\x03\x04 junk" * 20), r"given\.zip")
    whole = packed(files_of(run), zipfile.ZIP_STORED).getvalue()
    refused(uploads, io.BytesIO(whole[: len(whole) // 2]), r"given\.zip")
    inside = whole.index(b"decoder.U") + 4000
    flipped = whole[:inside] + bytes([whole[inside] ^ 1]) + whole[inside + 1 :]
    refused(uploads, io.BytesIO(flipped), r"model\.safetensors")
    refused(uploads, packed(files_of(run), zipfile.ZIP_LZMA), "'mine/config.json' .*deflate")
    locked = bytearray(whole)
    locked[whole.index(b"PK\x01\x02") + 8] |= 1
    refused(uploads, io.BytesIO(bytes(locked)), "encrypted")


def edited(files: Files, name: str, change: Callable[[bytes], bytes]) -> Files:
    return {n: change(d) if n == f"mine/{name}" else d for n, d in files.items()}


def with_setting(section: str, key: str, value: object) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        settings = json.loads(data)
        (settings[section] if section else settings)[key] = value
        return json.dumps(settings).encode()

    return change


BROKEN: dict[str, tuple[str, Callable[[bytes], bytes], str]] = {
    "no JSON": ("config.json", lambda _: b"{", "config.json"),
    "deep JSON": ("config.json", lambda _: b"[" * 100_000, "config.json"),
    "long number": ("config.json", lambda _: b'{"format": ' + b"9" * 5000 + b"}", "config.json"),
    "unknown setting": ("config.json", with_setting("model", "hiden", 3), "model.hidden"),
    "other sizes": ("config.json", with_setting("model", "hidden", 13), r"model\.safetensors: .*\(12, 26\)"),
    "other architecture": ("config.json", with_setting("model", "architecture", "rnnencdec"), "model.safetensors: "),
    "no model": ("config.json", with_setting("model", "hidden", 2**62), "model.hidden .*100000"),
    "vocabulary below zero": (
        "config.json",
        with_setting("", "source_vocabulary", {"kind": "bpe", "size": -4}),
        "source_vocabulary.size .*2.*-4",
    ),
    "junk weights": ("model.safetensors", lambda _: b"\x80junk" * 9, "model.safetensors"),
    "cut weights": ("model.safetensors", lambda data: data[:-1], "model.safetensors"),
    "pickle": ("model.safetensors", lambda _: b"\x80\x04\x95cos\nsystem\n", "model.safetensors"),
    "a junk step": ("steps/3.safetensors", lambda _: b"junk" * 9, "steps/3.safetensors"),
    "junk vocabulary": ("source.vocabulary.json", lambda _: b"[]", "source.vocabulary.json"),
    "junk pieces": ("source.sentencepiece.model", lambda _: b"junk", "sentencepiece"),
    "junk events": ("training.jsonl", lambda _: b"x\n{}\n", "training.jsonl, line 1"),
    "junk origin": ("provenance.json", lambda _: b"{}", "provenance.json"),
    "junk scores": ("evaluation/toy.json", lambda _: b"{}", "toy.json"),
    "junk links": ("alignment/toy.json", lambda _: b"{}", "toy.json"),
    "junk dictionary": ("dictionary.tsv", lambda _: b"x\n", "dictionary.tsv"),
}


def test_translations_beside_an_evaluation_are_looked_at_too(run: Path, uploads: Path) -> None:
    evaluation = evaluated("mine", "toy", texts([3, 12]))
    write_evaluation(run, evaluation)
    write_translations(run, evaluation, [WrittenSentence("a"), WrittenSentence("b")])
    broken = edited(files_of(run), "evaluation/toy.translations.jsonl", lambda data: data[:-9])
    refused(uploads, packed(broken), "toy.translations.jsonl .*line 3")
    info = unpack_run(packed(files_of(run)), "given.zip", uploads, CHECKS)
    assert read_translations(info.path, evaluation).everything[1].text == "b"


@pytest.mark.parametrize("released", sorted(path.parent for path in CHECKPOINTS.glob("*/config.json")), ids=str)
def test_what_is_released_comes_in(released: Path, uploads: Path, tmp_path: Path) -> None:
    """As `make release` packs it."""
    file = tmp_path / f"{released.name}.zip"
    paths = [path for path in released.rglob("*") if path.is_file() and path.name != ".lock"]
    RELEASE["pack"](file, released.parent, paths, 1_700_000_000)
    with file.open("rb") as opened:
        info = unpack_run(opened, file.name, uploads, CHECKS)
    assert files_of(info.path) == {path.relative_to(released.parent).as_posix(): path.read_bytes() for path in paths}


@pytest.mark.parametrize("how", BROKEN)
def test_each_file_is_looked_at_before_it_counts_as_a_run(run: Path, uploads: Path, how: str) -> None:
    name, change, message = BROKEN[how]
    files = files_of(run)
    files.setdefault(f"mine/{name}", b"")
    refused(uploads, packed(edited(files, name, change)), message)


@pytest.mark.parametrize("name", ["model.safetensors", "source.vocabulary.json", "target.sentencepiece.model"])
def test_what_is_missing_is_named(run: Path, uploads: Path, name: str) -> None:
    files = {n: d for n, d in files_of(run).items() if n != f"mine/{name}"}
    refused(uploads, packed(files), name.split(".")[-2] if "piece" in name else name)


def test_random_damage_is_refused_or_harmless(run: Path, uploads: Path) -> None:
    rng = random.Random(5)
    files = {n: d for n, d in files_of(run).items() if not n.endswith("sentencepiece.model")}  # its parser is not ours
    small = packed({n: d[:300] for n, d in files.items()}).getvalue()
    for _ in range(300):
        data = bytearray(small)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        with pytest.raises(InputError):
            unpack_run(io.BytesIO(bytes(data)), "x.zip", uploads, CHECKS)
        assert left(uploads) == []


def test_damage_of_the_directory_is_refused_or_harmless(run: Path, uploads: Path) -> None:
    """Each byte of the end of the directory, in turn: wrong offsets make the zip module raise errors of many kinds."""
    small = packed({n: d[:50] for n, d in files_of(run).items()}).getvalue()
    for place in range(small.rindex(b"PK\x01\x02"), len(small)):
        for value in (0, 1, 0x7F, 0xFF):
            data = small[:place] + bytes([value]) + small[place + 1 :]
            with pytest.raises(InputError):
                unpack_run(io.BytesIO(data), "x.zip", uploads, CHECKS)
            assert left(uploads) == []


def test_a_full_disk_ends_in_a_sentence_and_leaves_nothing(run: Path, uploads: Path) -> None:
    """No file may grow beyond 2,000 bytes for a while, which fails as a full disk does."""
    resource = pytest.importorskip("resource")
    file = packed(files_of(run))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, before[1]))
    try:
        with pytest.raises(InputError, match=rf"given\.zip .*{os.strerror(errno.EFBIG)}"):
            unpack_run(file, "given.zip", uploads, CHECKS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert left(uploads) == []
    assert list((uploads / ".partial").iterdir()) == []


def test_a_folder_that_cannot_be_made_ends_in_a_sentence(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(InputError, match=r"given\.zip"):
        unpack_run(packed(files_of(run)), "given.zip", tmp_path / "file", CHECKS)


def test_headers_are_held_against_the_settings(run: Path, tmp_path: Path) -> None:
    settings, tensors = read_run(run), read_tensors(run / "model.safetensors")
    check_weights(settings, run / "model.safetensors")
    path = tmp_path / "w.safetensors"

    def check(changed: dict[str, torch.Tensor], message: str) -> None:
        save_tensors(path, changed, {})
        with pytest.raises(InputError, match=message):
            check_weights(settings, path)

    check({n: t for n, t in tensors.items() if n != "decoder.U"}, r"decoder\.U")
    check({n: t for n, t in tensors.items() if n != "decoder.U.row_scale"}, r"decoder\.U\.row_scale .*\(12,\)")
    check(tensors | {"extra": torch.zeros(2)}, r"extra .*\(2,\)")
    check(tensors | {"decoder.U": tensors["decoder.U"].T[:-1].contiguous()}, r"decoder\.U .*\(11, 12\).*\(12, 12\)")
    check(tensors | {"decoder.U": tensors["decoder.U"].double()}, "type F64")
    check(tensors | {"decoder.U": tensors["decoder.U"].float()}, r"decoder\.U\.row_scale")
    save_file({"x": torch.zeros(1)}, path)
    with pytest.raises(InputError, match=r"w\.safetensors"):
        check_weights(settings, path)


def test_several_may_delete_one_run_at_one_time(tmp_path: Path, random_runs: Path) -> None:
    """One of them does; the others are told that there is none."""
    meet = threading.Barrier(6)

    def delete(_: int) -> str:
        meet.wait(30)
        try:
            remove_run("mine", tmp_path)
        except InputError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(6) as threads:
        for _ in range(20):
            shutil.copytree(random_runs / "search-words", tmp_path / "mine")
            assert sorted(threads.map(delete, range(6))) == ["", *["there is no uploaded run 'mine'"] * 5]
            assert [*tmp_path.iterdir()] == [tmp_path / ".partial"]
            assert not [*(tmp_path / ".partial").iterdir()]
