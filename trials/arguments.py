"""Random commands: most of them do real work on small files, some are nonsense in one place, some everywhere."""

import argparse
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from nmt.cli import build_parser
from tests.programs import PROGRAMS
from trials.command import answered, command
from trials.command_lines import FORMS
from trials.small_files import ENGLISH, write_small_files
from trials.texts import WORDS, random_piece, random_text
from trials.trial import Cases, Trial, must

_NUMBER, _EVERY = 200, 20
"""Commands of a piece, and after how many of them the files are made anew."""
LEFT_OUT = {
    *{
        ("app",),
        ("check-attention",),
        ("corpus", "get"),
        ("release", "corpus", "get"),
        ("release", "corpus", "build-laws"),
        ("release", "links"),
        ("serve",),
        ("jobs", "run"),
    },
    *(("experiments", name) for name in ("transformer", "segmented", "variants", "neighbours")),
    *(("experiments", name) for name in ("crossings", "unlinked-words", "cost-by-length")),
    *(("experiments", "phrase-features", step) for step in ("lists", "language-model", "phrases", "rows")),
    ("experiments", "phrase-based", "segments"),
}
"""Commands that download or take what was downloaded, wait for requests or for other processes, or study released runs
for minutes."""
_ONLY_VALID = {("train",), ("jobs",), ("release", "reproduce"), ("release", "scenes")}
"""Commands that nonsense would let run for hours, or write into the checkout, as `scenes` does without `--out`."""
_FREE, _NONSENSE, _STRAY, _SENSELESS = 0.3, 0.02, 0.02, 0.12
"""Probabilities: of an option that may be given, of nonsense in place of a value, of a stray argument, of a command
drawn from nothing but the names of its options."""
_NUMBERS = ("0", "1", "2", "3", "-1", "1.5", "0.1", "nan", "inf", "1e9", "9" * 30, "٣", "", "x", "1_0", " 1", "null")
_NAMES = ("en", "fr", "de", "all", "toy", "out", "../out", "out/x", "é", "a b", ".", "-", "attention", "argmax", "bpe")
_FILES = (
    "runs/words", "runs/subwords", "runs/encdec", "absent", "empty", "text.en", "text.fr", "links", "bytes",
    "runs/words/config.json", "runs/words/model.safetensors", "/dev/null", "/dev/full", ".", "folder", "aligners/toy",
    "prepared", "train.en",
)  # fmt: skip


def parsers() -> dict[tuple[str, ...], argparse.ArgumentParser]:
    """The parser of every command and of every part of a command, by name."""
    return dict(_parsers((), build_parser())) | {
        name: parser for first, program in PROGRAMS.items() for name, parser in _parsers((first,), program.parser())
    }


def _parsers(
    name: tuple[str, ...], parser: argparse.ArgumentParser
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    parts = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not parts:
        yield name, parser
    for action in parts:
        for part, its in action.choices.items():
            yield from _parsers((*name, part), its)


def _run(random: Random, cases: Cases, folder: Path) -> None:
    os.environ["HF_HUB_OFFLINE"] = "1"  # a random name may be that of a model
    known = {name: parser for name, parser in parsers().items() if name not in LEFT_OUT}
    made, work = folder / "made", folder / "work"
    write_small_files(made)
    done_work = 0
    for number in range(_NUMBER):
        if number % _EVERY == 0:
            _restore(made, work)
        arguments = _arguments(random, known)
        text = _standard_input(random)
        with cases.case(f"{arguments!a}, given {text!a}"):
            done = command(arguments, text)
            cases.refused += done.status == 2
            done_work += done.status == 0
            answered(done)
    with cases.case("all commands of the piece"):
        must(2 * done_work >= _NUMBER, f"only {done_work} of {_NUMBER} commands did their work")


def _restore(made: Path, work: Path) -> None:
    """Restore the files, and make their folder the working folder: commands may have written into runs and replaced
    texts."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(made, work)
    os.chdir(work)


def _standard_input(random: Random) -> str:
    """Draw the content of standard input."""
    lines = [
        random.choice(ENGLISH) if random.random() < 0.7 else random_text(random, 5) for _ in range(random.randint(0, 3))
    ]
    return "\n".join(lines)


def _arguments(random: Random, known: dict[tuple[str, ...], argparse.ArgumentParser]) -> list[str]:
    if random.random() < _SENSELESS:
        name = random.choice(sorted(name for name in known if not _is_only_valid(name)))
        return [*name, *_senseless(random, known[name])]
    command_name = random.choice(sorted({form.command for form in FORMS}))
    form = random.choice([form for form in FORMS if form.command == command_name])
    head, *parts = form.drawn(random, _FREE)
    if not _is_only_valid(head):
        parts = [_disturbed(random, part) for part in parts]
        if random.random() < _STRAY:
            parts.append((random_piece(random).replace("\0", ""),))
    return [*head, *(value for part in parts for value in part)]


def _is_only_valid(name: tuple[str, ...]) -> bool:
    return not _ONLY_VALID.isdisjoint((name[:1], name[:2]))


def _disturbed(random: Random, part: tuple[str, ...]) -> tuple[str, ...]:
    """Put nonsense in the place of some value; names of options stay."""
    return tuple(
        _nonsense(random) if not value.startswith("--") and random.random() < _NONSENSE else value for value in part
    )


def _senseless(random: Random, parser: argparse.ArgumentParser) -> list[str]:
    """Draw positional arguments, most required options and a few others, with any values."""
    positional: list[str] = []
    options: list[str] = []
    for action in parser._actions:
        if not action.option_strings:
            if random.random() < 0.95:
                positional += _values(random, action)
        elif "--help" not in action.option_strings and random.random() < (0.95 if action.required else 0.12):
            options += [random.choice(list(action.option_strings)), *_values(random, action)]
    return [*positional, *options]


def _values(random: Random, action: argparse.Action) -> list[str]:
    if action.nargs == 0:
        return []
    number = action.nargs if isinstance(action.nargs, int) else 1
    if action.nargs in ("+", "*"):
        number = random.choice((1, 1, 2, 3))
    return [_value(random, action) for _ in range(number)]


def _value(random: Random, action: argparse.Action) -> str:
    if action.choices is not None and random.random() < 0.8:
        return str(random.choice(list(action.choices)))
    if action.type is not None and action.type is not Path and random.random() < 0.8:
        return random.choice(_NUMBERS)
    return _nonsense(random)


def _nonsense(random: Random) -> str:
    kinds: list[Sequence[str]] = [_NUMBERS, _NAMES, _FILES, _FILES, WORDS]
    return random.choice(random.choice(kinds))


TRIAL = Trial(
    name="arguments",
    tried="every command but app, serve, `jobs run` and those that download, with their options and values that "
    "fit, and in places random options, numbers, names and files",
    holds="status 0, or status 2 with a sentence; no traceback; at least half of the commands do their work",
    run=_run,
    pieces=40,
    ci=1,
    seconds=1200,
    case_seconds=120,
    megabytes=3000,
)
