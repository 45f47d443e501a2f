"""The alignment explorer on its page, from top to bottom, and its scenes in a presentation."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from nmt.answers.shipped import CONCATENATED, SENTENCES, SceneSentence
from nmt.charts.alignment_view import Pin, view_data
from nmt.charts.ribbons import Handle, ribbons_data
from nmt.released import LANGUAGES
from nmt.results import Alignment, Languages
from nmt.results.links import Gold
from nmt.texts import APP, LOOK
from nmt.ui.address import choose_view, link_back, not_there, write_own
from nmt.ui.app_shell import name_window, titled
from nmt.ui.checkpoints import Checkpoints
from nmt.ui.components import alignment_view, show_ribbons
from nmt.ui.formatting import escaped
from nmt.ui.inputs import SENTENCE
from nmt.ui.look.explore import form, what_if
from nmt.ui.look.explore.draw import (
    DrawnPanel,
    draw,
    draw_all,
    draw_change,
    ribbon_systems,
    show_large_figure,
    show_length,
)
from nmt.ui.look.explore.explain import show_explanation
from nmt.ui.look.explore.export import show_export
from nmt.ui.look.explore.form import ExplorerView
from nmt.ui.look.explore.gold import ask_gold, beyond, show_rates, with_gold
from nmt.ui.look.explore.shown import DecodedSentence, Shown, decode_all, follow, show_all, shown_of, with_effect
from nmt.ui.look.explore.what_if import Change

_LENGTH, _EXPLAIN, _GOLD, _WHAT_IF, _EXPORT = "length", "explain", "gold", "what-if", "export"
_VIEW, _RIBBONS, _EFFECT = "explorer-view", "ribbons", "effect"
_STYLE = Path(__file__).with_name("page.css").read_text("utf-8")
_MOST_BESIDE = (19, 26)
"""Source and target words, end marks included, up to which a matrix stands beside the ribbons."""


def show_explorer(checkpoints: Checkpoints) -> None:
    """Ask for sentence and settings, decode, and show the results."""
    link_back("pages/length.py", LOOK.back_to_length)
    st.html(f"<p>{LOOK.introduction}</p><style>{_STYLE}</style>")
    rows = st.container(key="look-rows")
    with st.container(horizontal=True, key="look-body"):
        main, beside = st.container(key="look-main"), st.container(key="look-settings", border=True)
    with main:  # two places, so that what is said above it does not move the fragment, which would lose clicks
        said, place = st.container(key="look-said"), st.container(key="look-shown")
    with said:
        view = form.ask_explorer(checkpoints, rows, beside)
        if view is None:
            return
        if SENTENCE in st.query_params and view.sentence:
            name_window(titled(view.sentence), APP.look)
        decoded_sentences = decode_all(view)
    with place:
        if decoded_sentences or view.imported:
            _show(view, decoded_sentences)


@st.fragment
def _show(view: ExplorerView, decoded_sentences: list[DecodedSentence]) -> None:
    """Show the ribbons, the matrices and one section. A pin, a change or a choice made here runs only this function
    again, and repeats no translation."""
    if st.query_params.get(form.NUMBER, "1") != str(max(1, len(view.parts))):
        st.rerun()  # all of the page: another text is to be translated
    before, changes = show_all(view, decoded_sentences), what_if.read_changes()
    after = [what_if.changed(view, each, changes) for each in before]
    with st.container(key="look-picture"):
        drawable = any(each.weights is not None for each in (*before, *after))
        parts = ("ribbons", "matrix", "rail" if drawable else "rail-alone")
        picture, matrices, rail = (st.container(key=f"look-{part}") for part in parts)
    pinned = _name(st.query_params.get(form.PIN, ""))
    with picture:
        ribbons = st.container()
        seen = _ask_side(changes, effect=any(now is not old for now, old in zip(after, before, strict=True)))
        effects = st.container()
    shown = before if seen == "before" else after
    with ribbons:
        if not pinned:  # then they need nothing of what follows, and are there at once
            _show_ribbons(view, shown, before, {}, None)
    with rail:
        section = choose_view(LOOK.look_closer, LOOK.by_key.sections, key="do", default=_EXPLAIN if pinned else _LENGTH)
        body = st.container(key="look-section")
    drawn = _drawn(view, before, shown, changes, seen)
    names = [*drawn]
    needed = {pinned} if section != _EXPORT else {each.title for each in before}
    with effects:
        _ask_effects(view, before, shown, seen, drawn, needed)
    with body:
        gold = ask_gold(view.sentence) if section == _GOLD else None
        held = {} if gold is None else _hold_against(gold, view, drawn)
    pin = _pin(drawn, strict=not changes)
    with ribbons:
        if pinned:
            _show_ribbons(view, shown, before, drawn, pin)
    with matrices:
        if names:
            words = drawn[names[0]].panel.alignment
            fits = len(words.source) <= _MOST_BESIDE[0] and len(words.target) <= _MOST_BESIDE[1]
            beside = fits and len(names) == 1
            with st.container(key="look-beside" if beside else "look-below"):
                panels = [drawn[name] for name in names]
                _show_view(view, panels, pinned, pin, _VIEW, most_height="window" if beside else "42rem")
    with body:
        pinned_panel = None if pin is None else drawn[pinned]
        if section == _EXPLAIN:
            show_explanation(view, pinned_panel, pin)
        elif section == _WHAT_IF:
            what_if.ask_changes(view, changes)
            what_if.ask_weights(view, None if pinned_panel is None else pinned_panel.shown, pin)
            for old, new in zip(before, after, strict=True):
                if new is not old and old.decoded and new.decoded and not view.target.typed:
                    what_if.show_difference(old.decoded, new.decoded)
        elif gold is not None and held:
            show_rates(held, gold, view.settings.least)
        elif section == _EXPORT:
            show_export(view, [*drawn.values()], changed=bool(changes))
        elif section == _LENGTH:
            show_length(view.sentence, decoded_sentences)
    write_own(form.OF_A_SENTENCE)


def _ask_side(changes: Sequence[Change], *, effect: bool) -> str:
    """Ask which side of the reader's changes is seen, a name in ``look.seen_choices``; offer to take them all back.

    Args:
        effect: whether the changes concern any of the translations; the ribbons say which.
    """
    if not changes:
        return "after"
    if not effect:
        st.caption(LOOK.no_effect)
    new_source = any(change.kind == "source" for change in changes)
    options = {name: title for name, title in LOOK.by_key.seen_choices.items() if name != "same" or new_source}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(LOOK.reset, key="reset", icon=":material/restart_alt:", on_click=what_if.write_changes, args=([],))
        return choose_view(LOOK.seen, options, key=form.SEEN, width="content")


def _drawn(
    view: ExplorerView, before: Sequence[Shown], shown: Sequence[Shown], changes: Sequence[Change], seen: str
) -> dict[str, DrawnPanel]:
    """The panels of all that has weights, by name: as shown, or how their weights changed."""
    if seen not in ("change", "same"):
        return {each.name: each for each in draw_all(view, shown)}
    drawn = {}
    for old, now in zip(before, shown, strict=True):
        other = what_if.given_same_target(view, old, changes) if seen == "same" else now
        if other is None or old.weights is None or other is old:
            continue
        title = LOOK.new_source if seen == "same" else LOOK.after_minus_before
        drawn[old.title] = draw_change(view, old, other, title)
    return drawn


def _ask_effects(
    view: ExplorerView,
    before: Sequence[Shown],
    shown: Sequence[Shown],
    seen: str,
    drawn: dict[str, DrawnPanel],
    needed: set[str],
) -> None:
    """Offer what words without alpha depended on, closed at first. The panels that are open, or whose name is needed
    for something else, are added to ``drawn``."""
    without = [(old, now) for old, now in zip(before, shown, strict=True) if now.stands_in and now.decoded]
    if not without:
        return
    with st.expander(LOOK.effect, key=_EFFECT, on_change="rerun", bind="query-params") as effects:
        panels = []
        for old, now in without:
            if not effects.open and now.title not in needed:
                continue
            first, second = (with_effect(view, each) for each in (old, now))
            if first is None or second is None:
                continue
            change = seen == "change" and old is not now
            panels.append(draw_change(view, first, second, LOOK.after_minus_before) if change else draw(view, second))
        drawn.update({each.name: each for each in panels})
        if effects.open and panels:
            pin = _pin(drawn, strict=False)
            _show_view(view, panels, _name(st.query_params.get(form.PIN, "")), pin, "effect-view")


def _hold_against(gold: Gold, view: ExplorerView, drawn: dict[str, DrawnPanel]) -> dict[str, Alignment]:
    """Add gold links to the panels that write the gold's target; the other checkpoints with alpha are made to write it,
    which is said in their panels. Returns all weights of these panels, by name; none if a link is outside the text."""
    first = next((each.shown for each in drawn.values() if each.shown is not None and not each.shown.stands_in), None)
    held, panels = dict[str, Alignment](), dict[str, DrawnPanel]()
    for each in [*drawn.values()]:
        if first is None or each.shown is None or each.shown.stands_in:
            continue
        same = each.shown.words.target == first.words.target
        decoded = each.shown.decoded
        if not same and decoded and first.decoded and not (view.target.typed or decoded.manner):
            if decoded.run.target_language != first.decoded.run.target_language:
                continue
            follower = follow(view, decoded.name, decoded.run, first.decoded)
            if follower is None:
                continue
            each = draw(view, shown_of(view, follower, each.shown.number))
        elif not same:
            continue
        assert each.shown is not None
        assert each.shown.weights is not None
        held[each.panel.title] = each.shown.weights
        panels[each.name] = replace(each, panel=with_gold(each.panel, gold))
    outside = beyond(held, gold)
    if outside:
        st.warning(escaped(outside), icon=":material/warning:")
        return {}
    drawn.update(panels)
    return held


def _name(pin: str) -> str:
    """The name of the panel in the address of a pin; "" for anything else."""
    return "".join(pin.rsplit(".", 2)[:-2])


def _pin(drawn: Mapping[str, DrawnPanel], *, strict: bool) -> Pin | None:
    """The pin of the address, if there are such words; its panel is numbered as in ``drawn``.

    Args:
        strict: whether to say that there are no such words, and forget them.
    """
    text = st.query_params.get(form.PIN, "")
    pin = Pin.from_address(text, {name: each.panel for name, each in drawn.items()})
    if text and pin is None and strict:
        not_there(LOOK.cell_or_word, text)
        _keep_pin(None)
    return pin


def _keep_pin(pin: Pin | None, name: str = "") -> None:
    write_own(form.OF_A_SENTENCE, **{form.PIN: [] if pin is None else [pin.address(name)]})


def _show_ribbons(
    view: ExplorerView,
    shown: Sequence[Shown],
    before: Sequence[Shown],
    drawn: Mapping[str, DrawnPanel],
    pin: Pin | None,
) -> None:
    """Show the translations; a click on a word pins its row."""
    systems = [each for each in shown if each.decoded is not None]
    if not systems:
        return

    def take(word: object) -> None:
        chosen = _checked(word, systems)
        if chosen is None:
            _keep_pin(None)
            return
        one, number = chosen
        rows = one.restriction.alignment.target_words
        if number in rows:
            _keep_pin(Pin(0, target=(rows.index(number),)), one.title)

    def undo(system: object) -> None:
        beside = [systems[system]] if isinstance(system, int) and 0 <= system < len(systems) else systems
        if not what_if.undo(view, beside):
            form.take_number(view, len(view.parts) - 1)

    lines = ribbon_systems(view, shown, before)
    number, following = len(view.parts), view.following
    handle = Handle(number=number, most=number + len(following), next=(*following, "")[0])
    show_ribbons(
        ribbons_data(
            lines,
            animate=number == 1,
            chosen=_chosen_word(systems, pin, [*drawn]),
            handle=handle if handle.most > 1 else None,
        ),
        key=_RIBBONS,
        on_word=take,
        on_move=lambda move: what_if.take_ribbon(move, lines, systems, view),
        on_undo=undo,
        on_number=lambda wanted: form.take_number(view, wanted),
    )


def _checked(word: object, systems: Sequence[Shown]) -> tuple[Shown, int] | None:
    """The system and the number of the word that the browser sent; None if there is no such word."""
    if not isinstance(word, Mapping):
        return None
    k, i = word.get("system"), word.get("i")
    if type(k) is not int or type(i) is not int or not 0 <= k < len(systems):
        return None
    numbers = systems[k].words.target_words
    return (systems[k], numbers[i]) if 0 <= i < len(numbers) else None


def _chosen_word(systems: Sequence[Shown], pin: Pin | None, names: Sequence[str]) -> tuple[int, int] | None:
    """Number of the system and of the word of its ribbons that is pinned. ``names``: of the panels."""
    if pin is None or len(pin.target) != 1:
        return None
    for k, each in enumerate(systems):
        rows, words = each.restriction.alignment.target_words, each.words.target_words
        word = rows[pin.target[0]] if pin.target[0] < len(rows) else None
        if each.title == names[pin.panel] and word in words:
            return k, words.index(word)
    return None


def _show_view(
    view: ExplorerView, drawn: Sequence[DrawnPanel], pinned: str, pin: Pin | None, key: str, most_height: str = "42rem"
) -> None:
    """Show panels, matrices up to this height; a click pins a cell, a drag moves its weight. ``pinned``: name of the
    panel of the pin, whatever its number."""
    panels, names = [each.panel for each in drawn], [each.name for each in drawn]

    def take(sent: object) -> None:
        local = Pin.checked(sent, panels)
        _keep_pin(local, "" if local is None else names[local.panel])

    data = view_data(
        panels,
        show=view.settings.shown,
        scale=view.settings.scale,
        transpose=form.TRANSPOSED in view.settings.options,
        layout=view.settings.layout,
        heading=len(panels) > 1 or bool(panels[0].not_attention),
        pin=replace(pin, panel=names.index(pinned)) if pin is not None and pinned in names else None,
        most_height=most_height,
    )
    alignment_view(data, key=key, on_pin=take, on_move=lambda move: what_if.take_move(move, drawn, view))


def show_sentence_scene(checkpoints: Checkpoints, number: int, *, scene: SceneSentence) -> None:
    """Show the translations of the sentence by the first ``number`` of the checkpoints that the app opens with."""
    _show_scene(form.view_of(checkpoints, Languages(*scene.languages), scene.sentence), number)


def show_together_scene(checkpoints: Checkpoints, number: int) -> None:
    """Show what the checkpoints that the app opens with keep of the first ``number`` stored sentences as one."""
    _show_scene(form.view_of(checkpoints, Languages(*LANGUAGES), *CONCATENATED[LANGUAGES[0]][:number]))


def _show_scene(view: ExplorerView, systems: int | None = None) -> None:
    shown = show_all(view, decode_all(view))[:systems]
    if shown:
        drawn = ribbon_systems(view, shown, shown)
        lines = [replace(each, movable=False, hint=each.hint and LOOK.hint) for each in drawn]
        show_ribbons(ribbons_data(lines, animate=len(view.parts) == 1, large=True), key=_RIBBONS)


def show_figure_scene(checkpoints: Checkpoints) -> None:
    """Show BLEU over the length of concatenated sentences, for the checkpoints that the app opens with."""
    scene = SENTENCES[0]
    view = form.view_of(checkpoints, Languages(*scene.languages), scene.sentence)
    show_large_figure(decode_all(view))
