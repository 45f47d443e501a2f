"""State from which an interrupted run resumes exactly: one safetensors file, replaced atomically."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from nmt.distributed import Processes
from nmt.errors import InputError
from nmt.inference.checkpoint import read_info, read_tensors, save_tensors
from nmt.records import as_record


@dataclass(kw_only=True)
class TrainingProgress:
    """Progress of a training run.

    Attributes:
        update: updates made.
        pool, within: the next minibatch, as in ``TrainingOrder.batches``.
        pairs: training pairs seen, repeats counted.
        seconds: wall time spent so far.
        best: best development figure so far (NLL per word, or minus BLEU: smaller is better).
        validated: number of the update last validated.
        bad_validations: number of validations since the best one.
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


def random_state(device: torch.device) -> Tensor:
    """State of a device's random number generator, as bytes."""
    return torch.cuda.get_rng_state(device) if device.type == "cuda" else torch.get_rng_state()


def start_random_numbers(seed: int, update: int, rank: int) -> None:
    """Seed the random numbers of process ``rank``; each process and each starting point has a stream of its own."""
    fresh = np.random.SeedSequence([seed, update, rank]).generate_state(1, np.uint64)
    torch.manual_seed(seed if update == rank == 0 else int(fresh[0]))


def save_state(
    path: Path, progress: TrainingProgress, model: nn.Module, optimizer: torch.optim.Optimizer, random: Sequence[Tensor]
) -> None:
    """Write weights, optimizer, progress and the ``random_state`` of every process. Raises OSError if the file cannot
    be written; the existing file is then intact."""
    tensors: dict[str, Tensor] = {f"model.{name}": value for name, value in model.state_dict().items()}
    names = [name for name, _ in model.named_parameters()]
    for number, values in optimizer.state_dict()["state"].items():
        for key, value in values.items():
            tensors[f"optimizer.{names[number]}.{key}"] = torch.as_tensor(value)
    tensors[f"random.{_device(model).type}"] = torch.stack(list(random))
    save_tensors(path, tensors, {"progress": asdict(progress)})


def _device(model: nn.Module) -> torch.device:
    return next(model.parameters()).device


def load_state(
    path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, processes: Processes, seed: int
) -> TrainingProgress:
    """Restore the state that ``save_state`` wrote, in place. The random numbers continue if the number of processes
    and the kind of device are unchanged; otherwise new streams follow from seed, update and rank. InputError if the
    file is missing or does not fit the model."""
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
                raise InputError(f"{path} is the state of another model: it contains {name}")
            state[names.index(name)][slot] = value
    try:
        model.load_state_dict(weights)
    except RuntimeError:
        raise InputError(f"{path} is the state of another model") from None
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": {k: v for k, v in state.items() if v}, "param_groups": groups})
    progress = as_record(TrainingProgress, read_info(path).get("progress"), f"{path}, progress")
    device = _device(model)
    random = tensors.get(f"random.{device.type}")
    if random is not None and random.numel() == processes.count * random.shape[-1]:  # one row per process, or one
        own_state = random.view(processes.count, -1)[processes.rank].clone()
        torch.cuda.set_rng_state(own_state, device) if device.type == "cuda" else torch.set_rng_state(own_state)
    else:
        start_random_numbers(seed, progress.update, processes.rank)
    return progress
