"""An environment of its own for each peer, made once.

Where packages come from is pip's business: its own settings (PIP_INDEX_URL, PIP_EXTRA_INDEX_URL, PIP_FIND_LINKS,
pip.conf) are honoured.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ENVIRONMENTS = FOLDER / ".environments"


class NotInstalled(RuntimeError):  # noqa: N818 - it is what happened
    """A peer could not be installed; the message is one line."""


@dataclass(frozen=True)
class Peer:
    """A program to compare with.

    Attributes:
        name: as tables have it.
        module: its worker in benchmarks/workers, and its folder in .environments.
        requirements: files in benchmarks/peers.
        alone: a file of packages to install without their declared dependencies, or None.
    """

    name: str
    module: str
    requirements: str
    alone: str | None = None


JOEYNMT = Peer("JoeyNMT", "joeynmt", "joeynmt.txt")
OPENNMT = Peer("OpenNMT-py", "opennmt", "opennmt.txt", "opennmt-alone.txt")
MARIAN = Peer("Marian", "marian", "marian.txt")
PEERS = (JOEYNMT, OPENNMT, MARIAN)


def environment(peer: Peer, make: bool = True) -> Path:
    """The Python of a peer's environment, which is made if it is not there or not up to date.

    Raises:
        NotInstalled: the environment cannot be made, or may not be (``make``).
    """
    place = ENVIRONMENTS / peer.module
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    wanted = "".join((FOLDER / "peers" / name).read_text() for name in (peer.requirements, peer.alone) if name)
    installed = place / "installed.txt"
    if python.exists() and installed.exists() and installed.read_text() == wanted:
        return python
    if not make:
        raise NotInstalled(f"{place.relative_to(FOLDER.parent)} is not there; `make bench-quick` makes it")
    print(f"Setting up {peer.name} in {place.relative_to(FOLDER.parent)} (once; some minutes)", file=sys.stderr)
    place.parent.mkdir(exist_ok=True)
    log = place.parent / f"{peer.module}.log"
    log.write_bytes(b"")
    _run([sys.executable, "-m", "venv", "--clear", str(place)], log)
    pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off"]
    _run([*pip, "-r", str(FOLDER / "peers" / peer.requirements)], log)
    if peer.alone is not None:
        _run([*pip, "--no-deps", "-r", str(FOLDER / "peers" / peer.alone)], log)
    installed.write_text(wanted)
    return python


def _run(command: list[str], log: Path) -> None:
    with log.open("ab") as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, check=False).returncode
    if status != 0:
        lines = log.read_text(errors="replace").strip().splitlines() or ["no message"]
        raise NotInstalled(f"{lines[-1].strip()} ({log.relative_to(FOLDER.parent)} has more)")
