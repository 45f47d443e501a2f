"""The layers, where import-linter does not look: contracts complete, pages thin, torch not loaded."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
PAGES = sorted((ROOT / "pages").glob("*.py"))
assert PAGES, "no page would be looked at"
APP = ROOT / "app.py"


def top_modules() -> set[str]:
    """The direct children of the package."""
    names = {path.stem for path in (ROOT / "nmt").glob("*.py")} - {"__init__"}
    return names | {path.parent.name for path in (ROOT / "nmt").glob("*/__init__.py")}


def contract(name: str) -> dict[str, list[str]]:
    (found,) = [c for c in CONTRACTS if c["name"].startswith(name)]
    return found


def imported(path: Path) -> set[str]:
    """All modules that a file names in an import, wherever it stands in the file."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} has a relative import"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_every_module_has_its_layer() -> None:
    listed = [name.strip() for line in contract("Imports go downwards")["layers"] for name in line.split("|")]
    assert sorted(listed) == sorted(top_modules())


def test_the_first_decision_has_the_layers_of_the_contract() -> None:
    text = (ROOT / "docs" / "decisions" / "0001-layers-and-translator.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("    ")]
    drawn = [line.strip().partition("  ")[0] for line in lines]
    assert drawn == contract("Imports go downwards")["layers"][1:]  # above all: __main__


def test_imports_keep_the_contracts() -> None:
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as c; c()",
        "--no-cache",
    ]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-1000:]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_are_thin(path: Path) -> None:
    """A page asks one question: at most 60 lines, over streamlit and nmt.ui alone."""
    assert len(path.read_text().splitlines()) <= 60
    for name in imported(path):
        assert name.startswith(("streamlit", "nmt.ui", "__future__.")), f"{path.name} imports {name}"


def test_the_app_only_lists_the_pages() -> None:
    assert len(APP.read_text().splitlines()) <= 60
    for name in imported(APP):
        standard = name.split(".")[0] in sys.stdlib_module_names
        assert standard or name.startswith(("streamlit", "nmt.ui")), f"app.py imports {name}"


def test_records_settings_data_and_drawings_do_not_load_torch() -> None:
    """import-linter reads import statements; this runs them, lazy exports of the package included."""
    modules = contract("No torch")["source_modules"]
    code = f"import sys, nmt, {', '.join(modules)}; nmt.Alignment, nmt.InputError; print('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.stdout.strip(), result.stderr) == ("False", "")


WITHOUT = (
    "streamlit",
    "plotly",
    "pandas",
    "segno",
    "matplotlib",
    "fastapi",
    "starlette",
    "uvicorn",
    "prometheus_client",
)
CORE = """
import importlib, pkgutil, sys
for name in {without}:
    sys.modules[name] = None
import nmt, nmt.cli
for module in pkgutil.walk_packages(nmt.__path__, "nmt."):
    top = module.name.split(".")[1]
    if top not in ("ui", "serve", "charts", "__main__") or module.name.count(".") == 1 and top == "charts":
        importlib.import_module(module.name)
nmt.load, nmt.heatmap, nmt.compare
try:
    nmt.heatmap(nmt.Alignment(source=("a",), target=("b",), weights=[[1.0]])).save("none.pdf")
except nmt.InputError as error:
    print(error)
print(nmt.cli.main(["recipes"]), file=sys.stderr)
"""


@pytest.mark.slow
def test_the_core_needs_nothing_of_the_extras() -> None:
    """`pip install .` brings no library of the app, of figures for print or of the service."""
    code = CORE.format(without=WITHOUT)
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.stderr == "0\n"
    assert "jointly[print]" in result.stdout
    assert "rnnsearch_256" in result.stdout
