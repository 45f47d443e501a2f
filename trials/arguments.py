"""Random arguments for every command that neither downloads nor waits for requests."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from nmt.cli import build_parser
from tests.oracles.random_run import random_run
from trials.command import answered, command
from trials.texts import WORDS, random_piece, random_text
from trials.trial import Cases, Trial

_NUMBER = 250
_LEFT_OUT = {"corpus", "reproduce", "serve", "train"}
"""Commands that download, run for hours, or wait for requests; training has trials of its own."""
_NUMBERS = ("0", "1", "2", "3", "-1", "1.5", "0.1", "nan", "inf", "1e9", "9" * 30, "٣", "", "x", "1_0", " 1", "null")
_NAMES = ("en", "fr", "de", "all", "toy", "out", "../out", "out/x", "é", "a b", ".", "-", "attention", "argmax", "bpe")
_FILES = (
    "words", "subwords", "encdec", "absent", "empty", "text.en", "text.fr", "links", "bytes", "words/config.json",
    "words/model.safetensors", "/dev/null", "/dev/full", ".", "folder",
)  # fmt: skip


def _make_files(folder: Path) -> None:
    random_run(folder / "words")
    random_run(folder / "subwords", kind="bpe")
    random_run(folder / "encdec", "rnnencdec")
    (folder / "folder").mkdir()
    (folder / "empty").write_bytes(b"")
    (folder / "bytes").write_bytes(bytes(range(256)) * 4)
    (folder / "text.en").write_text("the girl reads .\nshe has never seen the sea\n", encoding="utf-8")
    (folder / "text.fr").write_text("la fille lit .\nelle a jamais vu la mer\n", encoding="utf-8")
    (folder / "links").write_text("0-0 1-1\n0-0 1p1\n", encoding="utf-8")


def _run(random: Random, cases: Cases, folder: Path) -> None:
    _make_files(folder)
    parsers = {name: parser for name, parser in _parsers(build_parser()) if name not in _LEFT_OUT}
    for number in range(_NUMBER):
        name = random.choice(sorted(parsers))
        arguments = [name, *_arguments(random, parsers[name])]
        text = "\n".join(random_text(random, 5) for _ in range(random.randint(0, 3)))
        with cases.case(f"{arguments!a}, given {text!a}"):
            done = command(arguments, text)
            cases.refused += done.status == 2
            answered(done)
        if number % 50 == 49:
            _make_again(folder)


def _make_again(folder: Path) -> None:
    """Make the files again: commands may have written into runs and replaced texts."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    _make_files(folder)


def _parsers(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _arguments(random: Random, parser: argparse.ArgumentParser) -> list[str]:
    """Draw positional arguments, most required options and a few others, with values that fit more often than not."""
    positional: list[str] = []
    options: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            name = random.choice(sorted(action.choices))
            positional += [name, *_arguments(random, action.choices[name])]
        elif not action.option_strings:
            if random.random() < 0.95:
                positional += _values(random, action)
        elif "--help" not in action.option_strings and random.random() < (0.95 if action.required else 0.12):
            options += [random.choice(list(action.option_strings)), *_values(random, action)]
    if random.random() < 0.03:
        options.append(random_piece(random).replace("\0", ""))
    return [*positional, *options]


def _values(random: Random, action: argparse.Action) -> list[str]:
    if action.nargs == 0:
        return []
    number = action.nargs if isinstance(action.nargs, int) else 1
    if action.nargs in ("+", "*"):
        number = random.choice((1, 1, 2, 3))
    return [_value(random, action) for _ in range(number)]


def _value(random: Random, action: argparse.Action) -> str:
    kinds: list[Sequence[str]] = [_NUMBERS, _NAMES, _FILES, _FILES, WORDS]
    if action.choices is not None and random.random() < 0.8:
        return str(random.choice(list(action.choices)))
    if action.type is not None and action.type is not Path and random.random() < 0.8:
        return random.choice(_NUMBERS)
    return random.choice(random.choice(kinds))


TRIAL = Trial(
    name="arguments",
    tried="every command but corpus, reproduce, serve and train, with random options, numbers, names and files",
    holds="status 0, or status 2 with a sentence; no traceback",
    run=_run,
    pieces=40,
    ci=1,
    seconds=1200,
    case_seconds=120,
    megabytes=3000,
)
