"""All texts of the app are in tables of strings, and what fills the templates fits them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import nmt.ui
from tests.string_tables import ROOT, texts, unused_texts, wrong_fields

UI = Path(nmt.ui.__file__).parent
MODULES = sorted([*UI.rglob("*.py"), *(ROOT / "pages").glob("*.py")])
NO_TEXTS = {
    "files.py": "effect of",
    "page.py": ("<style>", "\nconst KEYS"),
    "explain.py": '<p role="status">',
    "export.py": "import nmt",
    "sentences.py": "<",
    "choose.py": "equal counts",
}
"""By module how a literal begins that is not a text but CSS, HTML, Python, JavaScript or the name of a setting."""


def test_texts_are_in_tables_alone() -> None:
    found = [
        f"{path.relative_to(ROOT)}, line {node.lineno}: {node.value!r}"
        for path in MODULES
        if path.name not in ("strings.py", "strings_ko.py")
        for node in texts(ast.parse(path.read_text("utf-8")))
        if not str(node.value).startswith(NO_TEXTS.get(path.name, "\0"))
    ]
    assert not found


def test_every_text_is_used() -> None:
    assert not unused_texts("nmt.ui", MODULES)


@pytest.mark.parametrize("folder", sorted({path.parent for path in MODULES}), ids=lambda path: path.name)
def test_templates_are_filled_with_their_fields(folder: Path) -> None:
    for path in folder.glob("*.py"):
        assert not wrong_fields(path), path.name
