"""Small faults in the code: each changes one expression and nothing else, in Python as in JavaScript."""

import ast
from functools import cache
from pathlib import Path
from random import Random

import pytest

from trials.code_faults import (
    BROWSER,
    EQUIVALENT,
    GROUPS,
    ROOT,
    SHORT,
    CodeFault,
    code_faults,
    drawn,
    finding,
    group_of,
    importing_tests,
    rounds,
)

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


JAVASCRIPT = """// 1 < 2 is "true"
import { two } from "./two.js";
const text = `3 ${two}` + 'it\\'s 4' + (two > 5 && /[0-9] < 6/.test(text) ? 7 : 0.8);
const kept = (x) => x <= 9 || !true;
"""


def test_each_changes_one_token_of_javascript(tmp_path: Path) -> None:
    """No comment, no text, no regular expression, no part of a fraction."""
    path = tmp_path / "some.js"
    path.write_text(JAVASCRIPT, encoding="utf-8")
    found = []
    for fault in code_faults(path, "some.js"):
        path.write_text(JAVASCRIPT, encoding="utf-8")
        fault.put_into(tmp_path)
        changed = path.read_text(encoding="utf-8").splitlines()
        (line,) = (n for n, (new, old) in enumerate(zip(changed, JAVASCRIPT.splitlines(), strict=True)) if new != old)
        assert line + 1 == fault.line
        found.append((fault.line, fault.before.strip(), fault.after.strip()))
    assert found == [
        (3, "+", "-"),
        (3, "+", "-"),
        (3, ">", ">="),
        (3, "5", "6"),
        (3, "&&", "||"),
        (3, "7", "8"),
        (4, "<=", "<"),
        (4, "9", "10"),
        (4, "||", "&&"),
        (4, "true", "false"),
    ]


@pytest.mark.parametrize("group", GROUPS)
def test_they_are_drawn_over_all_packages_of_a_group_and_again(group: str) -> None:
    faults = [drawn(Random(seed), group) for seed in range(25)]
    assert {group_of(fault.path) for fault in faults} == {group}
    large = {name for name in GROUPS[group] if len([*(ROOT / "nmt" / name).rglob("*.py")]) > 15}
    assert {fault.path.split("/")[1] for fault in faults} >= large
    assert faults[:5] == [drawn(Random(seed), group) for seed in range(5)]
    for fault in faults:
        source = (ROOT / fault.path).read_bytes()
        assert source[fault.start : fault.end].decode() == fault.before
        if fault.path.endswith(".py"):
            ast.parse(source[: fault.start] + fault.after.encode() + source[fault.end :])


def test_javascript_is_drawn_with_the_app() -> None:
    kinds = {Path(drawn(Random(seed), "app, JavaScript").path).suffix for seed in range(25)}
    assert kinds == {".py", ".js"}


@pytest.mark.parametrize("folder", BROWSER)
def test_the_tests_in_chromium_that_concern_a_folder_are_there(folder: str) -> None:
    assert [*(ROOT / folder / "js").glob("*.js")]
    for name in BROWSER[folder]:
        assert (ROOT / "tests" / "browser" / f"test_{name}.py").exists(), name


def test_the_nearest_tests_come_first_and_all_of_them_last() -> None:
    python = rounds(_fault("nmt/search/beam.py"))
    assert python[0][0][0] == "tests/search/test_beam.py"
    assert python[1][0] == ["tests/search"]
    javascript = rounds(_fault("nmt/page/js/native.js"))
    assert javascript[1][0] == ["tests/page"]
    assert "tests/browser/test_translating_page.py" in javascript[2][0]
    assert python[-1] == javascript[-1] == (["tests"], SHORT)
    assert f"'{SHORT}'" in (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "line"), EQUIVALENT)
def test_what_is_known_to_change_nothing_can_still_be_drawn(name: str, line: str) -> None:
    """A line that was rewritten since must be entered again."""
    assert line in changed_lines(name)


@cache
def changed_lines(name: str) -> set[str]:
    """What the faults of a file make of their lines."""
    data, changed = (ROOT / name).read_bytes(), set()
    for fault in code_faults(ROOT / name, name, equivalent=()):
        whole = data[: fault.start] + fault.after.encode() + data[fault.end :]
        changed.add(whole.splitlines()[fault.line - 1].decode().strip())
    return changed


def _fault(path: str) -> CodeFault:
    return CodeFault(path=path, line=1, before="", after="", start=0, end=0)


def test_the_tests_that_import_the_module_come_first(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "search"
    folder.mkdir(parents=True)
    (folder / "test_all.py").write_text("import nmt.search.beam\n")
    (folder / "test_beam.py").write_text("from nmt.search.beam import beam_search\n")
    (folder / "test_beams.py").write_text("from nmt.search.beams import more\n")
    (folder / "test_both.py").write_text("from nmt.search import topk, beam\n")
    near = importing_tests(_fault("nmt/search/beam.py"), "tests/search", tmp_path)
    assert near == ["tests/search/test_beam.py", "tests/search/test_all.py", "tests/search/test_both.py"]
    assert importing_tests(_fault("nmt/search/none.py"), "tests/search", tmp_path) == []


TESTED = "def larger(a, b):\n    return a if a > b else b\n"
TESTS = """
import pytest
from nmt.search.larger import larger

def test_this_fails_anyway():
    assert larger(1, 1) == 2

def test_of_the_larger():
    assert larger(1, 2) == 2
"""


@pytest.mark.slow
@pytest.mark.parametrize(("what", "found"), [("if", True), (">", False)])
def test_what_fails_without_the_fault_too_does_not_find_it(what: str, found: bool, tmp_path: Path) -> None:
    """The other branch is found by one of two tests, although the first fails in any case; a >= b by none."""
    for folder in ("nmt/search", "tests/search"):
        (tmp_path / "copy" / folder).mkdir(parents=True)
    for folder in ("nmt", "nmt/search"):  # a package, which goes before the one that is installed
        (tmp_path / "copy" / folder / "__init__.py").write_text("")
    module = tmp_path / "copy" / "nmt" / "search" / "larger.py"
    module.write_text(TESTED)
    (tmp_path / "copy" / "tests" / "search" / "test_larger.py").write_text(TESTS)
    (tmp_path / "copy" / "pytest.ini").write_text("[pytest]\nmarkers =\n  slow\n  browser\n  journey\n  thorough\n")
    (fault,) = (
        fault
        for fault in code_faults(module, "nmt/search/larger.py")
        if (" if " in fault.before) == (what == "if") and what in fault.before
    )
    answer = finding(fault, tmp_path / "copy")
    assert answer == ("tests/search/test_larger.py::test_of_the_larger" if found else "")
    assert module.read_text() == TESTED
