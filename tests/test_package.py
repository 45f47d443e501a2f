"""An installed package has every file that the modules beside it read."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PATTERNS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["*"]


def test_every_file_beside_the_modules_is_installed() -> None:
    files = {path for path in (ROOT / "nmt").rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")}
    packages = [path.parent for path in (ROOT / "nmt").rglob("__init__.py")]
    installed = {path for package in packages for pattern in PATTERNS for path in package.glob(pattern)}
    assert files
    assert sorted(files - installed) == []
