"""README's tree names all of nmt and all folders, CONTRIBUTING's table nothing that is not there; tests mirror nmt."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.mirror import elsewhere, modules_to_test, reached

ROOT = Path(__file__).parent.parent
TREE = (ROOT / "README.md").read_text(encoding="utf-8").split("## The tree")[1].split("\n## ")[0]
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


def test_every_module_has_its_tests() -> None:
    """In a file of its name, or where the table of tests/mirror.py says; which names no module in vain."""
    assert [name for name, _ in modules_to_test()] == sorted(elsewhere())


@pytest.mark.parametrize("place", sorted(set(elsewhere().values())))
def test_a_place_of_tests_reaches_the_modules_that_it_tests(place: str) -> None:
    assert (ROOT / "tests" / place).exists()
    assert {name for name, where in elsewhere().items() if where == place} <= reached(place)
