"""A training run shown as a film: one small matrix of alpha for each saved step, over the curves of loss and entropy.

Python provides all steps at once. JavaScript draws and plays them (js/). nmt/ui/learn/training shows the film.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nmt.charts.colour_scales import colour_scale
from nmt.results import Event, UpdateEvent, ValidationEvent

FILM_SCALE = colour_scale("ink", "square root")
"""The weights of the first steps are all about 1 / T_x. The square root shows them darker than white."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FilmStep:
    """One saved step of the training. ``weights``: alpha over words, [T_y, T_x]. ``entropy``: mean entropy of alpha,
    bits, for a target that is the same at all steps."""

    update: int
    text: str
    weights: NDArray[np.floating]
    entropy: float


def film_data(
    steps: Sequence[FilmStep],
    events: Iterable[Event],
    *,
    source: Sequence[str],
    start: int | None = None,
    name: str = "",
) -> dict[str, Any]:
    """The data of the film, as JSON types. Weights are rounded to 3 decimals.

    Args:
        steps: saved steps in the order of the training, at least one.
        source: words of the source, T_x.
        start: index of the step that is shown first. None = begin at the first step, and play the film once.
        name: name of the film. A matrix that was given this name shows the current step of the film.
    """
    events = list(events)
    return {
        "source": list(source),
        "steps": [
            {
                "update": step.update,
                "text": step.text,
                "weights": [[round(float(a), 3) for a in row] for row in step.weights],
                "entropy": round(step.entropy, 4),
            }
            for step in steps
        ],
        "training": _losses(event for event in events if isinstance(event, UpdateEvent)),
        "development": _losses(event for event in events if isinstance(event, ValidationEvent)),
        "scale": FILM_SCALE.to_dict(),
        "start": start,
        "film": name,
    }


def _losses(events: Iterable[UpdateEvent | ValidationEvent]) -> list[list[float]]:
    return [[event.update, round(event.nll_per_word, 4)] for event in events]
