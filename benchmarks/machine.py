"""What the results were measured on, and with which state of the code."""

from __future__ import annotations

import platform
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def describe_machine(cores: int, threads: int) -> dict[str, str | int]:
    """Processor, memory in GB, operating system, Python."""
    return {
        "processor": _processor(),
        "cores": cores,
        "threads": threads,
        "memory_gb": _memory(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def commit() -> str:
    """Of the repository, with "+ changes" if files that it knows are not as committed."""
    found = _git("rev-parse", "--short", "HEAD")
    return found + (" + changes" if found and _git("status", "--porcelain", "--untracked-files=no") else "")


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def _processor() -> str:
    """Name, and the vector and matrix units that matter here."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
    values = {key.strip(): value.strip() for key, value in fields.items()}
    name = values.get("model name", platform.machine())
    units = [flag for flag in ("avx2", "avx512f", "avx512_bf16", "amx_bf16") if flag in values.get("flags", "").split()]
    return f"{name} ({', '.join(units)})" if units else name


def _memory() -> int:
    try:
        text = Path("/proc/meminfo").read_text(encoding="utf-8")
    except OSError:
        return 0
    return round(int(text.split()[1]) / 1e6)
