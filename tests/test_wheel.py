"""The package: equal bytes twice, small, and in an empty folder far from the checkout it opens, translates and shows
what is stored, the last of these also without PyTorch."""

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from nmt.native import PREBUILT, _processor
from nmt.released import INSIDE
from tests.made_once import made_once

ROOT = Path(__file__).parent.parent
LARGEST = 25_000_000
"""Bytes of a wheel and of the source distribution."""
LINUX = sys.platform == "linux" and bool(shutil.which("cc")) and bool(shutil.which("objdump"))
SHOWN = """
import sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
import nmt.files
page = AppTest.from_file(str(nmt.files.ROOT / "app.py"), default_timeout=120)
page.switch_page(f"pages/{sys.argv[1]}")
for word in sys.argv[2:]:
    name, _, value = word.partition("=")
    page.query_params[name] = value
page.run()
assert not page.exception, page.exception
print(*(error.value for error in page.error), sep="\\n")
print("torch" in sys.modules)
"""
"""Draws a page, and prints its errors and whether PyTorch was imported."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout"),
    pytest.mark.timeout(900),
]


def checkout(folder: Path) -> Path:
    """The files that are tracked; large ones are links."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    needed = [name for name in listed.split("\0")[:-1] if not name.startswith(("tests/", "docs/", "benchmarks/"))]
    for name in needed:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            copy: Callable[..., object] = os.symlink if name.endswith(".safetensors") else shutil.copyfile
            copy(ROOT / name, folder / name)
    return folder


def build(source: Path, kind: str, out: Path, engine: str = "") -> Path:
    """Build a ``sdist`` or a ``wheel`` of a folder; returns the file."""
    code = f"from setuptools import build_meta; print('made', build_meta.build_{kind}({str(out)!r}))"
    about = {"SOURCE_DATE_EPOCH": "1700000000", "JOINTLY_ENGINE": engine}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=source, env=os.environ | about, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return out / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution and the pure wheel that was built from it."""

    def make(folder: Path) -> None:
        source = checkout(folder / "source")
        packed = build(source, "sdist", folder)
        with tarfile.open(packed) as archive:
            archive.extractall(folder, filter="data")
        build(folder / packed.name.removesuffix(".tar.gz"), "wheel", folder)

    return made_once(tmp_path_factory, "wheel", make)


def environment(wheel: Path, folder: Path, *, without: str = "") -> Path:
    """Make an environment with the wheel and with the packages that the tests have, but not those whose names begin
    with ``without``; returns its program jointly."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    packages = Path(sysconfig.get_paths()["purelib"])
    if without:
        kept = folder / "kept" / "site-packages"  # under this name Streamlit knows that it is installed
        kept.mkdir(parents=True)
        for path in packages.iterdir():
            if not path.name.startswith(without):
                (kept / path.name).symlink_to(path)
        packages = kept
    (place,) = (folder / "lib").glob("python*/site-packages")
    (place / "others.pth").write_text(f"{packages}\n")
    command = ["-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel]
    subprocess.run([sys.executable, *command], check=True, env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    return folder / "bin" / "jointly"


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    (wheel,) = built.glob("*-any.whl")
    return environment(wheel, tmp_path_factory.mktemp("installed") / "all")


@pytest.fixture(scope="module")
def without_torch(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    (wheel,) = built.glob("*-any.whl")
    return environment(wheel, tmp_path_factory.mktemp("installed") / "few", without="torch")


def elsewhere(folder: Path) -> dict[str, str]:
    """The environment of a user who has nothing but the package."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "OMP_NUM_THREADS": "1"}


def call(program: Path, folder: Path, *words: object, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [str(program), *map(str, words)]
    return subprocess.run(command, cwd=folder, env=elsewhere(folder), input=text, capture_output=True, text=True)


def test_wheel_and_source_distribution_are_small_and_have_the_weights_of_one_run(built: Path) -> None:
    (wheel,), (source,) = built.glob("*-any.whl"), built.glob("*.tar.gz")
    assert max(wheel.stat().st_size, source.stat().st_size) < LARGEST
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"nmt"}
    runs = "nmt/inside/checkpoints/"
    assert [name for name in names if name.endswith(".safetensors")] == [f"{runs}{INSIDE}/model.safetensors"]
    shown = {name.split("/")[3] for name in names if name.startswith(runs) and name.endswith("/config.json")}
    assert shown == {path.parent.name for path in (ROOT / "checkpoints").glob("*/config.json")}
    others = [name for name in names if name.startswith(runs) and f"/{INSIDE}/" not in name]
    assert not [name for name in others if "vocabulary" in name or "sentencepiece" in name or "word-counts" in name]
    assert {
        "nmt/native/engine.c",
        "nmt/page/engine.wasm",
        "nmt/inside/.streamlit/config.toml",
        f"{runs}LICENSES.md",
    } <= {*names}


def test_the_same_source_gives_the_same_wheel(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*-any.whl")
    assert build(checkout(tmp_path / "again"), "wheel", tmp_path).read_bytes() == wheel.read_bytes()


@pytest.mark.thorough
@pytest.mark.skipif(not LINUX, reason="needs C compilers on Linux")
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_wheel_for_linux_has_engines_and_the_same_bytes_twice(machine: str, built: Path, tmp_path: Path) -> None:
    if machine != platform.machine() and not shutil.which(f"{machine}-linux-gnu-gcc"):
        pytest.skip("the processor has no such engine, nor is there a compiler for it")
    source = next(path for path in built.iterdir() if path.is_dir() and path.name.startswith("jointly-"))
    made = [build(source, "wheel", tmp_path / each, machine) for each in "ab"]
    assert made[0].read_bytes() == made[1].read_bytes()
    assert re.search(rf"-py3-none-manylinux_2_\d+_{machine}\.whl$", made[0].name)
    kinds = {kind for kind in PREBUILT if (kind in ("dotprod", "neon")) == (machine == "aarch64")}
    with zipfile.ZipFile(made[0]) as archive:
        engines = [name for name in archive.namelist() if name.endswith(".so")]
        assert sorted(engines) == [f"nmt/native/engine-{kind}.so" for kind in sorted(kinds)]
        archive.extractall(tmp_path / "unpacked")
    code = "import nmt.native as n, sys; n.library(); print(n._prebuilt() if n.library() else n.library())"
    about = os.environ | {
        "PYTHONPATH": str(tmp_path / "unpacked"),
        "CC": "no-compiler",
        "JOINTLY_NATIVE": str(tmp_path),
    }
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, env=about, capture_output=True, text=True)
    if any(PREBUILT[kind] <= set(_processor().split()) for kind in kinds):
        assert done.stdout.strip().endswith(".so"), done.stderr
    else:
        assert "there is no C compiler" in done.stderr


@pytest.mark.thorough
def test_translate_and_page_need_no_name_of_a_run(installed: Path, tmp_path: Path) -> None:
    done = call(installed, tmp_path, "translate", text="The cat sleeps.\n")
    assert (done.returncode, done.stdout.count("\n")) == (0, 1), done.stderr
    assert INSIDE in done.stderr
    assert call(installed, tmp_path, "translate", INSIDE, text="The cat sleeps.\n").stdout == done.stdout
    assert call(installed, tmp_path, "page", "--out", "page.html").returncode == 0
    assert (tmp_path / "page.html").stat().st_size > 10_000_000
    another = call(installed, tmp_path, "translate", "rnnsearch-en-fr", text="The cat sleeps.\n")
    assert another.returncode == 2
    assert "`jointly get rnnsearch-en-fr --from FOLDER`" in another.stderr


def test_the_app_is_healthy_within_seconds(installed: Path, tmp_path: Path) -> None:
    about = elsewhere(tmp_path) | {"STREAMLIT_SERVER_HEADLESS": "true"}
    port = 8650 + os.getpid() % 1000
    with subprocess.Popen([installed, "app", "--port", str(port)], cwd=tmp_path, env=about) as app:
        try:
            begun, answer = time.monotonic(), ""
            while not answer and time.monotonic() - begun < 60:
                try:
                    address = f"http://127.0.0.1:{port}/_stcore/health"
                    answer = urllib.request.urlopen(address, timeout=5).read().decode()
                except OSError:
                    time.sleep(0.2)
            assert answer == "ok"
        finally:
            app.terminate()
    assert not (tmp_path / "runs").exists()


def drawn(program: Path, folder: Path, *words: str) -> list[str]:
    """What ``SHOWN`` prints of a page."""
    done = call(program.with_name("python"), folder, "-P", "-c", SHOWN, *words)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line]


def test_pages_show_what_is_stored_without_pytorch(without_torch: Path, tmp_path: Path) -> None:
    assert drawn(without_torch, tmp_path, "look.py") == ["False"]
    assert drawn(without_torch, tmp_path, "look.py", "pair=en-fr") == ["False"]
    assert drawn(without_torch, tmp_path, "length.py", "pair=en-fr") == ["False"]
    assert drawn(without_torch, tmp_path, "models.py", "show=cards", "pair=en-fr") == ["False"]


def test_a_sentence_of_ones_own_has_alpha_and_no_error_for_weights_that_are_elsewhere(
    installed: Path, tmp_path: Path
) -> None:
    assert drawn(installed, tmp_path, "look.py", "s=My dog likes the blue chair.") == ["True"]


def test_what_needs_pytorch_says_so_in_a_sentence(without_torch: Path, tmp_path: Path) -> None:
    *sentences, _ = drawn(without_torch, tmp_path, "look.py", "s=My dog likes the blue chair.")
    assert sentences
    assert all("jointly[torch]" in sentence.replace("\\", "") for sentence in sentences)
    done = call(without_torch, tmp_path, "translate", text="A cat.\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "jointly[torch]" in done.stderr
    assert call(without_torch, tmp_path, "page", "--out", "page.html").returncode == 0
