"""The instrument on a page. It shows a record, and reports the reader's choices and requests."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args

import numpy as np
import streamlit as st
from pydantic import Field

from nmt.charts.view_files import ViewFiles
from nmt.errors import InputError
from nmt.instrument import app_files, texts_and_scales
from nmt.instrument.map_view import MapView
from nmt.records import as_record, to_data
from nmt.results import Alignment
from nmt.results.record import SentenceRecord
from nmt.ui import components
from nmt.ui.resources import reader_language, travelled

Number = Annotated[int, Field(ge=0, le=99_999)]
Seen = Literal["after", "before", "change", "same"]
Section = Literal["explain", "what-if", "gold", "length", "export"]
SECTIONS: tuple[Section, ...] = get_args(Section)
"""Sections that a reader can open. The first is open at first. The instrument draws all but "length"."""
_PIN = re.compile(r"(.+)\.((?:[0-9]{1,5}-)*[0-9]{1,5}|)\.((?:[0-9]{1,5}-)*[0-9]{1,5}|)", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Pin:
    """Pinned words of one side of a panel, or a pinned cell, which has a word of each side.

    Attributes:
        name: name of the system, or "difference".
        target, source: numbers of the words, or of the tokens if these are shown, from 0.
    """

    name: str
    target: tuple[Number, ...] = ()
    source: tuple[Number, ...] = ()

    @property
    def address(self) -> str:
        """The pin as a value of the address.

        >>> Pin(name="run-5.1", source=(1,), target=(3, 4)).address
        'run-5.1.3-4.1'
        """
        return ".".join([self.name, *("-".join(map(str, side)) for side in (self.target, self.source))])

    @classmethod
    def read(cls, text: str) -> Pin | None:
        """Parse a pin of the address. None for anything else.

        >>> Pin.read("run-5.1.3-4.1"), Pin.read("run..") is None, Pin.read("3.4") is None
        (Pin(name='run-5.1', target=(3, 4), source=(1,)), True, True)
        """
        match = _PIN.fullmatch(text)
        if match is None or not (match[2] or match[3]):
            return None
        target, source = (tuple(map(int, side.split("-"))) if side else () for side in (match[2], match[3]))
        return cls(name=match[1], target=target, source=source)

    def cell(self, alignment: Alignment) -> tuple[int, int] | None:
        """The cell (target i, source j) of a pin on one target word. Without a source word, j has the largest weight.
        None for a pin on several words of a side or on none of the target, or outside of the map."""
        rows, columns = alignment.weights.shape
        if len(self.target) != 1 or len(self.source) > 1 or self.target[0] >= rows or not columns:
            return None
        row = self.target[0]
        column = self.source[0] if self.source else int(np.argmax(alignment.weights[row]))
        return (row, column) if column < columns else None


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The choices of a reader in the instrument.

    Attributes:
        pin: the pinned words or cell, or None.
        seen: what is shown of the reader's changes, such as the translations before them.
        section: the open section, or None for the first one.
        maps: whether other maps of the pinned word are open.
        view: settings of the shown maps.
        sentence: the sentence of these choices. "" = the sentence of the address.
    """

    pin: Pin | None = None
    seen: Seen = "after"
    section: Section | None = None
    maps: bool = False
    view: MapView = field(default_factory=MapView)
    sentence: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The choices, JSON-ready."""
        return to_data(self)


def chosen(key: str, sentence: str, at_first: Chosen) -> Chosen:
    """The reader's choices for a sentence, as the browser last reported them. Of a report on another sentence, only
    section, maps and view count. Without a report, or after Back or Forward: ``at_first``.

    Args:
        key: key of the instrument.
    """
    told = (st.session_state.get(key) or {}).get("told")
    if told is None or travelled():
        return at_first
    try:
        found = as_record(Chosen, told, unknown="ignore")
    except InputError:
        return Chosen()
    return found if found.sentence == sentence else Chosen(section=found.section, maps=found.maps, view=found.view)


def addressed() -> Chosen:
    """The reader's choices in the address."""
    view = MapView()
    for name, usual in to_data(view).items():
        value: Any = st.query_params.get(name)
        if isinstance(usual, bool):
            value = {"true": True, "false": False}.get(value)
        elif isinstance(usual, float):
            value = float(value) if re.fullmatch(r"[01]|0?\.[0-9]{1,6}", value or "") else None
        with suppress(InputError):  # the setting has no such value
            view = view if value is None else as_record(MapView, to_data(view) | {name: value})
    seen: Seen = next((side for side in get_args(Seen) if side == st.query_params.get("see")), "after")
    section = next((name for name in SECTIONS if name == st.query_params.get("do")), None)
    pin, maps = Pin.read(st.query_params.get("pin", "")), st.query_params.get("maps") == "true"
    return Chosen(pin=pin, seen=seen, section=section, maps=maps, view=view)


def show_instrument(
    record: SentenceRecord | None,
    *,
    key: str,
    chosen: Chosen | None = None,
    needs: Sequence[Literal["pin", "seen", "section", "maps", "view"]] = (),
    on_told: Callable[[], None] | None = None,
    on_ask: Callable[[Mapping[str, Any]], None] | None = None,
    more: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Show a record. Paper: Figure 3.

    Pointing, pinning and choosing run no script on the server, except for the choices in ``needs``.

    Args:
        chosen: the choices that the instrument begins with. The page around it already follows them.
        needs: the choices whose change makes the script, or the fragment around this call, run again.
        on_told: called before the run that a choice in ``needs`` causes.
        on_ask: called with a request of the reader, before the script runs again. None if nothing can be requested.
        more: further data, see ``known`` in nmt/instrument/js/app.js.
    """
    chosen = chosen or Chosen()

    def take() -> None:
        asked = (st.session_state.get(key) or {}).get("ask")
        if on_ask is not None and isinstance(asked, Mapping):
            st.session_state[f"{key}-answers"] = asked.get("id")
            on_ask(asked)

    state = chosen.to_dict()
    data = {
        "record": None if record is None else record.to_dict(),
        "state": state,
        "told": state,
        "needs": [*needs],
        "answers": st.session_state.get(f"{key}-answers"),
        "ask": on_ask is not None,
        "about": {},
        "remarks": {},
        "sentences": [],
        "parts": "both",
    }
    components.registered("instrument", _files())(
        key=key,
        data=data | texts_and_scales(reader_language()) | {**more},
        default={"told": None},
        on_told_change=on_told or (lambda: None),
        on_ask_change=take,
    )


_TEXTS_OF_FIELD = ("locale", "sentence", "sentence_in", "placeholder", "translate", "translations", "silent", "failed")


def show_field(key: str, typed: str, language: str, on_ask: Callable[..., None], more: Mapping[str, Any]) -> None:
    """Show the field for a sentence in ``language``. Its text is ``typed``, which replaces what the reader has typed if
    it is new, or after ``address.refill``. ``on_ask`` is called with what the reader enters."""
    texts = texts_and_scales(reader_language())["texts"]
    field = {"field": True, "typed": typed, "filled": st.session_state.get(f"{key}-filled", 0), "language": language}
    field |= {"texts": {name: texts[name] for name in _TEXTS_OF_FIELD}, "scales": None, **more}
    show_instrument(None, key=key, on_ask=on_ask, more=field)


@cache
def _files() -> ViewFiles:
    return app_files()
