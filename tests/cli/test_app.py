"""``app`` becomes the server of Streamlit; here a program that prints its arguments stands in for Python."""

import shutil
import subprocess
import sys

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
    monkeypatch.setattr("nmt.cli.app.find_spec", lambda name: None)
    assert main(["app"]) == 2
    assert capsys.readouterr() == ("", "jointly app: the app needs Streamlit: pip install 'jointly[app]'\n")
