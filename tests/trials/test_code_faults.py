"""Small faults in the code: each changes one expression and nothing else."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import pytest

from trials.code_faults import EQUIVALENT, ROOT, TESTS, CodeFault, code_faults, drawn, importing_tests

SOURCE = '''"""é"""
from __future__ import annotations
TYPE_CHECKING = False
if TYPE_CHECKING:
    import a

def f(x: int = 1, é: str = "字") -> bool:
    return "字" in é and (x
        < 2) if x else not x
'''


def test_each_changes_one_expression(tmp_path: Path) -> None:
    path = tmp_path / "nmt.py"
    path.write_text(SOURCE, encoding="utf-8")
    found = {}
    for fault in code_faults(path, "nmt.py"):
        path.write_text(SOURCE, encoding="utf-8")
        fault.put_into(tmp_path)
        found[fault.before.replace("\n       ", "")] = ast.unparse(ast.parse(path.read_text(encoding="utf-8")))
    whole = ast.unparse(ast.parse(SOURCE))
    assert found == {
        "False": whole.replace("= False", "= True"),
        "1": whole.replace("int=1", "int=2"),
        "2": whole.replace("< 2", "< 3"),
        "x < 2": whole.replace("x < 2", "x <= 2"),
        '"字" in é': whole.replace("'字' in é", "'字' not in é"),
        '"字" in é and (x < 2)': whole.replace("é and x", "é or x"),
        "not x": whole.replace("not x", "x"),
        '"字" in é and (x < 2) if x else not x': whole.replace(
            "'字' in é and x < 2 if x else not x", "not x if x else '字' in é and x < 2"
        ),
    }


def test_they_are_drawn_over_all_packages_and_again() -> None:
    faults = [drawn(Random(seed)) for seed in range(60)]
    assert {fault.path.split("/")[1] for fault in faults} == set(TESTS)
    assert faults[:5] == [drawn(Random(seed)) for seed in range(5)]
    for fault in faults:
        source = (ROOT / fault.path).read_bytes()
        assert source[fault.start : fault.end].decode() == fault.before
        ast.parse(source[: fault.start] + fault.after.encode() + source[fault.end :])


@pytest.mark.parametrize(("name", "line"), EQUIVALENT)
def test_what_is_known_to_change_nothing_can_still_be_drawn(name: str, line: str, tmp_path: Path) -> None:
    """A line that was rewritten since must be entered again."""
    (tmp_path / name).parent.mkdir(parents=True)
    changed = set()
    for fault in code_faults(ROOT / name, name, equivalent=()):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
        fault.put_into(tmp_path)
        changed.add((tmp_path / name).read_text(encoding="utf-8").splitlines()[fault.line - 1].strip())
    assert line in changed


def _fault(path: str) -> CodeFault:
    return CodeFault(path=path, line=1, before="", after="", start=0, end=0)


def test_the_tests_that_import_the_module_come_first(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "search"
    folder.mkdir(parents=True)
    (folder / "test_all.py").write_text("import nmt.search.beam\n")
    (folder / "test_beam.py").write_text("from nmt.search.beam import beam_search\n")
    (folder / "test_beams.py").write_text("from nmt.search.beams import more\n")
    (folder / "test_both.py").write_text("from nmt.search import greedy, beam\n")
    near = importing_tests(_fault("nmt/search/beam.py"), tmp_path)
    assert near == ["tests/search/test_beam.py", "tests/search/test_all.py", "tests/search/test_both.py"]
    assert importing_tests(_fault("nmt/search/none.py"), tmp_path) == []
