"""Small faults put into the code one by one, to see whether the tests find them.

A piece draws one line of the model, the search, the evaluation, the run folders or the tasks, changes it a little in a
copy of the checkout, and runs the tests that concern its package: first those that import its module, then whole
folders, the nearest first. A fault that no test finds is lost, unless ``EQUIVALENT`` says why no test can find it.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from trials.trial import Cases, Trial, environment, must

ROOT = Path(__file__).parents[1]
TESTS: dict[str, tuple[str, ...]] = {
    "model": ("tests/model", "tests/search", "tests/inference", "tests/training"),
    "search": ("tests/search", "tests/inference", "tests/model"),
    "evaluation": ("tests/evaluation", "tests/tables", "tests/cli", "tests/results"),
    "runs": ("tests/runs", "tests/cli", "tests/training", "tests/reproduce"),
    "tasks": ("tests/tasks", "tests/ui"),
}
"""Tests that concern a package of nmt, the nearest first."""
EQUIVALENT: dict[tuple[str, str], str] = {
    (
        "nmt/model/steps.py",
        "self._n, self._l = decoder.U.shape[(1)], readout.U_o.shape[0] // 2",
    ): "the matrix is square",
    ("nmt/model/kernels.py", "_LEAST_MULTIPLICATIONS = 2**(21)"): "only the time depends on it",
    (
        "nmt/model/kernels.py",
        'self._packed = onednn and _enabled() and weight.device.type == "cpu" and (weight.numel() > _LEAST_PACKED)',
    ): "only the time depends on it",
    ("nmt/model/integer_products.py", "_MOST_INNER = ((2 ** 31 + 1)) // (255 * 127)"): "the quotient is the same",
    (
        "nmt/evaluation/concatenation.py",
        "CONCATENATED_SPANS = tuple(Span(first, first + 9) for first in range(21, (81), 10))",
    ): "the range is the same",
    (
        "nmt/evaluation/sufficient_statistics.py",
        "for row, ngrams in zip(counts, reference_ngrams, strict=(False)):",
    ): "both have one length",
    (
        "nmt/search/beam_trace.py",
        "for token, value in zip(ids.tolist(), values.tolist(), strict=(False))",
    ): "both have one length",
    ("nmt/model/single_annotations.py", '_CELLS = {"cpu": (3)**8}'): "only the time depends on it",
    ("nmt/model/single_annotations.py", '_CELLS = {"cpu": 2**(9)}'): "only the time depends on it",
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
_COPIED = ("nmt", "tests", "trials", "benchmarks", "pages", "testsets", "docs", ".streamlit", ".ci")
_LINKED = ("checkpoints", "aligners", "static", ".venv", ".git")
_TESTS_SECONDS = 900
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
        return f"{self.path}:{self.line}: {self.before} -> {self.after}"

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
    for node, after in _changes(ast.parse(data)):
        start = begins[node.lineno - 1] + node.col_offset
        end = begins[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        before = data[start:end].decode()
        fault = CodeFault(path=name, line=node.lineno, before=before, after=after, start=start, end=end)
        changed = data[:start] + after.encode() + data[end:]
        if (name, changed.splitlines()[node.lineno - 1].decode().strip()) not in equivalent:
            found.append(fault)
    return found


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
    """Yield all nodes that run: no annotations, no texts put together, no guards for type checkers."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for node in value if isinstance(value, list) else [value]:
            guard = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
            if isinstance(node, ast.AST) and not guard and not isinstance(node, ast.JoinedStr | ast.Slice):
                yield node
                yield from _executed(node)


def drawn(random: Random, root: Path = ROOT) -> CodeFault:
    """Draw a file by the number of its lines, and one of its faults."""
    paths = sorted(path for package in TESTS for path in (root / "nmt" / package).rglob("*.py"))
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


def importing_tests(fault: CodeFault, root: Path = ROOT) -> list[str]:
    """List the tests of the package of a fault that name its module, those named like it first."""
    module = fault.path.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
    package, _, name = module.rpartition(".")
    written = re.compile(rf"{re.escape(module)}\b|from {re.escape(package)} import [^\n]*\b{re.escape(name)}\b")
    naming = [
        path
        for path in sorted((root / TESTS[fault.path.split("/")[1]][0]).rglob("test_*.py"))
        if written.search(path.read_text(encoding="utf-8"))
    ]
    naming.sort(key=lambda path: path.stem != f"test_{name}")
    return [path.relative_to(root).as_posix() for path in naming]


def finding(fault: CodeFault, checkout: Path) -> str:
    """Run the tests that concern a fault; returns which of them found it, "" if none."""
    folders = TESTS[fault.path.split("/")[1]]
    rounds = [
        (importing_tests(fault, checkout), "not browser"),
        *(([tests], "not browser and not slow") for tests in folders),
        *(([tests], "slow and not browser") for tests in folders),
    ]
    variables = environment(checkout.parent) | {"PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    for tests, tier in rounds:
        if not tests:
            continue
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", tier, *tests]
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
            return f"{tests}: no end in {_TESTS_SECONDS} s"
        if done.returncode in (1, 2, 3, 4):
            return f"{tests}: {done.stdout[-300:]}"
        must(done.returncode in (0, _NONE_CHOSEN), f"pytest ended with {done.returncode}: {done.stdout[-1000:]}")
    return ""


def _run(random: Random, cases: Cases, folder: Path) -> None:
    fault = drawn(random)
    with cases.case(f"{fault}"):
        os.environ.pop("JOINTLY_CACHE", None)
        checkout = copied(folder / "jointly")
        fault.put_into(checkout)
        must(bool(finding(fault, checkout)), "no test finds it")


TRIAL = Trial(
    name="code-faults",
    tried="one small fault in a line of nmt/model, search, evaluation, runs or tasks: another comparison, operator, "
    "number or branch",
    holds="a test of the suite finds it",
    run=_run,
    pieces=200,
    ci=0,
    seconds=4200,
    case_seconds=4000,
)
