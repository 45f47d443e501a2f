"""The view "Concatenate sentences" from top to bottom."""

from __future__ import annotations

from nmt.results import Languages
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.length.together.curve import show_curves
from nmt.ui.length.together.form import ask_together
from nmt.ui.length.together.kept import show_kept


def show_together(checkpoints: Checkpoints, languages: Languages) -> None:
    """Show a few sentences put together one by one, and below them the same over a whole test set."""
    view = ask_together(checkpoints, languages)
    if view is not None:
        show_kept(view)
        show_curves(view)
