"""Marian as PyPI has it (pymarian): its own trainer and translator, on text as they read it.

Training runs in a process of its own for each portion, whose log has the seconds of every update; those of the first,
which also builds the graph, are left out. The end mark gets a bias that no hypothesis overcomes, so that all outputs
are as long as they may be.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pymarian import Translator

from benchmarks.batches import FIRST_ID, Minibatch, load_minibatches, sentences_to_translate
from benchmarks.sizes import SIZES, Size
from benchmarks.workers.protocol import WORDS, Worker, serve

NEVER = -1e4
"""Bias of the end mark, nats."""
SECONDS = re.compile(r" : Time ([0-9.]+)s : ")


class Marian(Worker):
    name = "Marian"
    version = f"{version('pymarian')} (PyPI's build for AVX)"

    def __init__(self) -> None:
        super().__init__()
        self._folder = TemporaryDirectory()
        self._models: dict[str, Path] = {}
        self._key: tuple[str, int, int] | None = None

    def precisions(self, work: str) -> list[str]:
        return ["fp32"]

    def train_portion(self, request: dict[str, Any]) -> dict[str, Any]:
        size = SIZES[request["size"]]
        every = load_minibatches(Path(request["minibatches"]))
        chosen = [every[number] for number in request["numbers"]]
        with TemporaryDirectory() as name:
            log = _train(Path(name), size, [chosen[0], *chosen], self.threads)
            seconds = [float(value) for value in SECONDS.findall(log)]
            if len(seconds) != 1 + len(chosen):
                raise RuntimeError(f"{1 + len(chosen)} minibatches were {len(seconds)} updates")
            parameters = _parameters(Path(name) / "model.npz")
        return {
            "seconds": sum(seconds[1:]),
            "units": sum(batch.target_tokens for batch in chosen),
            "parameters": parameters,
        }

    def decode_portion(self, request: dict[str, Any]) -> dict[str, Any]:
        size, number, at_once = SIZES[request["size"]], request["sentences"], request["at_once"]
        key = (size.name, request["beam"], at_once)
        if self._key != key:
            self._translator = self._new_translator(size, request["beam"], at_once)
            self._key = key
        lines = _lines(sentences_to_translate(size.vocabulary, request["seed"], number, WORDS))
        began = time.perf_counter()
        outputs: list[str] = []
        for start in range(0, number, at_once):
            outputs += self._translator.translate(lines[start : start + at_once])
        seconds = time.perf_counter() - began
        if [len(output.split()) for output in outputs] != [WORDS] * number:
            raise RuntimeError(f"not all of {len(outputs)} outputs have {WORDS} words")
        return {"seconds": seconds, "units": number, "parameters": _parameters(self._model(size))}

    def _new_translator(self, size: Size, beam: int, at_once: int) -> Translator:
        """A translator whose threads share the sentences that are translated at once."""
        vocabulary = _vocabulary(Path(self._folder.name), size)
        settings = {
            "models": self._model(size),
            "vocabs": f"{vocabulary} {vocabulary}",
            "beam-size": beam,
            "normalize": 0,
            "mini-batch": -(-at_once // self.threads),
            "maxi-batch": 1,
            "max-length-factor": (WORDS - 0.5) / (WORDS + 1),  # of the words and the end mark
            "cpu-threads": self.threads,
        }
        return Translator(" ".join(f"--{name} {value}" for name, value in settings.items()) + " --quiet")

    def _model(self, size: Size) -> Path:
        """A model with random weights that never ends a sentence."""
        if size.name not in self._models:
            place = Path(self._folder.name) / size.name
            place.mkdir()
            word = np.full((1, 1), FIRST_ID)
            _train(place, size, [Minibatch(word, word)], threads=1)
            with np.load(place / "model.npz") as arrays:
                weights = dict(arrays)
            weights["decoder_ff_logit_l2_b"][0, 0] = NEVER
            np.savez(place / "endless.npz", allow_pickle=False, **weights)
            self._models[size.name] = place / "endless.npz"
        return self._models[size.name]


def _train(folder: Path, size: Size, batches: Sequence[Minibatch], threads: int) -> str:
    """Train on the minibatches as they are, one update each; the log. The model is ``model.npz`` in the folder."""
    for side in ("source", "target"):
        lines = [line for batch in batches for line in _lines(getattr(batch, side))]
        (folder / side).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    vocabulary = _vocabulary(folder, size)
    sentences = {len(batch.source) for batch in batches}
    assert len(sentences) == 1, "Marian takes minibatches of one size"
    command = ["train", "--type", "s2s", "--enc-cell", "gru-nematus", "--dec-cell", "gru-nematus"]
    command += ["--dim-emb", str(size.embedding), "--dim-rnn", str(size.hidden)]
    command += ["--model", str(folder / "model.npz"), "--train-sets", str(folder / "source"), str(folder / "target")]
    command += ["--vocabs", str(vocabulary), str(vocabulary), "--dim-vocabs", *[str(size.vocabulary)] * 2]
    command += ["--mini-batch", str(sentences.pop()), "--maxi-batch", "1", "--maxi-batch-sort", "none"]
    command += ["--shuffle", "none", "--max-length", "1000", "--after-epochs", "1", "--disp-freq", "1u"]
    command += ["--cost-type", "ce-mean", "--clip-norm", "1", "--optimizer", "adam", "--learn-rate", "0.0001"]
    command += ["--sync-sgd", "--cpu-threads", str(threads), "--seed", "1", "--tempdir", str(folder)]
    _run([*command, "--quiet", "--log", str(folder / "log")])
    return (folder / "log").read_text(encoding="utf-8")


def _run(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "pymarian", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        told = [line for line in done.stderr.splitlines() if "Error: " in line]
        raise RuntimeError(told[0].partition("Error: ")[2] if told else f"ended with status {done.returncode}")


def _vocabulary(folder: Path, size: Size) -> Path:
    """Write the words of a size, Marian's own marks first."""
    path = folder / f"{size.name}.yml"
    words = ['"</s>"', '"<unk>"', *(f"w{id}" for id in range(FIRST_ID, size.vocabulary + FIRST_ID - 2))]
    path.write_text("".join(f"{word}: {id}\n" for id, word in enumerate(words)), encoding="utf-8")
    return path


def _lines(ids: NDArray[np.int64]) -> list[str]:
    return [" ".join(f"w{id}" for id in row if id >= 0) for row in ids]


def _parameters(model: Path) -> int:
    with np.load(model) as arrays:
        return sum(arrays[name].size for name in arrays.files if not name.startswith("special:"))


if __name__ == "__main__":
    serve(Marian)
