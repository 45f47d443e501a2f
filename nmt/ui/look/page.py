"""The alignment explorer on its page, from top to bottom: the form, the answers, the picture, and one section."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

import streamlit as st

from nmt.instrument.changes import Change, read_changes
from nmt.results.record import ChangeKind
from nmt.texts import APP, LOOK
from nmt.ui import address
from nmt.ui.address import link_back, not_there_text, write_own
from nmt.ui.app_shell import name_window, titled
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.inputs import any_checkpoint
from nmt.ui.instrument import SECTIONS, Chosen, Pin, Section, addressed, chosen, show_instrument
from nmt.ui.lecture import OPENS, LectureScene, follow_scene, offered, toggle_scene
from nmt.ui.look import form, what_if
from nmt.ui.look.draw import FORMS_HERE, picture, take_away
from nmt.ui.look.sections import explanation, gold_of, show_length, take_gold
from nmt.ui.look.shown import decode_all, record_of, with_effect
from nmt.ui.look.view import CHANGES, DIFFERENCE, EFFECT, OF_A_SENTENCE, Asked, Decoded, ExplorerView, Shown

_NEEDS: dict[Section, tuple[Literal["pin", "seen", "maps", "view"], ...]] = {
    "explain": ("pin", "maps", "view"),
    "what-if": ("pin",),
    "gold": ("seen",),
}
"""For each section the choices in the picture that make the page compute the section again. A pin is explained, and its
word can be replaced, in the first two."""
_INSTRUMENT, _SECTION, _WANTED = "instrument", "section-of-look", "wanted-of-look"
_STYLE = Path(__file__).with_name("page.css").read_text("utf-8")


def introduce() -> None:
    """Say in a line which models translate here. The style of Look comes with it."""
    st.html(f"<p>{LOOK.introduction}</p><style>{_STYLE}</style>")


def show_explorer(checkpoints: Checkpoints) -> None:
    """Ask for sentence and settings, decode, and show the results."""
    link_back("pages/length.py", LOOK.back_to_length)
    introduce()
    at_first = _addressed()
    form.settle_draft()
    if not any_checkpoint(checkpoints):
        return
    asked = form.ask_around(checkpoints)
    with st.container(key="look-main"):
        _explore(asked, at_first)


def _addressed() -> Chosen:
    """The choices in the address. If it names no section, the section that was open before is chosen."""
    named = st.query_params.get("do", "")
    if named and named not in SECTIONS:
        address.write_address(do="")
        address.not_there(LOOK.look_closer, named)
    first = addressed()
    return replace(first, section=first.section or st.session_state.get(_SECTION))


@st.fragment
def _explore(asked: Asked, at_first: Chosen) -> None:
    """Ask for a sentence and show it. Another sentence, a change, or a choice that the section needs runs only this
    fragment again."""
    if address.chosen_now(form.AROUND) != asked.choices:
        st.rerun()  # the whole page: a button in here chose another language, checkpoint or place
    with st.container(key="look-said"):
        view = form.ask_sentence(asked)
        if view is not None and view.sentence and not view.draft:
            name_window(titled(view.sentence), APP.look)
        before = [] if view is None else decode_all(view)
    with st.container(key="look-shown"):
        if view is not None and before:
            now = Chosen() if view.draft else addressed()
            _show(view, before, replace(now, section=at_first.section, view=at_first.view))
    address.settle()


def _show(view: ExplorerView, decoded: list[Shown], at_first: Chosen) -> None:
    """Show the picture and one section. ``decoded``: the translations before the reader's changes."""
    now, changes = chosen(_INSTRUMENT, view.sentence, at_first), _changes(view)
    scene = _scene_of(view, changes)
    if not view.draft:
        follow_scene(scene, typed=view.lesson is None)
    before, after = _answers(view, decoded, changes)
    section = now.section or SECTIONS[0]
    st.session_state[_SECTION] = now.section
    with st.container(key="look-picture"):
        place, rail = (st.container(key=f"look-{part}") for part in ("instrument", "rail"))
    body = rail.container(key="look-section")
    shown = before if now.seen == "before" else after
    pin = _pin(now, shown)
    unknown = now.pin is not None and now.pin.name not in {panel.title for panel in (*before, *after)}
    wrong = unknown and address.arriving()  # while there are changes, a checkpoint that was taken away may come again
    gone = now.pin.address if now.pin is not None and pin is None and (wrong or not changes) else None
    with body:
        if gone is not None:
            if address.arriving():  # only a link is wrong, not a checkpoint chosen here
                st.caption(f":material/link_off: {not_there_text(LOOK.cell_or_word, gone)}")
            now = replace(now, pin=None)
        pinned = None if pin is None else next((panel for panel in shown if panel.title == pin.name), None)
        if now.seen in ("change", "same") and pinned not in before:
            pinned = None  # the map shows a difference
        asked = replace(now, pin=pin, maps=now.maps and section == "explain")
        explained = explanation(view, pinned, asked) if "pin" in _NEEDS.get(section, ()) else None
        told, links = gold_of(view, shown) if section == "gold" and not view.draft else (None, None)
    gold, held = links or (None, shown)
    of_before, of_after = (held, after) if now.seen == "before" else (before, held)
    wanted = st.session_state.pop(_WANTED, None)
    with place:
        sides = {"after": after, "before": before, "same": what_if.with_new_source(view, before, changes)}
        record, data = picture(view, of_before, of_after, changes, gold)
        others = record_of(view, sides["same"])  # the translations before, scored with the new source
        more: dict[str, Any] = {
            "same": None if others is None else others.to_dict(),
            "explanation": explained,
            "gold": told,
            "gone": gone,
            "taken": None if wanted is None else take_away(view, sides, wanted, changed=bool(changes)),
            "changes": ["source"] if view.target.typed else [*get_args(ChangeKind)],
            "sections": SECTIONS,
            "forms": FORMS_HERE,
            "offers": offered(scene),
            "effect": _effect(view),
            "effects": any(panel.stands_in and isinstance(panel, Decoded) for panel in of_after),
            "difference": DIFFERENCE in view.settings.options,
            "number": max(1, len(view.parts)),
            "base": view.parts[0] if view.parts else "",
            "sentences": [*view.parts[1:], *view.following],
            "draft": [*OF_A_SENTENCE] if view.draft else None,
            "controls": True,
            "owns": True,
            "spread": True,
        }
        show_instrument(
            record,
            key=_INSTRUMENT,
            chosen=now,
            needs=("section", *_NEEDS.get(section, ())),
            on_ask=partial(_take, view, scene),
            more=data | more,
        )
    if section == "length":
        with body:
            show_length(view.sentence, decoded)
    write_own(OF_A_SENTENCE)


def _answers(view: ExplorerView, before: list[Shown], changes: Sequence[Change]) -> tuple[list[Shown], list[Shown]]:
    """The translations before and after the changes, with the effect of each word if the reader asked for it. Say which
    changes are lost."""
    unread = [] if view.draft else [text for text in st.query_params.get_all(CHANGES) if Change.read(text) is None]
    lost = {f":material/link_off: {not_there_text(LOOK.a_change, text)}" for text in unread}
    after = [what_if.changed(view, panel, changes, lost) for panel in before]
    for sentence in lost:
        st.caption(sentence)
    if not _effect(view):
        return before, after
    lacking = [item for item in {*before, *after} if item.stands_in and isinstance(item, Decoded)]
    effects: dict[Shown, Shown] = {item: with_effect(item) or item for item in lacking}
    return [effects.get(panel, panel) for panel in before], [effects.get(panel, panel) for panel in after]


def _changes(view: ExplorerView) -> list[Change]:
    return [] if view.draft else read_changes(st.query_params.get_all(CHANGES))


def _scene_of(view: ExplorerView, changes: Sequence[Change]) -> str:
    """The scene of a view for a lecture. "" for a view with a typed target or with files alone."""
    if not view.runs or view.target.typed:
        return ""
    made, beam, unknown = tuple(change.address for change in changes), view.settings.beam, view.settings.unknown
    return LectureScene(sentences=view.parts, models=(*view.runs,), changes=made, beam=beam, unknown=unknown).packed


def _effect(view: ExplorerView) -> bool:
    return st.query_params.get(EFFECT) == "true" and not view.draft


def _pin(now: Chosen, shown: Sequence[Shown]) -> Pin | None:
    """The reader's pin. None if there is no pin, or if a word of it does not exist."""
    if now.pin is None or now.pin.name == DIFFERENCE:
        return now.pin
    alignment = next((panel.units(pieces=now.view.pieces) for panel in shown if panel.title == now.pin.name), None)
    rows, columns = (0, 0) if alignment is None else alignment.weights.shape
    there = all(i < rows for i in now.pin.target) and all(j < columns for j in now.pin.source)
    return now.pin if there else None


def _take(view: ExplorerView, scene: str, asked: Mapping[str, Any]) -> None:
    """Answer a request of the browser: changes, a number of sentences to translate as one, effects of words, gold
    links, a file, or a scene of the lecture. While a draft is shown, only requests about it count. Such a request also
    enters the draft."""
    if view.draft:
        if asked.get("sentence") != view.sentence:
            return
        form.enter_draft(view.sentence)
    kind = asked.get("kind")
    if kind == "scene":
        toggle_scene(scene)
    elif kind == "lecture":
        st.session_state[OPENS] = True
    elif kind == "change":
        what_if.take_changes(asked.get("changes"))
    elif kind == "translate":
        form.take_number(view, asked.get("number"))
    elif kind == "export":
        st.session_state[_WANTED] = asked.get("wanted")
    elif kind == "gold":
        take_gold(view.sentence, asked)
    elif kind == "effect":
        write_own(OF_A_SENTENCE, **{EFFECT: ["true"] if asked.get("effect") is True else []})
