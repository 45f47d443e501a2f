"""The presentation: one scene at a time, in large type, step by step. Its address is ``/present``. ``?scene=NAME`` or
``?scene=3`` opens a scene, and ``&step=2`` its second step. Each ``s=SENTENCE`` adds a typed sentence, and each
``look=SCENE`` a scene from the page Look."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal
from urllib.parse import urlsplit, urlunsplit

import segno
import streamlit as st

from nmt.answers.shipped import CONCATENATED, SENTENCES, SceneSentence, beginnings
from nmt.instrument.changes import Change, read_changes
from nmt.released import LANGUAGES
from nmt.results import Languages
from nmt.texts import APP, LOOK, PRESENT
from nmt.ui.address import not_there, write_address
from nmt.ui.app_shell import PLACES, dark_page, name_window, titled
from nmt.ui.checkpoints import Checkpoints, length_figure, training_compared
from nmt.ui.components import show_small_figure
from nmt.ui.formatting import escaped
from nmt.ui.inputs import MOST_CHARACTERS, any_checkpoint, on_one_line
from nmt.ui.instrument import show_instrument
from nmt.ui.learn.steps import show_steps_scene
from nmt.ui.learn.wording import STAGES
from nmt.ui.lecture import SCENE as OF_LOOK
from nmt.ui.lecture import LectureScene, name_of, take_scenes, unpacked_scene
from nmt.ui.look.draw import picture
from nmt.ui.look.shown import decode_all
from nmt.ui.look.view import ExplorerView, Settings
from nmt.ui.look.what_if import changed

SCENE, STEP, SENTENCE = "scene", "step", "s"
"""Parameters of the address: the scene, its step, and a sentence of the lecturer."""
_END, _LEAVE, _INSTRUMENT = "end", "present-leave", "instrument"
"""Name of the black screen, keys of the button that leaves the presentation, and of the instrument."""
_SYSTEMS = 2
_MOST_OWN = 12


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A scene of the presentation.

    Attributes:
        steps: number of its steps. Each step shows more than the step before.
        show: shows the scene up to a step, from 1.
    """

    name: str
    title: str
    steps: int
    show: Callable[[Checkpoints, int], None]


def scenes(own: list[str], looks: list[str] | None = None) -> list[Scene]:
    """List the scenes in their order.

    Args:
        own: the lecturer's own sentences. They come after the program's sentences.
        looks: scenes that the lecturer added on Look, as the address writes them. They come after ``own``.
    """
    typed = [" ".join(sentence[:MOST_CHARACTERS].split()) for sentence in own]
    extra = [
        SceneSentence(name=f"own-{number}", title=titled(sentence), sentence=sentence, look="")
        for number, sentence in enumerate(filter(None, typed[:_MOST_OWN]), 1)
    ]
    sentences = [*(sentence for sentence in SENTENCES if sentence.languages == LANGUAGES), *extra]
    added = [scene for scene in map(unpacked_scene, looks or []) if scene is not None]
    return [
        *(
            # first RNNsearch's translation, then also RNNencdec's
            Scene(name=s.name, title=s.shown_title, steps=_SYSTEMS, show=partial(_show_sentence, scene=s))
            for s in sentences
        ),
        *(
            Scene(
                name=name_of(number),
                title=titled(" ".join(scene.sentences)),
                steps=len(scene.models) + len(scene.changes),  # each adds a translation or, after the last, a change
                show=partial(_show_added, scene=scene),
            )
            for number, scene in enumerate(added, 1)
        ),
        Scene(name="how", title=PRESENT.how, steps=len(STAGES), show=show_steps_scene),
        Scene(name="together", title=PRESENT.together, steps=len(CONCATENATED[LANGUAGES[0]]), show=_show_together),
        Scene(name="figure-2", title=PRESENT.figure_2, steps=1, show=lambda found, step: _show_figure(found)),
        Scene(name=_END, title=PRESENT.black, steps=1, show=lambda found, step: None),
    ]


def _view_of(checkpoints: Checkpoints, pair: Languages, *sentences: str) -> ExplorerView:
    """The view of a sentence, or of several as one, with all other choices at their defaults."""
    runs = {name: checkpoints.usable[name] for name in checkpoints.first_choice(pair)}
    return ExplorerView(sentence=beginnings(sentences, pair.source)[-1], parts=sentences, runs=runs)


def _show_sentence(checkpoints: Checkpoints, number: int, *, scene: SceneSentence) -> None:
    """Show the translations of a scene's sentence by the first ``number`` checkpoints that the app opens with."""
    _show_view(_view_of(checkpoints, Languages(*scene.languages), scene.sentence), number)


def _show_added(checkpoints: Checkpoints, step: int, *, scene: LectureScene) -> None:
    """Show a scene from Look, with the models that are here and read the language of the first of them. Each step adds
    a translation or, after the last translation, a change."""
    runs = {name: checkpoints.usable[name] for name in scene.models if name in checkpoints.usable}
    if not runs:
        st.info(LOOK.scene_lacks_models.format(names=escaped(", ".join(scene.models))), icon=":material/link_off:")
        return
    language = next(iter(runs.values())).source_language
    runs = {name: run for name, run in runs.items() if run.source_language == language}
    sentences = tuple(on_one_line(sentence) for sentence in scene.sentences)
    text = beginnings(sentences, language)[-1][:MOST_CHARACTERS]
    settings = Settings(beam=scene.beam, unknown=scene.unknown)
    view = ExplorerView(sentence=text, parts=sentences, runs=runs, settings=settings)
    _show_view(view, step, read_changes(scene.changes[: max(0, step - len(scene.models))]))


def _show_together(checkpoints: Checkpoints, number: int) -> None:
    """Translate the first ``number`` stored sentences as one by the checkpoints that the app opens with."""
    _show_view(_view_of(checkpoints, Languages(*LANGUAGES), *CONCATENATED[LANGUAGES[0]][:number]))


def _show_view(view: ExplorerView, systems: int | None = None, changes: Sequence[Change] = ()) -> None:
    before = decode_all(view)[:systems]
    shown = [changed(view, panel, changes, set()) for panel in before]
    record, data = picture(view, before, shown, changes)
    if shown:
        show_instrument(record, key=_INSTRUMENT, more=data | {"large": True, "parts": "ribbons"})


def _show_figure(checkpoints: Checkpoints) -> None:
    """Show BLEU over the length of concatenated sentences, for the checkpoints that the app opens with."""
    runs = {name: checkpoints.usable[name] for name in checkpoints.first_choice(Languages(*SENTENCES[0].languages))}
    figure = length_figure(runs, dark=dark_page())
    if figure is None:
        st.info(LOOK.no_curve, icon=":material/show_chart:")
        return
    show_small_figure(figure, large=True)
    st.caption(training_compared(figure, runs))


@dataclass(frozen=True)
class _Position:
    """A place in the presentation: the number of a scene, from 0, and of a step in this scene, from 1."""

    scenes: list[Scene]
    number: int
    step: int

    @property
    def scene(self) -> Scene:
        return self.scenes[self.number]

    def moved(self, by: int) -> _Position:
        """The position one step forward (``by`` = 1) or back (-1), maybe in another scene. At an end: this position."""
        step, number = self.step + by, self.number
        if not 1 <= step <= self.scene.steps:
            number += by
            if not 0 <= number < len(self.scenes):
                return self
            step = 1 if by > 0 else self.scenes[number].steps
        return _Position(self.scenes, number, step)

    def open(self) -> None:
        """Write the position into the address."""
        write_address(**{SCENE: self.scene.name, STEP: str(self.step) if self.step > 1 else ""})


def _position() -> _Position:
    """The scene and the step that the address names. If one of them does not exist, the first scene or step."""
    known = scenes(st.query_params.get_all(SENTENCE), st.query_params.get_all(OF_LOOK))
    wanted = st.query_params.get(SCENE, "")
    names = {scene.name: k for k, scene in enumerate(known)} | {str(k + 1): k for k in range(len(known))}
    number = names.get(wanted, 0)
    steps = {str(step): step for step in range(1, known[number].steps + 1)}
    return _Position(known, number, steps.get(st.query_params.get(STEP, ""), 1))


def scene_title() -> str:
    """Write the scenes of Look into the address, and return the title of the scene that the address names."""
    take_scenes()
    return _position().scene.title


def show_presentation(checkpoints: Checkpoints) -> None:
    """Show the scene and the step of the address or, after a key press, the next or the previous step."""
    with st.container(key="presentation"):
        pressed = _pressed_key()
    if pressed == "leave" or st.session_state.get(_LEAVE):
        st.switch_page(PLACES[0].file)
    if not any_checkpoint(checkpoints):
        return
    position = _position()
    wanted, scene = st.query_params.get(SCENE, ""), position.scene
    if wanted and wanted not in (scene.name, str(position.number + 1)):
        not_there(PRESENT.scene, wanted)
    moved = position.moved({"next": 1, "back": -1}[pressed]) if pressed else position
    if moved != position:
        moved.open()
        st.rerun()
    name_window(scene.title, APP.present)
    if scene.name == _END:
        with st.container(horizontal=True, vertical_alignment="bottom", key="presentation-end"):
            st.button(PRESENT.back, icon=":material/arrow_back:", on_click=position.moved(-1).open)
            st.button(PRESENT.end, icon=":material/close:", key=_LEAVE)
        return
    scene.show(checkpoints, position.step)
    with st.container(horizontal=True, vertical_alignment="center", key="presentation-bar"):
        back, following = position.moved(-1), position.moved(1)
        st.button(PRESENT.back, icon=":material/arrow_back:", on_click=back.open, disabled=back == position)
        st.button(PRESENT.next, icon=":material/arrow_forward:", on_click=following.open)
        place = PRESENT.place.format(number=position.number + 1, total=len(position.scenes) - 1)
        if scene.steps > 1:
            place += PRESENT.step.format(step=position.step, steps=scene.steps)
        st.caption(place)
        with st.popover(PRESENT.open_it, icon=":material/qr_code_2:"):
            _show_address()
        st.button(PRESENT.end, icon=":material/close:", key=_LEAVE)


_SCRIPT = """
const KEYS = new Map([
  ["PageDown", "next"], ["PageUp", "back"], ["ArrowRight", "next"], ["ArrowLeft", "back"], ["Escape", "leave"],
]);
const TAKEN = "input, textarea, select, [contenteditable=true], [role=application], [role=slider], [role=group] button";

export default function keys({ setTriggerValue }) {
  const pressed = (event) => {
    const target = event.composedPath()[0];
    const taken = target instanceof Element && target.closest(event.key.startsWith("Page") ? "input, textarea" : TAKEN);
    const open = event.key === "Escape" && document.querySelector("[data-testid=stPopoverBody]"); // closes that
    if (!KEYS.has(event.key) || taken || open || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    setTriggerValue("key", KEYS.get(event.key));
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}
"""


@st.cache_resource(show_spinner=False)
def _keys() -> Callable[..., Any]:
    return st.components.v2.component("presentation_keys", html="<span></span>", js=_SCRIPT)


def _pressed_key() -> Literal["next", "back", "leave", ""]:
    """What a key asks for, on a clicker or keyboard. Page Down, right arrow: next step. Page Up, left arrow: previous
    step. Escape: leave. Arrows and Escape do not count while the element in focus uses them."""
    key = _keys()(key="presentation-keys", height=1, on_key_change=lambda: None).key
    return key if key in ("next", "back", "leave") else ""


_LOCAL = ("127.0.0.1", "localhost", "::1", "")


def public_address(here: str, bound: str, announced: str) -> str:
    """Return the address under which other machines can open the page at ``here``, or "" if they cannot.

    Args:
        here: address of the page as the presenter's browser has it.
        bound: address that the server listens at.
        announced: name or address of this machine on its network, from the settings of the server.

    >>> public_address("http://localhost:8501/present", "127.0.0.1", "localhost")
    ''
    >>> public_address("http://localhost:8501/present", "0.0.0.0", "10.0.0.7")
    'http://10.0.0.7:8501/'
    >>> public_address("https://jointly.example.org/present?scene=long", "127.0.0.1", "localhost")
    'https://jointly.example.org/'
    """
    parts = urlsplit(here)
    host = parts.hostname or ""
    if host in _LOCAL:
        if bound in _LOCAL or announced in _LOCAL:
            return ""
        host = announced
    shown = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit((parts.scheme, shown + port, "/", "", ""))


def _show_address() -> None:
    """Show the address as a QR code and as text, or say how to open the server to the network."""
    address = public_address(
        st.context.url or "", st.get_option("server.address") or "", st.get_option("browser.serverAddress") or ""
    )
    if not address:
        st.info(PRESENT.local_only, icon=":material/wifi_off:")
        return
    image = io.BytesIO()
    segno.make(address, micro=False).save(image, kind="png", scale=8, border=3)
    st.image(image.getvalue(), width=260, caption=address)
