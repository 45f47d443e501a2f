"""Image and release: what the Dockerfile and the workflow name is there, nobody is root, no address of a registry is in
a file, and the same content gives the same source distribution.

Nothing is built here: docs/deploy.md says what was.
"""

import hashlib
import http.server
import io
import json
import re
import runpy
import subprocess
import sys
import tarfile
import threading
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
LET_THROUGH = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
RELEASE: Any = runpy.run_path(str(ROOT / ".ci" / "release.py"))


def instructions() -> list[tuple[str, str]]:
    """Each instruction of the Dockerfile with its arguments, lines that continue joined."""
    lines = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


def arguments(wanted: str) -> list[str]:
    return [rest for name, rest in instructions() if name == wanted]


def passes(name: str) -> bool:
    return any(Path(name).match(shown) or name.startswith(f"{shown}/") for shown in LET_THROUGH)


def test_all_instructions_are_known_and_both_stages_have_one_base() -> None:
    known = {"FROM", "ARG", "WORKDIR", "COPY", "RUN", "ENV", "USER", "EXPOSE", "HEALTHCHECK", "CMD"}
    assert {name for name, _ in instructions()} == known
    assert len({base.split()[0] for base in arguments("FROM")}) == 1


def test_the_program_is_not_root_and_its_command_and_health_check_are_in_the_image() -> None:
    assert [name for name, _ in instructions()][-4:] == ["USER", "EXPOSE", "HEALTHCHECK", "CMD"]
    assert int(arguments("USER")[-1]) > 0
    called = json.loads(arguments("CMD")[-1])
    checked = json.loads(arguments("HEALTHCHECK")[-1].partition(" CMD ")[2])
    for script in (called[-1], checked[-1]):
        assert (ROOT / script).is_file()
        assert passes(script)


def test_what_is_let_through_is_there_and_what_is_copied_is_let_through() -> None:
    assert [name for name in LET_THROUGH if not list(ROOT.glob(name))] == []
    copied = [name for line in arguments("COPY") if not line.startswith("--from") for name in line.split()[:-1]]
    assert [name for name in copied if name != "." and not passes(name)] == []
    assert not any(passes(name) for name in ("tests/test_image.py", "docs/deploy.md", ".git/config", "runs/mine"))


@pytest.mark.parametrize("path", [ROOT / "Dockerfile", ROOT / ".dockerignore", WORKFLOW], ids=lambda path: path.name)
def test_no_address_of_a_registry(path: Path) -> None:
    assert "://" not in path.read_text()


def test_the_health_check_tells_whether_a_service_answers() -> None:
    health: Any = runpy.run_path(str(ROOT / ".ci" / "health.py"))["main"]

    class Healthy(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/health" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Healthy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = str(server.server_port)
        assert health(["1", port]) == 0
        assert health([port, "1"]) == 1  # an app has another address
        server.shutdown()
    assert health(["1", port]) == 1


def test_the_workflow_calls_targets_of_the_makefile_and_writes_only_where_it_releases() -> None:
    workflow = yaml.safe_load(WORKFLOW.read_text())
    assert workflow["permissions"] == {"contents": "read"}
    (job,) = workflow["jobs"].values()
    called = [step["run"] for step in job["steps"] if "run" in step]
    targets = re.findall(r"^([\w-]+):(?!=)", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    made = [line.split()[1] for line in called if line.startswith("make ")]
    assert made == ["setup", "check", "release"]
    assert set(made) <= set(targets)
    assert [line.split()[0] for line in called if not line.startswith("make ")] == ["sudo", "cd", "gh"]
    assert called[0].startswith("sudo apt-get update && sudo apt-get install -y gcc-")
    assert "--draft" in called[-1]


def test_a_release_of_another_version_or_into_a_full_folder_is_refused(tmp_path: Path) -> None:
    assert "v0.0.1" in RELEASE["main"](tmp_path, "v0.0.1")
    (tmp_path / "old.whl").touch()
    assert RELEASE["main"](tmp_path) == f"{tmp_path.resolve()} is not empty."


def test_a_source_distribution_has_the_date_of_the_commit_and_no_owner(tmp_path: Path) -> None:
    packed = set()
    for second, order in ((1, "ab"), (2, "ba")):
        path = tmp_path / f"{second}.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for name in order:
                info = tarfile.TarInfo(f"jointly/{name}")
                info.size, info.mtime, info.uid, info.uname = 3, second, second, f"user{second}"
                archive.addfile(info, io.BytesIO(b"abc"))
        RELEASE["repack"](path, 1_700_000_000)
        packed.add(path.read_bytes())
        with tarfile.open(path) as archive:
            assert [(info.name, info.mtime, info.uname) for info in archive] == [
                ("jointly/a", 1_700_000_000, ""), ("jointly/b", 1_700_000_000, "")
            ]  # fmt: skip
    assert len(packed) == 1


def test_checksums_are_as_hashlib_has_them(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"abc")
    assert RELEASE["sums"](tmp_path) == f"{hashlib.sha256(b'abc').hexdigest()}  a.zip\n"


def test_the_health_check_needs_nothing_but_pythons_standard_library() -> None:
    script = str(ROOT / ".ci" / "health.py")
    done = subprocess.run([sys.executable, "-I", "-S", script, "1", "1"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
