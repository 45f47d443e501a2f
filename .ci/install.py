"""Make .venv and install requirements files and extras into it, saying what happens; `make` calls this.

    python .ci/install.py [requirements.txt ...] [serve ...]      (by hand where there is no make)

First come PyTorch, by its version, and the packages of requirements.lock, whose checksums pip compares; then what the
requirements files and the extras of pyproject.toml ask for beside them. Where packages come from is pip's business: its
own settings (PIP_INDEX_URL, PIP_EXTRA_INDEX_URL, PIP_FIND_LINKS, pip.conf) are honoured. A PyTorch that is already in
.venv in the right version is kept. The command ``jointly`` in .venv/bin and ``import nmt`` in its Python take the
checkout's own code, from any folder.
"""

import platform
import queue
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
LOG = VENV / "install.log"
COMMAND = VENV / ("Scripts/jointly.cmd" if sys.platform == "win32" else "bin/jointly")
QUIET_SECONDS = 15
CUDA_NOTE = """  Note: this PyTorch brings CUDA, several GB. docs/install.md, "PyTorch's CPU build on Linux", says
  how to get the small one; press Ctrl+C now if you want that."""


def main(files):
    if sys.version_info < (3, 11):  # noqa: UP036  that is what is to be said
        return f"Jointly needs Python 3.11 or newer; this is {platform.python_version()} ({sys.executable})."
    if not works(PYTHON):
        problem = make_venv()
        if problem:
            return problem
    write_command()
    write_path()
    return install(files) if files else None


def works(python):
    """Whether a Python of .venv is there, runs, has pip and is new enough."""
    check = "import pip, sys; sys.exit(sys.version_info < (3, 11))"
    try:
        return subprocess.run([python, "-c", check], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def make_venv():
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return (
            f"{sys.executable} cannot make virtual environments, its venv module is missing"
            " (on Debian and Ubuntu: apt install python3-venv)."
        )
    print(f"Making .venv with Python {platform.python_version()}", flush=True)
    if subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=False).returncode != 0:
        return f"{sys.executable} could not make {VENV}."
    return None


def write_command():
    """Write the command `jointly`: a script, because an editable install would leave a folder in the checkout."""
    if sys.platform == "win32":
        text = f'@set "PYTHONPATH={ROOT};%PYTHONPATH%"\n@"{PYTHON}" -P -m nmt %*\n'
    else:
        root, python = shlex.quote(str(ROOT)), shlex.quote(str(PYTHON))
        text = f'#!/bin/sh\nPYTHONPATH={root}${{PYTHONPATH:+:$PYTHONPATH}} exec {python} -P -m nmt "$@"\n'
    COMMAND.write_text(text, encoding="utf-8")
    COMMAND.chmod(0o755)


def write_path():
    """Let .venv's Python find the checkout's packages, after all others. It reads the file in its locale's encoding."""
    ask = [PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    place = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    Path(place, "jointly.pth").write_text(f"{ROOT}\n")


def install(files):
    names = ", ".join(files)
    print(f"Installing {names} into .venv (the first time this takes some minutes)", flush=True)
    with LOG.open("w", encoding="utf-8") as log:
        for step in steps(files):
            if pip_install(step, log) != 0:
                return f"pip could not install {names}; the last lines above say why, all of them are in {LOG}."
    return None


def steps(files):
    """What pip is given, call by call. PyTorch differs by platform and index, so it has no checksum."""
    return [
        asked("torch"),
        ["--require-hashes", "--no-deps", "-r", ROOT / "requirements.lock"],
        [part for name in files for part in (("-r", ROOT / name) if name.endswith(".txt") else asked(name))],
    ]


def asked(extra):
    """What pyproject.toml asks for: an extra, with the extras that it names, or the dependencies of all for ""."""
    import tomllib  # of Python 3.11

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = project["optional-dependencies"][extra] if extra else project["dependencies"]
    named = [(line, re.fullmatch(r"jointly\[(\w+)\]", line)) for line in found]
    return [each for line, other in named for each in (asked(other[1]) if other else [line])]


def pip_install(what, log):
    """Run pip and show the lines of its output that matter. Returns its exit status."""
    command = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off", *what]
    pip = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    lines = queue.Queue()
    threading.Thread(target=read, args=(pip, lines), daemon=True).start()
    warned = False
    while True:
        try:
            line = lines.get(timeout=QUIET_SECONDS)
        except queue.Empty:
            print("  still busy ...", flush=True)
            continue
        if line is None:
            return pip.wait()
        log.write(line)
        log.flush()
        if not warned and line.startswith(("Collecting nvidia-", "Collecting cuda-")):
            print(CUDA_NOTE, flush=True)
            warned = True
        if shown(line):
            print("  " + shown(line), flush=True)


def read(pip, lines):
    for line in pip.stdout:
        lines.put(line)
    lines.put(None)


def shown(line):
    """What to print for one line of pip's output; empty for most."""
    words = line.split()
    if not words:
        return ""
    if words[0] == "Collecting":
        return words[1]
    if words[0] == "Downloading" and line.rstrip().endswith(("MB)", "GB)")):
        return "  downloading " + " ".join(words[-2:]).strip("()")
    if words[0] == "Installing" and words[1:2] == ["collected"]:
        return f"unpacking {len(words) - 3} packages"
    return line.strip() if words[0] == "ERROR:" else ""


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("Stopped; the next start continues from here.")
