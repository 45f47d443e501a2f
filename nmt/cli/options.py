"""Options and input that several commands share."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from nmt.config import FORMAT_VERSION
from nmt.errors import InputError


@dataclass(frozen=True)
class Decoding:
    """The decoding options, the same wherever something is decoded."""

    beam: int
    no_unk: bool
    length_penalty: float


def add_decoding(parser: argparse.ArgumentParser) -> None:
    """--beam, --no-unk, --length-penalty."""
    parser.add_argument("--beam", type=int, default=12, metavar="K", help="beam width; 1 is greedy (default 12)")
    parser.add_argument("--no-unk", action="store_true", help="the model may not write [UNK]")
    parser.add_argument(
        "--length-penalty",
        type=float,
        default=0.0,
        metavar="A",
        help="rank by log-probability / length^A (default 0)",
    )


def decoding(options: argparse.Namespace) -> Decoding:
    return Decoding(options.beam, options.no_unk, options.length_penalty)


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON (docs/formats.md)")


def add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run_folder", metavar="RUN", help="a run folder, such as checkpoints/rnnsearch-256")
    parser.add_argument("--device", default="cpu", help="where to compute: cpu (default) or cuda")


def print_json(data: dict[str, Any]) -> None:
    """One object on one line, with the format version."""
    print(json.dumps({"format": FORMAT_VERSION} | data, ensure_ascii=False))


def decode_lines(data: bytes, name: str) -> list[str]:
    """Lines of UTF-8 text; only a newline ends a line. InputError names the line that is not UTF-8."""
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    texts = []
    for number, line in enumerate(lines, 1):
        try:
            texts.append(line.decode("utf-8").removesuffix("\r").removeprefix("\ufeff" if number == 1 else ""))
        except UnicodeDecodeError:
            raise InputError(f"{name}, line {number}: not valid UTF-8") from None
    return texts


def read_stdin() -> list[str]:
    return decode_lines(sys.stdin.buffer.read(), "standard input")


def read_file(path: str) -> list[str]:
    """The lines of a plain text file."""
    try:
        return decode_lines(Path(path).read_bytes(), path)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder, not a text file") from None


@dataclass(frozen=True)
class Pairs:
    """Two files with as many lines."""

    source: list[str]
    target: list[str]


def read_pairs(source: str, target: str) -> Pairs:
    """Two files line by line; InputError unless they have the same number of lines, at least one."""
    pairs = Pairs(read_file(source), read_file(target))
    if len(pairs.source) != len(pairs.target):
        raise InputError(f"{source} has {len(pairs.source)} lines, but {target} has {len(pairs.target)}")
    if not pairs.source:
        raise InputError(f"{source} is empty")
    return pairs


def progress_bar(description: str) -> Callable[[int, int], None]:
    """A callback (done, total) that draws a bar with rate and time left on stderr."""
    bar: tqdm[Any] | None = None

    def show(done: int, total: int) -> None:
        nonlocal bar
        if bar is None:
            bar = tqdm(total=total, desc=description, unit=" sentences", file=sys.stderr, disable=None)
        bar.update(done - bar.n)
        if done >= total:
            bar.close()

    return show
