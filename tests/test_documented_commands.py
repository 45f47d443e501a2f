"""Every command in the documents is one that ``jointly``, ``release`` or ``experiments`` understands."""

import argparse
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from nmt.cli import JOINTLY
from nmt.cli.program import Program
from tests.programs import PROGRAMS

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    path
    for path in (
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "release/README.md", "experiments/README.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
    )
    if path.parent.name != "log"  # where commands are those of their day
]
_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```|((?:^    [^\n]*\n)+)", re.MULTILINE | re.DOTALL)
_PROGRAM = r"(?:\.venv/bin/)?(?:jointly|python -m (release|experiments))"
_BEGIN = re.compile(rf"(?:^|\s){_PROGRAM}\s+[a-z]")
_INLINE = re.compile(rf"`{_PROGRAM} ([^`]+)`")
_ENDS = frozenset(("|", ">", "<", "&&", "&", ";", "done"))


def parser_of(program: str) -> argparse.ArgumentParser:
    """The parser of a program, of `jointly` for ""."""
    known: Program = PROGRAMS.get(program, JOINTLY)
    return known.parser()


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command in the blocks of code, as its program ("" for `jointly`) and its arguments, with variables of
    the shell replaced by a number."""
    for block in _BLOCK.finditer(text):
        for line in (block[1] or block[2]).replace("\\\n", " ").splitlines():
            if not _BEGIN.search(line) or re.search(r"\b(pip|docker) ", line):
                continue
            line = re.sub(r"\[(--[a-z-]+)\]", r"\1", re.sub(r"\$\(\(.*?\)\)|\$\w+|\{\}", "1", line))
            words = shlex.split(line.strip().removeprefix("$ "), comments=True)
            for place, word in enumerate(words):
                program = word if word in PROGRAMS and words[place - 1] == "-m" else ""
                if program or word.rpartition("/")[2] == "jointly":
                    end = next((end for end in range(place + 1, len(words)) if words[end] in _ENDS), None)
                    yield program, words[place + 1 : end]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_in_blocks_are_whole(document: Path) -> None:
    for program, arguments in commands(document.read_text(encoding="utf-8")):
        if arguments and "…" not in " ".join(arguments) and arguments[0] != "COMMAND":
            parser_of(program).parse_args(arguments)  # raises InputError


def test_commands_in_sentences_and_shortened_ones_have_these_names_and_options() -> None:
    named = 0
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        shortened = [command for command in commands(text) if "…" in " ".join(command[1])]
        for program, words in (*shortened, *((name, inline.split()) for name, inline in _INLINE.findall(text))):
            parser = parser_of(program)
            while words and (known := _actions(parser)) and words[0] != "…":
                assert words[0] in known, f"{document.name}: {program or 'jointly'} {' '.join(words)}"
                parser, words = known[words[0]], words[1:]
            for option in [word.partition("=")[0] for word in words if word.startswith("--")]:
                assert option in parser._option_string_actions, f"{document.name}: {option} of {parser.prog}"
            named += 1
    assert named > 20


def _actions(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a parser, by name."""
    found = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {name: one for action in found for name, one in action.choices.items()}


def test_the_blocks_are_found() -> None:
    text = "    $ OMP_NUM_THREADS=1 .venv/bin/jointly translate RUN \\\n      --part $K/9 < a > b  # so\n"
    assert list(commands(text)) == [("", ["translate", "RUN", "--part", "1/9"])]
    assert sum(len(list(commands(document.read_text(encoding="utf-8")))) for document in DOCUMENTS) > 60
