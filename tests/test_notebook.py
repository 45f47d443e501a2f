"""The notebook in docs runs in any folder, and what it shows is what its cells give."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "docs/notebooks/alignment.ipynb"


def code_cells() -> list[dict[str, Any]]:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; what its last line gives, as a notebook would show it."""
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return eval(compile(last, "cell", "eval"), names) if last else None


@pytest.mark.slow
def test_the_cells_run_and_show_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for cell in code_cells():
        shown = run("".join(cell["source"]), names)
        kept = [output["data"] for output in cell["outputs"]]
        assert ["".join(data["text/plain"]) for data in kept] == ([] if shown is None else [repr(shown)])
        assert [data.get("image/svg+xml") is not None for data in kept] == [hasattr(shown, "_repr_svg_")] * len(kept)
    assert (tmp_path / "fig3.pdf").read_bytes().startswith(b"%PDF-")


def test_the_notebook_is_small_and_knows_no_machine() -> None:
    text = NOTEBOOK.read_text("utf-8")
    assert len(text) < 300_000
    for beginning in ("/home", "/root", "/tmp", "/work", "/Users", "C:\\\\"):
        assert beginning not in text
    assert [cell["execution_count"] for cell in code_cells()] == list(range(1, len(code_cells()) + 1))
