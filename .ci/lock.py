"""Write requirements.txt and requirements.lock from pyproject.toml.

requirements.txt has what the app, the commands and the Python interface need. requirements.lock has all packages that
these and the extras bring, for all platforms and Python versions, with versions and checksums. It asks the package
index, with uv (requirements-dev.txt).

    .venv/bin/python .ci/lock.py

PyTorch differs by platform and index (CPU, CUDA), so it and what it alone brings for a GPU are left out of the lock: it
is installed by its version.
"""

import re
import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
LEFT_OUT = re.compile(r"torch|triton|nvidia-.*|cuda-.*|httpx2-jsfetch")  # the last for a browser alone
REQUIREMENTS = (
    "# Written by .ci/lock.py from pyproject.toml: what the app, the commands and the Python interface need.\n"
)
HEAD = """\
# Written by .ci/lock.py from pyproject.toml with all extras, for all platforms and Python versions.
# PyTorch is not in it. To install exactly this:
#   pip install {torch}
#   pip install --require-hashes --no-deps --requirement requirements.lock
"""
asked = runpy.run_path(str(ROOT / ".ci" / "install.py"))["asked"]


def main():
    (ROOT / "requirements.txt").write_text(requirements(), encoding="utf-8")
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
    command += ["--python-version", "3.11", "--no-header", "--no-annotate", "--all-extras", "pyproject.toml"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if found.returncode:
        return found.stderr
    packages = re.split(r"^(?=\S)", found.stdout, flags=re.MULTILINE)
    kept = [package for package in packages if package.strip() and not LEFT_OUT.fullmatch(name_of(package))]
    LOCK.write_text(HEAD.format(torch=asked("torch")[0]) + "".join(kept))
    return None


def requirements():
    """The text of requirements.txt."""
    return REQUIREMENTS + "".join(f"{line}\n" for extra in ("", "torch", "app") for line in asked(extra))


def name_of(package):
    return package.partition("==")[0].strip()


if __name__ == "__main__":
    sys.exit(main())
