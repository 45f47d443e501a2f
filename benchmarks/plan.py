"""What is measured, and how long."""

from typing import Any

from benchmarks.measure import Row

BEAMS = (5, 12)
SEED = 7
NUMBERS = {"SMALL": [2, 6, 10, 14, 18], "PAPER": [5, 14], "TINY": [0]}
"""Which of the 20 minibatches, sorted by length, a portion of training consists of."""
TRAINING_ROUNDS = {"SMALL": 5, "PAPER": 3, "TINY": 2}
DECODING_ROUNDS = {"SMALL": 7, "PAPER": 3, "TINY": 2}
SECONDS = {"train SMALL": 150, "train PAPER": 300}
"""Seconds of a row after which no further round begins; 60 for others."""
SINGLE = {"SMALL": 16, "PAPER": 4, "TINY": 2}
"""Sentences of a portion of decoding one at a time."""


def training(size: str, minibatches: str, rounds: int | None = None) -> Row:
    """Forward, backward, clipping and Adadelta on some minibatches."""
    numbers = NUMBERS[size]
    request = {"work": "train", "size": size, "minibatches": minibatches, "numbers": numbers}
    return _row(f"train {size}", "target tokens/s", size, request, {"numbers": numbers[:1]}, rounds, "alike")


def decoding(size: str, beam: int, at_once: int, rounds: int | None = None) -> Row:
    """Beam search of sentences of 20 words, outputs of exactly 20 words."""
    number = 32 if at_once > 1 else SINGLE[size]
    request = {"work": "decode", "size": size, "beam": beam, "seed": SEED, "sentences": number, "at_once": at_once}
    name = f"decode {size}, {'32 at once' if at_once > 1 else 'one at a time'}, beam {beam}"
    return _row(name, "sentences/s", size, request, {"sentences": at_once}, rounds, "best")


def real(forced: bool, rounds: int | None = None) -> Row:
    """Beam search of real sentences by a released model, as it is or with all outputs of one length."""
    request = {
        "work": "real",
        "run": "checkpoints/rnnsearch-50",
        "text": "benchmarks/sentences.txt",
        "sentences": 32,
        "at_once": 32,
        "beam": 5,
        "forced": forced,
    }
    how = "all as long as the longest" if forced else "finished hypotheses leave the beam"
    return _row(f"decode real sentences, beam 5, {how}", "sentences/s", "rnnsearch-50", request, {}, rounds, "best")


def released(beam: int, at_once: int, rounds: int | None = None) -> Row:
    """Beam search of the sentences of a test set, or one at a time of some of them, by a released model."""
    request = {
        "work": "real",
        "run": "checkpoints/rnnsearch-en-fr",
        "text": "testsets/jointly-300/sentences.en",
        "sentences": 300 if at_once > 1 else 20,
        "at_once": at_once,
        "beam": beam,
        "forced": False,
    }
    name = f"decode jointly-300, {f'{at_once} at once' if at_once > 1 else 'one at a time'}, beam {beam}"
    return _row(name, "sentences/s", "rnnsearch-en-fr", request, {"sentences": at_once}, rounds, "best")


def _row(
    name: str,
    unit: str,
    size: str,
    request: dict[str, Any],
    warm: dict[str, Any],
    rounds: int | None,
    pairing: str,
) -> Row:
    own = (TRAINING_ROUNDS if request["work"] == "train" else DECODING_ROUNDS).get(size, 5)
    return Row(name, unit, size, request, warm, rounds or own, SECONDS.get(name, 60), pairing)
