"""The boxes of the drawing: name, equations, place in the paper and shape of each quantity, from boxes.toml."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template
from typing import Any

from nmt.records import as_record
from nmt.results import TranslationSteps


@dataclass(frozen=True, kw_only=True)
class _Box:
    """A box of the drawing; the file says what its fields are."""

    symbol: str
    title: str
    equations: tuple[str, ...]
    place: str
    shape: str
    words: str
    row: str = ""


@dataclass(frozen=True, kw_only=True)
class _File:
    """Boxes of every model and of each architecture, equations of the scores, a remark on the order of updates."""

    program_order: str
    scores: dict[str, str]
    common: dict[str, _Box]
    rnnsearch: dict[str, _Box]
    rnnencdec: dict[str, _Box]


_PATH = Path(__file__).with_suffix(".toml")
_FILE = as_record(_File, tomllib.loads(_PATH.read_text(encoding="utf-8")), str(_PATH))


def boxes(steps: TranslationSteps) -> dict[str, dict[str, Any]]:
    """Describe the boxes of a translation's drawing by their names in js/, JSON-ready."""
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
        "order": _FILE.program_order if program else "",
        "context": "c_i" if steps.attends else "c",
        "context_before": "c_{i−1}" if steps.attends else "c",
        "begin": "s_0 = tanh(W_s ←h_1)" if both else "s_0 = tanh(W_s h_{T_x})",
        "score": _FILE.scores.get(steps.score, _FILE.scores["additive"]),
    }

    def filled(value: Any) -> Any:
        return Template(value).substitute(values) if isinstance(value, str) else tuple(map(filled, value))

    chosen = _FILE.common | (_FILE.rnnsearch if steps.attends else _FILE.rnnencdec)
    return {name: {key: filled(value) for key, value in asdict(box).items()} for name, box in chosen.items()}
