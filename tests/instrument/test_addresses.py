"""What an address says of the instrument means the same to the browser and to the server."""

import json
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import nmt.ui.instrument
from nmt.instrument import FOLDER, texts
from nmt.instrument.changes import Change
from nmt.records import to_data
from nmt.ui.instrument import SECTIONS, MapView, Pin, addressed
from tests.charts.node import evaluate

JS = FOLDER / "js"
PINS = (
    *(
        "run.1.",
        "run..2",
        "run-5.1.3-4.1",
        "a.b.0.0",
        "\nx.1.",
        "run.00012.7",
        "é.1-1.2-0",
        "..1.",
        "a.99999.1",
        "a.1-2.3-4-5",
    ),
    *(
        "",
        "run",
        "run..",
        "run.1",
        "run.1-.",
        "run.-1.",
        "run.1.x",
        "run.٣.",
        "run.100000.1",
        ".1.",
        "run.1.1 ",
        "run.1e1.",
    ),
)
VALUES = {
    "show": ("matrix", "links", "both", "", "Matrix", "none"),
    "scale": ("paper", "light-paper", "colour-blind-safe", "square-root", "log", "light paper", "difference", ""),
    "layout": ("auto", "horizontal", "vertical", "x"),
    "by": ("threshold", "mass", "constructor", ""),
    "least": (
        "0",
        "1",
        "0.2",
        "0.35",
        ".5",
        "0.95",
        "-1",
        "2",
        "",
        "x",
        "1e-1",
        "0x1",
        " 0.3",
        "0.3 ",
        "1.0",
        "NaN",
        "0.1234567",
    ),
    **dict.fromkeys(("bars", "end", "punctuation", "pieces", "transposed"), ("true", "false", "", "True", "1", "no")),
    "map": (
        "",
        "alpha",
        "head.2.1",
        "head.0",
        "head.100",
        "head.1.2.3",
        "Head.1",
        "head.",
        "constructor",
        "Cross attention",
        "x" * 81,
    ),
    "see": ("after", "before", "change", "same", "", "both"),
    "maps": ("true", "false", "", "1"),
    "do": (*SECTIONS, "", "maps", "What if"),
}


def as_python(monkeypatch: pytest.MonkeyPatch, address: dict[str, str]) -> dict[str, Any]:
    query = SimpleNamespace(get=address.get, get_all=lambda name: [address[name]] if name in address else [])
    monkeypatch.setattr(nmt.ui.instrument, "st", SimpleNamespace(query_params=query))
    found = to_data(addressed())
    return {name: found[name] for name in ("pin", "seen", "section", "maps", "view")}


def as_javascript(addresses: list[dict[str, str]]) -> list[dict[str, Any]]:
    expression = """given.addresses.map((address) => {
      const { view, take, ...rest } = m.addressed(new URLSearchParams(address), given);
      return { ...rest, view };
    })"""
    return [
        {**found, "view": asdict(MapView()) | found["view"]}
        for found in evaluate(
            JS / "app.js", expression, {"addresses": addresses, "texts": texts(), "sections": SECTIONS}
        )
    ]


def test_the_usual_view_is_the_same_and_has_the_same_order() -> None:
    """What was chosen is compared as text."""
    usual = evaluate(JS / "panels.js", "m.VIEW")
    assert json.dumps(usual) == json.dumps(to_data(MapView()))


def test_addresses_mean_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = [{"pin": pin} for pin in PINS]
    addresses += [{name: value} for name, values in VALUES.items() for value in values]
    random = np.random.default_rng(1)
    for _ in range(300):
        names = [name for name in VALUES if random.random() < 0.5]
        addresses.append({name: str(random.choice(VALUES[name])) for name in names} | {"pin": str(random.choice(PINS))})
    found = as_javascript(addresses)
    wrong = [
        (address, one, other)
        for address, one in zip(addresses, found, strict=True)
        if one != (other := as_python(monkeypatch, address))
    ]
    assert wrong == []
    assert sum(each["pin"] is not None for each in found) > 100


def test_what_the_browser_writes_the_server_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    states = []
    for _ in range(300):
        sides = [sorted({*random.integers(0, 12, int(random.integers(0, 4))).tolist()}) for _ in "st"]
        name = str(random.choice(["run.1", "difference", "a b", "é.0.1"]))
        pin = {"name": name, "target": sides[0], "source": sides[1]} if any(sides) else None
        view = {
            key: {"true": True, "false": False}.get(value, value)
            for key, values in VALUES.items()
            if key not in ("least", "see", "do", "maps") and random.random() < 0.3
            for value in [str(random.choice(values[:2]))]
        }
        view["least"] = float(random.choice([0, 0.05, 0.15, 0.2, 0.35, 0.6, 1]))
        section = random.choice([*SECTIONS, None])
        states.append(
            {
                "pin": pin,
                "seen": str(random.choice(VALUES["see"][:4])),
                "section": section,
                "maps": bool(random.random() < 0.5),
                "view": asdict(MapView()) | view,
            }
        )
    written = evaluate(JS / "app.js", "given.map(m.parameters)", states)
    for state, address in zip(states, written, strict=True):
        assert as_python(monkeypatch, address) == state
        assert address.get("pin") == (Pin(**state["pin"]).address if state["pin"] else None)
    assert as_javascript(written) == states


CHANGES = (
    *("blocked:1::European", "blocked:12::a:b", "weights:0:run.1:0.5,0.25,0.25", "begin:0::le chat", "without:0::chat"),
    *("word:1:run:le", "token:3:run:▁chat", "source:0::the cat", "begin:0::", "weights:2:run:1"),
    *("", "blocked:1::", "blocked:x::a", "eat:0::x", "weights:0:run:-1,2", "weights:0:run:a", "weights:0::1,0"),
    *("weights:0:run:", "weights:0:run:1,,1", "weights:0:run:NaN", "weights:0:run:Infinity"),
    *(
        "token:1::x",
        "token:1:run:",
        "blocked:1:European",
        "blocked:10000::x",
        "blocked:-1::x",
        "weights:0:run:1e-3,0.5",
        *("token:1:my%3Arun:▁de", "weights:1:50%25 a%3A%3Ab:0.5,1", "blocked:1::50%3A"),
        *("weights:0:r:1e308,1e308,1e308", "weights:1:a:1_0,1", "weights:1:a:0x10,1", "weights:1:a: 1,2"),
        *("weights:1:a:٣,1", "weights:1:a:.5,1.", "weights:1:a:+1,2", "weights:1:a:1e999,1", "weights:1:a:1e+2,1E1"),
    ),
)


def test_changes_mean_the_same() -> None:
    found = evaluate(JS / "changes.js", "given.map(m.changeFrom)", list(CHANGES))
    for address, one in zip(CHANGES, found, strict=True):
        other = Change.read(address)
        assert (one is None) == (other is None), address
        if one is not None and other is not None:
            assert (one["kind"], one["row"], one.get("system", "")) == (other.kind, other.row, other.name)
            assert one.get("text", "") == other.text
            assert tuple(one.get("weights", ())) == pytest.approx(other.weights)
    known = [address for address, one in zip(CHANGES, found, strict=True) if one is not None]
    written = evaluate(JS / "changes.js", "given.map((each) => m.changeAddress(m.changeFrom(each)))", known)
    assert [Change.read(each) for each in written] == [Change.read(each) for each in known]
    assert len(known) > 9
    assert {Change.read("token:1:my%3Arun:a").name, Change(kind="token", row=1, name="my:run", text="a").address} == {  # type: ignore[union-attr]
        "my:run",
        "token:1:my%3Arun:a",
    }
