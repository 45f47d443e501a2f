"""Build of the package: the modules, and in nmt/inside what the app shows (app, pages, test sets, runs). All runs are
there to be looked at; the weights of one, ``inside`` of nmt/released/released.toml, are there as well.

With JOINTLY_ENGINE=x86_64 or aarch64 the wheel also has nmt/native/engine.c compiled for Linux on such processors, by a
cross-compiler on others, and is named after the oldest C library that this needs. Everything else is in pyproject.toml.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parent
SHOWN = ("app.py", "pages", "static", ".streamlit", "testsets", "checkpoints")
"""What the app needs beside the modules."""
VIEWED = re.compile(
    r"README\.md|(config|checksums|provenance|weights)\.json|training\.jsonl|(evaluation|alignment|stress)/.*"
)
"""Files of a run that are shown without its weights; vocabularies are made of the corpora, as weights are."""
KINDS = {
    "x86_64": {
        "avx512": ("-march=x86-64-v4", "-mavx512vnni"),
        "avxvnni": ("-march=x86-64-v3", "-mavxvnni"),
        "avx2": ("-march=x86-64-v3",),
    },
    "aarch64": {"dotprod": ("-march=armv8.2-a+dotprod",), "neon": ("-march=armv8-a",)},
}
"""Flags of the compiler for each machine and kind of processor; Debian: gcc-aarch64-linux-gnu."""
ENGINE = os.environ.get("JOINTLY_ENGINE", "")


def fill(target: Path) -> None:
    """Copy what is shown into a folder, in the order of the names."""
    inside = tomllib.loads((ROOT / "nmt/released/released.toml").read_text(encoding="utf-8"))["inside"]
    for path in sorted(path for name in SHOWN for path in (ROOT / name, *(ROOT / name).rglob("*")) if path.is_file()):
        place = path.relative_to(ROOT)
        parts = place.parts
        if "__pycache__" in parts or path.name == ".lock":
            continue
        (target / place).parent.mkdir(parents=True, exist_ok=True)
        if parts[0] != "checkpoints" or len(parts) == 2 or parts[1] == inside or VIEWED.fullmatch("/".join(parts[2:])):
            (target / place).unlink(missing_ok=True)  # a source distribution has licences as links
            shutil.copyfile(path, target / place)
        elif path.name == "model.safetensors":
            (target / place).with_name("weights.json").write_text(header(path), encoding="utf-8")


def header(weights: Path) -> str:
    """What a weights file says of its weights, and its size."""
    with weights.open("rb") as file:
        told = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    return json.dumps({"format": 1, "bytes": weights.stat().st_size, "header": told}, sort_keys=True) + "\n"


def tool(machine: str, name: str) -> str:
    """A compiler, or a tool that reads what it wrote, for a machine."""
    return name if machine == platform.machine() else f"{machine}-linux-gnu-{name}"


def compile_engine(package: Path, machine: str) -> None:
    """Compile the engine for kinds of processors, as ``PREBUILT`` of nmt/native names them."""
    flags = "-O3 -std=gnu11 -fno-math-errno -fno-trapping-math -ffp-contract=fast -fvisibility=hidden -fPIC -shared -s"
    flags += " --param=avoid-fma-max-bits=0"  # why: FLAGS in nmt/native/__init__.py
    compiler = tool(machine, "gcc")
    for kind, processor in KINDS[machine].items():
        out = ["-Wl,--build-id=none", "-o", package / f"engine-{kind}.so", "engine.c", "-lm"]
        subprocess.run([compiler, *flags.split(), *processor, *out], cwd=ROOT / "nmt" / "native", check=True)


class Modules(build_py):
    """Copies the modules into an empty folder, so that none that has been renamed since the last build is installed."""

    def run(self) -> None:
        if self.editable_mode:
            return super().run()
        package = Path(self.build_lib, "nmt").resolve()
        if Path(self.build_lib).is_dir():
            shutil.rmtree(self.build_lib)
        super().run()
        if (ROOT / "app.py").is_file():
            fill(package / "inside")
        if ENGINE:
            compile_engine(package / "native", ENGINE)


class Source(sdist):
    """Has what is shown, too, so that a wheel can be built from it."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        fill(Path(base_dir).resolve())


class Wheel(bdist_wheel):
    """Pure, or for Linux on one kind of machine."""

    def get_tag(self) -> tuple[str, str, str]:
        if not ENGINE:
            return super().get_tag()
        engines = sorted(Path(self.bdist_dir, "nmt", "native").glob("*.so"))
        made = subprocess.run([tool(ENGINE, "objdump"), "-T", *engines], capture_output=True, check=True)
        needed = max(map(int, re.findall(rb"GLIBC_2\.(\d+)", made.stdout)))
        return "py3", "none", f"manylinux_2_{max(needed, 17)}_{ENGINE}"


class Package(Distribution):
    def has_ext_modules(self) -> bool:
        return bool(ENGINE)


if __name__ == "__main__":
    setup(distclass=Package, cmdclass={"build_py": Modules, "sdist": Source, "bdist_wheel": Wheel})
