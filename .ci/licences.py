"""Write docs/licences.md: the licence of every package of requirements.lock, and of PyTorch, as the installed packages
state them. Run it after .ci/lock.py, in a .venv with these packages.

    .venv/bin/python .ci/licences.py
"""

import re
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "docs" / "licences.md"
LONGEST = 60
HEAD = """\
# Licences of the packages

The packages that the app, the commands and the service install, except those that PyTorch brings for a GPU. The licence
is what the package states in its metadata, an SPDX expression where it gives one. Jointly's own is in
[LICENSE](../LICENSE); those of the checkpoints and of the texts behind them are in
[checkpoints/LICENSES.md](../checkpoints/LICENSES.md).

`nmt/data/languages.tsv` is derived from the word frequencies of wordfreq (Robyn Speer) and has their licence,
CC BY-SA 4.0.

**sil-thot (LGPL-3.0)** is optional. The wheel does not contain it: the wheel names it in the extra `[smt]`, and only
the word aligners' partner and the phrase-based system load it. The image contains it as its authors built it, with its
licence, in a folder where another build can take its place. So the LGPL asks nothing of Jointly's own code. Who passes
on an image passes on that licence with it.

**sacremoses (MIT)** has one maintainer. The version is fixed, with its checksum, and it is pure Python. If it no longer
runs on a new Python, what Jointly uses moves into `nmt/data` with its licence: `tokenize.py`, `util.py`, `corpus.py`
and the lists of abbreviations and characters, 1,400 lines. The tokeniser of the page in JavaScript already has the same
rules, and tests hold it against sacremoses.

Written by `.ci/licences.py` from `requirements.lock` and the installed packages.

| package | version | licence |
| --- | --- | --- |
"""


def main():
    rows = []
    for name, versions in locked().items():
        try:
            licence = licence_of(metadata(name))
        except PackageNotFoundError:
            return f"{name} is not installed here."
        if not licence:
            return f"{name} states no licence."
        rows.append(f"| {name} | {', '.join(versions)} | {licence} |\n")
    LIST.write_text(HEAD + "".join(rows), encoding="utf-8")
    return None


def locked():
    """The packages of the lock file and PyTorch, each with its versions, which may differ by version of Python."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = {}
    for name, version in re.findall(r"^(?:#   pip install )?([\w.-]+)==(\S+)", text, flags=re.MULTILINE):
        found.setdefault(name, []).append(version)
    return dict(sorted(found.items()))


def licence_of(stated):
    """What a package's metadata says: an SPDX expression, else its short name of the licence, else its classifiers."""
    if stated.get("License-Expression"):
        return stated["License-Expression"]
    named = (stated.get("License") or "").strip()
    if named and "\n" not in named and len(named) <= LONGEST and not named.startswith("Copyright"):
        return named
    begin = "License :: "
    classifiers = [line for line in stated.get_all("Classifier", []) if line.startswith(begin)]
    return " AND ".join(line.rpartition(" :: ")[2] for line in classifiers)


if __name__ == "__main__":
    sys.exit(main())
