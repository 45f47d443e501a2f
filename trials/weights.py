"""Uploaded runs whose weights are no weights: lying headers of safetensors, pickles, zip files in zip files."""

import io
import json
import pickle
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from nmt.evaluation.measurement_files import check_run_evaluations
from nmt.inference.checkpoint import check_run_weights
from nmt.runs.archive import unpack_run
from nmt.runs.folder import BEST
from trials.archives import clean, contents_of
from trials.trial import Cases, Trial, must
from trials.whole_run import whole_run

_CHECKS = (check_run_weights, check_run_evaluations)


class _Opens:
    """What a pickle runs when it is read."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return (open, (str(self._mark), "w"))


def _headers(given: bytes) -> Iterator[tuple[str, bytes]]:
    """Weights whose header says something else than what follows."""
    (size,) = struct.unpack("<Q", given[:8])
    header, data = json.loads(given[8 : 8 + size]), given[8 + size :]
    name = next(key for key in header if key != "__metadata__")

    def packed(content: object, length: int | None = None) -> bytes:
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        return struct.pack("<Q", len(text) if length is None else length) + text + data

    for length in (0, 1, size - 1, size + 1, 10**8 + 1, 2**31, 2**63, 2**64 - 1):
        yield f"header of {length} bytes", packed(header, length)
    end = len(data)
    for offsets in (
        [0, 2**63],
        [-8, 0],
        [8, 0],
        [0, end + 8],
        [end, end],
        [2**64, 2**64 + 8],
        [0.5, 1],
        ["0", "8"],
        [],
    ):
        yield f"offsets {offsets}", packed(header | {name: header[name] | {"data_offsets": offsets}})
    shapes: tuple[object, ...] = ([2**31, 2**31, 2**31], [2**63], [-1], [0], [1.5], ["1"], [1] * 10_000, None, {})
    for shape in shapes:
        yield f"shape {str(shape)[:50]}", packed(header | {name: header[name] | {"shape": shape}})
    for kind in ("F64", "I8", "BOOL", "F128", "", None, "object", "F8_E4M3"):
        yield f"type {kind}", packed(header | {name: header[name] | {"dtype": kind}})
    yield "two tensors in one place", packed(header | {"more": header[name]})
    yield "100,000 tensors", packed(header | {f"t{number}": header[name] for number in range(100_000)})
    yield "deep", packed(b"[" * 200_000)
    yield "a key twice", packed(json.dumps(header).encode()[:-1] + f', "{name}": {{}}}}'.encode())
    yield "metadata that is no text", packed(header | {"__metadata__": {"nmt": {"a": 1}}})
    yield "no metadata", packed({key: value for key, value in header.items() if key != "__metadata__"})
    yield "not UTF-8", packed(b"\xff" * 100)


def _others(mark: Path, given: bytes) -> Iterator[tuple[str, bytes]]:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield f"a pickle of protocol {protocol}", pickle.dumps(_Opens(mark), protocol)
    for name in ("archive/data.pkl", "data.pkl"):  # as torch.save writes
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(name, pickle.dumps(_Opens(mark)))
        yield f"a zip file with {name}", packed.getvalue()
    yield "a pickle behind a header", given[:8] + pickle.dumps(_Opens(mark)) + given
    yield "zeros", bytes(len(given))


def _archive(contents: dict[str, bytes], *, zeros: str = "") -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            if name != zeros:
                archive.writestr(name, data)
        if zeros:
            with archive.open(zeros, "w", force_zip64=True) as file:
                for _ in range(1000):
                    file.write(bytes(1_000_000))
    return found.getvalue()


def _overlapping(contents: dict[str, bytes]) -> bytes:
    """An archive whose entries are all the same bytes: small packed, and many times as large unpacked."""
    name = "mine/evaluation/a.json"
    data = bytearray(_archive(contents | {name: b'{"a": "' + b"x" * 5_000_000 + b'"}'}))
    begin = data.rfind(b"PK\x05\x06")
    start = struct.unpack("<I", data[begin + 16 : begin + 20])[0]
    central, entry = bytes(data[start:begin]), data[start:begin].rfind(b"PK\x01\x02")
    last, more = central[entry:], 40
    copies = b"".join(
        last.replace(b"a.json", f"{chr(98 + number % 24)}{number // 24}json".encode()) for number in range(more)
    )
    count = struct.unpack("<H", data[begin + 10 : begin + 12])[0] + more
    end = bytearray(data[begin:])
    end[8:12] = struct.pack("<HH", count, count)
    end[12:16] = struct.pack("<I", len(central) + len(copies))
    return bytes(data[:start]) + central + copies + bytes(end)


def _run(random: Random, cases: Cases, folder: Path) -> None:
    whole, uploads, mark = contents_of(whole_run(folder / "given" / "mine")), folder / "uploads", folder / "executed"
    weights = f"mine/{BEST}"
    tried = [(what, _archive(whole | {weights: data})) for what, data in _headers(whole[weights])]
    tried += [(what, _archive(whole | {weights: data})) for what, data in _others(mark, whole[weights])]
    tried += [
        (f"{what}, kept", _archive(whole | {"mine/steps/7.safetensors": data}))
        for what, data in _others(mark, whole[weights])
    ]
    tried += [
        (f"a gigabyte of zeros as {name}", _archive(whole, zeros=name))
        for name in (weights, "mine/config.json", "mine/README.md")
    ]
    inner = _archive(whole, zeros=weights)
    tried += [
        ("a zip file in it", _archive(whole | {"mine/more.zip": inner})),
        ("a zip file of zip files", _archive({"a.zip": inner})),
    ]
    tried += [("entries that overlap", _overlapping(whole))]
    random.shuffle(tried)
    for what, data in tried:
        with cases.case(what):
            try:
                unpack_run(io.BytesIO(data), "mine.zip", uploads, _CHECKS)
                must(False, "it was taken for a run")
            finally:
                must(not mark.exists(), "a pickle was executed")
                clean(uploads)


TRIAL = Trial(
    name="weights",
    tried="uploaded runs whose weights have a header that lies about sizes, places, types and shapes, or are pickles, "
    "and archives that unpack to a gigabyte, hold archives, or have entries that overlap",
    holds="a sentence; nothing is executed, nothing left over, no more memory than the weights of a small run take",
    run=_run,
    pieces=1,
    ci=1,
    seconds=600,
    case_seconds=20,
    megabytes=1500,
)
