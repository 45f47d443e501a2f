"""The presentation: one stored scene at a time. ``?present`` opens it, ``?present=NAME`` or ``=3`` opens a scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from nmt.answers.sentences import SENTENCES, SceneSentence
from nmt.reproduce.test_sets import LANGUAGES
from nmt.ui import strings as shared
from nmt.ui.address import not_there
from nmt.ui.app_shell import name_window
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.inputs import any_checkpoint
from nmt.ui.length.together.scene import show_together_scene
from nmt.ui.look.explore.page import show_figure_scene, show_sentence_scene
from nmt.ui.present import strings
from nmt.ui.present.address import show_address
from nmt.ui.present.keys import read_step

PARAMETER = "present"

_STYLE = """<style>
[data-testid="stHeader"] { display: none; }
[data-testid="stMainBlockContainer"] { padding-top: 0; padding-bottom: 0; }
[data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: .5rem; }
[data-testid="stMainBlockContainer"] h1 { padding-block: .4rem; }
html { font-size: 150%; }
[data-testid="stLayoutWrapper"]:has(> .st-key-presentation-bar) {
  position: sticky;
  bottom: 0;
  z-index: 2;
  padding-block: .4rem;
  background: var(--st-background-color, canvas);
}
</style>"""
"""The bar stays at the lower edge of the window, however long a scene is."""


@dataclass(frozen=True)
class _Stage:
    """A scene: its name in the address, its title, and what shows it."""

    name: str
    title: str
    show: Callable[[Checkpoints], None]


def _of_sentence(sentence: SceneSentence) -> _Stage:
    return _Stage(sentence.name, sentence.title, lambda found: show_sentence_scene(found, sentence))


STAGES = (
    *(_of_sentence(sentence) for sentence in SENTENCES if sentence.languages == LANGUAGES),
    _Stage("together", strings.TOGETHER, show_together_scene),
    _Stage("figure-2", strings.FIGURE_2, show_figure_scene),
)
"""The scenes in their order."""

_NAMES = [stage.name for stage in STAGES]
_NUMBERS = [str(number) for number in range(1, len(STAGES) + 1)]


def presenting() -> bool:
    """Tell whether the address asks for the presentation."""
    return PARAMETER in st.query_params


def title() -> str:
    """Title of the scene that the address asks for."""
    return STAGES[_number()].title


def show_presentation(checkpoints: Checkpoints) -> None:
    """Show the scene of the address, or its neighbour if a key was pressed."""
    st.html(_STYLE)
    if not any_checkpoint(checkpoints):
        return
    wanted = st.query_params[PARAMETER]
    if wanted and wanted not in _NAMES and wanted not in _NUMBERS:
        not_there(strings.SCENE, wanted)
    k, last = _number(), len(STAGES) - 1
    step = read_step()
    if step and 0 <= k + step <= last:
        _go(_NAMES[k + step])
        st.rerun()
    name_window(STAGES[k].title, shared.LOOK)
    STAGES[k].show(checkpoints)
    with st.container(horizontal=True, vertical_alignment="center", key="presentation-bar"):
        _button(strings.BACK, ":material/arrow_back:", _NAMES[max(0, k - 1)], disabled=k == 0)
        _button(strings.NEXT, ":material/arrow_forward:", _NAMES[min(last, k + 1)], disabled=k == last)
        st.caption(strings.PLACE.format(number=k + 1, total=len(STAGES)), width="stretch")
        with st.popover(strings.OPEN_IT, icon=":material/qr_code_2:"):
            show_address()
        st.button(strings.END, icon=":material/close:", on_click=_end)


def _number() -> int:
    wanted = st.query_params[PARAMETER]
    return next((names.index(wanted) for names in (_NAMES, _NUMBERS) if wanted in names), 0)


def _button(label: str, icon: str, name: str, *, disabled: bool) -> None:
    st.button(label, icon=icon, on_click=_go, args=(name,), disabled=disabled)


def _go(name: str) -> None:
    st.query_params[PARAMETER] = name


def _end() -> None:
    del st.query_params[PARAMETER]
