"""A notebook widget with the instrument. Python can read the reader's text, pins and changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nmt.errors import InputError
from nmt.instrument import styles, texts_and_scales, widget_files
from nmt.records import as_record
from nmt.results import Intervention, Translation
from nmt.results.record import ReadersChange, maps_of_heads
from nmt.texts import current

if TYPE_CHECKING:
    from nmt.inference.translator import Translator

CHANGES = ("weights", "blocked")
"""Kinds of changes that a reader can make: dragging a ribbon, and giving a source word no weight."""


def explore(model: Translator, sentence: str) -> Any:
    """Show a sentence in a notebook, where the reader can type another one and drag ribbons.

    Returns a widget, for the last line of a cell. ``record`` is the record without the reader's changes, ``changed``
    the record with them. ``state`` has the reader's choices. Python can set its ``pin``, ``seen`` and ``view``.

    Raises InputError if anywidget is not installed, or if ``Translator.translate`` raises it for the sentence.
    """
    try:
        from anywidget import AnyWidget
        from traitlets import Dict, Unicode
    except ModuleNotFoundError:
        raise InputError("explore needs anywidget (pip install 'jointly[notebook]')") from None
    files = widget_files()
    record = _record(model, model.translate(sentence))
    widget: Any = AnyWidget(_esm=files.js)
    widget.add_traits(_css=Unicode(files.css).tag(sync=True))
    widget.add_traits(**{name: Dict().tag(sync=True) for name in ("record", "changed", "state", "host")})
    changes = [*CHANGES] if model.has_alignment else []
    widget.host = texts_and_scales(current()) | {"styles": styles(), "controls": True, "changes": changes}
    widget.record = widget.changed = record

    def take(_: object, asked: Mapping[str, Any], __: object) -> None:
        told = answer(model, asked)
        if "record" in told:
            widget.changed = told["record"]
        if "record" in told and asked["kind"] == "translate":
            widget.record = told["record"]
        widget.send(told)

    widget.on_msg(take)
    return widget


def answer(model: Translator, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a request of nmt/instrument/js/widget.js with its ``id``, and with a record or an error's message."""
    told = {"id": asked["id"], "done": True}
    try:
        changes = [as_record(ReadersChange, change, unknown="ignore") for change in asked.get("changes") or ()]
        translation = changed(model, asked["sentence"], () if asked["kind"] == "translate" else changes)
    except InputError as error:
        return told | {"said": str(error)}
    return told | {"record": _record(model, translation)}


def _record(model: Translator, translation: Translation) -> dict[str, Any]:
    """The record of a translation, with the maps of all heads of a Transformer."""
    record, best = translation.record(), translation.best
    if translation.encoded is None or best.encoded is None or best.alignment is None:
        return record.to_dict()
    weights = model.every_head(translation.encoded, best.encoded)
    heads = () if weights is None else maps_of_heads(best.alignment, weights)
    first, *others = record.systems
    return replace(record, systems=(replace(first, maps=first.maps + heads), *others)).to_dict()


def changed(model: Translator, sentence: str, changes: Sequence[ReadersChange]) -> Translation:
    """Translate a sentence under changes of the kinds CHANGES, made in this order. New weights of a target word keep
    the tokens before it, and have no effect if the word is gone. Raises InputError if ``what_if`` does."""
    from nmt.inspection.what_if import what_if

    under = Intervention()
    for change in changes:
        if change.kind == "blocked":
            under = replace(under, blocked=tuple(sorted({*under.blocked, change.row})))
        elif change.kind == "weights":
            now = what_if(model, sentence, under).best
            words = () if now.encoded is None else now.encoded.words
            rows = range(len(words)) if change.pieces else words
            if change.row in rows:  # else the translation no longer has this word
                step = rows.index(change.row)
                earlier = (row for row in under.weights if row[0] < step)
                under = replace(under, prefix=now.tokens[:step], weights=(*earlier, (step, change.weights)))
    return what_if(model, sentence, under)
