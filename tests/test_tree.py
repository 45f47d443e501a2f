"""CONTRIBUTING's tree names all of nmt and all folders, its table nothing that is not there; tests mirror nmt."""

import re
import runpy
import subprocess
from pathlib import Path

import pytest

from tests.mirror import ELSEWHERE, modules_to_test, place_of, reached

ROOT = Path(__file__).parent.parent
TREE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## The tree")[1].split("\n## ")[0]
TABLE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("| To change |")[1].split("\n## ")[0]
ROWS = [line for line in TABLE.splitlines() if "`" in line]


def children(folder: Path) -> set[str]:
    """Modules and packages directly in a package, as the tree writes them."""
    packages = {f"{path.parent.name}/" for path in folder.glob("*/__init__.py")}
    return packages | {path.name for path in folder.glob("*.py") if not path.stem.startswith("__")}


def test_the_tree_names_every_package_and_top_module() -> None:
    block = TREE.split("    nmt/\n")[1].split("\n    checkpoints/")[0]
    named = re.findall(r"(?:^      |;  )(\w+(?:/|\.py))", block, flags=re.MULTILINE)
    assert sorted(named) == sorted(children(ROOT / "nmt"))


def test_the_tree_names_every_place_of_the_app() -> None:
    (line,) = [line for line in TREE.splitlines() if line.startswith("      ui/")]
    places = {name for name in children(ROOT / "nmt" / "ui") if name.endswith("/")}
    assert set(re.findall(r"(\w+/)", line)) - {"ui/"} == places


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip())
def test_all_paths_of_the_table_exist(row: str) -> None:
    """A name without a folder stands for one beside the path before it."""
    folder = ROOT
    for name in re.findall(r"`([\w./-]+(?:\.py|\.md|\.toml|/))`", row):
        path = ROOT / name if (ROOT / name).exists() else folder / name
        assert path.exists(), name
        folder = path if path.is_dir() and "/" in name.rstrip("/") else path.parent


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout")
def test_the_tree_names_every_folder() -> None:
    tracked = subprocess.run(["git", "ls-files", "*/*"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    folders = {f"{line.split('/')[0]}/" for line in tracked.splitlines() if not line.startswith(".")}
    assert folders
    assert set(re.findall(r"^    (\w+/)", TREE, flags=re.MULTILINE)) == folders


def test_modules_are_found_by_a_word_of_their_path_or_docstring(capsys: pytest.CaptureFixture[str]) -> None:
    script = runpy.run_path(str(ROOT / ".ci" / "places.py"))
    found = dict(script["places"]())
    assert set(found) >= {path.relative_to(ROOT).as_posix() for path in (ROOT / "nmt").rglob("*.py")}
    assert [path for path, docstring in found.items() if path.startswith("nmt/") and not docstring] == []
    script["main"](["Beam", "search/"])
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("nmt/search/beam.py: ") for line in lines)
    assert all("beam" in line.partition(": ")[0] or "beam" in found[line.partition(": ")[0]].lower() for line in lines)


@pytest.mark.parametrize("name", [*modules_to_test()])
def test_the_tests_of_a_package_reach_its_modules(name: str) -> None:
    assert name in reached(place_of(name))


def test_no_place_of_tests_is_named_in_vain() -> None:
    known = set(modules_to_test())
    for name, place in ELSEWHERE.items():
        assert (ROOT / "tests" / place).exists()
        assert name in known or any(other.startswith(f"{name}.") for other in known)
