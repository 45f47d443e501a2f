"""Every command of ``jointly`` in the documents is one that the program understands."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from nmt.cli import build_parser

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    path
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
    if path.parent.name != "log"  # where commands are those of their day
]
_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```|((?:^    [^\n]*\n)+)", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(?:\.venv/bin/)?jointly ([^`]+)`")
_ENDS = frozenset(("|", ">", "<", "&&", "&", ";", "done"))


def commands(text: str) -> Iterator[list[str]]:
    """Yield the arguments of each command in the blocks of code, variables of the shell replaced by a number."""
    for block in _BLOCK.finditer(text):
        for line in (block[1] or block[2]).replace("\\\n", " ").splitlines():
            if not re.search(r"(^|[\s/])jointly\s+[a-z]", line) or re.search(r"\b(pip|docker) ", line):
                continue
            line = re.sub(r"\[(--[a-z-]+)\]", r"\1", re.sub(r"\$\(\(.*?\)\)|\$\w+|\{\}", "1", line))
            words = shlex.split(line.strip().removeprefix("$ "), comments=True)
            begins = [place + 1 for place, word in enumerate(words) if word.rpartition("/")[2] == "jointly"]
            for begin in begins:
                end = next((place for place in range(begin, len(words)) if words[place] in _ENDS), None)
                yield words[begin:end]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_in_blocks_are_whole(document: Path) -> None:
    for arguments in commands(document.read_text(encoding="utf-8")):
        if "…" not in " ".join(arguments):
            build_parser().parse_args(arguments)  # raises InputError


def test_commands_in_sentences_and_shortened_ones_have_these_names_and_options() -> None:
    named = 0
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        shortened = [words for words in commands(text) if "…" in " ".join(words)]
        for words in (*shortened, *(inline.split() for inline in _INLINE.findall(text))):
            parser: argparse.ArgumentParser = build_parser()
            while words and (known := _actions(parser)) and words[0] != "…":
                assert words[0] in known, f"{document.name}: jointly {' '.join(words)}"
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
    assert list(commands(text)) == [["translate", "RUN", "--part", "1/9"]]
    assert sum(len(list(commands(document.read_text(encoding="utf-8")))) for document in DOCUMENTS) > 60
