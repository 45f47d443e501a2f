"""Jointly: RNNsearch and RNNencdec, from raw text to alignment weights.

>>> import nmt
>>> model = nmt.load("checkpoints/rnnsearch-50")     # doctest: +SKIP
>>> t = model.translate("The cat sleeps.", beam=12)   # doctest: +SKIP
>>> t.text, t.alignment.weights.shape                 # doctest: +SKIP

``load``, ``load_aligner``, ``heatmap``, ``explore``, ``compare`` and the record classes are the public interface of
this module. Each is imported at its first use, so that ``import nmt`` is fast and the records never import torch.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nmt.aligners.aligner import load_aligner
    from nmt.errors import InputError
    from nmt.figures import compare, heatmap
    from nmt.inference.translator import load
    from nmt.notebook import explore
    from nmt.results import Alignment, ForcedScore, Hypothesis, Score, Scores, Translation

_PLACES = dict.fromkeys(("Alignment", "ForcedScore", "Hypothesis", "Score", "Scores", "Translation"), "nmt.results") | {
    "load": "nmt.inference.translator",
    "load_aligner": "nmt.aligners.aligner",
    "compare": "nmt.figures",
    "explore": "nmt.notebook",
    "heatmap": "nmt.figures",
    "InputError": "nmt.errors",
}

__all__ = [
    "Alignment",
    "ForcedScore",
    "Hypothesis",
    "InputError",
    "Score",
    "Scores",
    "Translation",
    "compare",
    "explore",
    "heatmap",
    "load",
    "load_aligner",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'nmt' has no attribute {name!r}")
    from nmt.results import Translation

    Translation.drawn = _drawn
    return getattr(importlib.import_module(_PLACES[name]), name)


def _drawn(translation: Translation) -> str | None:
    """Draw a translation as HTML. None without attention, and if no drawing library is installed."""
    try:
        from nmt.figures import notebook_html
    except ModuleNotFoundError:
        return None
    return notebook_html(translation)


def __dir__() -> list[str]:
    return sorted(_PLACES)
