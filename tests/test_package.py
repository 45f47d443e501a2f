"""An installed package has every file that the modules beside it read, and no module that is no longer there."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PATTERNS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["*"]


def test_every_file_beside_the_modules_is_installed() -> None:
    files = {path for path in (ROOT / "nmt").rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")}
    packages = [path.parent for path in (ROOT / "nmt").rglob("__init__.py")]
    installed = {path for package in packages for pattern in PATTERNS for path in package.glob(pattern)}
    assert files
    assert sorted(files - installed) == []


@pytest.mark.slow
def test_a_module_of_a_former_build_is_not_installed(tmp_path: Path) -> None:
    """setuptools copies into build/ and packs all that it finds there."""
    for file in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, tmp_path)
    (tmp_path / "nmt").mkdir()
    shutil.copy(ROOT / "nmt" / "__init__.py", tmp_path / "nmt")
    former = tmp_path / "build" / "lib" / "nmt" / "renamed.py"
    former.parent.mkdir(parents=True)
    former.touch()
    build = "from setuptools import build_meta; build_meta.build_wheel('made')"
    subprocess.run([sys.executable, "-c", build], cwd=tmp_path, check=True, capture_output=True)
    (wheel,) = (tmp_path / "made").glob("*.whl")
    modules = {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".py")}
    assert modules == {"nmt/__init__.py"}
