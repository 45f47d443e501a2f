"""``app`` becomes the server of Streamlit; here a program that prints its arguments stands in for Python."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nmt.cli import main
from nmt.files import ROOT

ECHO = shutil.which("echo")


@pytest.mark.skipif(sys.platform == "win32" or ECHO is None, reason="has no program echo")
@pytest.mark.parametrize("options", [[], ["--port", "8600"]], ids=" ".join)
def test_the_process_becomes_the_server_of_the_app(options: list[str]) -> None:
    code = f"import sys; from nmt.cli import main; sys.executable = {ECHO!r}; main({['app', *options]}); print('back')"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.split() == [
        "-P",
        "-m",
        "streamlit",
        "run",
        f"{ROOT}/app.py",
        *(["--server.port", "8600"] if options else []),
    ]


def test_without_streamlit_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("nmt.cli.hosts.find_spec", lambda name: None)
    assert main(["app"]) == 2
    assert capsys.readouterr() == ("", "jointly app: the app needs Streamlit: pip install 'jointly[app]'\n")


def test_files_for_look_are_named_to_the_app(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """By their whole paths, whatever folder the app works in; one that is not there is named."""
    for name in ("a b.json", "12:30.jsonl"):
        (tmp_path / name).write_text("{}", "utf-8")
    code = (
        "import os; from nmt.cli import main; os.execv = lambda *_: print(os.environ['JOINTLY_FILES']); "
        "main(['app', 'a b.json', '12:30.jsonl'])"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, env=environment)
    assert json.loads(capfd.readouterr().out) == [str(tmp_path / "a b.json"), str(tmp_path / "12:30.jsonl")]
    assert main(["app", str(tmp_path / "gone.json")]) == 2
    assert capfd.readouterr().err == f"jointly app: {tmp_path / 'gone.json'} does not exist\n"
    other = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.json")
    Path(other).write_text("{}", "utf-8")
    assert main(["app", other]) == 2
    assert "is not UTF-8, so no page can show it" in capfd.readouterr().err
