"""Runs with random weights in a folder ``checkpoints``, one of the other direction among them, and aligners of them."""

import json
from pathlib import Path

import pytest

from nmt.inference.translator import load
from release.aligner import build_aligner, write_aligner
from tests.oracles.random_run import random_run

SOURCE = ["the girl reads .", "a cat sleeps on the mat", "she has never seen the sea ,", "she"]
TARGET = ["la fille lit .", "un chat dort", "elle est sur la mer ,", "elle dort"]


def reversed_run(folder: Path) -> Path:
    """A run that says it translates French to English."""
    random_run(folder)
    settings = json.loads((folder / "config.json").read_text("utf-8"))
    settings["source_language"], settings["target_language"] = "fr", "en"
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """checkpoints/{words,pieces,encdec,back}, aligners/{both,one}: ``both`` has the run ``back``, too."""
    root = tmp_path_factory.mktemp("aligners")
    runs = root / "checkpoints"
    random_run(runs / "words")
    random_run(runs / "pieces", kind="bpe")
    random_run(runs / "encdec", "rnnencdec")
    reversed_run(runs / "back")
    forward = [load(runs / "words"), load(runs / "pieces")]
    pairs = list(zip(SOURCE, TARGET, strict=True))
    for name, reverse in (("one", []), ("both", [load(runs / "back")])):
        (root / "aligners" / name).mkdir(parents=True)
        write_aligner(root / "aligners" / name, build_aligner(forward, reverse, pairs))
    return root
