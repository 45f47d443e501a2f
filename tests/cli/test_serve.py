"""``serve`` as a process: a real socket, real signals."""

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

import nmt
import nmt.serve
from tests.programs import Commands


def own_ipv6() -> str:
    """This machine's own address of IPv6, or where it has none its name."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return "localhost"
    return "::1"


OWN_IPV6 = own_ipv6()


def post(address: str, body: dict[str, Any]) -> dict[str, Any]:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{address}/translate", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


@pytest.mark.slow
@pytest.mark.parametrize(("host", "ending"), [("127.0.0.1", signal.SIGTERM), (OWN_IPV6, signal.SIGINT)])
def test_it_answers_and_ends_when_its_requests_are_answered(
    random_runs: Path, host: str, ending: signal.Signals
) -> None:
    run = random_runs / "search-words"
    command = [
        sys.executable,
        "-m",
        "nmt",
        "serve",
        str(run),
        "--host",
        host,
        "--port",
        "0",
        "--waiting",
        "3000",
        "--sentences",
        "3000",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = ""
            while (found := re.search(r"http://\S+", said)) is None:
                line = process.stderr.readline()
                assert line, said
                said += line
            address = found[0]
            assert address.startswith(f"http://[{host}]:" if ":" in host else f"http://{host}:")
            other = urllib.request.Request(f"{address}/health", headers={"Host": "a.example"})
            with pytest.raises(urllib.error.HTTPError, match="421"):  # it is reached as this machine alone
                urllib.request.urlopen(other, timeout=60)
            (one,) = post(address, {"sentences": ["the girl reads"]})["translations"]
            assert one["systems"][0]["text"] == nmt.load(run).translate("the girl reads").text

            answers: list[dict[str, Any]] = []
            many = threading.Thread(
                target=lambda: answers.append(post(address, {"sentences": ["she has never seen the sea"] * 500}))
            )
            many.start()
            with urllib.request.urlopen(f"{address}/metrics", timeout=60) as answer:
                assert b"jointly_waiting_sentences" in answer.read()
            while True:
                with urllib.request.urlopen(f"{address}/metrics", timeout=60) as answer:
                    if not re.search(rb"jointly_waiting_sentences\S* 0\n", answer.read()):
                        break
            process.send_signal(ending)
            many.join(60)
            assert len(answers[0]["translations"]) == 500
            assert process.wait(60) == 0
            with pytest.raises(urllib.error.URLError):
                urllib.request.urlopen(f"{address}/health", timeout=5)
        finally:
            process.kill()


STUCK = """
import sys, time
from nmt.cli import main
from nmt.answers.searches import SharedSearch
from nmt.serve import server

server.LONGEST_STOP = 0.5
SharedSearch.step = lambda *_: print("searches", file=sys.stderr, flush=True) or time.sleep(3600)
main(["serve", sys.argv[1], "--port", "0"])
"""


@pytest.mark.thorough
@pytest.mark.slow
def test_a_computation_that_goes_on_does_not_delay_a_stop(random_runs: Path) -> None:
    """The step of a model cannot be interrupted; the process ends without it, with status 0."""
    command = [sys.executable, "-c", STUCK, str(random_runs / "search-words")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            while (found := re.search(r"http://\S+", process.stderr.readline())) is None:
                assert process.poll() is None
            refused: list[int] = []

            def ask() -> None:
                try:
                    post(found[0], {"sentences": ["the girl reads"]})
                except urllib.error.HTTPError as error:
                    refused.append(error.code)

            asking = threading.Thread(target=ask)
            asking.start()
            assert process.stderr.readline() == "searches\n"
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
            asking.join(20)
            assert refused == [503]
        finally:
            process.kill()


def test_faults_before_it_starts(random_runs: Path, cli: Commands) -> None:
    run = str(random_runs / "search-words")
    for arguments in (
        [str(random_runs / "none")],
        [run, run],
        [run, "--host", "192.0.2.1"],
        [run, "--sentences", "300"],
    ):
        assert cli.refused("serve", *arguments).startswith("jointly serve: ")


@pytest.mark.parametrize("package", ["uvicorn", "h11"])
def test_without_its_packages_it_says_what_to_install(
    package: str, random_runs: Path, cli: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, module in [*sys.modules.items()]:
        if name.startswith("nmt.serve."):  # afterwards also the package has the former modules again
            monkeypatch.setattr(nmt.serve, name.removeprefix("nmt.serve."), module)
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    assert "jointly[serve]" in cli.refused("serve", str(random_runs / "search-words"))
