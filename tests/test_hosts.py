"""Under which names the app answers when it is open to the network: this machine's own and those given, no other."""

import runpy
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from streamlit import config
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

ROOT = Path(__file__).parent.parent
HOSTS: Any = runpy.run_path(str(ROOT / ".ci" / "hosts.py"))["hosts"]


def test_own_names_and_those_given_are_there() -> None:
    found = HOSTS("0.0.0.0", ["class.example"])
    assert {"localhost", "127.0.0.1", "::1", socket.gethostname().lower(), "class.example"} <= set(found)
    assert "0.0.0.0" not in found
    assert "198.51.100.7" in HOSTS("198.51.100.7", [])
    assert len(found) == len(set(found))


@pytest.mark.parametrize(("asked", "allowed"), [
    ("127.0.0.1:8501", True), ("[::1]:8501", True), (f"{socket.gethostname()}:8501", True), ("class.example", True),
    ("evil.example:8501", False), ("class.example.evil.example", False), ("*", False), ("", False), ("0.0.0.0", False),
])  # fmt: skip
def test_the_app_answers_to_no_other_name(asked: str, allowed: bool) -> None:
    """A page whose own name was made to lead to this machine is told apart by the name that it asks for."""
    before = config.get_option("server.allowedHosts")
    config.set_option("server.allowedHosts", HOSTS("0.0.0.0", ["class.example"]))
    try:
        assert is_host_allowed(asked) is allowed
    finally:
        config.set_option("server.allowedHosts", before)


def test_make_app_hands_them_on() -> None:
    command = ["make", "--dry-run", "app", "HOST=0.0.0.0", "NAMES=class.example", f"PYTHON={sys.executable}"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in HOSTS("0.0.0.0", ["class.example"]):
        assert f"--server.allowedHosts {name}" in said
    assert "'*'" not in said
