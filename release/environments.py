"""An environment of its own for each program to compare with, made once.

Where packages come from is pip's business: its own settings (PIP_INDEX_URL, PIP_EXTRA_INDEX_URL, PIP_FIND_LINKS,
pip.conf) are honoured.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class NotInstalled(RuntimeError):  # noqa: N818 - it is what happened
    """A peer could not be installed; the message is one line."""


@dataclass(frozen=True)
class Peer:
    """A program to compare with.

    Attributes:
        name: as tables have it.
        module: its folder in .environments, and its worker in benchmarks/workers if it has one.
        home: the folder that has ``peers`` and ``.environments``.
        requirements: a file in ``peers``.
        alone: a file in ``peers`` of packages to install without their declared dependencies, or None.
    """

    name: str
    module: str
    home: Path
    requirements: str
    alone: str | None = None


def environment(peer: Peer, make: bool = True) -> Path:
    """The Python of a peer's environment, which is made if it is not there or not up to date.

    Raises:
        NotInstalled: the environment cannot be made, or may not be (``make``).
    """
    place, peers = peer.home / ".environments" / peer.module, peer.home / "peers"
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    wanted = "".join((peers / name).read_text() for name in (peer.requirements, peer.alone) if name)
    installed = place / "installed.txt"
    if python.exists() and installed.exists() and installed.read_text() == wanted:
        return python
    if not make:
        raise NotInstalled(f"{place.relative_to(ROOT)} is not there; `make bench-quick` makes it")
    print(f"Setting up {peer.name} in {place.relative_to(ROOT)} (once; some minutes)", file=sys.stderr)
    place.parent.mkdir(exist_ok=True)
    log = place.parent / f"{peer.module}.log"
    log.write_bytes(b"")
    _run([sys.executable, "-m", "venv", "--clear", str(place)], log)
    pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off"]
    _run([*pip, "-r", str(peers / peer.requirements)], log)
    if peer.alone is not None:
        _run([*pip, "--no-deps", "-r", str(peers / peer.alone)], log)
    installed.write_text(wanted)
    return python


def _run(command: list[str], log: Path) -> None:
    with log.open("ab") as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, check=False).returncode
    if status != 0:
        lines = log.read_text(errors="replace").strip().splitlines() or ["no message"]
        raise NotInstalled(f"{lines[-1].strip()} ({log.relative_to(ROOT)} has more)")
