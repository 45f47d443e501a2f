import gzip
import lzma
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

WriteCorpus = Callable[..., tuple[Path, Path]]


@pytest.fixture
def write_corpus(tmp_path: Path) -> WriteCorpus:
    """Write parallel lines to two files in tmp_path, compressed as the suffix says."""

    def write(name: str, pairs: Sequence[tuple[str, str]], suffix: str = "", line_end: str = "\n") -> tuple[Path, Path]:
        compress = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}[suffix]
        paths = tmp_path / f"{name}.en{suffix}", tmp_path / f"{name}.fr{suffix}"
        for path, lines in zip(paths, zip(*pairs, strict=True), strict=True):
            path.write_bytes(compress("".join(line + line_end for line in lines).encode()))
        return paths

    return write
