"""Line input: files are read at once, and standard input as it arrives. Also progress bars on stderr."""

from __future__ import annotations

import os
import select
import stat
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from tqdm import tqdm

from nmt.answers.request import Progress, ProgressReporter
from nmt.data.corpus import only_column, read_lines, read_whole_text
from nmt.data.text_files import (
    REFERENCE,
    SOURCE,
    FileText,
    Side,
    is_markup,
    refuse_other_kinds,
    text_of_lines,
    text_of_markup,
)
from nmt.errors import InputError
from nmt.files import MOST_BYTES
from nmt.results import UNKNOWN_LANGUAGES, Languages

MOST_CHARACTERS = 10_000
"""Largest number of characters of a line of text. Time and memory grow with the square of this number."""
PATIENCE = 0.05
"""Seconds to wait for more lines from a pipe or terminal before work begins on the lines read so far."""


def read_raw(path: str) -> list[str]:
    """Read the lines of a UTF-8 file that holds no plain text, such as a list of candidates. Raises the errors of
    ``nmt.data.corpus.read_lines``, and InputError for a line that is too long."""
    return _checked([line.text for line in read_lines(Path(path))], path)


def read_text(path: str, side: Side = SOURCE, language: str = "") -> FileText:
    """Read a whole text, plain or compressed. A text of references may have several columns. Raises the errors of
    ``nmt.data.corpus.read_whole_text``, and InputError for a line that is too long."""
    read = read_whole_text(Path(path), side, language)
    if isinstance(read, FileText):
        return FileText(tuple(tuple(_checked(column, path)) for column in read.columns), read.documents)
    return text_of_lines(_checked([line.text for line in read], path), path, side)


def read_file(path: str, side: Side = SOURCE, language: str = "") -> list[str]:
    """The lines of ``read_text`` for a text of one column. Raises InputError for a text with several references."""
    return list(only_column(read_text(path, side, language), path))


def read_references(paths: Sequence[str], language: str = "") -> list[Sequence[str]]:
    """Read all columns of one or several files of references. A note on stderr says if there are several columns.
    Raises InputError for unequal numbers of lines, and the errors of ``read_text``."""
    columns: list[Sequence[str]] = []
    for path in paths:
        text = read_text(path, REFERENCE, language)
        if columns and len(text.lines) != len(columns[0]):
            raise InputError(f"{path} has {len(text.lines)} lines, but {paths[0]} has {len(columns[0])}")
        columns += text.columns
    if len(columns) > 1:
        print(f"Note: {' and '.join(paths)}: {len(columns)} references of each sentence.", file=sys.stderr)
    return columns


def say_remarks(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], hypothesis: str, reference: str
) -> None:
    """Print on stderr the remarks of nmt.evaluation.test_set on texts. ``hypothesis``, ``reference``: their files."""
    from nmt.evaluation.test_set import remarks

    for remark in remarks(hypotheses, references, (hypothesis, reference)):
        print(f"Note: {remark}.", file=sys.stderr)


def _checked(lines: Sequence[str | None], path: str) -> list[str]:
    texts = []
    for number, text in enumerate(lines, 1):
        if text is None:
            raise InputError(f"{path}, line {number}: far more than {MOST_CHARACTERS:,} characters, the limit")
        if problem := too_long(text, number, path):
            raise InputError(problem)
        texts.append(text)
    return texts


def too_long(line: str, number: int, name: str) -> str:
    """Message for a line that is too long. "" for any other line."""
    if len(line) <= MOST_CHARACTERS:
        return ""
    return f"{name}, line {number}: {len(line):,} characters; the limit is {MOST_CHARACTERS:,}"


def without_long_lines(lines: Iterator[str], name: str) -> Iterator[str]:
    """Yield the lines. A line that is too long is reported on stderr and becomes blank, so that the work goes on."""
    for number, line in enumerate(lines, 1):
        problem = too_long(line, number, name)
        if problem:
            print(f"jointly: {problem}; it is treated as blank", file=sys.stderr)
        yield "" if problem else line


@dataclass(frozen=True)
class Pairs:
    """The lines of two parallel files. Both have the same number of lines."""

    source: list[str]
    target: list[str]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return zip(self.source, self.target, strict=True)


def read_pairs(source: str, target: str | None, languages: Languages = UNKNOWN_LANGUAGES) -> Pairs:
    """Read two parallel files. Without ``target``, read one file of lines ``source ||| target``, a common format of
    aligners. ``languages``: of source and target, if known. Raises InputError for unequal numbers of lines, and for a
    line of the one file without exactly one ``|||`` between spaces."""
    if target is None:
        fields = [line.split(" ||| ") for line in read_raw(source)]
        wrong = next((number for number, columns in enumerate(fields, 1) if len(columns) != 2), 0)
        if wrong:
            raise InputError(f"{source}, line {wrong} is not source ||| target; without --target every line has to be")
        return Pairs(*([columns[side] for columns in fields] for side in (0, 1)))
    pairs = Pairs(read_file(source, SOURCE, languages.source), read_file(target, REFERENCE, languages.target))
    if len(pairs.source) != len(pairs.target):
        raise InputError(f"{source} has {len(pairs.source)} lines, but {target} has {len(pairs.target)}")
    return pairs


class IncomingLines(Iterator[str]):
    """Iterator over the lines of a possibly endless stream. It yields each line as soon as the line arrives. If the
    stream is markup, it yields the segments after the stream has ended.

    Raises InputError if the first lines are no plain sentences and no known markup, and for a line that is not UTF-8.
    """

    def __init__(self, stream: BinaryIO, name: str, block: int = 2**16, language: str = "") -> None:
        self._stream, self._name, self._block, self._language = stream, name, block, language
        self._complete: deque[bytes] = deque()
        self._begun: list[bytes] = []  # parts of the incomplete last line
        self._ended = False
        self._patience = PATIENCE
        self._number = 0

    @classmethod
    def from_stdin(cls, language: str = "") -> IncomingLines:
        if sys.stdin is None:
            raise InputError("there is no standard input")
        return cls(sys.stdin.buffer, "standard input", language=language)

    def __next__(self) -> str:
        while not self._complete:
            if self._ended:
                raise StopIteration
            self._read()
        if not self._number and not self._stream.isatty():  # typed text is no file
            self._look()
        self._number += 1
        try:
            line = self._complete.popleft().decode("utf-8").removesuffix("\r")
        except UnicodeDecodeError:
            raise InputError(f"{self._name}, line {self._number}: not valid UTF-8") from None
        return line.removeprefix("\ufeff") if self._number == 1 else line

    def _look(self) -> None:
        """Check the kind of the text that has arrived, before the first line is yielded. Read markup to its end."""
        data = b"\n".join(self._complete if self._ended else [*self._complete, b"".join(self._begun)])
        if is_markup(data):
            data += b"" if self._ended else self._stream.read(MOST_BYTES)
            if len(data) > MOST_BYTES:
                raise InputError(f"{self._name} has more than {MOST_BYTES:,} bytes, the limit for a file of its kind")
            try:
                text = text_of_markup(data.decode(), self._name, SOURCE, self._language)
            except UnicodeDecodeError as error:
                line = 1 + data.count(b"\n", 0, error.start)
                raise InputError(f"{self._name}, line {line}: not valid UTF-8") from None
            self._complete, self._ended = deque(line.encode() for line in text.lines), True
        else:
            refuse_other_kinds([line.decode("utf-8", "replace") for line in self._complete], self._name)

    def at_hand(self) -> bool:
        """Tell if another line is available now or within a short wait. A file has lines until its end.

        Several calls share PATIENCE seconds of waiting until a call returns False, however slowly lines arrive.
        """
        until = time.monotonic() + self._patience
        while not self._complete and not self._ended and self._readable(until - time.monotonic()):
            self._read()
        self._patience = until - time.monotonic() if self._complete else PATIENCE
        return bool(self._complete)

    def count(self) -> int | None:
        """Count the lines of a regular file that has not been read yet. None for any other stream."""
        try:
            if not stat.S_ISREG(os.fstat(self._stream.fileno()).st_mode):
                return None
        except OSError:
            return None
        assert not self._number, "count first, then read"
        position, lines, last = self._stream.tell(), 0, b"\n"
        while block := self._stream.read(2**20):
            lines, last = lines + block.count(b"\n"), block[-1:]
        self._stream.seek(position)
        return lines + (last != b"\n")

    def _readable(self, wait: float) -> bool:
        try:
            return bool(select.select([self._stream], [], [], max(0.0, wait))[0])
        except (OSError, ValueError):  # bytes in memory, or any stream on Windows: no wait is possible
            return not self._stream.isatty()

    def _read(self) -> None:
        block = self._stream.read1(self._block)  # type: ignore[attr-defined]
        if not block:
            self._ended = True
            if self._begun:
                self._complete.append(b"".join(self._begun))
            return
        first, *others = block.split(b"\n")
        self._begun.append(first)
        if others:
            self._complete.append(b"".join(self._begun))
            self._complete.extend(others[:-1])
            self._begun = [others[-1]] if others[-1] else []


def beside_output() -> bool:
    """Tell if a bar can be drawn while lines are printed: if stderr is a terminal and stdout is not."""
    return sys.stderr.isatty() and not sys.stdout.isatty()


@contextmanager
def progress(
    description: str, total: int | None, shown: bool = True, unit: str = "sentences"
) -> Iterator[Callable[[int], None]]:
    """Show a progress bar if stderr is a terminal: the number of units done, their rate and, with a ``total``, the time
    left. Yields a function that takes the number of units done.

    Sentences are processed in order of length, so the rate is the mean over all sentences, not over the latest.
    """
    shown = shown and sys.stderr.isatty()
    with tqdm(total=total, desc=description, unit=f" {unit}", file=sys.stderr, smoothing=0, disable=not shown) as bar:

        def show(done: int) -> None:
            bar.update(done - bar.n)

        yield show


class Bar(ProgressReporter):
    """A progress reporter that draws one ``progress`` bar per stage of the work."""

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[Callable[[Progress], None]]:
        with progress(name, total) as show:
            yield lambda progress: show(progress.done)

    def checkpoint(self) -> None:
        pass


@contextmanager
def stage_bars(style: Callable[[str], Mapping[str, Any]]) -> Iterator[Callable[[str, int, int | None], None]]:
    """Draw progress bars on stderr, one after the other, one for each stage of the work. Yields a function with three
    arguments: the stage, its number of items done, and its total (None if unknown). ``style``: tqdm's settings for the
    bar of a stage, such as its unit."""
    bar: tqdm[NoReturn] | None = None
    interval = 0.2 if sys.stderr.isatty() else 10

    def show(stage: str, done: int, total: int | None) -> None:
        nonlocal bar
        if bar is None or bar.desc != stage:
            if bar is not None:
                bar.close()
            bar = tqdm(desc=stage, total=total, initial=done, mininterval=interval, **style(stage))
        if total is not None:
            bar.total = total
        bar.update(done - bar.n)

    try:
        yield show
    finally:
        if bar is not None:
            bar.close()
