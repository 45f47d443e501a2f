"""Standard output as others leave it: closed, or in an encoding that cannot write the text."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-m", "nmt"]


@pytest.mark.parametrize("command", [["recipes"], ["--help"], ["inspect", "RUN"]])
def test_a_closed_standard_output_is_met_with_a_sentence(command: list[str]) -> None:
    done = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *PROGRAM, *command], stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert re.fullmatch("jointly: standard output .*/dev/null.*\n", done.stderr.decode())


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_output_is_utf8_whatever_the_locale(random_runs: Path, encoding: str) -> None:
    """The same bytes as in a UTF-8 locale."""

    def written(variables: dict[str, str]) -> bytes:
        environment = {key: value for key, value in os.environ.items() if key not in ("LC_ALL", "LANG")} | variables
        command = [*PROGRAM, "translate", str(random_runs / "search-words"), "--replace-unk", "copy", "--json"]
        text = "Économie 字典 ☃\n".encode()
        return subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True, env=environment).stdout

    expected = written({"LC_ALL": "C.UTF-8"})
    assert "字典" in expected.decode()
    assert written({"LC_ALL": "C", "PYTHONIOENCODING": encoding}) == expected
    assert written({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}) == expected


@pytest.mark.slow
def test_messages_and_names_of_files_can_be_written_too(tmp_path: Path) -> None:
    name = tmp_path / "é字"
    for variables in ({"PYTHONIOENCODING": "ascii"}, {}):
        done = subprocess.run(
            [*PROGRAM, "inspect", str(name)], stderr=subprocess.PIPE, check=False, env=os.environ | variables
        )
        assert done.returncode == 2
        assert re.fullmatch(f"jointly inspect: .* {re.escape(str(name))}\n", done.stderr.decode())
