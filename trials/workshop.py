"""A small corpus, and the commands that make everything else from it: prepare, train, release, evaluate."""

import hashlib
import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from nmt.runs.folder import BEST, LAST, TRAINING
from trials.children import completed
from trials.trial import must

_WORDS = "one two three four five small large red green words and of".split()
_MEASURED = {"seconds", "words_per_second"}
"""What differs between two trainings of the same settings."""
SETTINGS = (
    "training.max_updates=24", "training.keep=8,16", "training.save_every=4", "training.log_every=4",
    "training.validate_every=8",
)  # fmt: skip


def write_corpus(folder: Path) -> Path:
    """Write sentences of three to eight words, and their words in the other order, by a fixed rule."""
    folder.mkdir(parents=True)
    for name, count, begin in (("train", 120, 1), ("dev", 20, 2), ("test", 12, 3)):
        lines = [
            [_WORDS[(begin + 7 * line + 5 * place) % len(_WORDS)] for place in range(3 + line % 6)]
            for line in range(count)
        ]
        (folder / f"{name}.en").write_text("".join(f"{' '.join(line)}\n" for line in lines), encoding="utf-8")
        (folder / f"{name}.fr").write_text("".join(f"{' '.join(line[::-1])}\n" for line in lines), encoding="utf-8")
    return folder


def prepare(corpus: Path, out: Path) -> list[str]:
    pairs = [str(corpus / name) for name in ("train.en", "train.fr", "dev.en", "dev.fr")]
    languages = ["--source-lang", "en", "--target-lang", "fr"]
    return ["prepare", "--corpus", *pairs[:2], "--dev", *pairs[2:], *languages, "--out", str(out)]


def train(data: Path, run: Path, *, resume: bool = False) -> list[str]:
    if resume:
        return ["train", "debug", "--data", str(data), "--run", str(run), "--device", "cpu", "--resume"]
    assignments = [part for setting in SETTINGS for part in ("--set", setting)]
    return ["train", "debug", "--data", str(data), "--run", str(run), "--device", "cpu", *assignments]


def evaluate(corpus: Path, run: Path) -> list[str]:
    test = ["--source", str(corpus / "test.en"), "--reference", str(corpus / "test.fr"), "--name", "toy"]
    return ["evaluate", str(run), *test, "--beam", "2"]


def release(run: Path, out: Path) -> list[str]:
    return ["release", "publish", str(run), str(out)]


def make(log: Path, arguments: list[str]) -> float:
    """Run a command that must succeed; returns the seconds that it took."""
    status, seconds = completed(log, arguments)
    must(status == 0, f"{arguments} ended with {status}: {log.read_text(encoding='utf-8')[-1500:]}")
    return seconds


def content(folder: Path) -> dict[str, str]:
    """Fingerprints of all files of a folder by name, without what every training has of its own: times, its
    provenance and its state for resumption. Weights count by their tensors."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or name in ("provenance.json", "resume.safetensors", ".lock", "checksums.json"):
            continue
        found[name] = _fingerprint(path, name)
    return found


def _fingerprint(path: Path, name: str) -> str:
    if path.name in (BEST, LAST) or path.parent.name == "steps":
        tensors = load_file(path)
        parts = [f"{key} {value.dtype} {value.shape} {_sum(value)}" for key, value in sorted(tensors.items())]
        return "\n".join(parts)
    if name == TRAINING:
        events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return json.dumps([{key: event[key] for key in event if key not in _MEASURED} for event in events])
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _sum(values: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> str:
    return hashlib.sha256(values.tobytes()).hexdigest()


def same(found: dict[str, str], expected: dict[str, str]) -> None:
    """Check that two folders have the same files with the same contents."""
    must(set(found) == set(expected), f"other files: {sorted(set(found) ^ set(expected))}")
    different = [name for name in expected if found[name] != expected[name]]
    must(not different, f"other contents: {different}")
