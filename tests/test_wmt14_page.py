"""The commands of docs/wmt14.md are commands, and its files are those that are made."""

import re
import shlex
from pathlib import Path

from nmt.cli import build_parser
from nmt.data.corpora.published import TRAINING
from nmt.recipes import RECIPES

PAGE = (Path(__file__).parent.parent / "docs" / "wmt14.md").read_text(encoding="utf-8")
FOLDER = "data/corpora/wmt14"


def commands() -> list[list[str]]:
    """Each line after a $ with those that continue it, from the name of the command on."""
    blocks = re.findall(r"^    \$ (.*?)(?<!\\)$", PAGE, re.DOTALL | re.MULTILINE)
    words = [shlex.split(block.replace("\\\n", " ").replace("$W", FOLDER)) for block in blocks]
    return [
        command[place + 1 :]
        for command in words
        for place, word in enumerate(command)
        if word.endswith("jointly") or word == "nmt"
    ]


def test_all_commands_are_understood() -> None:
    found = [build_parser().parse_args(command) for command in commands()]
    assert [options.command for options in found] == ["corpus", "prepare", "train", "evaluate"]
    _, prepare, train, _ = found
    assert Path(train.data) == prepare.out
    assert prepare.select[2] == "348000000"
    assert (prepare.max_length, prepare.vocabulary_size) == (50, 30_000)


def test_the_files_are_those_that_are_made() -> None:
    made = {f"{FOLDER}/{name}.{side}.gz" for name in TRAINING for side in ("en", "fr")}
    made |= {f"{FOLDER}/{name}.{side}.xz" for name in ("dev", "test", "in-domain") for side in ("en", "fr")}
    assert {word for command in commands() for word in command if word.startswith(FOLDER)} == made


def test_the_recipes_exist() -> None:
    named = set(re.findall(r"\brnn(?:search|encdec)_\d+\b", PAGE))
    assert len(named) == 4
    assert named <= RECIPES.keys()
