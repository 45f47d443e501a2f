"""Gold links of a sentence, typed into the instrument or from a file, and the translations that fit them."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import streamlit as st

from nmt.alignments.formats import read, recognised
from nmt.alignments.formats.checks import Given, lines_of
from nmt.errors import InputError
from nmt.results import END, Alignment
from nmt.results.links import Gold, parse_links
from nmt.results.record import GoldLinks
from nmt.texts import LOOK, for_reader
from nmt.ui.address import write_own
from nmt.ui.inputs import MOST_CHARACTERS
from nmt.ui.look.explore.shown import follow, shown_of
from nmt.ui.look.explore.view import GOLD, GOLD_BASE, OF_A_SENTENCE, ExplorerView, Shown

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
    return None if follower is None else shown_of(view, follower, each.number)


def check_inside(name: str, words: Alignment, gold: Gold) -> None:
    """Raise InputError if links name words that the translation ``name`` does not have."""
    source, target = (len(side) - (side[-1:] == (END,)) for side in (words.source, words.target))
    outside = sorted((j, i) for j, i in gold.possible if j >= source or i >= target)
    if outside:
        (j, i), place = outside[0], {"sources": source, "targets": target, "name": name}
        raise InputError(LOOK.gold_beyond.format(source=j, target=i, **place))
