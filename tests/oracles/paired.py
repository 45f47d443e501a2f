"""One set of random weights in two programs: the NumPy oracle and the model of ``nmt.model``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from nmt.config import ModelConfig
from nmt.model import build_model
from tests.oracles.numpy_rnn import NumpyResult, Parameters, Sizes, numpy_forced, numpy_parameters
from tests.oracles.numpy_units import Vector

SIZES = Sizes(m=5, n=6, n_align=4, l=3, K_x=11, K_y=9)


@dataclass(frozen=True)
class Padded:
    """A minibatch: ids [B, T], 0 where padded; mask [B, T], True where there is a token."""

    ids: Tensor
    mask: Tensor


@dataclass(frozen=True)
class Paired:
    """The same weights as a dictionary for the oracle and inside a float64 model in evaluation mode."""

    architecture: str
    order: str
    unit: str
    score: str
    parameters: Parameters
    model: Any

    def oracle(
        self, source: Sequence[int], target: Sequence[int], weights: Mapping[int, Vector] | None = None
    ) -> NumpyResult:
        return numpy_forced(
            self.parameters, source, target, self.architecture, self.order, self.unit, self.score, weights
        )


def config(
    architecture: str,
    order: str,
    sizes: Sizes = SIZES,
    dropout: float = 0.0,
    unit: str = "gated",
    score: str = "additive",
    encoder: str = "bidirectional",
    readout: str = "maxout",
    start: str = "backward",
) -> ModelConfig:
    return ModelConfig(
        architecture=architecture,  # type: ignore[arg-type]
        embedding=sizes.m,
        hidden=sizes.n,
        alignment=sizes.n_align,
        maxout=sizes.l,
        state_order=order,  # type: ignore[arg-type]
        dropout=dropout,
        unit=unit,  # type: ignore[arg-type]
        score=score,  # type: ignore[arg-type]
        encoder=encoder,  # type: ignore[arg-type]
        readout=readout,  # type: ignore[arg-type]
        start=start,  # type: ignore[arg-type]
    )


def paired(
    architecture: str,
    order: str,
    seed: int = 1,
    sizes: Sizes = SIZES,
    dropout: float = 0.0,
    unit: str = "gated",
    score: str = "additive",
    word_dropout: float = 0.0,
    encoder: str = "bidirectional",
    readout: str = "maxout",
    start: str = "backward",
) -> Paired:
    """Both programs with the weights of ``seed``; the model refuses a missing or a left-over name."""
    parameters = numpy_parameters(architecture, sizes, seed, unit, score, encoder, readout, start)
    settings = config(architecture, order, sizes, dropout, unit, score, encoder, readout, start)
    settings = replace(settings, word_dropout=word_dropout)
    model = build_model(settings, sizes.K_x, sizes.K_y).double()
    load(model, parameters)
    return Paired(architecture, order, unit, score, parameters, model.eval())


def load(model: torch.nn.Module, parameters: Parameters) -> None:
    model.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in parameters.items()})


def padded(sentences: Sequence[Sequence[int]]) -> Padded:
    longest = max(len(sentence) for sentence in sentences)
    ids = torch.zeros(len(sentences), longest, dtype=torch.long)
    mask = torch.zeros(len(sentences), longest, dtype=torch.bool)
    for row, sentence in enumerate(sentences):
        ids[row, : len(sentence)] = torch.tensor(sentence)
        mask[row, : len(sentence)] = True
    return Padded(ids, mask)
