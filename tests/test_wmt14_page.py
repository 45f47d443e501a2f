"""The commands of docs/wmt14.md are commands, and its files are those that are made."""

import re
import shlex
from pathlib import Path

from nmt.cli import JOINTLY
from nmt.recipes import RECIPES
from release.corpora.wmt14 import TRAINING
from tests.programs import PROGRAMS

PAGE = (Path(__file__).parent.parent / "docs" / "wmt14.md").read_text(encoding="utf-8")
FOLDER = "data/corpora/wmt14"


def commands() -> list[list[str]]:
    """Each line after a $ with those that continue it, from the name of the program on."""
    blocks = re.findall(r"^    \$ (.*?)(?<!\\)$", PAGE, re.DOTALL | re.MULTILINE)
    words = [shlex.split(block.replace("\\\n", " ").replace("$W", FOLDER)) for block in blocks]
    return [
        command[place:]
        for command in words
        for place, word in enumerate(command)
        if word.endswith("jointly") or word in ("nmt", *PROGRAMS)
    ]


def test_all_commands_are_understood() -> None:
    found = [PROGRAMS.get(program, JOINTLY).parser().parse_args(command) for program, *command in commands()]
    assert [options.command for options in found] == ["corpus", "select", "prepare", "train", "evaluate"]
    _, select, prepare, train, _ = found
    assert Path(train.data) == prepare.out
    assert select.words == 348_000_000
    assert prepare.corpora == [[str(select.out / f"selected.{side}") for side in ("en", "fr")]]
    assert (prepare.max_length, prepare.vocabulary_size) == (50, 30_000)


def test_the_files_are_those_that_are_made() -> None:
    made = {f"{FOLDER}/{name}.{side}.gz" for name in TRAINING for side in ("en", "fr")}
    made |= {f"{FOLDER}/{name}.{side}.xz" for name in ("dev", "test", "in-domain") for side in ("en", "fr")}
    assert {word for command in commands() for word in command if word.startswith(FOLDER)} == made


def test_the_recipes_exist() -> None:
    named = set(re.findall(r"\brnn(?:search|encdec)_\d+\b", PAGE))
    assert len(named) == 4
    assert named <= RECIPES.keys()
