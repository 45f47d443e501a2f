"""eflomal (Östling, Tiedemann 2016: Efficient word alignment with Markov chain Monte Carlo), in its own environment."""

import os
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nmt.alignments.links import BothDirections
from nmt.data.links import read_links
from release.environments import ROOT, Peer, environment

EFLOMAL = Peer("eflomal", "eflomal", ROOT / "release", "eflomal.txt")
"""pip compiles it: the one peer that needs a C compiler."""

MODEL = 3
"""IBM 1, then HMM, then HMM with fertility: eflomal's best and its default."""


@dataclass(frozen=True)
class Alignments:
    """Two files of links, one a direction, with as many lines as there were pairs, and how long they took."""

    forward: Path
    backward: Path
    seconds: float

    def read(self) -> Iterator[BothDirections]:
        """Pair by pair."""
        for forward, backward in zip(read_links(self.forward), read_links(self.backward), strict=True):
            yield BothDirections(frozenset(forward.words), frozenset(backward.words))


def align(source: Path, target: Path, folder: Path, threads: int) -> Alignments:
    """Train on the pairs of two files of words, and align them, in both directions; the results go into ``folder``.

    Raises:
        NotInstalled: eflomal cannot be installed.
        RuntimeError: it failed.
    """
    python = environment(EFLOMAL)
    forward, backward = folder / "forward.links", folder / "backward.links"
    command = [
        str(python),
        str(python.with_name("eflomal-align")),
        *("--source", str(source), "--target", str(target), "--model", str(MODEL), "--overwrite"),
        *("--forward-links", str(forward), "--reverse-links", str(backward)),
    ]
    began = time.perf_counter()
    status = subprocess.run(command, env=os.environ | {"OMP_NUM_THREADS": str(threads)}, check=False).returncode
    seconds = time.perf_counter() - began
    if status != 0 or not forward.is_file() or not backward.is_file():
        raise RuntimeError(f"eflomal failed, with status {status}")
    return Alignments(forward, backward, seconds)
