"""Search done plainly: all outputs enumerated, and a beam search without batches or short cuts."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch

from nmt.search.beam import BeamSettings
from nmt.search.stepwise import State, Stepwise
from tests.oracles.toys import Sources


@dataclass(frozen=True)
class Output:
    """ids with the end mark, log-probability in nats, and score (log-probability / length^A)."""

    ids: tuple[int, ...]
    log_probability: float
    score: float


def next_log_probabilities(model: Stepwise[State], sentence: Sources, prefix: tuple[int, ...]) -> list[float]:
    """log p(. | prefix), by running the model from the start."""
    state = model.start(sentence.ids, sentence.mask)
    for previous in (-1, *prefix):
        step = model.step(state, torch.tensor([[previous]]))
        state = step.state
    return [float(value) for value in step.log_probabilities[0, 0]]


def longest_output(sentence: Sources, settings: BeamSettings) -> int:
    """Most tokens before the end mark."""
    if settings.max_length is not None:
        return settings.max_length
    return max(2 * (sentence.ids.shape[1] - 1) + 10, settings.min_length)


def allowed(
    model: Stepwise[State], sentence: Sources, prefix: tuple[int, ...], settings: BeamSettings
) -> Iterator[tuple[int, float]]:
    """The tokens that may follow a prefix, with their log-probabilities."""
    for token, value in enumerate(next_log_probabilities(model, sentence, prefix)):
        if token == 0 and len(prefix) < settings.min_length:
            continue
        if token != 0 and (token in settings.forbidden or len(prefix) == longest_output(sentence, settings)):
            continue
        if value > -math.inf:
            yield token, value


def _output(ids: tuple[int, ...], value: float, settings: BeamSettings) -> Output:
    return Output(ids, value, value / len(ids) ** settings.length_penalty)


def all_outputs(model: Stepwise[State], sentence: Sources, settings: BeamSettings) -> list[Output]:
    """Every output that the settings allow, best score first."""
    found = []
    prefixes: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
    while prefixes:
        prefix, value = prefixes.pop()
        for token, more in allowed(model, sentence, prefix, settings):
            if token == 0:
                found.append(_output((*prefix, 0), value + more, settings))
            else:
                prefixes.append(((*prefix, token), value + more))
    return sorted(found, key=lambda output: -output.score)


def plain_beam_search(model: Stepwise[State], sentence: Sources, settings: BeamSettings) -> list[Output]:
    """Beam search of a single sentence, run until no hypothesis is alive."""
    live: list[tuple[tuple[int, ...], float]] = [((), 0.0)]
    finished: list[Output] = []
    while live:
        continuations = [
            ((*prefix, token), value + more)
            for prefix, value in live
            for token, more in allowed(model, sentence, prefix, settings)
        ]
        continuations.sort(key=lambda continuation: -continuation[1])
        live = []
        for ids, value in continuations[: settings.beam - len(finished)]:
            if ids[-1] == 0:
                finished.append(_output(ids, value, settings))
            else:
                live.append((ids, value))
    return sorted(finished, key=lambda output: -output.score)[: settings.n_best]
