"""What a killed training needs to go on exactly where it was: one safetensors file, replaced atomically."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from nmt.checkpoint import read_info, read_tensors, save_tensors
from nmt.errors import InputError


@dataclass
class Progress:
    """Where a training stands.

    Attributes:
        update: updates made.
        pool, within: the next minibatch, as in ``TrainingOrder.batches``.
        pairs: training pairs seen, repeats counted.
        seconds: wall time spent so far.
        best: best development figure so far (NLL per word, or minus BLEU: smaller is better).
        validated: the update last validated.
        bad_validations: validations since the best.
        decay: factor on the learning rate from ``decay_patience``.
        log_bytes: length of training.jsonl.
        nll, words, sentences, norm, updates, window_seconds: sums since the last update event.
    """

    update: int = 0
    pool: int = 0
    within: int = 0
    pairs: int = 0
    seconds: float = 0.0
    best: float | None = None
    validated: int = 0
    bad_validations: int = 0
    decay: float = 1.0
    log_bytes: int = 0
    nll: float = 0.0
    words: int = 0
    sentences: int = 0
    norm: float = 0.0
    updates: int = 0
    window_seconds: float = field(default=0.0)


def save_state(path: Path, progress: Progress, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Write weights, optimizer, random numbers and progress. Raises OSError when the disk refuses; the file that
    was there then still is."""
    tensors: dict[str, Tensor] = {f"model.{name}": value for name, value in model.state_dict().items()}
    names = [name for name, _ in model.named_parameters()]
    for number, values in optimizer.state_dict()["state"].items():
        for key, value in values.items():
            tensors[f"optimizer.{names[number]}.{key}"] = torch.as_tensor(value)
    tensors["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    save_tensors(path, tensors, {"progress": asdict(progress)})


def load_state(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> Progress:
    """The inverse of ``save_state``, in place; InputError if the file is missing or does not fit the model."""
    if not path.is_file():
        raise InputError(f"{path} does not exist, so there is nothing to resume")
    tensors = read_tensors(path)
    names = [name for name, _ in model.named_parameters()]
    state: dict[int, dict[str, Any]] = {number: {} for number in range(len(names))}
    weights: dict[str, Tensor] = {}
    for key, value in tensors.items():
        kind, _, rest = key.partition(".")
        if kind == "model":
            weights[rest] = value
        elif kind == "optimizer":
            name, _, slot = rest.rpartition(".")
            if name not in names:
                raise InputError(f"{path} is the state of another model: it knows {name}")
            state[names.index(name)][slot] = value
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise InputError(f"{path} is the state of another model") from None
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": {k: v for k, v in state.items() if v}, "param_groups": groups})
    torch.set_rng_state(tensors["random.cpu"])
    if "random.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["random.cuda"])
    try:
        return Progress(**read_info(path)["progress"])
    except (KeyError, TypeError) as error:
        raise InputError(f"{path} lacks or garbles {error}") from None
