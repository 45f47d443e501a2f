"""What .ci/install.py writes into .venv."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_nmt_is_found_from_any_folder(tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / ".ci" / "install.py"))
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / script["PYTHON"].relative_to(script["VENV"])
    script["write_path"].__globals__["PYTHON"] = python
    ask = [python, "-P", "-c", "import nmt.errors; print(nmt.errors.__file__)"]
    before = subprocess.run(ask, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "No module named 'nmt'" in before.stderr
    script["write_path"]()
    found = subprocess.run(ask, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()) == ROOT / "nmt" / "errors.py"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell")
def test_the_command_runs_the_code_of_the_checkout_from_any_folder(tmp_path: Path) -> None:
    write = runpy.run_path(str(ROOT / ".ci" / "install.py"))["write_command"]
    folder = tmp_path / "it's a folder"
    (folder / "nmt").mkdir(parents=True)  # not the checkout's
    command = folder / "jointly"
    write.__globals__.update(COMMAND=command, PYTHON=Path(sys.executable))
    write()
    done = subprocess.run([command, "recipes", "--json"], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.startswith('{"format": ')
    wrong = subprocess.run(
        [command, "inspect", "no such\nrun"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("jointly inspect: ")
