"""The stress test from top to bottom."""

from __future__ import annotations

from nmt.ui.checkpoints import Checkpoints
from nmt.ui.length.stress.curve import show_curves
from nmt.ui.length.stress.custom_sentence import show_own
from nmt.ui.length.stress.form import ask_stress


def show_stress(checkpoints: Checkpoints) -> None:
    """Ask, then the curves of a test set, then the reader's own sentence."""
    view = ask_stress(checkpoints)
    if view is not None:
        show_curves(view)
        show_own(view)
