"""Random shapes and values through the native engine, against torch, and its search against that in Python."""

from pathlib import Path
from random import Random

import torch

from nmt import native
from nmt.model import native_steps
from tests.oracles.random_steps import random_searches
from trials.trial import Cases, Lost, NotRun, Trial

_MODELS, _SEARCHES = 500, 10
_CALLERS = ("nmt/model/native_steps.py", "nmt/model/steps.py", "nmt/model/kernels.py")


def _run(random: Random, cases: Cases, folder: Path) -> None:
    engine = native_steps.engine()
    if engine is None:
        raise NotRun("there is no C compiler, or the native engine is switched off")
    torch.set_num_threads(1)
    native.LEAST_ROWS = 1  # so that few rows are computed in several threads, too
    differs = 0.0
    for _ in range(_MODELS):
        seed = random.randrange(2**40)
        searches = random_searches(seed, engine, _SEARCHES)
        for number in range(_SEARCHES):
            with cases.case(f"search {number} of seed {seed}"):
                found = next(searches)
                differs = max(differs, found.differs or 0.0)
                if found.fault:
                    raise Lost(f"{found.name}: {found.fault}")
    cases.figures = f"probabilities and alpha within {differs:.1g}"


TRIAL = Trial(
    name="native",
    tried=f"{_MODELS * _SEARCHES:,} searches a piece by the native engine and by torch, in models of random shapes and "
    "weights: NaN, infinities, sources of one word and of a thousand",
    holds="probabilities and alpha within 0.0001 in fp32 and 0.1 in int8 where the weights are small; two equal steps "
    "have equal results; a search in C finds what that in Python finds, bit for bit; nothing ends the process",
    run=_run,
    pieces=20,
    ci=1,
    seconds=1200,
    case_seconds=30,
    tries=("nmt/native", "nmt/search", *_CALLERS, "trials/native.py", "tests/oracles/random_steps.py"),
)
