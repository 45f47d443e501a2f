"""Write requirements.lock: the packages that FILES bring, for all platforms and Python versions, with versions and
checksums. It asks the package index, with uv (requirements-dev.txt).

    .venv/bin/python .ci/lock.py

PyTorch differs by platform and index (CPU, CUDA), so it and what it alone brings for a GPU are left out: it is
installed by its version.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
FILES = ("requirements.txt", "requirements-serve.txt", "requirements-smt.txt", "requirements-cluster.txt")
LEFT_OUT = re.compile(r"torch|triton|nvidia-.*|cuda-.*")
HEAD = """\
# Written by .ci/lock.py from {files}, for all platforms and
# Python versions.
# PyTorch is not in it. To install exactly this:
#   pip install torch=={torch}
#   pip install --require-hashes --no-deps --requirement requirements.lock
"""


def main():
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
    command += ["--python-version", "3.11", "--no-header", "--no-annotate", *FILES]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if found.returncode:
        return found.stderr
    packages = re.split(r"^(?=\S)", found.stdout, flags=re.MULTILINE)
    kept = [package for package in packages if package.strip() and not LEFT_OUT.fullmatch(name_of(package))]
    (torch,) = re.findall(r"^torch==(\S+)", (ROOT / "requirements-torch.txt").read_text(), flags=re.MULTILINE)
    LOCK.write_text(HEAD.format(files=f"{', '.join(FILES[:-1])} and {FILES[-1]}", torch=torch) + "".join(kept))
    return None


def name_of(package):
    return package.partition("==")[0].strip()


if __name__ == "__main__":
    sys.exit(main())
