"""How Firefox is driven, tried with a program in its place that speaks WebDriver BiDi and has no pages."""

import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from trials.firefox import Firefox, firefox_window
from trials.trial import NotRun
from trials.window import WindowError

_STAND_IN = """\
#!{python}
import json, sys
from websockets.sync.server import serve

def answer(connection):
    for text in connection:
        command = json.loads(text)
        method, given = command["method"], command["params"]
        say = lambda message: connection.send(json.dumps(message))
        event = lambda name, params: say({{"type": "event", "method": name, "params": params}})
        result = {{}}
        if method == "browsingContext.create":
            result = {{"context": "window"}}
        elif method == "browsingContext.navigate":
            event("network.beforeRequestSent", {{"request": {{"url": given["url"]}}}})
            event("network.beforeRequestSent", {{"request": {{"url": "http://elsewhere.example/font"}}}})
            event("log.entryAdded", {{"type": "javascript", "level": "error", "text": "x is undefined"}})
            event("log.entryAdded", {{"type": "console", "level": "error", "text": "only said"}})
            font = "downloadable font: download failed: status=2152398850 source: font.woff2"
            event("log.entryAdded", {{"type": "javascript", "level": "error", "text": font}})
        elif method == "session.status":
            event("browsingContext.downloadEnd", {{"status": "canceled", "filepath": None}})
            event("browsingContext.downloadEnd", {{"status": "complete", "filepath": "/tmp/a.pdf"}})
        elif method == "script.evaluate" and "broken" in given["expression"]:
            result = {{"type": "exception", "exceptionDetails": {{"text": "no such thing"}}}}
        elif method == "script.evaluate":
            result = {{"type": "success", "result": {{"type": "string", "value": "[1, 2]"}}}}
        elif method == "input.performActions":
            say({{"type": "error", "id": command["id"], "error": "o", "message": "out of bounds"}})
            continue
        say({{"type": "success", "id": command["id"], "result": result}})

with serve(answer, "127.0.0.1", int(sys.argv[-1])) as server:
    server.serve_forever()
"""


def _install(folder: Path, program: str) -> None:
    path = folder / "firefox-esr"
    path.write_text(program, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which programs are looked for."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def firefox(path: Path, tmp_path: Path) -> Iterator[Firefox]:
    _install(path, _STAND_IN.format(python=sys.executable))
    with firefox_window(tmp_path / "work") as window:
        yield window


def test_what_pages_ask_for_and_the_faults_of_their_scripts_are_kept(firefox: Firefox) -> None:
    firefox.open("http://127.0.0.1:1/look")
    assert firefox.hosts == {"127.0.0.1", "elsewhere.example"}
    assert firefox.faults == ["x is undefined"]


def test_a_download_counts_once_it_is_complete(firefox: Firefox) -> None:
    assert firefox.downloaded(1) == Path("/tmp/a.pdf")


def test_a_value_of_a_script_is_returned_and_its_fault_raised(firefox: Firefox) -> None:
    assert firefox.evaluate("[1, 2]") == [1, 2]
    with pytest.raises(WindowError, match="no such thing"):
        firefox.evaluate("broken")


def test_a_command_that_is_refused_raises(firefox: Firefox) -> None:
    with pytest.raises(WindowError, match="out of bounds"):
        firefox.hover(-5, -5)


def test_what_does_not_come_in_time_is_named(firefox: Firefox) -> None:
    with pytest.raises(WindowError, match="the moon"):
        firefox.wait("the moon", lambda: False, seconds=0)


def test_without_firefox_or_if_it_ends_at_once_that_is_said(path: Path, tmp_path: Path) -> None:
    with pytest.raises(NotRun), firefox_window(tmp_path):
        pass
    _install(path, f"#!{sys.executable}\n")
    with pytest.raises(RuntimeError, match="did not start"), firefox_window(tmp_path / "work"):
        pass
