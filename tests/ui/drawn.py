"""What the instrument of a page draws, by its own modules in node, and what a reader's browser tells and asks."""

import base64
import json
from collections.abc import Callable
from functools import cache
from typing import Any

from streamlit.testing.v1 import AppTest

from nmt.instrument import scales, texts
from nmt.instrument.export import Taken
from nmt.instrument.map_view import MapView
from nmt.records import as_record, to_data
from nmt.ui.instrument import Chosen
from tests.charts.node import ROOT, evaluate

FIELD, FIELD_OF_TEXT = "look-sentence", "look-text"
"""Keys of the instruments that are Look's fields, of a sentence and of a whole text."""
JS = ROOT / "nmt" / "instrument" / "js"
Send = Callable[[AppTest, str, str, object], None]

# As nmt/instrument/js/app.js gives the data of a page to the instrument.
_DRAW = """await (async () => {
  const { changeFrom } = await import(given.js + "changes.js");
  const { pinIn } = await import(given.js + "pins.js");
  const { viewSettings } = await import(given.js + "panels.js");
  const { data } = given;
  const { record, plain, change } = data;
  const state = { ...data.state, changes: (change ?? []).map(changeFrom).filter(Boolean) };
  const host = { ...data, changes: data.ask ? data.changes ?? [] : [] };
  const { systems, panels } = record ? m.drawing(record, plain ?? record, state, host) : { systems: [], panels: [] };
  return {
    systems: data.parts === "matrices" ? [] : systems, panels: data.parts === "ribbons" ? [] : panels,
    pin: pinIn(state.pin, panels), view: viewSettings(host, state.view),
  };
})()"""


def data_of(at: AppTest, key: str = "instrument") -> dict[str, Any] | None:
    """What the page gives the instrument of this key; None if there is none."""
    for element in at.get("bidi_component"):
        proto = element.proto
        if proto.component_name.startswith("jointly.instrument-") and proto.id.endswith(f"-{key}"):
            return dict(json.loads(proto.json))
    return None


def drawn(at: AppTest, key: str = "instrument") -> dict[str, Any]:
    """The ribbons ``systems``, the matrices ``panels``, the ``pin`` of a panel, and the settings of the ``view``."""
    data = data_of(at, key)
    if data is None or data["record"] is None:
        return {"systems": [], "panels": [], "pin": None, "view": {}}
    return draw(data)


def draw(data: dict[str, Any]) -> dict[str, Any]:
    """The same of data with a record."""
    at_first = {"state": Chosen().to_dict(), "about": {}, "remarks": {}, "scales": scales(), "texts": texts()}
    return dict(json.loads(_drawing(json.dumps(at_first | data))))


@cache
def _drawing(data: str) -> str:
    given = {"data": json.loads(data), "js": f"{JS.as_uri()}/"}
    return json.dumps(evaluate(JS / "drawing.js", _DRAW, given))


def field_of(at: AppTest, key: str = FIELD) -> str:
    """What stands in Look's field."""
    data = data_of(at, key)
    assert data is not None
    return str(data["typed"])


def enter(at: AppTest, text: str) -> None:
    """Another sentence stands in the address, as after its Enter in Look's field."""
    at.query_params["s"] = text
    at.run()


def tell(send: Send, at: AppTest, key: str = "instrument", **parts: Any) -> None:
    """The reader pins, or chooses ``seen``, a ``section`` or a part of the ``view``: the browser writes it into the
    address, and tells it to a page that needs it."""
    data = data_of(at, key)
    assert data is not None
    state = data["state"] | {"sentence": data["record"]["source"]["text"]}
    told = state | parts | {"view": state["view"] | parts.get("view", {})}
    if data.get("owns"):
        _write(at, as_record(Chosen, told))
    if any(told[part] != state[part] for part in data["needs"]):
        send(at, key, "told", told)


def pin(name: str, target: int | None = None, source: int | None = None) -> dict[str, Any]:
    """The pin of a cell, or of a word, as a browser tells it."""
    return {"name": name, **{side: [] if k is None else [k] for side, k in (("target", target), ("source", source))}}


def _write(at: AppTest, chosen: Chosen) -> None:
    view = {name: value for name, value in to_data(chosen.view).items() if value != to_data(MapView())[name]}
    values = {name: str(value).lower() for name, value in view.items()}
    values |= {"see": chosen.seen} if chosen.seen != "after" else {}
    values |= {"do": chosen.section} if chosen.section is not None else {}
    values |= {"maps": "true"} if chosen.maps else {}
    values |= {"pin": chosen.pin.address} if chosen.pin is not None else {}
    for name in ("pin", "see", "do", "maps", *to_data(MapView())):
        if name in values:
            at.query_params[name] = values[name]
        elif name in at.query_params:
            del at.query_params[name]


def ask(send: Send, at: AppTest, kind: str, key: str = "instrument", **asked: Any) -> None:
    """The reader's browser asks for something, such as ``changes``, and the page has answered."""
    data = data_of(at, key)
    assert data is not None
    assert data["ask"]
    answer = f"abc-{len(str(data['answers'] or ''))}"
    send(at, key, "ask", {"id": answer, "kind": kind, **asked})
    after = data_of(at, key)
    assert after is None or after["answers"] == answer


def save(send: Send, at: AppTest, format: str = "PDF", *maps: str, **wanted: Any) -> Taken:
    """The file that a page makes of maps, if its reader asks for it; without data where it says why there is none."""
    data = data_of(at)
    assert data is not None
    ask(send, at, "export", wanted={**data["state"], "format": format, "maps": maps, **wanted})
    after = data_of(at)
    assert after is not None
    told = {"name": "", "data": "", "notes": [], "codes": []} | (after["taken"] or {})
    return Taken(name=told["name"], data=base64.b64decode(told["data"]), notes=told["notes"], codes=dict(told["codes"]))
