"""Whether each module of nmt is reached by the tests of its package.

``nmt/PACKAGE/MODULE.py`` is tested by ``tests/PACKAGE/test_MODULE.py``, or by another test of ``tests/PACKAGE`` that
imports it, directly or through what it imports, or by the place in ``ELSEWHERE``. Modules without a function, such as
plain records, need no test.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]

ELSEWHERE = {
    "nmt.errors": "cli/test_stress.py",
    "nmt.recipes": "test_config.py",
    "nmt.results.links": "evaluation/test_pharaoh.py",
}
"""Place of tests, in ``tests/``, of the modules and packages whose own folder of tests does not reach them."""


def place_of(name: str) -> str:
    """The place of tests of a module: where ``ELSEWHERE`` says, or else the folder that mirrors its package.

    >>> place_of("nmt.recipes"), place_of("nmt.data.corpora.gold")
    ('test_config.py', 'data/corpora')
    """
    for known in (name, name.rpartition(".")[0]):
        if known in ELSEWHERE:
            return ELSEWHERE[known]
    folder = Path(*name.split(".")[1:-1])
    while not (ROOT / "tests" / folder).exists():
        folder = folder.parent
    return folder.as_posix()


def modules_to_test() -> Iterator[str]:
    """Name of every module of nmt that has a function and no test file of its own."""
    for name, path in sorted(_modules().items()):
        if path.stem in ("__init__", "__main__") or not name.startswith("nmt."):
            continue
        own = ROOT / "tests" / path.relative_to(ROOT / "nmt").with_name(f"test_{path.stem}.py")
        if not own.exists() and any(
            isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) for node in ast.walk(_tree(path))
        ):
            yield name


@cache
def reached(place: str) -> frozenset[str]:
    """Modules that the tests of a place import, or that are imported by what they import. Tests that call ``main``
    reach all commands, those with an AppTest all pages."""
    path = ROOT / "tests" / place
    seen: set[str] = set()
    for test in path.rglob("test_*.py") if path.is_dir() else [path]:
        fixtures = [folder / "conftest.py" for folder in test.parents if ROOT / "tests" in folder.parents]
        _follow((name for file in (test, *filter(Path.exists, fixtures)) for name in _imports(file)), seen)
    return frozenset(seen)


def _follow(names: Iterable[str], seen: set[str]) -> None:
    for name in names:
        if name in _modules() and name not in seen:
            seen.add(name)
            _follow(_imports(_modules()[name]), seen)


@cache
def _modules() -> dict[str, Path]:
    """Path of every module that tests may reach, by name; the app and its pages among them."""
    found = {}
    for path in [ROOT / "app.py", *(path for top in ("nmt", "pages", "tests") for path in (ROOT / top).rglob("*.py"))]:
        *parts, last = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts if last == "__init__" else [*parts, last])] = path
    return found


@cache
def _imports(path: Path) -> frozenset[str]:
    """Names that a file imports, wherever it does; those that nmt exports only where they are used."""
    text, names = path.read_text("utf-8"), set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    if "nmt" in names:
        exported = _imports(ROOT / "nmt" / "__init__.py")
        used = set(re.findall(r"\bnmt\.(\w+)", text))
        names |= {name.rpartition(".")[0] for name in exported if name.rpartition(".")[2] in used}
    if path == ROOT / "nmt" / "cli" / "__init__.py":
        names |= {f"nmt.cli.{path.stem}" for path in path.parent.glob("*.py")}
    if "AppTest" in text:
        names |= {"app", *(f"pages.{path.stem}" for path in (ROOT / "pages").glob("*.py"))}
    return frozenset(names - {"nmt"})


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))
