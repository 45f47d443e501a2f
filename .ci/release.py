"""Make the files of a release in a folder; `make release` calls this.

They are the wheels (one for all systems and, on Linux, with the native engine, one for x86-64 and, where there is
a compiler for it, one for arm64), the source distribution, the documentation as a site that opens from disk, the page
that translates offline, every released run as a zip file that the app and `jointly get` take as it is, the licences of
their texts, and SHA256SUMS of all.

    .venv/bin/python .ci/release.py FOLDER [TAG]

The same commit is to give the same bytes: every date inside is the commit's, and owners are left out. TAG, such as
v0.2.0, has to fit the version in pyproject.toml.
"""

import gzip
import hashlib
import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE_OF = "rnnsearch-en-fr"
BUILD = ("-m", "uv", "build", "--quiet")
"""Makes the source distribution, and the wheel from that; setuptools is fetched for it."""


def main(folder, tag=None, build=BUILD):
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if tag and tag != f"v{version}":
        return f"The tag is {tag}, but the version in pyproject.toml is {version}."
    out = Path(folder).resolve()
    if out.exists() and any(out.iterdir()):
        return f"{out} is not empty."
    out.mkdir(parents=True, exist_ok=True)
    epoch = int(git("log", "-1", "--format=%ct"))
    packages(out, epoch, build)
    runs(out, epoch)
    site(out, epoch)
    shutil.copy(ROOT / "checkpoints" / "LICENSES.md", out / "LICENSES-of-runs.md")
    page = ["-m", "nmt", "page", f"checkpoints/{PAGE_OF}", "--out", str(out / "jointly.html")]
    subprocess.run([sys.executable, *page], cwd=ROOT, check=True)
    (out / "SHA256SUMS").write_text(sums(out), encoding="utf-8")
    return None


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def packages(out, epoch, build):
    """Wheel and source distribution, of the files of the commit alone."""
    source = out / "source"
    source.mkdir()
    tracked = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(tracked)) as archive:
        archive.extractall(source, filter="data")
    command = [sys.executable, *build, "--out-dir", str(out)]
    dated = os.environ | {"SOURCE_DATE_EPOCH": str(epoch)}
    subprocess.run([*command, str(source)], check=True, env=dated)
    if (sys.platform, platform.machine()) == ("linux", "x86_64"):
        for machine in ("x86_64", "aarch64"):
            if machine != platform.machine() and not shutil.which(f"{machine}-linux-gnu-gcc"):
                print(f"No wheel for {machine}: there is no {machine}-linux-gnu-gcc.", file=sys.stderr)
                continue
            subprocess.run([*command, "--wheel", str(source)], check=True, env=dated | {"JOINTLY_ENGINE": machine})
    shutil.rmtree(source)
    (out / ".gitignore").unlink(missing_ok=True)  # uv writes one
    (made,) = out.glob("*.tar.gz")
    repack(made, epoch)


def repack(path, epoch):
    """Write a source distribution anew with the dates of the commit, sorted, without owners."""
    with tarfile.open(path) as archive:
        entries = [(info, archive.extractfile(info).read() if info.isfile() else b"") for info in archive.getmembers()]
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for info, content in sorted(entries, key=lambda entry: entry[0].name):
            info.mtime, info.uid, info.gid, info.uname, info.gname, info.pax_headers = epoch, 0, 0, "", "", {}
            info.mode = 0o755 if info.isdir() or info.mode & 0o100 else 0o644
            archive.addfile(info, io.BytesIO(content))
    path.write_bytes(gzip.compress(written.getvalue(), mtime=epoch))


def runs(out, epoch):
    """Each released run as NAME.zip with one folder, NAME: its tracked files."""
    for run in sorted(path.parent for path in (ROOT / "checkpoints").glob("*/config.json")):
        names = git("ls-files", "-z", f"checkpoints/{run.name}").split("\0")[:-1]
        pack(out / f"{run.name}.zip", ROOT / "checkpoints", [ROOT / name for name in names], epoch)


def pack(archive, root, files, epoch):
    """Write files as a zip file, under their paths in ``root``, sorted, with one date."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(files):
            info = zipfile.ZipInfo(path.relative_to(root).as_posix(), time.gmtime(epoch)[:6])
            info.external_attr, info.create_system = 0o100644 << 16, 3
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, path.read_bytes())


def site(out, epoch):
    """The documentation as jointly-docs.zip, whose index.html opens from disk."""
    folder = out / "jointly-docs"
    subprocess.run([sys.executable, ".ci/site.py", str(folder)], cwd=ROOT, check=True)
    pack(out / "jointly-docs.zip", out, [path for path in folder.rglob("*") if path.is_file()], epoch)
    shutil.rmtree(folder)
    shutil.rmtree(f"{folder}-doctrees")


def sums(out):
    """What `sha256sum --check SHA256SUMS` reads."""
    files = sorted(path for path in out.iterdir() if path.name != "SHA256SUMS")
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
