"""Files of 16 MB of the worst kinds, uploaded to every field of the app that takes a file."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import time
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from streamlit.testing.v1 import AppTest

from nmt.ui.checkpoints import uploads_folder
from tests.oracles.random_run import random_run
from trials.addresses import app_over
from trials.archives import clean, contents_of
from trials.children import start, wait
from trials.trial import Cases, NotRun, Trial, must
from trials.uploads import ALIGNMENTS, OUTPUT, RUN, RUN_FOLDER, TEST_SET, WHOLE_TEXT, Field, at_rest, fill, opened
from trials.whole_run import whole_run

SIZE = 16_000_000
SECONDS, MEGABYTES = 2.0, 300.0
"""Processor time and memory that such a file may take, beyond those of a file of some bytes."""
_AGAIN = 0.3
"""Seconds of a further run of the page."""
_USUAL = 0.2
"""Seconds in which a machine prints and reads a million numbers; a slower one may take longer in proportion."""
_TRIES = 3
"""How often a file is measured at most: it is lost if it is over a bound each time."""
_PATIENCE = 600
"""Seconds that a run of the page may take by the clock: a machine may be busy with other things."""
_WORDS = ",".join(['""'] * 1_990)


def _filled(unit: str, head: str = "", tail: str = "") -> bytes:
    """A unit as often as fits between two other texts."""
    room = SIZE - len((head + tail).encode())
    return (head + unit * (room // len(unit.encode())) + tail).encode()


def _most_json() -> bytes:
    """Lists, strings, objects and numbers of nearly as much memory as is read at all, in a file with an emoji, which
    makes each character of the text take four bytes."""
    parts = "[0]," * 400_000 + '"āb",' * 400_000 + '{"":0},' * 50_000 + "1.5," * 1_200_000
    return _filled("a", '["😀', f'",{parts}0]')


def _most_triples() -> bytes:
    """A file of SoftAlignments with nearly as many weights as are read."""
    words = ",".join(f'"{k}"' for k in range(1_500))
    rows = ",".join(f"[{j},{1 if j == 0 else 0},{i}]" for i in range(400) for j in range(800))
    return f"var sources=[[{words}]];var targets=[[{words}]];var alignments=[[{rows}]];".encode()


def _most_table(rows: int = 1_990, columns: int = 1_990, zero: str = "0") -> bytes:
    """Tables of as many words as are read, with nearly as many weights."""
    return ("x" + ",w" * columns + "\n" + ("a,1" + f",{zero}" * (columns - 1) + "\n") * rows).encode()


def _wide_xz() -> bytes:
    """A small text whose block header asks for a window of 1 GB; to compress with one would take ten times as much."""
    data = bytearray(lzma.compress(b"a b\n" * 100, preset=0))
    begin, end = 12, 12 + (data[12] + 1) * 4 - 4  # of the block header without its checksum
    data[begin + 4] = 36  # the code of 2^30 bytes
    data[end : end + 4] = zlib.crc32(data[begin:end]).to_bytes(4, "little")
    return bytes(data)


ALIGNMENT_FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "lines of a letter": ("many.txt", lambda: _filled("a\n")),
    "rows of a table": ("many.csv", lambda: _filled("a,1\n", "x,b\n")),
    "cells of a row": ("many.csv", lambda: _filled("ab,")),
    "cells of a row of many lines": ("many.csv", lambda: _filled('"\n",')),
    "quotation marks": ("many.csv", lambda: _filled('"')),
    "a cell": ("many.csv", lambda: _filled("a", '"', '"')),
    "empty lines": ("many.csv", lambda: _filled("\n", "a,b\n")),
    "small tables": ("many.csv", lambda: _filled("x,b\n" + "a,1\n" * 1_990 + "\n")),
    "a whole large table": ("many.csv", _most_table),
    "a table of weights of three letters": ("many.csv", lambda: _most_table(1_990, 1_990, "0.0")),
    "tables of many rows": ("many.csv", lambda: (_most_table(1_990, 1) + b"\n") * 99),
    "objects of JSON": ("many.json", lambda: _filled('{"":0},', "[", "{}]")),
    "lists of JSON": ("many.json", lambda: _filled("[0],", "[", "[]]")),
    "strings of JSON": ("many.json", lambda: _filled('"āb",', "[", '""]')),
    "numbers of JSON": ("many.json", lambda: _filled("1.5,", "[", "1]")),
    "values of JSON": ("many.jsonl", lambda: _filled("1 ")),
    "most of everything in JSON": ("many.json", _most_json),
    "brackets": ("many.json", lambda: _filled("[")),
    "spaces in JSON": ("many.json", lambda: _filled(" ", "{", "}")),
    "large alignments in JSON": (
        "many.json",
        lambda: (
            f'{{"source":[{_WORDS}],"target":[{_WORDS}],"weights":['
            + f"[1{',0' * 1_989}]," * 1_989
            + f"[1{',0' * 1_989}]]}}"
        ).encode(),
    ),
    "links": ("many.pharaoh", lambda: _filled("0-0 ")),
    "as many links as are read": (
        "many.pharaoh",
        lambda: " ".join(f"{k % 1_999}-{k // 1_999}" for k in range(399_000)).encode(),
    ),
    "words in place of links": ("many.pharaoh", lambda: _filled("ab ")),
    "lines in place of blocks": ("many.nematus", lambda: _filled("ab\n")),
    "a row of weights": ("many.nematus", lambda: _filled("1 ", "0 ||| a ||| 0 ||| b ||| 1 1\n")),
    "small blocks": ("many.nematus", lambda: _filled("0 ||| a ||| 0 ||| b ||| 1 1\n1\n\n")),
    "blocks of many rows": (
        "many.nematus",
        lambda: _filled("0 ||| " + "a " * 1_990 + "||| 0 ||| b ||| 1 1\n" + "1\n" * 1_990 + "\n"),
    ),
    "escaped quotation marks": ("many.js", lambda: _filled('\\"', 'var a="')),
    "variables": ("many.js", lambda: _filled("var a=1;")),
    "as many triples as are read": ("many.js", _most_triples),
    "digits": ("many.txt", lambda: _filled("1")),
    "emoji": ("many.txt", lambda: _filled("😀")),
    "zeros": ("many.txt", lambda: bytes(SIZE)),
}
"""Name and content of files for the field of alignments."""

TEXT_FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "lines of a letter": ("many.txt", lambda: _filled("a\n")),
    "lines of two letters": ("many.txt", lambda: _filled("ab\n")),
    "empty lines": ("many.txt", lambda: _filled("\n", "a")),
    "a line": ("many.txt", lambda: _filled("a ")),
    "sentences in a line": ("many.txt", lambda: _filled("A b. ")),
    "as many lines as are read": ("many.txt", lambda: ("a b c d e f g h i j k l m n o p q r s\n" * 19_999).encode()),
    "as much as a text may have": ("many.txt", lambda: ("The cat sleeps. It reads! " * 77_000).encode()[:1_999_999]),
    "long words": ("many.txt", lambda: (("a" * 700 + "\n") * 19_999)[:SIZE].encode()),
    "tabs": ("many.tsv", lambda: _filled("\t")),
    "pairs": ("many.tsv", lambda: ("a b c d e f\ta b c d e f\n" * 19_999).encode()),
    "a bomb in gzip": ("many.txt.gz", lambda: gzip.compress(b"a b\n" * 50_000_000, 6)),
    "a bomb in xz": ("many.txt.xz", lambda: lzma.compress(b"a\n" * 50_000_000, preset=0)),
    "xz with a large window": ("many.txt.xz", _wide_xz),
    "zeros": ("many.txt", lambda: bytes(SIZE)),
    "emoji": ("many.txt", lambda: _filled("😀")),
    "bytes without a meaning": ("many.txt", lambda: Random(1).randbytes(SIZE)),
}
"""The same for fields of texts and links of words."""


def _archives(whole: dict[str, bytes]) -> dict[str, tuple[str, Callable[[], bytes]]]:
    """Archives of a run of which one file is replaced by one that is as large as can be."""
    events = b"".join(
        json.dumps({"event": "sample", "update": k, "source": "a", "reference": "b", "hypothesis": "c"}).encode()
        + b"\n"
        for k in range(80_000)
    )
    texts = {
        "objects as settings": ("config.json", b'{"a":[' + b'{"":0},' * 1_140_000 + b"{}]}"),
        "objects as a vocabulary": ("source.vocabulary.json", b'{"a":[' + b'{"":0},' * 1_140_000 + b"{}]}"),
        "objects as an evaluation": ("evaluation/many.json", b'{"a":[' + b'{"":0},' * 1_140_000 + b"{}]}"),
        "many events": ("training.jsonl", events),
        "lines of a brace": ("training.jsonl", b"{}\n" * 2_600_000),
        "lines of translations": ("evaluation/many.translations.jsonl", b"{}\n" * 2_600_000),
        "words of a dictionary": ("dictionary.tsv", b"a\tb\n" * 1_990_000),
        "counts of words": ("source.word-counts", b"1\n" * 3_990_000),
        "zeros as weights": ("model.safetensors", bytes(390_000_000)),
        "zeros as weights, within the limit": ("model.safetensors", bytes(30_000_000)),
        "a header of weights": ("model.safetensors", (SIZE).to_bytes(8, "little") + b"{" + b" " * (SIZE - 1)),
        "noise as weights": ("model.safetensors", Random(2).randbytes(SIZE - 1_000_000)),
    }

    def packed(name: str, data: bytes) -> bytes:
        file, folder = io.BytesIO(), next(iter(whole)).partition("/")[0]
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for path, content in (whole | {f"{folder}/{name}": data}).items():
                if not path.endswith("checksums.json"):
                    archive.writestr(path, content)
        return file.getvalue()

    def crowded() -> bytes:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            for number in range(100_000):
                archive.writestr(f"mine/{number}", b"")
        return file.getvalue()

    made = {kind: ("mine.zip", partial(packed, *given)) for kind, given in texts.items()}
    return made | {
        "many entries": ("mine.zip", crowded),
        "no archive": ("mine.zip", lambda: bytes(SIZE)),
        "ends of archives": ("mine.zip", lambda: _filled("PK\5\6" + "\0" * 18)),
    }


def _measured(at: AppTest, field: Field, name: str, data: bytes, log: Path) -> Cost:
    """Upload a file to an open page in a copy of this process; return what that cost."""
    files = [(name, data)] + [("few.txt", b"a\n") for _ in field.keys[1:]]

    def work() -> int:
        Path("/proc/self/clear_refs").write_text("5")
        before, began = _status("VmRSS"), time.process_time()
        fill(at, field, files)
        seconds = time.process_time() - began
        if at.exception:
            raise RuntimeError(at.exception[0].value)
        told = [element.value for element in (*at.error, *at.warning)]
        most = _status("VmHWM")
        print(json.dumps([seconds, most - before, min(_seconds(at) for _ in range(3)), told]))
        return 0

    status = wait(start(log, work))
    said = log.read_text(encoding="utf-8")
    must(status == 0, f"status {status}: {said[-2000:]}")
    seconds, megabytes, again, told = json.loads(said.splitlines()[-1])
    return Cost(seconds=seconds, megabytes=megabytes, again=again, told=" ".join(told))


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What an upload cost.

    Attributes:
        seconds, megabytes: processor time, and growth of the largest memory, of the run of the page that reads it.
        again: processor time of the fastest of three further runs of the page.
        told: what the page says about it.
    """

    seconds: float
    megabytes: float
    again: float
    told: str


def _seconds(at: AppTest) -> float:
    """Return the processor time of a further run of the page."""
    began = time.process_time()
    at_rest(at.run)
    return time.process_time() - began


def _slowness() -> float:
    """How many times as long as usual this machine takes, 1 if it is faster."""
    began = time.process_time()
    sum(float(str(k)) for k in range(1_000_000))
    return max(1.0, (time.process_time() - began) / _USUAL)


def _status(name: str) -> float:
    """A size in the status of this process, in 10^6 bytes."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024 / 1e6


def _run(random: Random, cases: Cases, folder: Path) -> None:
    del random
    if not Path("/proc/self/clear_refs").exists():
        raise NotRun("the largest memory of a moment is known on Linux alone")
    os.environ["JOINTLY_SYSTEMS"] = str(folder / "systems")
    random_run(folder / "runs" / RUN)
    archives = _archives(contents_of(whole_run(folder / "given" / "mine")))
    fields = {
        "alignments": (ALIGNMENTS, ALIGNMENT_FILES),
        "whole text": (WHOLE_TEXT, TEXT_FILES),
        "test set": (TEST_SET, TEXT_FILES),
        "output of a system": (OUTPUT, TEXT_FILES),
        "run folder": (RUN_FOLDER, archives),
    }
    chosen = list(fields)[cases.piece]
    field, kinds = fields[chosen]
    worst: dict[str, tuple[float, str]] = {}
    with app_over(folder / "runs"):
        log = folder / "log"
        at = opened(field, _PATIENCE)
        plain = _measured(at, field, "few.txt" if field is not RUN_FOLDER else "few.zip", b"a b\n", log)
        for kind, (name, made) in kinds.items():
            case = f"{chosen}: {kind}"
            data = made()
            with cases.case(case):
                for _ in range(_TRIES):
                    slowness = _slowness()  # here, since a machine that others use is slow now and then
                    cost = _measured(at, field, name, data, log)
                    found = {
                        "s": (cost.seconds - plain.seconds, SECONDS * slowness),
                        "MB": (cost.megabytes, MEGABYTES),
                        "s for a further run": (cost.again - plain.again, _AGAIN * slowness),
                    }
                    over = {unit: bounds for unit, bounds in found.items() if bounds[0] > bounds[1]}
                    if not over:
                        break
                if cost.told:
                    cases.refuse(case, cost.told)
                for unit, (value, _) in found.items():
                    worst[unit] = max(worst.get(unit, (0.0, "")), (value, kind))
                wrong = [f"{value:.1f} {unit}, and the bound is {most:.3g}" for unit, (value, most) in over.items()]
                must(not wrong, "; ".join(wrong))
            clean(uploads_folder())
    cases.figures = f"{chosen}: at most " + ", ".join(
        f"{value:.1f} {unit} ({kind})" for unit, (value, kind) in worst.items()
    )


TRIAL = Trial(
    name="large-files",
    tried="files of 16 MB of the worst kinds, and of the largest that are read, in each of the five places of the app "
    "that ask for a file",
    holds=f"the page comes to rest; at most {SECONDS:g} s of processor time more than for a file of some bytes, at "
    f"most {MEGABYTES:g} MB, and nothing of that at the next run of the page",
    run=_run,
    pieces=5,
    ci=1,
    seconds=3600,
    case_seconds=120,
    megabytes=4000,
)
