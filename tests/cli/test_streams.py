"""Standard output as others leave it: closed, or in an encoding that cannot write the text."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import stdin
from tests.programs import Commands

PROGRAM = [sys.executable, "-m", "nmt"]


@pytest.mark.parametrize("command", [["recipes"], ["--help"], ["inspect", "RUN"]])
def test_a_closed_standard_output_is_met_with_a_sentence(command: list[str]) -> None:
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *PROGRAM, *command], stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert re.fullmatch("jointly: standard output .*/dev/null.*\n", done.stderr.decode())


@pytest.mark.slow
@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=" ".join,
)
def test_output_is_utf8_whatever_the_locale(
    variables: dict[str, str], random_runs: Path, monkeypatch: pytest.MonkeyPatch, cli: Commands
) -> None:
    """What the command prints in this process, as UTF-8."""
    arguments = ["translate", str(random_runs / "search-words"), "--replace-unk", "copy", "--json"]
    text = "Économie 字典 ☃\n".encode()
    stdin(monkeypatch, text)
    expected = cli.printed(*arguments)
    assert "字典" in expected
    others = {key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LANG")}
    environment = others | {"LC_ALL": "C"} | variables
    done = subprocess.run([*PROGRAM, *arguments], input=text, stdout=subprocess.PIPE, check=True, env=environment)
    assert done.stdout == expected.encode()


@pytest.mark.slow
def test_messages_and_names_of_files_can_be_written_too(tmp_path: Path) -> None:
    name = tmp_path / "é字"
    for variables in ({"PYTHONIOENCODING": "ascii"}, {}):
        done = subprocess.run(
            [*PROGRAM, "inspect", str(name)], stderr=subprocess.PIPE, check=False, env=os.environ | variables
        )
        assert done.returncode == 2
        assert re.fullmatch(
            f"jointly inspect: .* {re.escape(str(name))}; `jointly get` lists the released runs\n", done.stderr.decode()
        )
