"""Installation of Jointly as users do it, with .ci/install.py, make and pip, but without downloads.

The packages that Jointly needs are those of the Python that runs the trial; they are not downloaded again.
"""

from __future__ import annotations

import os
import shutil
import signal
import site
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from random import Random

from trials.trial import Cases, NotRun, Trial, must

ROOT = Path(__file__).parents[1]
_FOLDERS = ("with spaces and accents é ü", "日本語", "plain")
_TOOLS = ("make", "sh", "bash", "sed", "head", "hostname", "uname", "touch", "env", "dirname")
"""Programs that are available; git and compilers are not."""
_START_SECONDS, _COMMAND_SECONDS = 240, 300
_SENTENCE = "the cat sleeps on the mat .\n"


def _archive(folder: Path) -> None:
    """Unpack the last commit, without its history, as from a downloaded archive."""
    packed = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode:
        raise NotRun("this is no clone, so there is nothing to make an archive of")
    folder.mkdir(parents=True)
    subprocess.run(["tar", "--extract", "--directory", str(folder)], input=packed.stdout, check=True)


def _variables(tools: Path, home: Path) -> dict[str, str]:
    """An environment with only the programs that are needed."""
    tools.mkdir(exist_ok=True)
    for name in _TOOLS:
        found = shutil.which(name)
        if found is not None and not (tools / name).exists():
            (tools / name).symlink_to(found)
    home.mkdir(exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name == "LANG"}
    return kept | {"PATH": str(tools), "HOME": str(home), "OMP_NUM_THREADS": "1"}


def _lend_packages(venv: Path) -> None:
    """Let a virtual environment find the packages of this Python; its own setuptools, which may be too old for
    pyproject.toml, goes, as pip would bring a new one."""
    (place,) = (venv / "lib").glob("python*/site-packages")
    for old in place.glob("setuptools*"):
        shutil.rmtree(old)
    (place / "lent.pth").write_text("\n".join(site.getsitepackages()) + "\n", encoding="utf-8")


def _done(command: list[str], folder: Path, variables: dict[str, str], given: str = "") -> str:
    done = subprocess.run(
        command, cwd=folder, env=variables, input=given, capture_output=True, text=True, timeout=_COMMAND_SECONDS,
        check=False,
    )  # fmt: skip
    must(done.returncode == 0, f"{command} ended with {done.returncode}: {done.stdout[-800:]}{done.stderr[-1500:]}")
    return done.stdout


def _run(_: Random, cases: Cases, folder: Path) -> None:
    variables = _variables(folder / "tools", folder / "home")
    translated = set()
    for name in _FOLDERS:
        checkout = folder / name
        with cases.case(f"the installer, make app and a second start in a folder {name!r}, without git"):
            _archive(checkout)
            _done([sys.executable, ".ci/install.py"], checkout, variables)
            _lend_packages(checkout / ".venv")
            (checkout / ".venv" / ".installed-app").touch()
            translate = [".venv/bin/jointly", "translate", "checkpoints/rnnsearch-30", "--beam", "2"]
            translated.add(_done(translate, checkout, variables, _SENTENCE))
            _start_twice(checkout, variables)
    with cases.case("pip install ., and the command jointly elsewhere"):
        venv = folder / "installed"
        _done([sys.executable, "-m", "venv", str(venv)], folder, variables)
        _lend_packages(venv)
        flags = ["--quiet", "--no-deps", "--no-build-isolation"]
        _done([str(venv / "bin" / "python"), "-m", "pip", "install", *flags, str(checkout)], folder, variables)
        run = str(checkout / "checkpoints" / "rnnsearch-30")
        (package,) = (venv / "lib").glob("python*/site-packages/nmt")
        missing = sorted(_files(checkout / "nmt") - _files(package))
        must(not missing, f"not installed: {missing}")
        command = [str(venv / "bin" / "jointly"), "translate", run, "--beam", "2"]
        translated.add(_done(command, folder / "home", variables, _SENTENCE))
    with cases.case("the same translation everywhere"):
        must(len(translated) == 1, f"{translated}")


def _files(package: Path) -> set[str]:
    """List the files of a package but those that Python compiles."""
    paths = (path for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(package).as_posix() for path in paths}


def _start_twice(checkout: Path, variables: dict[str, str]) -> None:
    """Start the app, and once more on the same port, which must be refused."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["make", "app", f"PORT={port}", f"PYTHON={sys.executable}"]
    headless = variables | {"STREAMLIT_SERVER_HEADLESS": "true"}
    log = (checkout / "app.log").open("w", encoding="utf-8")
    first = subprocess.Popen(
        command, cwd=checkout, env=headless, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        must(_answers(port, first), f"the app did not start: {(checkout / 'app.log').read_text(encoding='utf-8')}")
        again = subprocess.run(
            command, cwd=checkout, env=headless, capture_output=True, text=True, timeout=_START_SECONDS, check=False
        )
        must(again.returncode != 0 and str(port) in again.stdout + again.stderr, f"{again}")
        must(_answers(port, first), "the first start ended with the second")
    finally:
        with suppress(ProcessLookupError):
            os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        log.close()


def _answers(port: int, process: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + _START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5) as answer:
            if answer.read() == b"ok":
                return True
        time.sleep(0.2)
    return False


TRIAL = Trial(
    name="installs",
    tried="an archive of the last commit in folders with spaces, accents and Japanese, without git or compiler: the "
    "installer, `make app`, a second start beside it, `pip install .`; with the packages of this machine",
    holds="the app answers, the second start is refused and the first goes on, the same translation everywhere",
    run=_run,
    pieces=1,
    ci=0,
    seconds=2400,
    case_seconds=300,
)
