"""All texts of figures and views are in tables."""

import ast
import re
from pathlib import Path

import nmt.charts
from tests.texts_used import ROOT, texts

CHARTS = Path(nmt.charts.__file__).parent
MODULES = sorted(CHARTS.rglob("*.py"))
NO_TEXTS = {
    "film_view/__init__.py": ("square root",),
    "citation.py": ("import nmt\n",),
    "colour_scales.py": ("square root", "light paper", "colour-blind safe"),
    "figure2.py": ("offset points", "axes fraction", "upper left", "the right end", "the upper end"),
    "figure3.py": ("axes points",),
    "print_figure.py": (
        *("DejaVu ", "Last Resort ", "Noto ", "VL ", "WenQuanYi "),
        *("<figure for print", " points>", "and needs that suffix"),
    ),
    "view_files.py": ("const modules", "const load", "export ", "@import "),
}
"""By module how a literal begins that is not a text but the name of a setting or a font, CSS, HTML, JavaScript, a
part of an error's message, or what a figure is called in Python."""
FUNCTIONS = {"tanh", "softmax", "exp"}


def messages(tree: ast.AST) -> set[int]:
    """The ids of all that stands in the messages of errors and warnings, and in what these are made of."""
    found = set()
    for node in ast.walk(tree):
        warns = isinstance(node, ast.Call) and ast.unparse(node.func) == "warnings.warn"
        if warns or isinstance(node, ast.Raise):
            found |= {id(part) for part in ast.walk(node)}
    return found


def is_equation(text: str) -> bool:
    """True if the only words of three letters or more are names of functions: ``c_i = c for all i`` has words."""
    return set(re.findall(r"[^\W\d_]{3,}", text)) <= FUNCTIONS


def test_texts_are_in_tables_alone() -> None:
    found = []
    for path in MODULES:
        tree = ast.parse(path.read_text("utf-8"))
        raised = messages(tree)
        for node in texts(tree):
            text = str(node.value)
            name = path.name if path.name != "__init__.py" else f"{path.parent.name}/__init__.py"
            known = text.startswith(NO_TEXTS.get(name, "\0")) or (name == "step_view/__init__.py" and is_equation(text))
            if id(node) not in raised and not known:
                found.append(f"{path.relative_to(ROOT)}, line {node.lineno}: {text!r}")
    assert not found
