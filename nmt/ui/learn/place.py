"""The views of the place Learn."""

from collections.abc import Callable

import streamlit as st

from nmt.texts import APP, LEARN
from nmt.ui.address import choose_view, drop_unused
from nmt.ui.app_shell import name_window
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.learn.draw import EXERCISE, show_draw
from nmt.ui.learn.form import ask_how
from nmt.ui.learn.steps import DRAWN, FROM, WORD, show_beam, show_explanation, show_steps
from nmt.ui.learn.training import STEP, show_training

_OWN: dict[str, tuple[str, Callable[[], str]]] = {
    FROM: ("beam", lambda: LEARN.first_words),
    DRAWN: ("beam", lambda: LEARN.draw),
    WORD: ("explanation", lambda: LEARN.word_of_translation),
    STEP: ("training", lambda: LEARN.snapshot),
    EXERCISE: ("draw", lambda: LEARN.exercise),
}
"""By parameter, the only view that uses it, and a function that returns the title of its field."""
_BEFORE, _LEFT = "learn-view-before", "learn-left"
"""Keys of the session's state: the view of the last run, and the parameters that ``_keep_apart`` has removed."""


def show_place(checkpoints: Checkpoints) -> None:
    """Let the reader choose a view, and show it."""
    view = choose_view(APP.view, LEARN.by_key.views, key="view")
    _keep_apart(view)
    name_window(LEARN.by_key.views[view], APP.learn)
    if view == "training":
        show_training(checkpoints)
    elif view == "draw":
        show_draw(checkpoints)
    elif asked := ask_how(checkpoints, units=view == "how"):
        {"how": show_steps, "beam": show_beam, "explanation": show_explanation}[view](asked)


def _keep_apart(view: str) -> None:
    """Remove the parameters that only other views use, so that a link to ``view`` does not have them. When the reader
    goes back to a view, restore its parameters."""
    left: dict[str, list[str]] = st.session_state.setdefault(_LEFT, {})
    changed = st.session_state.get(_BEFORE, view) != view
    st.session_state[_BEFORE] = view
    for key, (other, title) in _OWN.items():
        values = st.query_params.get_all(key)
        if other != view:
            if values:
                left[key] = values
                drop_unused(key, title())
        elif changed and not values and key in left:
            st.query_params[key] = left.pop(key)
