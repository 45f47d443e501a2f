"""Time a sentence against T_x T_y, with attention and without, and draw it.

    python -m experiments cost-by-length --runs checkpoints/rnnsearch-50 checkpoints/rnnencdec-50 --figure docs/cost.svg

Random words are read and as many are written by each search, so that T_x = T_y. The paper (6.1) computes e_ij, which
costs T_x T_y; U_a h_j is computed once a word.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

import nmt
from nmt.cli.options import Commands, add_number, whole
from nmt.config import MOST_BEAM
from nmt.model import TranslationModel
from nmt.model.steps import DecodingSteps

LENGTHS = (10, 20, 40, 60, 80, 120, 160, 240)
"""T_x = T_y."""


@dataclass(frozen=True)
class Cost:
    """Processor seconds a sentence of each of ``LENGTHS``, the least of some repetitions."""

    name: str
    seconds: tuple[float, ...]


def measure(name: str, model: TranslationModel, lengths: Sequence[int], beam: int, repeat: int) -> Cost:
    """Read and write sentences of each length, the lengths in turns."""
    steps = DecodingSteps(model)
    generator = torch.Generator().manual_seed(1)
    found: list[list[float]] = [[] for _ in lengths]
    with torch.inference_mode():
        for _ in range(repeat):
            for seconds, length in zip(found, lengths, strict=True):
                source = torch.randint(2, model.source_size, (1, length), generator=generator)
                words = torch.randint(2, model.target_size, (length, 1, beam), generator=generator)
                began = time.process_time()
                state = steps.start(source, torch.ones_like(source, dtype=torch.bool))
                state = steps.step(state, torch.tensor([[-1]])).state
                state = steps.select(state, torch.zeros(1, beam, dtype=torch.long))
                for previous in words[1:]:
                    state = steps.step(state, previous).state
                seconds.append(time.process_time() - began)
    return Cost(name, tuple(min(seconds) for seconds in found))


def draw(costs: Sequence[Cost], lengths: Sequence[int], path: Path) -> None:
    """Write the figure: milliseconds against T_x T_y."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.add_subplot(xlabel="T_x T_y", ylabel="milliseconds a sentence")
    for cost, mark in zip(costs, "os^v", strict=False):
        axes.plot([n * n for n in lengths], [1000 * s for s in cost.seconds], marker=mark, label=cost.name)
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "cost-by-length",
        description="Time a sentence against its length, T_x = T_y.",
    )
    parser.add_argument("--runs", nargs="+", required=True, metavar="RUN", help="run folders")
    lengths = whole(1, 10_000)
    parser.add_argument(
        "--lengths", nargs="+", type=lengths, default=list(LENGTHS), metavar="N", help=f"words of a side; {lengths}"
    )
    add_number(parser, "--beam", whole(1, MOST_BEAM), "number of hypotheses", default=12)
    add_number(parser, "--repeat", whole(1, 1000), "repetitions, of which the fastest counts", default=3)
    parser.add_argument("--figure", type=Path, metavar="FILE", help="also draw the times")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    costs = []
    for folder in options.runs:
        loaded = nmt.load(folder, precision="fp32")
        costs.append(measure(loaded.name, loaded.model, options.lengths, options.beam, options.repeat))
    print("| T_x = T_y |" + "".join(f" {cost.name}, ms |" for cost in costs))
    for k, length in enumerate(options.lengths):
        print(f"| {length} |" + "".join(f" {1000 * cost.seconds[k]:.0f} |" for cost in costs))
    if options.figure is not None:
        draw(costs, options.lengths, options.figure)
