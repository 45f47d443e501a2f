"""README's tree names all of nmt and all folders, CONTRIBUTING's table nothing that is not there; tests mirror nmt."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.mirror import ELSEWHERE, modules_to_test, place_of, reached

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


@pytest.mark.parametrize("name", [*modules_to_test()])
def test_the_tests_of_a_package_reach_its_modules(name: str) -> None:
    assert name in reached(place_of(name))


def test_no_place_of_tests_is_named_in_vain() -> None:
    known = set(modules_to_test())
    for name, place in ELSEWHERE.items():
        assert (ROOT / "tests" / place).exists()
        assert name in known or any(other.startswith(f"{name}.") for other in known)
