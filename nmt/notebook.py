"""A notebook widget with the instrument. Python can read the reader's text, pins and changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nmt.errors import InputError, refuse_repeated
from nmt.instrument import styles, texts_and_scales, widget_files
from nmt.instrument.changes import applied
from nmt.records import as_record
from nmt.results import Intervention, Translation
from nmt.results.record import ReadersChange, maps_of_heads
from nmt.texts import current

if TYPE_CHECKING:
    from nmt.inference.translator import Translator

CHANGES = ("weights", "blocked")
"""Kinds of changes that a reader can make: dragging a ribbon, and giving a source word no weight."""


def explore(models: Translator | Sequence[Translator], sentence: str) -> Any:
    """Show a sentence in a notebook with translations by several models. The reader can change sentence and ribbons.

    Returns a widget, for the last line of a cell. ``record`` is the record without the reader's changes, ``changed``
    the record with them. ``state`` has the reader's choices. Python can set its ``pin``, ``seen`` and ``view``.

    Raises InputError if anywidget is missing, if models share a name or read different languages, and the errors of
    ``Translator.translate``.
    """
    try:
        from anywidget import AnyWidget
        from traitlets import Dict, Unicode
    except ModuleNotFoundError:
        raise InputError("explore needs anywidget: pip install anywidget") from None
    files = widget_files()
    models = [*models] if isinstance(models, Sequence) else [models]
    refuse_repeated((model.name for model in models), "models")
    if len({model.source_language for model in models}) != 1:
        raise InputError("the models must be at least one and read the same language")
    record = _record(models, sentence)
    widget: Any = AnyWidget(_esm=files.js)
    widget.add_traits(_css=Unicode(files.css).tag(sync=True))
    widget.add_traits(**{name: Dict().tag(sync=True) for name in ("record", "changed", "state", "host")})
    changes = [*CHANGES] if any(model.has_alignment for model in models) else []
    widget.host = texts_and_scales(current()) | {"styles": styles(), "controls": True, "changes": changes}
    widget.record = widget.changed = record

    def take(_: object, asked: Mapping[str, Any], __: object) -> None:
        told = answer(models, asked)
        if "record" in told:
            widget.changed = told["record"]
        if "record" in told and asked["kind"] == "translate":
            widget.record = told["record"]
        widget.send(told)

    widget.on_msg(take)
    return widget


def answer(models: Sequence[Translator], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a request of nmt/instrument/js/widget.js with its ``id``, and with a record or an error's message."""
    told = {"id": asked["id"], "done": True}
    changes = () if asked["kind"] == "translate" else asked.get("changes") or ()
    try:
        return told | {"record": _record(models, asked["sentence"], changes)}
    except InputError as error:
        return told | {"said": str(error)}


def _record(models: Sequence[Translator], sentence: str, changes: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """The record of a sentence. A change concerns the system that it names, else all systems with attention."""
    records = []
    for model in models:
        made = [change for change in changes if model.has_alignment and change.get("system", model.name) == model.name]
        asked = [as_record(ReadersChange, change, unknown="ignore") for change in made]
        translation = changed(model, sentence, asked) if asked else model.translate(sentence)
        record, best = translation.record(), translation.best
        if translation.encoded is not None and best.encoded is not None and best.alignment is not None:
            weights = model.every_head(translation.encoded, best.encoded)
            heads = () if weights is None else maps_of_heads(best.alignment, weights)
            first, *others = record.systems
            record = replace(record, systems=(replace(first, maps=first.maps + heads), *others))
        records.append(record)
    return replace(records[0], systems=tuple(system for record in records for system in record.systems)).to_dict()


def changed(model: Translator, sentence: str, changes: Sequence[ReadersChange]) -> Translation:
    """Translate a sentence under changes of the kinds CHANGES, made in this order. New weights of a target word keep
    the tokens before it, and have no effect if the word is gone. Raises InputError if ``what_if`` does."""
    from nmt.inspection.what_if import what_if

    under = Intervention()
    for change in changes:
        now = what_if(model, sentence, under).best if change.kind == "weights" else None
        words = () if now is None or now.encoded is None else now.encoded.words
        if now is None or change.row in (range(len(words)) if change.pieces else words):  # else the word is gone
            under = applied(change, under, () if now is None else now.tokens, words)
    return what_if(model, sentence, under)
