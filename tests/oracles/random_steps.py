"""Random shapes and values for the native engine, against the same steps computed by torch and searches in Python."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from unittest.mock import patch

import torch
from torch import Tensor

from nmt import native
from nmt.config import ModelConfig
from nmt.errors import InputError
from nmt.model import TranslationModel, build_model
from nmt.model.kernels import has_integer_products
from nmt.model.native_steps import NativeSteps
from nmt.model.steps import DecodingSteps
from nmt.search.beam import BeamSettings, beam_search
from nmt.search.stepwise import Step

CASES = 10
"""Searches of each model."""
_STEPS = 3


@dataclass(frozen=True)
class Case:
    """A search in a model of random shape.

    Attributes:
        name: the shapes.
        differs: how far two log-probabilities or two weights are apart at most; None if both are broken alike.
        fault: what must not be, or nothing.
    """

    name: str
    differs: float | None
    fault: str


def random_model(random: Random, generator: torch.Generator) -> tuple[TranslationModel, bool]:
    """Sizes from 1 to beyond a panel of 64, weights small, large or with NaN or infinities; and whether they are small,
    so that small errors stay small."""
    sizes = [random.choice([1, 2, 3, 7, 16, 31, 33, 64, 65, 100]) for _ in range(4)]
    architecture = random.choice(["rnnsearch", "rnnsearch", "rnnencdec"])
    config = ModelConfig(
        architecture=architecture,
        state_order=random.choice(["printed", "program"]),
        score="concat" if architecture == "rnnsearch" and random.random() < 0.2 else "additive",
        **dict(zip(("embedding", "hidden", "alignment", "maxout"), sizes, strict=True)),  # type: ignore[arg-type]
    )
    model = build_model(config, random.choice([5, 70]), random.choice([3, 64, 65, 200])).eval()
    gain = random.choice([0.1, 0.5, 1.0, 1.0, 30.0, 1e4])  # with a large one the last digit soon decides everything
    parameters = list(model.parameters())
    with torch.no_grad():
        for parameter in parameters:
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * gain / parameter.shape[-1] ** 0.5)
        if random.random() < 0.15:
            broken = random.choice(parameters).view(-1)
            broken[random.randrange(len(broken))] = random.choice([torch.nan, torch.inf, -torch.inf, 3e38])
    return model, gain <= 1 and all(bool(p.isfinite().all() and p.abs().max() < 100) for p in parameters)


def random_searches(seed: int, engine: ctypes.CDLL, cases: int = CASES) -> Iterator[Case]:
    """Search with one model ``cases`` times, by the engine and by torch."""
    random, generator = Random(seed), torch.Generator().manual_seed(seed)
    model, sound = random_model(random, generator)
    integers = sound and has_integer_products() and random.random() < 0.3
    precision = torch.int8 if integers else None
    with patch("nmt.model.native_steps.TABLE_BYTES", random.choice([0, 2**20])):
        own = NativeSteps(model, precision, engine=engine, integers_from=0)
    own.most_rows = 1000
    plain = DecodingSteps(model, precision, integers_from=0)
    for _ in range(cases):
        S, k = random.choice([1, 1, 2, 5]), random.choice([1, 2, 5, 6, 7, 13])
        T = random.choice([1, 2, 5, 16, 17, 40]) if random.random() < 0.98 else 1000
        lengths = torch.tensor([T, *(random.randint(1, T) for _ in range(S - 1))])
        mask = torch.arange(T) < lengths[:, None]
        source = torch.randint(0, model.source_size, (S, T), generator=generator)
        shapes = f"{model.config.architecture} {model.config.state_order} {S} {k} {T}"
        name = f"seed {seed}: {shapes}{' int8' * integers}"
        with native.threads(random.choice([1, 2, 3])):
            found = _compare(own, plain, model, source, mask, k, generator, name, sound, integers)
            fault = found.fault or random_search(own, source[0, :30].tolist(), random)
            yield replace(found, fault=fault)


def random_search(steps: NativeSteps, ids: list[int], random: Random) -> str:
    """Search for the best output of a sentence in the engine and in Python; returns what differs, or nothing."""
    size = steps._model.target_size
    fewest = random.choice([0, 0, 0, 1, 7])
    settings = BeamSettings(
        beam=random.choice([1, 2, 5, 12] * 4 + [50]),
        length_penalty=random.choice([0.0, 0.0, 0.6, 1.0, random.uniform(0, 3)]),
        min_length=fewest,
        max_length=random.choice([None, fewest + random.randint(1, 20)]),
        forbidden=tuple(random.sample(range(1, size), min(size - 1, random.choice([0, 0, 1, 3])))),
        watched=random.choice([(), (random.randrange(size),)]),
        alpha=random.random() < 0.8,
    )
    source = torch.tensor([ids])
    found: list[object] = []
    for search in (
        lambda: steps.search(ids, settings),
        lambda: beam_search(steps, source, torch.ones_like(source, dtype=torch.bool), settings)[0][0],
    ):
        try:
            each = search()
            alpha = None if each.alpha is None else (each.alpha.shape, each.alpha.tobytes())
            found.append(
                (each.ids, each.log_probability, each.score, each.token_log_probabilities, alpha, each.watched)
            )
        except (FloatingPointError, InputError) as error:
            found.append(str(error))
    return "" if found[0] == found[1] else f"{settings}: {found[0]!s:.200} in C, {found[1]!s:.200} in Python"


@torch.no_grad()
def _compare(
    own: NativeSteps,
    plain: DecodingSteps,
    model: TranslationModel,
    source: Tensor,
    mask: Tensor,
    k: int,
    generator: torch.Generator,
    name: str,
    sound: bool,
    integers: bool,
) -> Case:
    S = len(source)
    states = [own.start(source, mask), plain.start(source, mask)]
    previous, rows = torch.full((S, 1), -1), torch.arange(S)[:, None].expand(-1, k)
    differs = 0.0
    for _ in range(_STEPS):
        mine = own.step(states[0], previous)
        again = own.step(states[0], previous)
        if not torch.equal(mine.log_probabilities.nan_to_num(), again.log_probabilities.nan_to_num()):
            return Case(name, None, "the same step has two results")
        theirs = plain.step(states[1], previous)
        found = _difference(mine, theirs, model.target_size, mask)
        if sound and found is None:
            return Case(name, None, "not a number")
        if found is not None:
            differs = max(differs, found)
        states = [own.select(mine.state, rows), plain.select(theirs.state, rows)]
        previous = torch.randint(0, model.target_size, (S, k), generator=generator)
        order = torch.randint(0, k, (S, k), generator=generator)
        rows = order + torch.arange(S)[:, None] * k
    most = 0.1 if integers else 1e-4
    fault = f"differs by {differs:.3g}" if sound and differs > most else ""
    return Case(name, differs if sound else None, fault)


def _difference(mine: Step[object], theirs: Step[object], words: int, mask: Tensor) -> float | None:
    """The largest difference of probabilities and of alpha; None if one has NaN."""
    one, other = (step.log_probabilities[..., :words].exp() for step in (mine, theirs))
    pairs = [(one, other)]
    if mine.alpha is not None and theirs.alpha is not None:
        pairs.append((mine.alpha, theirs.alpha))
    differences = [float((a - b).abs().max()) for a, b in pairs]
    return None if any(value != value for value in differences) else max(differences)
