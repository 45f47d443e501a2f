"""The lock file names what the requirements ask for, each with its version and checksums, and nothing for a GPU."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENTRY = re.compile(r"^(\S+)==(\S+)((?: ;[^\\\n]*)?)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)

PARTS = ("core", "torch", "print", "app", "serve", "smt")
OPTIONAL = ("serve", "smt")


def asked() -> dict[str, str]:
    """Versions by package in the requirements files."""
    texts = [(ROOT / f"requirements-{name}.txt").read_text(encoding="utf-8") for name in PARTS]
    return dict(re.findall(r"^([\w.-]+)==(\S+)(?: ;.*)?$", "\n".join(texts), flags=re.MULTILINE))


def test_every_entry_has_checksums_and_what_is_asked_for_is_there() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = {(name, version) for name, version, _, _ in ENTRY.findall(text)}
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", "    --hash="))]
    assert len(ENTRY.findall(text)) == len(lines)
    assert set(asked().items()) - locked == {("torch", asked()["torch"])}
    assert f"torch=={asked()['torch']}\n" in text
    assert not [name for name, _ in locked if name.startswith(("torch", "nvidia-", "cuda-", "triton"))]


def test_requirements_txt_has_all_parts_but_those_that_are_optional() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    parts = [line for line in lines if line.startswith("-r ")]
    assert parts == [f"-r requirements-{name}.txt" for name in PARTS if name not in OPTIONAL]
    assert not [line for line in lines if line not in parts and not line.startswith("#")]


def test_the_commands_that_use_it_name_this_pytorch() -> None:
    assert f"torch=={asked()['torch']}\n" in (ROOT / "docs" / "install.md").read_text(encoding="utf-8")


def test_the_installer_takes_the_locked_packages_with_their_checksums_before_anything_else() -> None:
    steps = runpy.run_path(str(ROOT / ".ci" / "install.py"))["steps"](["requirements-dev.txt"])
    assert steps == [
        [f"torch=={asked()['torch']}"],
        ["--require-hashes", "--no-deps", "-r", ROOT / "requirements.lock"],
        ["-r", ROOT / "requirements-dev.txt"],
    ]
