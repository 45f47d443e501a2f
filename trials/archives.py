"""Archives of runs as users upload them: randomly damaged ones, and malicious ones."""

import io
import shutil
import stat
import zipfile
from pathlib import Path
from random import Random

from nmt.evaluation.measurement_files import check_run_evaluations
from nmt.inference.checkpoint import check_run_weights
from nmt.runs.archive import ArchiveLimits, unpack_run
from trials.texts import random_piece
from trials.trial import Cases, Trial, drawn_bytes, must
from trials.whole_run import damage, files, whole_run

_NUMBER = 300
_LIMITS = ArchiveLimits(packed=20_000_000, unpacked=20_000_000, text=5_000_000, files=50, kept=60_000_000)
_CHECKS = (check_run_weights, check_run_evaluations)
_NAMES = (
    "../outside", "/tmp/jointly-outside", "mine/../../outside", "C:\\outside", "mine\\outside", "mine/\x00",
    "mine/a\u202eb",
    "mine//config.json", "mine/steps/٣.safetensors", "mine/.hidden", "__MACOSX/x", "mine/con",
    "mine/evaluation/x/y", "mine/config.json", "other/config.json", "config.json", "mine/" + "a" * 300, "",
)  # fmt: skip


def _run(random: Random, cases: Cases, folder: Path) -> None:
    given, uploads = whole_run(folder / "given" / "mine"), folder / "uploads"
    other = whole_run(folder / "given" / "other", "bpe")
    whole = contents_of(given)
    must(
        unpack_run(io.BytesIO(_packed(random, whole)), "mine.zip", uploads, _CHECKS, _LIMITS).name == "mine", "refused"
    )
    clean(uploads)
    around = _around(folder)
    for number in range(_NUMBER):
        done, data = drawn_archive(random, dict(whole), folder / "spoilt", other)
        with cases.case(f"{number}: {done}"):
            try:
                unpack_run(io.BytesIO(data), "mine.zip", uploads, _CHECKS, _LIMITS)
            finally:
                clean(uploads)
                must(_around(folder) == around, "something was written outside the folder of uploads")


def contents_of(run: Path) -> dict[str, bytes]:
    """The files of a run by their names in an archive of it."""
    return {path.relative_to(run.parent).as_posix(): path.read_bytes() for path in files(run)}


def _around(folder: Path) -> set[Path]:
    return {path for path in folder.iterdir() if path.name not in ("uploads", "spoilt")} | set(
        Path("/tmp").glob("jointly-outside*")
    )


def clean(uploads: Path) -> None:
    """Check that nothing half unpacked is left, and remove what was unpacked."""
    left = sorted(path.name for path in (uploads / ".partial").glob("*"))
    must(not left, f"left in .partial: {left}")
    for path in uploads.glob("[!.]*"):
        shutil.rmtree(path)


def drawn_archive(random: Random, contents: dict[str, bytes], spoilt: Path, other: Path) -> tuple[str, bytes]:
    """Draw an archive that is damaged or malicious; returns what is wrong with it, too.

    Args:
        random: random numbers of the piece.
        contents: the files of a whole run, by their names in the archive.
        spoilt: a folder that does not exist, which is used for a moment.
        other: another run.
    """
    match random.randrange(6):
        case 0 | 1:
            return drawn_bytes(random, _packed(random, contents))
        case 2:
            name = random.choice(_NAMES) if random.random() < 0.8 else random_piece(random)
            contents[name] = b"{}"
            return f"an entry {name!a}", _packed(random, contents)
        case 3:
            return _lying(random, contents)
        case 4:
            run = whole_run(spoilt / "mine")
            done = damage(random, run, other)
            found = {f"mine/{p.relative_to(run).as_posix()}": _short(p) for p in files(run)}
            shutil.rmtree(spoilt)
            return f"a damaged run, {done}", _packed(random, found)
        case _:
            count = random.choice((60, 3000))
            contents |= {f"mine/evaluation/{number}.json": b"{}" for number in range(count)}
            return f"{count} entries more", _packed(random, contents)


def _short(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(30_000_000)


def _packed(random: Random, contents: dict[str, bytes]) -> bytes:
    found = io.BytesIO()
    kind = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(found, "w", kind) as archive:
        for name, data in contents.items():
            archive.writestr(zipfile.ZipInfo(name), data, kind)
    return found.getvalue()


def _lying(random: Random, contents: dict[str, bytes]) -> tuple[str, bytes]:
    """An archive with an entry that is a link or a device, uses another compression, occurs twice, or is larger than
    declared."""
    what = random.choice(("link", "device", "bzip2", "lzma", "twice", "bomb", "small", "encrypted"))
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
        entry = zipfile.ZipInfo("mine/evaluation/x.json")
        data = b"{}"
        if what == "link":
            entry.external_attr, data = (stat.S_IFLNK | 0o777) << 16, b"/etc/passwd"
        elif what == "device":
            entry.external_attr = (stat.S_IFCHR | 0o666) << 16
        elif what == "bomb":
            data = bytes(30_000_000)
        kinds = {"bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}
        archive.writestr(entry, data, kinds.get(what, zipfile.ZIP_DEFLATED))
    packed = bytearray(found.getvalue())
    if what == "twice":
        packed *= 2
    place = packed.rfind(b"PK\x01\x02")
    if what == "small":
        packed[place + 24 : place + 28] = (1).to_bytes(4, "little")
    elif what == "encrypted":
        packed[place + 8] |= 1
    return what, bytes(packed)


TRIAL = Trial(
    name="archives",
    tried="zip files of runs: damaged bytes, damaged runs, paths that lead outside, links, devices, other "
    "compressions, entries that lie about their size, thousands of entries",
    holds="a run or a sentence; nothing outside the folder of uploads, nothing left over",
    run=_run,
    pieces=30,
    ci=1,
    seconds=900,
    case_seconds=60,
)
