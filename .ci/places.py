"""List the modules whose path or docstring has all of some words: where is X?

.venv/bin/python .ci/places.py beam            (all modules without a word)
"""

import ast
import sys
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("nmt", "release", "experiments", "trials", "benchmarks", ".ci")


def main(words):
    for path, docstring in places():
        text = f"{path} {docstring}".lower()
        if all(word.lower() in text for word in words):
            print(f"{path}: {' '.join(docstring.partition(chr(10) * 2)[0].split())}")


def places():
    """Path and docstring of every module; of a script for the browser the comment at its head."""
    paths = [path for name in FOLDERS for end in ("py", "js") for path in (ROOT / name).rglob(f"*.{end}")]
    for path in sorted(paths):
        if any(part.startswith(".") for part in path.relative_to(ROOT).parts[1:]):  # environments of benchmarks
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            docstring = ast.get_docstring(ast.parse(text)) or ""
        else:
            head = takewhile(lambda line: line.startswith("//"), text.splitlines())
            docstring = " ".join(line.removeprefix("//").strip() for line in head)
        yield path.relative_to(ROOT).as_posix(), docstring


if __name__ == "__main__":
    main(sys.argv[1:])
