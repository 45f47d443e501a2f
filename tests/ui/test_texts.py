"""All texts of the app are in tables."""

import ast
from pathlib import Path

import nmt.ui
from tests.texts_used import ROOT, texts

UI = Path(nmt.ui.__file__).parent
MODULES = sorted([*UI.rglob("*.py"), *(ROOT / "pages").glob("*.py")])
NO_TEXTS = {
    "files.py": "effect of",
    "page.py": ("<", "\nconst KEYS"),
    "export.py": "import nmt",
    "sentences.py": "<",
    "text.py": "<",
    "choose.py": "equal counts",
}
"""By module how a literal begins that is not a text but CSS, HTML, Python, JavaScript or the name of a setting."""


def test_texts_are_in_tables_alone() -> None:
    found = [
        f"{path.relative_to(ROOT)}, line {node.lineno}: {node.value!r}"
        for path in MODULES
        for node in texts(ast.parse(path.read_text("utf-8")))
        if not str(node.value).startswith(NO_TEXTS.get(path.name, "\0"))
    ]
    assert not found
