"""The list of licences names the packages of the lock file, and says of each what the package itself states."""

import re
import runpy
from email.message import Message
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM: Any = runpy.run_path(str(ROOT / ".ci" / "licences.py"))
LISTED = re.findall(
    r"^\| ([\w.-]+) \| ([^|]+) \| ([^|]+) \|$",
    (ROOT / "docs" / "licences.md").read_text(encoding="utf-8"),
    flags=re.MULTILINE,
)[2:]
"""Name, versions and licence of each package; the first two rows are the head of the table."""


def test_the_list_has_the_packages_and_versions_of_the_lock_file_and_pytorch() -> None:
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    expected = set(re.findall(r"^([\w.-]+)==(\S+)", locked, flags=re.MULTILINE))
    expected |= {("torch", re.findall(r"^#   pip install torch==(\S+)", locked, flags=re.MULTILINE)[0])}
    assert {(name, version) for name, versions, _ in LISTED for version in versions.split(", ")} == expected


def test_a_package_that_is_installed_in_a_listed_version_states_the_licence_of_the_list() -> None:
    compared = 0
    for name, versions, licence in LISTED:
        try:
            stated = metadata(name)
        except PackageNotFoundError:  # of another platform
            continue
        if stated["Version"].partition("+")[0] == versions:  # those with several were listed as one of these states it
            assert PROGRAM["licence_of"](stated) == licence
            compared += 1
    assert compared > len(LISTED) / 2


@pytest.mark.parametrize(("fields", "licence"), [
    ({"License-Expression": "MIT OR Apache-2.0", "License": "other"}, "MIT OR Apache-2.0"),
    ({"License": " MPL-2.0 ", "Classifier": "License :: OSI Approved :: MIT License"}, "MPL-2.0"),
    ({"License": "Take it\nand keep it", "Classifier": "License :: OSI Approved :: MIT License"}, "MIT License"),
    ({"License": "Copyright 2020 A. Person", "Classifier": "License :: OSI Approved :: MIT License"}, "MIT License"),
    ({"License": "x" * 100, "Classifier": "Topic :: Text"}, ""),
    ({}, ""),
])  # fmt: skip
def test_the_shortest_statement_of_a_package_is_taken(fields: dict[str, str], licence: str) -> None:
    stated = Message()
    for name, value in fields.items():
        stated[name] = value
    assert PROGRAM["licence_of"](stated) == licence
