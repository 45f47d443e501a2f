"""The sections below the picture: the explanation of a cell, gold links, and the small curve over length."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

import streamlit as st

from nmt.alignments.formats import read, recognised
from nmt.alignments.formats.checks import Given, lines_of
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
from nmt.texts import LOOK, for_reader
from nmt.ui.address import write_own
from nmt.ui.app_shell import dark_page
from nmt.ui.checkpoints import evaluations_of, find_aligner, length_figure, training_compared
from nmt.ui.components import show_small_figure
from nmt.ui.compute import answer_to
from nmt.ui.formatting import counted, explained, listed
from nmt.ui.inputs import MOST_CHARACTERS
from nmt.ui.instrument import Chosen
from nmt.ui.look.shown import follow, shown_of, with_effect
from nmt.ui.look.view import GOLD, GOLD_BASE, OF_A_SENTENCE, DecodedSentence, ExplorerView, Shown
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
    if shown is None or shown.decoded is None:
        return pinned | {"notice": "no_checkpoint"}
    if shown.stands_in and shown.weights is None:
        shown = with_effect(shown)
    cell = None if shown is None else pin.cell(shown.units(pieces=pieces))
    if cell is None or shown is None or shown.decoded is None:
        return pinned | {"notice": "pin"}
    if shown.decoded.manner:
        return pinned | {"notice": "not_alone"}
    decoded, units = shown.decoded, shown.units(pieces=pieces)
    of_tokens = pieces and not shown.stands_in
    i, j = cell
    rows = [i] if of_tokens else [k for k, word in enumerate(decoded.target.words) if word == units.target_words[i]]
    column = j if of_tokens else decoded.source.words.index(units.source_words[j])
    cells = []
    for row in rows:
        task = ExplainTask(checkpoint=decoded.run, source=decoded.source, target=decoded.target, row=row, column=column)
        answer = answer_to(task, st.empty())
        if answer is None:
            return None
        cells.append(answer)
    movable = shown.has_alpha and not view.target.typed
    share = None if cells[0].alpha is None else shown_weight(units, cell, chosen.view)
    return (
        pinned
        | of_cell(cells[0])
        | {
            "said": cells[0].in_words if of_tokens else word_in_words(cells, share),
            "weights": [float(k == j) for k in range(len(units.source))] if movable else None,
            "place": {"row": i, "source": units.source[j]},
            "changes": not view.target.typed,
            "maps": None if not chosen.maps else {} if view.target.typed else _maps(shown, units.target_words[i]),
        }
    )


def _maps(shown: Shown, word: int) -> dict[str, Any] | None:
    """Weights of a target word in alpha and other maps. If that fails, show the error and return None.

    Args:
        word: number of the target word, as in ``Alignment.target_words``.
    """
    decoded = shown.decoded
    assert decoded is not None
    assert shown.weights is not None
    own_weights = shown.weights.merged()
    row = own_weights.target_words.index(word)
    words = [text for text in own_weights.source if text != END]
    task = OtherMapsTask(
        checkpoint=decoded.run,
        source=decoded.source,
        target=decoded.target,
        source_words=tuple(words),
        target_words=tuple(text for text in own_weights.target if text != END),
        aligner=find_aligner(decoded.run.languages),
    )
    other_maps = answer_to(task, st.empty())
    if other_maps is None:
        return None
    maps = ({} if shown.stands_in else {ALPHA: own_weights}) | other_maps
    return maps_of_word(maps, row, own_weights, 2 * (not shown.stands_in) + 1 + (task.aligner is not None))


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
            gold = _first_of(file, Given(base=base, source=[sentence]))
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


def _first_of(text: str, given: Given) -> Gold:
    """The links of the first sentence of a file. Raises InputError if there are none."""
    first = lines_of(text)[0]
    if not first.strip():
        raise InputError(LOOK.gold_no_links)
    if recognised(text) in ("pharaoh", ""):
        return Gold.of(parse_links(first, given.base))
    content = read(text, given=given)
    if not content.links:
        raise InputError(LOOK.gold_weights)
    return content.links[0]


class AskedLinks(TypedDict):
    """The field of gold links: its text, the number of the first word, and why the links cannot be used."""

    text: str
    base: int
    said: str


def gold_of(view: ExplorerView, shown: Sequence[Shown]) -> tuple[AskedLinks, tuple[GoldLinks, list[Shown]] | None]:
    """Read the gold links of the address. First result: the field, with a reason if they are unusable. Second result:
    links and translations, each forced to the target of the first with alpha if possible. None if unusable."""
    text, base = st.query_params.get(GOLD, ""), int(st.query_params.get(GOLD_BASE) == "1")
    told: AskedLinks = {"text": text, "base": base, "said": st.session_state.pop(_REFUSED, "")}
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
    source, target = (side[: len(side) - (side[-1:] == (END,))] for side in (words.source, words.target))
    sure, possible = (tuple(sorted(links)) for links in (gold.sure, gold.possible - gold.sure))
    links = GoldLinks(source=source, target=target, sure=sure, possible=possible)
    return told, (links, [forced or panel for forced, panel in zip(held, shown, strict=True)])


def _held(view: ExplorerView, each: Shown, first: Shown) -> Shown | None:
    """``each`` if it has the target of ``first``, else ``each`` forced to this target. None if that is impossible."""
    decoded, written = each.decoded, first.decoded
    if each.weights is None or each.stands_in:
        return None
    if each.units(pieces=False).target == first.units(pieces=False).target:
        return each
    if not decoded or not written or decoded.run.target_language != written.run.target_language:
        return None
    follower = None if view.target.typed or decoded.manner else follow(view, decoded.name, decoded.run, written)
    return None if follower is None else shown_of(view, follower)


def check_inside(name: str, words: Alignment, gold: Gold) -> None:
    """Raise InputError if links name words that the translation ``name`` does not have."""
    source, target = (len(side) - (side[-1:] == (END,)) for side in (words.source, words.target))
    outside = sorted((j, i) for j, i in gold.possible if j >= source or i >= target)
    if outside:
        (j, i), place = outside[0], {"sources": source, "targets": target, "name": name}
        raise InputError(LOOK.gold_beyond.format(source=j, target=i, **place))


def show_length(sentence: str, decoded_sentences: Sequence[DecodedSentence]) -> None:
    """Show BLEU over the length of concatenated sentences, mark the sentence's length, and say how models were
    trained."""
    runs = {decoded.name: decoded.run for decoded in decoded_sentences if not decoded.manner}
    figure = length_figure(runs, dark=dark_page())
    if figure is None:
        st.caption(LOOK.no_curve)
        return
    words = word_counter(decoded_sentences[0].run.source_language)(sentence)
    spoken = LOOK.figure_spoken.format(curves=figure.spoken, words=words)
    drawn = {curve.name for curve in figure.curves}
    without = dict.fromkeys(decoded.name for decoded in decoded_sentences if decoded.name not in drawn)
    about = [_standing(decoded_sentences[0], words, figure.test_set), _beyond(figure.curves, words)]
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


def _standing(decoded: DecodedSentence, words: int, name: str) -> str:
    length = counted(words, LOOK.forms.words)
    evaluations = evaluations_of(decoded.run)
    for test_set in (name + CONCATENATED, name):
        if test_set in evaluations:
            among = standing(evaluations[test_set], words, decoded.output.log_probability, len(decoded.output.tokens))
            if among is not None:
                return LOOK.standing.format(
                    here=length,
                    name=decoded.name,
                    percent=100 * among.below,
                    sentences=among.sentences,
                    shortest=among.shortest,
                    longest=among.longest,
                )
    return length
