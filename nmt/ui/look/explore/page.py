"""The alignment explorer on its page, from top to bottom, and its scenes in a presentation."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

import streamlit as st

from nmt.answers.shipped import CONCATENATED, SENTENCES, SceneSentence
from nmt.released import LANGUAGES
from nmt.results import Languages
from nmt.results.record import GoldLinks
from nmt.texts import APP, LOOK
from nmt.ui import address
from nmt.ui.address import link_back, not_there_text, write_own
from nmt.ui.app_shell import name_window, titled
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.formatting import escaped
from nmt.ui.inputs import any_checkpoint
from nmt.ui.instrument import SECTIONS, Chosen, Pin, Section, addressed, chosen, show_instrument
from nmt.ui.look.explore import form, what_if
from nmt.ui.look.explore.draw import FORMS_HERE, about, lesson_remark, show_large_figure, show_length, take_away
from nmt.ui.look.explore.explain import explanation
from nmt.ui.look.explore.gold import gold_of, take_gold
from nmt.ui.look.explore.lecture import OPENS, LectureScene, follow_scene, offered, scene_of, toggle_scene
from nmt.ui.look.explore.shown import decode_all, record_of, show_all, with_effect
from nmt.ui.look.explore.view import DIFFERENCE, EFFECT, OF_A_SENTENCE, Asked, DecodedSentence, ExplorerView, Shown

_NEEDS: dict[Section, tuple[Literal["seen", "maps", "view"], ...]] = {
    "explain": ("maps", "view"),
    "gold": ("seen",),
}
"""For each section the choices in the picture, beside the pin, that make the page compute the section again."""
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
        del st.query_params["do"]
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
        decoded_sentences = [] if view is None else decode_all(view)
    with st.container(key="look-shown"):
        if view is not None and (decoded_sentences or view.imported):
            now = Chosen() if view.draft else addressed()
            _show(view, decoded_sentences, replace(now, section=at_first.section, view=at_first.view))
    address.settle()


def _show(view: ExplorerView, decoded_sentences: list[DecodedSentence], at_first: Chosen) -> None:
    """Show the picture and one section."""
    now = chosen(_INSTRUMENT, view.sentence, at_first)
    before, changes = show_all(view, decoded_sentences), _changes(view)
    if not view.draft:
        follow_scene(scene_of(view, [change.address for change in changes]), typed=view.lesson is None)
    unread = [] if view.draft else what_if.unread_changes()
    lost = {f":material/link_off: {not_there_text(LOOK.a_change, text)}" for text in unread}
    after = [what_if.changed(view, panel, changes, lost) for panel in before]
    for sentence in lost:
        st.caption(sentence)
    section = now.section or SECTIONS[0]
    st.session_state[_SECTION] = now.section
    if _effect(view):
        effects = {item: with_effect(item) or item for item in {*before, *after} if item.stands_in and item.decoded}
        before, after = ([effects.get(panel, panel) for panel in some] for some in (before, after))
    with st.container(key="look-picture"):
        picture, rail = (st.container(key=f"look-{part}") for part in ("instrument", "rail"))
    with rail:
        body = st.container(key="look-section")
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
        explained = explanation(view, pinned, replace(now, pin=pin, maps=now.maps and section == "explain"))
        told, links = gold_of(view, shown) if section == "gold" and not view.draft else (None, None)
    gold, held = links or (None, shown)
    of_before, of_after = (held, after) if now.seen == "before" else (before, held)
    wanted = st.session_state.pop(_WANTED, None)
    with picture:
        same = [what_if.given_same_target(view, panel, changes) for panel in before] if changes else []
        sides = {"after": after, "before": before, "same": [panel for panel in same if panel is not None]}
        taken = None if wanted is None else take_away(view, sides, wanted, changed=bool(changes))
        answers = {"explanation": explained, "gold": told, "gone": gone, "taken": taken}
        _show_picture(view, of_before, of_after, sides["same"], now, answers, gold)
    if section == "length":
        with body:
            show_length(view.sentence, decoded_sentences)
    write_own(OF_A_SENTENCE)


def _changes(view: ExplorerView) -> list[what_if.Change]:
    return [] if view.draft else what_if.read_changes()


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


def _show_picture(
    view: ExplorerView,
    before: Sequence[Shown],
    after: Sequence[Shown],
    same: Sequence[Shown],
    now: Chosen,
    answers: Mapping[str, Any],
    gold: GoldLinks | None,
) -> None:
    """Show the translations and their maps, and let the reader change them.

    Args:
        same: the translations before the changes, scored as translations of the new source.
        answers: data of the open section, a file to save, and ``gone``, a pin of the address on missing words.
    """
    changes = _changes(view)
    changed = any(new is not old for new, old in zip(after, before, strict=True))
    plain = record_of(view, before)
    record = record_of(view, after, gold) if changed or gold else plain
    others = record_of(view, same)
    scene = scene_of(view, [change.address for change in changes])
    more: dict[str, Any] = {
        "plain": None if plain is None or record is plain else plain.to_dict(),
        "same": None if others is None else others.to_dict(),
        "about": about(view, after, before),
        "remarks": {} if changed else lesson_remark(view, after[0] if after else None),
        "change": [change.address for change in changes],
        "changes": ["source"] if view.target.typed else [*get_args(what_if.Kind)],
        "sections": SECTIONS,
        "forms": FORMS_HERE,
        "offers": [] if scene is None else offered(scene),
        "effect": _effect(view),
        "effects": any(panel.stands_in and panel.decoded for panel in after),
        "difference": DIFFERENCE in view.settings.options,
        "number": max(1, len(view.parts)),
        "base": view.parts[0] if view.parts else "",
        "sentences": [*view.parts[1:], *view.following],
        "animate": len(view.parts) == 1 and not view.draft,
        "draft": [*OF_A_SENTENCE] if view.draft else None,
        "controls": True,
        "owns": True,
        "spread": True,
    }
    show_instrument(
        record,
        key=_INSTRUMENT,
        chosen=now,
        needs=("section", "pin", *_NEEDS.get(now.section or SECTIONS[0], ())),
        on_ask=partial(_take, view),
        more={**more, **answers},
    )


def _take(view: ExplorerView, asked: Mapping[str, Any]) -> None:
    """Answer a request of the browser: changes, a number of sentences to translate as one, effects of words, gold
    links, a file, or a scene of the lecture. While a draft is shown, only requests about it count. Such a request also
    enters the draft."""
    if view.draft:
        if asked.get("sentence") != view.sentence:
            return
        form.enter_draft(view.sentence)
    kind, scene = asked.get("kind"), scene_of(view, [change.address for change in what_if.read_changes()])
    if kind == "scene" and scene is not None:
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


def show_sentence_scene(checkpoints: Checkpoints, number: int, *, scene: SceneSentence) -> None:
    """Show the translations of a scene's sentence by the first ``number`` checkpoints that the app opens with."""
    _show_scene(form.view_of(checkpoints, Languages(*scene.languages), scene.sentence), number)


def show_added_scene(checkpoints: Checkpoints, step: int, *, scene: LectureScene) -> None:
    """Show a scene from Look. Each step adds a translation or, after the last translation, a change."""
    view = scene.view(checkpoints)
    if view.runs:
        made = max(0, step - len(scene.models))
        changes = [what_if.Change.read(text) for text in scene.changes[:made]]
        _show_scene(view, step, [change for change in changes if change is not None])
    else:
        st.info(LOOK.scene_lacks_models.format(names=escaped(", ".join(scene.models))), icon=":material/link_off:")


def show_together_scene(checkpoints: Checkpoints, number: int) -> None:
    """Translate the first ``number`` stored sentences as one by the checkpoints that the app opens with."""
    _show_scene(form.view_of(checkpoints, Languages(*LANGUAGES), *CONCATENATED[LANGUAGES[0]][:number]))


def _show_scene(view: ExplorerView, systems: int | None = None, changes: Sequence[what_if.Change] = ()) -> None:
    before = show_all(view, decode_all(view))[:systems]
    shown = [what_if.changed(view, each, changes, set()) for each in before]
    more = {
        "about": about(view, shown, before, large=True),
        "plain": record.to_dict() if changes and (record := record_of(view, before)) else None,
        "change": [change.address for change in changes],
        "remarks": {} if changes else lesson_remark(view, shown[0] if shown else None),
        "animate": len(view.parts) == 1,
        "large": True,
        "parts": "ribbons",
    }
    if shown:
        show_instrument(record_of(view, shown), key=_INSTRUMENT, more=more)


def show_figure_scene(checkpoints: Checkpoints) -> None:
    """Show BLEU over the length of concatenated sentences, for the checkpoints that the app opens with."""
    scene = SENTENCES[0]
    view = form.view_of(checkpoints, Languages(*scene.languages), scene.sentence)
    show_large_figure(decode_all(view))
