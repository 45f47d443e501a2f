"""Loading of a translator from a run folder."""

from __future__ import annotations

from pathlib import Path

import torch

from nmt.config import PRECISION
from nmt.data.dictionary import read_dictionary
from nmt.data.text import Tokenizer
from nmt.data.vocabularies.load import load_vocabulary
from nmt.errors import InputError
from nmt.inference.checkpoint import find_device, load_model
from nmt.inference.text_codec import TextCodec
from nmt.inference.translator import PRECISIONS, Translator
from nmt.runs.fingerprint import checked_fingerprint
from nmt.runs.folder import BEST, DICTIONARY, LAST, read_run, snapshot_file


def load(run: str | Path, weights: str | int = "best", device: str = "cpu", precision: str = PRECISION) -> Translator:
    """Load a checkpoint.

    Args:
        run: a run folder, such as checkpoints/rnnsearch-50.
        weights: "best" (by the development set) or "last", or the number of an update whose weights were saved.
        device: device to compute on, "cpu" or "cuda".
        precision: precision of the matrix products of a search, "fp32"; for speed "bf16", or "int8", which multiplies
            large matrices in integers where the processor is fast at it: log-probabilities then differ by hundredths of
            a nat per word. Given translations are always scored and aligned in fp32.

    Raises:
        InputError: the folder, its settings, a vocabulary or the weights are missing or broken, its dictionary is
            broken, one of these files is not the one in the run's list of checksums, or the device does not exist; the
            message says which.
    """
    if weights not in ("best", "last") and not isinstance(weights, int):
        raise InputError(f'weights must be "best" or "last", or the number of an update, not {weights!r}')
    if precision not in PRECISIONS:
        raise InputError(f"precision must be one of {', '.join(PRECISIONS)}, not {precision!r}")
    torch.set_flush_denormal(True)
    file = snapshot_file(weights) if isinstance(weights, int) else BEST if weights == "best" else LAST
    info = read_run(run, file)
    place = find_device(device)
    fingerprint = checked_fingerprint(info)
    sides = []
    for side, language, expected in (
        ("source", info.source_language, info.source_vocabulary),
        ("target", info.target_language, info.target_vocabulary),
    ):
        vocabulary = load_vocabulary(info.path, side)
        if len(vocabulary) != expected.size:
            raise InputError(
                f"{info.path}: the {side} vocabulary has {len(vocabulary)} entries, "
                f"but the settings say {expected.size}"
            )
        sides.append(TextCodec(Tokenizer(language), vocabulary, reads_output=side == "target"))
    model = load_model(info.settings, info.weights.path).to(place)
    dictionary = read_dictionary(info.path / DICTIONARY) if (info.path / DICTIONARY).is_file() else None
    source, target = sides
    return Translator(info.name, info.config, model, source, target, dictionary, fingerprint, precision)
