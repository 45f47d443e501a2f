"""Small faults put into the code one by one, to see whether the tests find them.

A piece draws one line of Python or JavaScript from one of the five ``GROUPS`` of packages, each of which has every
fifth piece, changes it a little in a copy of the checkout, and runs tests, the nearest first: those that import the
module, those of its package (of JavaScript also those in Chromium that concern it), and only where these find nothing
all that ``make test`` runs. A fault that no test finds is lost, unless ``EQUIVALENT`` says why no test can find it.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.mirror import place_of
from trials.trial import Cases, Trial, environment, must

ROOT = Path(__file__).parents[1]
GROUPS: dict[str, tuple[str, ...]] = {
    "model, search, training": ("model", "search", "training"),
    "data, runs, records": (),
    "inference, answers, evaluation": (
        "aligners",
        "answers",
        "evaluation",
        "inference",
        "inspection",
    ),
    "commands, service, figures": ("charts", "cli", "page", "serve", "tables"),
    "app, JavaScript": ("ui",),
}
"""Packages and modules of nmt by the groups whose faults are counted together: the second has all that no other names,
the last has all JavaScript."""
BROWSER: dict[str, tuple[str, ...]] = {
    "nmt/charts/alignment_view": ("alignment_view", "hover", "explore", "explore_changes", "translate"),
    "nmt/charts/ribbons": ("ribbons", "first_screen", "translate", "presentation"),
    "nmt/charts/step_view": ("learn",),
    "nmt/charts/film_view": ("learn",),
    "nmt/charts/beam_view": ("learn",),
    "nmt/page": ("translating_page",),
    "nmt/instrument": (
        *("instrument", "first_screen", "explore", "explore_changes", "together", "learn", "presentation"),
        *("translating_page", "page_languages"),
    ),
}
"""Tests in Chromium, ``tests/browser/test_*.py``, that concern the JavaScript of a folder; all do for other folders."""
EQUIVALENT = {
    (path, line): reason
    for path, lines in tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text(encoding="utf-8")).items()
    for line, reason in lines.items()
}
"""Why a fault changes nothing that a test could see, by file and changed line without its indentation."""
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.MatMult: ast.Mult,
}  # fmt: skip
_REPLACED = {
    "===": "!==", "!==": "===", " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", "&&": "||", "||": "&&",
    "??": "&&", " + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", "true": "false", "false": "true",
}  # fmt: skip
"""What is put in the place of an operator or a truth value of JavaScript."""
_JAVASCRIPT = re.compile(
    rb"(?<![\w.$])(?:true|false|\d+)(?![\w.$])|(?<![=!<>&|?])(?:===|!==|&&|\|\||\?\?| (?:[<>]=?|[-+*/]) )(?![=])"
)
_NO_CODE = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`"
    rb"|(?<=[(,=:?&|!])\s*/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*",
    re.DOTALL,
)
"""Comments, texts and regular expressions of JavaScript."""
_COPIED = (
    "nmt",
    "release",
    "experiments",
    "tests",
    "trials",
    "benchmarks",
    "pages",
    "testsets",
    "docs",
    ".streamlit",
    ".ci",
)
_LINKED = ("checkpoints", "aligners", "static", ".venv", ".git")
SHORT = "(not browser or journey) and not thorough"
"""The marks of the tests that `make test` runs."""
_TESTS_SECONDS = 2 * 3600  # all tests one after the other, beside other work
_NO_END = "no end"
_NONE_CHOSEN = 5
"""Status of pytest where no test was chosen."""


@dataclass(frozen=True, kw_only=True)
class CodeFault:
    """A change of one expression.

    Attributes:
        path: the file, relative to the checkout.
        line: its line.
        before, after: source of the expression.
        start, end: its place in the file, in bytes.
    """

    path: str
    line: int
    before: str
    after: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before.strip()} -> {self.after.strip()}"

    def put_into(self, folder: Path) -> None:
        """Change the file in a checkout."""
        data = (folder / self.path).read_bytes()
        (folder / self.path).write_bytes(data[: self.start] + self.after.encode() + data[self.end :])


def code_faults(path: Path, name: str, equivalent: Collection[tuple[str, str]] = EQUIVALENT) -> list[CodeFault]:
    """List all faults that can be put into a file, but those that are known to change nothing."""
    data = path.read_bytes()
    begins = [0]
    for line in data.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    found = []
    for start, end, after in _in_javascript(data) if path.suffix == ".js" else _in_python(data, begins):
        number = bisect_right(begins, start)
        changed = data[:start] + after.encode() + data[end:]
        if (name, changed.splitlines()[number - 1].decode().strip()) not in equivalent:
            before = data[start:end].decode()
            found.append(CodeFault(path=name, line=number, before=before, after=after, start=start, end=end))
    return found


def _in_javascript(data: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield the places of operators, numbers and truth values, and what they may be changed into."""
    code = _NO_CODE.sub(lambda found: b" " * len(found[0]), data)
    for found in _JAVASCRIPT.finditer(code):
        text = found[0].decode()
        yield found.start(), found.end(), _REPLACED.get(text) or str(int(text) + 1)


def _in_python(data: bytes, begins: Sequence[int]) -> Iterator[tuple[int, int, str]]:
    """Yield the places of expressions, and what they may be changed into."""
    for node, after in _changes(ast.parse(data)):
        start = begins[node.lineno - 1] + node.col_offset
        yield start, begins[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0), after


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """Yield expressions and what they may be changed into: in parentheses, as it may stand anywhere."""
    for node in _executed(tree):
        changed: ast.expr | None = None
        match node:
            case ast.Compare(ops=[operation]) if type(operation) in _COMPARISONS:
                changed = ast.Compare(node.left, [_COMPARISONS[type(operation)]()], node.comparators)
            case ast.BinOp(op=operation) if type(operation) in _OPERATORS:
                changed = ast.BinOp(node.left, _OPERATORS[type(operation)](), node.right)
            case ast.BoolOp(op=operation):
                changed = ast.BoolOp(ast.Or() if isinstance(operation, ast.And) else ast.And(), node.values)
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                changed = node.operand
            case ast.Constant(value=bool(value)):
                changed = ast.Constant(not value)
            case ast.Constant(value=int(number)):
                changed = ast.Constant(number + 1)
            case ast.IfExp():
                changed = ast.IfExp(node.test, node.orelse, node.body)
        if changed is not None and isinstance(node, ast.expr):
            yield node, f"({ast.unparse(ast.fix_missing_locations(changed))})"


def _executed(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes that run: no annotations, no texts put together, no guards for type checkers, and no ``strict``
    of a zip, which only guards against what cannot happen."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for node in value if isinstance(value, list) else [value]:
            guard = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
            guard = guard or (isinstance(node, ast.keyword) and node.arg == "strict")
            if isinstance(node, ast.AST) and not guard and not isinstance(node, ast.JoinedStr | ast.Slice):
                yield node
                yield from _executed(node)


def group_of(path: str) -> str:
    """The group of a file, given relative to the checkout."""
    *others, last = GROUPS
    if path.endswith(".js"):
        return last
    top = path.split("/")[1]
    return next((group for group, names in GROUPS.items() if top in names), others[1])


def files_of(group: str, root: Path = ROOT) -> list[Path]:
    """List the files of a group."""
    files = [path for end in ("py", "js") for path in (root / "nmt").rglob(f"*.{end}")]
    return sorted(path for path in files if group_of(path.relative_to(root).as_posix()) == group)


def drawn(random: Random, group: str, root: Path = ROOT) -> CodeFault:
    """Draw a file of a group by the number of its lines, and one of its faults."""
    paths = files_of(group, root)
    lines = [len(path.read_bytes().splitlines()) for path in paths]
    while True:
        path = random.choices(paths, lines)[0]
        faults = code_faults(path, path.relative_to(root).as_posix())
        if faults:
            return random.choice(faults)


def copied(folder: Path) -> Path:
    """Copy the checkout, large folders as links."""
    folder.mkdir()
    for name in _COPIED:
        shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in _LINKED:
        if (ROOT / name).exists():
            (folder / name).symlink_to((ROOT / name).resolve())
    for path in ROOT.iterdir():
        if path.is_file() and not (folder / path.name).exists():
            shutil.copy2(path, folder)
    return folder


def _place(fault: CodeFault) -> str:
    """The tests of the package of a fault: a folder, or a file; "" where only all tests concern it."""
    if fault.path.endswith(".js"):
        place = place_of(fault.path.partition("/js/")[0].replace("/", ".") + ".js")
    else:
        place = place_of(fault.path.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    return "" if place == "." else f"tests/{place}"


def importing_tests(fault: CodeFault, place: str, root: Path = ROOT) -> list[str]:
    """List the tests of a place that name the module of a fault, those named like it first."""
    module = fault.path.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
    package, _, name = module.rpartition(".")
    written = re.compile(rf"{re.escape(module)}\b|from {re.escape(package)} import [^\n]*\b{re.escape(name)}\b")
    files = (root / place).rglob("test_*.py") if (root / place).is_dir() else [root / place]
    naming = [path for path in sorted(files) if written.search(path.read_text(encoding="utf-8"))]
    naming.sort(key=lambda path: path.stem != f"test_{name}")
    return [path.relative_to(root).as_posix() for path in naming]


def rounds(fault: CodeFault, root: Path = ROOT) -> list[tuple[list[str], str]]:
    """List which tests are run against a fault, and by which marks, the nearest first."""
    place = _place(fault)
    package = f"tests/{fault.path.split('/')[1]}"
    near = [] if fault.path.endswith(".js") else [*importing_tests(fault, place or "tests", root), fault.path]
    folder = fault.path.partition("/js/")[0]
    concerned = [f"tests/browser/test_{name}.py" for name in BROWSER.get(folder, ())] or ["tests/browser"]
    return [
        (near, "not browser"),  # the module itself, for the examples in its docstrings
        ([place] if place else [], "not browser"),
        (concerned if fault.path.endswith(".js") else [], "browser"),
        ([package] if package != place and (root / package).is_dir() else [], "not browser"),
        (["tests"], SHORT),
    ]


def finding(fault: CodeFault, checkout: Path) -> str:
    """Put a fault into a checkout and run the tests that concern it; returns which of them found it, "" if none. Tests
    that fail without the fault, too, do not count."""
    whole = (checkout / fault.path).read_bytes()
    failing_anyway: set[str] = set()
    for tests, tier in rounds(fault, checkout):
        while tests:
            fault.put_into(checkout)
            failed = _failed(checkout, tier, [*tests, *(f"--deselect={test}" for test in sorted(failing_anyway))])
            (checkout / fault.path).write_bytes(whole)
            if not failed:
                break
            if failed == {_NO_END} or not (anyway := _failed(checkout, tier, sorted(failed))):
                return ", ".join(sorted(failed))
            must(not anyway <= failing_anyway, f"{anyway} cannot be left out")
            failing_anyway |= anyway
    return ""


def _failed(checkout: Path, tier: str, arguments: Sequence[str]) -> set[str]:
    """Run tests up to the first that fails; returns the name of that one, or of the file that cannot be collected."""
    cache = checkout.parent / "pytest"
    shutil.rmtree(cache, ignore_errors=True)
    variables = environment(checkout.parent) | {"PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-o", f"cache_dir={cache}", "-m", tier, *arguments]
    try:
        done = subprocess.run(
            command,
            cwd=checkout,
            env=variables,
            capture_output=True,
            text=True,
            timeout=_TESTS_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {_NO_END}
    if done.returncode in (0, _NONE_CHOSEN):
        return set()
    names = cache / "v" / "cache" / "lastfailed"
    return set(json.loads(names.read_text(encoding="utf-8"))) if names.exists() else {f"pytest: {done.stdout[-300:]}"}


def _run(random: Random, cases: Cases, folder: Path) -> None:
    cases.group = [*GROUPS][cases.piece % len(GROUPS)]
    fault = drawn(random, cases.group)
    with cases.case(f"{fault}"):
        os.environ.pop("JOINTLY_CACHE", None)
        checkout = copied(folder / "jointly")
        must(bool(finding(fault, checkout)), "no test finds it")


TRIAL = Trial(
    name="code-faults",
    tried="one small fault in a line of Python or JavaScript, from all packages of nmt: another comparison, operator, "
    "number or branch",
    holds="a test of the suite finds it",
    run=_run,
    pieces=450,
    ci=0,
    seconds=5 * 3600,
    case_seconds=5000,
)
