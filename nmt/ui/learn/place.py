"""The views of the place Learn."""

from collections.abc import Callable

import streamlit as st

from nmt.texts import APP, LEARN
from nmt.ui.address import choose_view, current_choice, drop_unused, link_to, set_choice, write_address
from nmt.ui.app_shell import name_window
from nmt.ui.checkpoints import ARCHITECTURES, Checkpoints
from nmt.ui.inputs import any_checkpoint, ask_pairs, first_row, name_pair, named
from nmt.ui.learn.draw import EXERCISE, show_draw, with_gold
from nmt.ui.learn.form import ask_how, readers_first
from nmt.ui.learn.steps import DRAWN, FROM, WORD, show_beam, show_explanation, show_steps
from nmt.ui.learn.training import STEP, show_training, with_steps

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


def question() -> str:
    """The question that the chosen view answers."""
    return LEARN.by_key.questions[current_choice("view", LEARN.by_key.views)]


def show_place(checkpoints: Checkpoints) -> None:
    """Let the reader choose a view, and show it. A link leads to the next view, and from the last one to a training."""
    view = current_choice("view", LEARN.by_key.views)
    trainings = with_steps(readers_first(checkpoints)) if view == "training" else {}
    offered = with_gold(checkpoints) if view == "draw" else checkpoints
    with (row := first_row()):
        if view == "training":
            name_pair(named(trainings[current_choice("run", trainings)].run.languages) if trainings else "")
        else:
            (pair,) = ask_pairs(readers_first(offered), *ARCHITECTURES)
        choose_view(APP.view, LEARN.by_key.views, key="view")
    _keep_apart(view)
    name_window(LEARN.by_key.views[view], APP.learn)
    if not any_checkpoint(checkpoints):
        return
    if view == "training":
        show_training(trainings, row)
    elif view == "draw":
        show_draw(offered, pair)
    elif asked := ask_how(checkpoints, pair, row, view):
        {"how": show_steps, "beam": show_beam, "explanation": show_explanation}[view](asked)
    later = [*LEARN.by_key.views, ""][[*LEARN.by_key.views].index(view) + 1]
    if later:
        title = LEARN.next.format(question=LEARN.by_key.questions[later])
        st.button(title, on_click=set_choice, args=("view", later), type="tertiary", icon=":material/arrow_forward:")
    else:
        link_to("pages/models.py", LEARN.train_one, {"show": "train"}, icon=":material/model_training:")


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
            write_address(**{key: left.pop(key)})
