"""The lock file names what the requirements ask for, each with its version and checksums, and nothing for a GPU."""

import re
import runpy
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENTRY = re.compile(r"^(\S+)==(\S+)((?: ;[^\\\n]*)?)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)

NOT_ARM = 'sys_platform != "linux" or platform_machine == "x86_64"'
INSTALL = runpy.run_path(str(ROOT / ".ci" / "install.py"))


def asked(*extras: str) -> dict[str, str]:
    """Versions by package that extras ask for, "" for the dependencies of all; without a name everything."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = "\n".join(
        line for extra in extras or ("", *project["optional-dependencies"]) for line in INSTALL["asked"](extra)
    )
    return dict(re.findall(r"^([\w.-]+)==(\S+)(?: ;.*)?$", lines, flags=re.MULTILINE))


def test_every_entry_has_checksums_and_what_is_asked_for_is_there() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = {(name, version) for name, version, _, _ in ENTRY.findall(text)}
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", "    --hash="))]
    assert len(ENTRY.findall(text)) == len(lines)
    assert set(asked().items()) - locked == {("torch", asked()["torch"])}
    assert f"torch=={asked()['torch']}\n" in text
    assert not [name for name, _ in locked if name.startswith(("torch", "nvidia-", "cuda-", "triton"))]


def test_requirements_txt_has_what_the_app_and_the_commands_need() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert dict(line.split("==") for line in lines[1:]) == asked("", "torch", "app")
    assert asked("app").items() >= asked("print").items()
    assert asked().keys() - asked("", "torch", "app").keys() == {
        *("starlette", "uvicorn", "prometheus-client", "sil-thot", "transformers", "anywidget")
    }


def test_the_commands_that_use_it_name_this_pytorch() -> None:
    assert f"torch=={asked()['torch']}\n" in (ROOT / "docs" / "install.md").read_text(encoding="utf-8")


def test_the_installer_takes_the_locked_packages_with_their_checksums_before_anything_else() -> None:
    steps = INSTALL["steps"](["requirements-dev.txt", "smt"])
    assert steps == [
        [f"torch=={asked()['torch']}"],
        ["--require-hashes", "--no-deps", "-r", ROOT / "requirements.lock"],
        ["-r", ROOT / "requirements-dev.txt", f"sil-thot=={asked()['sil-thot']} ; {NOT_ARM}"],
    ]
