"""The sections below the picture: the explanation of a cell, gold links, and the small curve over length."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from nmt.alignments.formats.checks import Given
from nmt.alignments.formats.one_sentence import links_of_file
from nmt.charts.small_figure import SmallCurve
from nmt.data.line_words import word_counter
from nmt.errors import InputError
from nmt.evaluation.metrics import standing
from nmt.instrument.explanation import maps_of_word, of_cell, shown_weight
from nmt.records import to_data
from nmt.results import CONCATENATED, END, Alignment
from nmt.results.inspection import word_in_words
from nmt.results.links import Gold, parse_links
from nmt.results.record import ALPHA, GoldLinks
from nmt.texts import LOOK, counted, for_reader, listed
from nmt.ui.address import write_own
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import evaluations_of, find_aligner, length_figure, training_compared
from nmt.ui.components import show_small_figure
from nmt.ui.compute import answer_to
from nmt.ui.formatting import explained
from nmt.ui.inputs import MOST_CHARACTERS
from nmt.ui.instrument import Chosen
from nmt.ui.look.shown import follow, with_effect
from nmt.ui.look.view import GOLD, GOLD_BASE, OF_A_SENTENCE, Decoded, ExplorerView, Shown
from nmt.ui.tasks import ExplainTask, OtherMapsTask


def explanation(view: ExplorerView, shown: Shown | None, chosen: Chosen) -> dict[str, Any] | None:
    """Data for nmt/instrument/js/explanation.js: the explanation of the pinned cell, or a notice why there is none.
    Return None if nothing is pinned. If the computation fails, show the error and return None.

    Args:
        shown: the translation in which the cell is pinned, or None for a difference.
    """
    pin, pieces = chosen.pin, chosen.view.pieces
    if pin is None:
        return None
    pinned: dict[str, Any] = {"pin": to_data(pin)}
    if not isinstance(shown, Decoded):
        return pinned | {"notice": "no_checkpoint"}
    now = with_effect(shown) if shown.stands_in and shown.weights is None else shown
    cell = None if now is None else pin.cell(now.units(pieces=pieces))
    if cell is None or now is None:
        return pinned | {"notice": "pin"}
    if now.manner:
        return pinned | {"notice": "not_alone"}
    units, of_tokens = now.units(pieces=pieces), pieces and not now.stands_in
    i, j = cell
    rows = [i] if of_tokens else [k for k, word in enumerate(now.target.words) if word == units.target_words[i]]
    column = j if of_tokens else now.source.words.index(units.source_words[j])
    cells = []
    for row in rows:
        task = ExplainTask(checkpoint=now.run, source=now.source, target=now.target, row=row, column=column)
        answer = answer_to(task, st.empty())
        if answer is None:
            return None
        cells.append(answer)
    movable = now.has_alpha and not view.target.typed
    share = None if cells[0].alpha is None else shown_weight(units, cell, chosen.view)
    return (
        pinned
        | of_cell(cells[0])
        | {
            "said": cells[0].in_words if of_tokens else word_in_words(cells, share),
            "weights": [float(k == j) for k in range(len(units.source))] if movable else None,
            "place": {"row": i, "source": units.source[j]},
            "changes": not view.target.typed,
            "maps": None if not chosen.maps else {} if view.target.typed else _maps(now, units.target_words[i]),
        }
    )


def _maps(shown: Decoded, word: int) -> dict[str, Any] | None:
    """Weights of a target word in alpha and other maps. If that fails, show the error and return None.

    Args:
        word: number of the target word, as in ``Alignment.target_words``.
    """
    assert shown.weights is not None
    own_weights = shown.weights.merged()
    row = own_weights.target_words.index(word)
    aligner = find_aligner(shown.run.languages)
    task = OtherMapsTask(checkpoint=shown.run, source=shown.source, target=shown.target, aligner=aligner)
    other_maps = answer_to(task, st.empty())
    if other_maps is None:
        return None
    maps = ({} if shown.stands_in else {ALPHA: own_weights}) | other_maps
    return maps_of_word(maps, row, own_weights, 2 * (not shown.stands_in) + 1 + (aligner is not None))


_MOST_OF_FILE = 1_000_000
"""Largest number of characters of a file of links. The instrument sends no file with more bytes."""
_REFUSED = "gold-refused"
"""Key of the session's state: why a file of links was refused."""


def take_gold(sentence: str, asked: Mapping[str, Any]) -> None:
    """Write the browser's gold links into the address: typed links unchanged, or those of a file's first sentence."""
    base, text, file = int(asked.get("base") == 1), asked.get("text"), asked.get("file")
    try:
        if isinstance(file, str):
            if len(file) > _MOST_OF_FILE:
                raise InputError(LOOK.gold_too_long.format(most=_MOST_OF_FILE))
            gold = links_of_file(file, Given(base=base, source=[sentence]))
            text = " ".join(f"{j + base}{'-p'[(j, i) not in gold.sure]}{i + base}" for j, i in sorted(gold.possible))
        if isinstance(text, str) and len(text) > MOST_CHARACTERS:
            raise InputError(LOOK.gold_too_long.format(most=MOST_CHARACTERS))
    except InputError as error:
        st.session_state[_REFUSED] = _sentence(error)
        return
    written = {GOLD: [text] if isinstance(text, str) and text.strip() else [], GOLD_BASE: ["1"] * base}
    write_own(OF_A_SENTENCE, **written)


def _sentence(error: InputError) -> str:
    return for_reader(str(error)).rstrip(".") + "."


def gold_of(view: ExplorerView, shown: Sequence[Shown]) -> tuple[dict[str, Any], tuple[GoldLinks, list[Shown]] | None]:
    """Read the gold links of the address. First result: data of their field (``asked`` in nmt/instrument/js/gold.js),
    with a reason if they are unusable. Second result: links and translations, each forced to the target of the first
    with alpha if possible. None if unusable."""
    text, base = st.query_params.get(GOLD, ""), int(st.query_params.get(GOLD_BASE) == "1")
    told = {"text": text, "base": base, "said": st.session_state.pop(_REFUSED, "")}
    first = next((panel for panel in shown if panel.weights is not None and not panel.stands_in), None)
    try:
        gold = Gold.of(parse_links(text, base))
        if first is None or not gold.possible:
            return told, None
        held = [_held(view, panel, first) for panel in shown]
        for panel in filter(None, held):
            check_inside(panel.title, panel.units(pieces=False), gold)
    except InputError as error:
        return told | {"said": _sentence(error)}, None
    words = first.units(pieces=False)
    measured = [forced or panel for forced, panel in zip(held, shown, strict=True)]
    return told, (gold.over(words.source, words.target), measured)


def _held(view: ExplorerView, each: Shown, first: Shown) -> Shown | None:
    """``each`` if it has the target of ``first``, else ``each`` forced to this target. None if that is impossible."""
    if each.weights is None or each.stands_in:
        return None
    if each.units(pieces=False).target == first.units(pieces=False).target:
        return each
    if not isinstance(each, Decoded) or not isinstance(first, Decoded) or view.target.typed or each.manner:
        return None
    return follow(view, each.title, each.run, first) if each.run.target_language == first.run.target_language else None


def check_inside(name: str, words: Alignment, gold: Gold) -> None:
    """Raise InputError if links name words that the translation ``name`` does not have."""
    source, target = (len(side) - (side[-1:] == (END,)) for side in (words.source, words.target))
    if link := gold.outside(source, target):
        (j, i), place = link, {"sources": source, "targets": target, "name": name}
        raise InputError(LOOK.gold_beyond.format(source=j, target=i, **place))


def show_length(sentence: str, shown: Sequence[Shown]) -> None:
    """Show BLEU over the length of concatenated sentences, mark the sentence's length, and say how models were
    trained."""
    decoded = [panel for panel in shown if isinstance(panel, Decoded)]
    runs = {panel.title: panel.run for panel in decoded if not panel.manner}
    figure = length_figure(runs, dark=dark_page())
    if figure is None:
        st.caption(LOOK.no_curve)
        return
    words = word_counter(decoded[0].run.source_language)(sentence)
    spoken = LOOK.figure_spoken.format(curves=figure.spoken, words=words)
    drawn = {curve.name for curve in figure.curves}
    without = dict.fromkeys(panel.title for panel in decoded if panel.title not in drawn)
    about = [_standing(decoded[0], words, figure.test_set), _beyond(figure.curves, words)]
    if without:
        names = listed([*without])
        about.append(counted(len(without), LOOK.forms.without_curve, names=names, test_set=figure.test_set))
    text = " ".join(filter(None, about))
    show_small_figure(replace(figure, words=words, text=text, spoken=spoken))
    st.caption(f"{LOOK.about_curve} {training_compared(figure, runs)}", help=explained("BLEU"))


def _beyond(curves: Sequence[SmallCurve], words: int) -> str:
    """Say where the curves begin or end if a sentence of ``words`` words is outside of all of them, else ""."""
    begin, end = min(curve.points[0][0] for curve in curves), max(curve.points[-1][0] for curve in curves)
    if words < begin:
        return LOOK.curve_begins.format(words=f"{begin:.0f}")
    return LOOK.curve_ends.format(words=f"{end:.0f}") if words > end else ""


def _standing(decoded: Decoded, words: int, name: str) -> str:
    here, written, evaluations = counted(words, LOOK.forms.words), decoded.written, evaluations_of(decoded.run)
    measured = [evaluations[test_set] for test_set in (name + CONCATENATED, name) if test_set in evaluations]
    log_probability, tokens = written.log_probability or 0.0, len(written.target.tokens)
    among = next(filter(None, (standing(scores, words, log_probability, tokens) for scores in measured)), None)
    if among is None:
        return here
    return LOOK.standing.format(
        here=here,
        name=decoded.title,
        percent=100 * among.below,
        sentences=among.sentences,
        shortest=among.shortest,
        longest=among.longest,
    )
