"""A live drawing of the paper's Figure 1: one translation, step by step, in plain JavaScript.

Python provides all steps at once. JavaScript draws the steps and moves between them (js/). boxes.toml has the name,
equations, place in the paper and shape of each box. The app shows the drawing in nmt/ui/learn/steps.
"""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nmt.charts.colour_scales import DIFFERENCE
from nmt.files import read_toml
from nmt.results import TranslationStep, TranslationSteps
from nmt.texts import of_data

Stage = Literal["read", "state", "scores", "weights", "context", "word"]
"""Part of a step. "read" comes once, before the first step. A model without attention has no "scores" and "weights"."""


@dataclass(frozen=True)
class Frame:
    """One picture of the sequence. ``word``: index of the target token, from 0. ``stage``: the last part of the token's
    step that the picture shows."""

    word: int
    stage: Stage
    text: str


@dataclass(frozen=True, eq=False, kw_only=True)
class StepDrawing:
    """The drawing of one checkpoint. ``start``: index of the frame that is shown first."""

    name: str
    kind: str
    steps: TranslationSteps
    frames: tuple[Frame, ...]
    start: int

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types. Weights and probabilities are rounded to 4 decimals."""
        steps = self.steps
        directions = [row.reshape(-1, steps.hidden) for row in steps.annotations]
        return {
            "name": self.name,
            "kind": self.kind,
            "attends": steps.attends,
            "source": list(steps.source),
            "target": list(steps.target),
            "text": steps.text,
            "annotations": [[packed_vector(half) for half in halves] for halves in directions],
            "boxes": _boxes(steps),
            "steps": [_step(step) for step in steps.steps],
            "frames": [asdict(frame) for frame in self.frames],
            "start": self.start,
        }


def step_view_data(drawings: Sequence[StepDrawing], *, large: bool = False) -> dict[str, Any]:
    """The data of the view, as JSON types. The first drawing is shown first. Paper: Figure 1

    Args:
        large: whether texts have the size for a presentation.
    """
    return {"models": [drawing.to_dict() for drawing in drawings], "scale": DIFFERENCE.to_dict(), "large": large}


def _step(step: TranslationStep) -> dict[str, Any]:
    return {
        "state": packed_vector(step.state),
        "context": packed_vector(step.context),
        "maxout": packed_vector(step.maxout),
        "next": None if step.next_state is None else packed_vector(step.next_state),
        "energies": None if step.energies is None else _rounded(step.energies),
        "alpha": None if step.alpha is None else _rounded(step.alpha),
        "top": [[token.token, round(token.probability, 4)] for token in step.next_tokens],
        "subword": step.subwords[0] if step.subwords else None,
        "log_probability": round(step.log_probability, 4),
        "rank": step.rank,
        "gate": None if step.update_gate is None else round(float(step.update_gate.mean()), 4),
    }


def packed_vector(values: NDArray[np.floating]) -> dict[str, Any]:
    """Pack a vector for js/vectors.js, as JSON types.

    The values are rounded to 255 levels between plus and minus the largest magnitude, one byte each, since they only
    become colours. Numbers that readers see are exact to four decimals.

    Returns:
        ``bytes`` (base64 of int8), ``most`` (largest magnitude), ``norm`` (Euclidean), and ``low`` and ``high``: value
        and unit number, from 1, of the extremes.
    """
    flat = np.asarray(values, dtype=np.float64)
    most = float(np.abs(flat).max(initial=0.0))
    levels = np.rint(flat / most * 127) if most else np.zeros_like(flat)
    low, high = int(flat.argmin()), int(flat.argmax())
    return {
        "bytes": base64.b64encode(levels.astype(np.int8).tobytes()).decode(),
        "most": round(most, 4),
        "norm": round(float(np.linalg.norm(flat)), 4),
        "low": [round(float(flat[low]), 4), low + 1],
        "high": [round(float(flat[high]), 4), high + 1],
    }


@dataclass(frozen=True, kw_only=True)
class _Box:
    """A box of the drawing. boxes.toml explains the fields."""

    symbol: str
    title: str
    equations: tuple[str, ...]
    place: str
    shape: str
    words: str
    row: str = ""


@dataclass(frozen=True, kw_only=True)
class _File:
    """Content of boxes.toml: boxes of all models and of each architecture, equations of scores, a remark on order."""

    program_order: str
    scores: dict[str, str]
    common: dict[str, _Box]
    rnnsearch: dict[str, _Box]
    rnnencdec: dict[str, _Box]


_FILE = read_toml(_File, Path(__file__).with_name("boxes.toml"))


def _boxes(steps: TranslationSteps) -> dict[str, dict[str, Any]]:
    """Fields of each box in the drawing of a translation, by the name of the box in js/, as JSON types."""
    program = steps.state_order == "program"
    units = steps.annotations.shape[1]
    both = units == 2 * steps.hidden  # directions of the annotations
    values = {
        "n": steps.hidden,
        "units": units,
        "name_of_units": "2n" if both else "n",
        "annotation": "[→h_j ; ←h_j]" if both else "→h_j",
        "tokens": len(steps.source),
        "maxout": len(steps.steps[0].maxout),
        "vocabulary": f"{steps.vocabulary:,}",
        "word": "y_i" if program else "y_{i−1}",
        "word_before": "y_{i−1}" if program else "y_{i−2}",
        "order": f" {of_data('boxes.program_order', _FILE.program_order.strip())}" if program else "",
        "context": "c_i" if steps.attends else "c",
        "context_before": "c_{i−1}" if steps.attends else "c",
        "begin": "s_0 = tanh(W_s ←h_1)" if both else "s_0 = tanh(W_s h_{T_x})",
        "score": _FILE.scores.get(steps.score, _FILE.scores["additive"]),
    }

    def filled(name: str, value: Any) -> Any:
        if isinstance(value, str):
            return Template(of_data(name, value)).substitute(values)
        return tuple(filled(name, part) for part in value)

    of_model = ("rnnsearch", _FILE.rnnsearch) if steps.attends else ("rnnencdec", _FILE.rnnencdec)
    return {
        name: {key: filled(f"boxes.{group}.{name}.{key}", value) for key, value in asdict(box).items()}
        for group, boxes in (("common", _FILE.common), of_model)
        for name, box in boxes.items()
    }


def _rounded(values: Iterable[float]) -> list[float]:
    """Numbers for JSON, to 4 decimals."""
    return [round(float(value), 4) for value in values]
