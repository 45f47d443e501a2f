"""What belongs to a sentence goes with it, what belongs to a reader stays: random steps beside a model of ten lines."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmt.results import Translation
from nmt.ui.look.explore import page
from nmt.ui.look.explore.form import CHANGES, PIN
from nmt.ui.resources import load_translator
from nmt.ui.tasks import WhatIfTask

APP = Path(__file__).parents[4] / "app.py"
SENTENCES = ("the cat sleeps", "she has never seen the sea", "a girl reads on the mat")
Send = Callable[[AppTest, str, str, object], None]


@dataclass
class Model:
    """What page and address must have."""

    sentence: str
    models: list[str]
    beam: int = 12
    pin: str = ""
    changes: list[str] = field(default_factory=list)

    def type(self, sentence: str) -> None:
        if sentence != self.sentence:
            self.sentence, self.pin, self.changes = sentence, "", []


@pytest.fixture
def app(runs: Path, translators: Any, write_run: Any, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """Two checkpoints that write the words in reverse order, and one more word after a change."""
    write_run(runs / "one")
    write_run(runs / "two")

    def what_if(self: WhatIfTask, progress: Any) -> Translation:
        model: Any = load_translator(self.checkpoint, progress)
        whole = model.translate(f"{self.sentence} girl", self.settings)
        return replace(model.translate(self.sentence, self.settings), hypotheses=whole.hypotheses)

    monkeypatch.setattr(WhatIfTask, "run", what_if)
    monkeypatch.setattr(page, "show_explanation", lambda *_: None)
    at = AppTest.from_file(str(APP), default_timeout=30)
    at.query_params.update({"s": SENTENCES[0], "models": ["one"]})
    return at.run()


def drawn(at: AppTest) -> list[dict[str, Any]]:
    """Data of the ribbons and of the matrices."""
    found = [json.loads(element.proto.json) for element in at.get("bidi_component")]
    return [data for data in found if "systems" in data or "panels" in data]


def values(at: AppTest, name: str) -> list[str]:
    value = at.query_params.get(name, [])
    return [value] if isinstance(value, str) else list(value)


def bound(at: AppTest, field: Any, value: Any) -> None:
    """Change a field that the browser, not the server, writes into the address."""
    at.query_params[field.key] = str(value)
    field.set_value(value).run()


def check(at: AppTest, model: Model) -> None:
    assert not at.exception, at.exception
    assert at.text_input(key="s").value == model.sentence
    assert at.multiselect(key="choice-models").value == model.models
    assert at.slider(key="beam").value == model.beam
    assert "".join(values(at, PIN)) == model.pin
    assert [change.split(":")[0] for change in values(at, CHANGES)] == model.changes
    ribbons, view = drawn(at)
    words = model.sentence.split()[::-1]
    chosen = None if not model.pin else {"system": int(model.pin[0]), "i": int(model.pin[2])}
    assert ribbons["chosen"] == chosen
    pinned = view["pin"]
    assert (None if pinned is None else [pinned["panel"], *pinned["target"]]) == (chosen and [*chosen.values()])
    for name, system in zip(model.models, ribbons["systems"], strict=True):
        mine = [change for change in values(at, CHANGES) if f":{name}:" in change or "::" in change]
        assert (system["target"] != words) == bool(mine)


def test_a_hundred_random_steps(app: AppTest, send: Send) -> None:
    at, model, chance = app, Model(SENTENCES[0], ["one"]), random.Random(34)
    check(at, model)
    for _ in range(100):
        step = chance.choice(["type", "pin", "unpin", "drag", "begin", "undo", "reset", "models", "beam", "leave"])
        k, i = chance.randrange(len(model.models)), chance.randrange(len(model.sentence.split()))
        if step == "type":
            model.type(chance.choice(SENTENCES))
            bound(at, at.text_input(key="s"), model.sentence)
        elif step == "pin":
            view, event, sent = chance.choice(
                [
                    ("ribbons", "word", {"system": k, "i": i}),
                    ("explorer-view", "pin", {"panel": k, "source": [], "target": [i]}),
                ]
            )
            send(at, view, event, {event: sent})
            model.pin = f"{k}.{i}."
        elif step == "unpin":
            view, event = chance.choice([("ribbons", "word"), ("explorer-view", "pin")])
            send(at, view, event, {event: None})
            model.pin = ""
        elif step == "drag":
            send(at, chance.choice(["explorer-view", "ribbons"]), "move", {"panel": k, "i": i, "from": 0, "to": 1})
            model.changes.append("weights")
        elif step == "begin" and "begin" not in model.changes:
            at.session_state["choice-do"] = "what-if"
            at.run()
            at.text_input(key="what-if-begin").set_value("a").run()
            model.changes.append("begin")
        elif step == "undo":
            send(at, "ribbons", "undo", True)
            model.changes = model.changes[:-1]
        elif step == "reset" and model.changes:
            at.button(key=step).click().run()
            model.changes = []
        elif step == "models":
            model.models = chance.choice([["one"], ["two"], ["one", "two"], ["two", "one"]])
            at.multiselect(key="choice-models").set_value(model.models).run()
            if model.pin and int(model.pin[0]) >= len(model.models):
                model.pin = "" if not model.changes else model.pin
        elif step == "beam":
            model.beam = chance.randint(2, 9)
            bound(at, at.slider(key="beam"), model.beam)
        elif step == "leave":
            at.switch_page("pages/models.py").run()
            at.switch_page("pages/look.py").run()
            model.type(at.text_input(key="s").value)
        check(at, model)


def test_after_undo_the_page_is_as_it_was_at_first(app: AppTest, send: Send) -> None:
    at = app
    first, address = drawn(at), dict(at.query_params)
    send(at, "explorer-view", "move", {"panel": 0, "i": 0, "from": 2, "to": 0})
    send(at, "explorer-view", "move", {"panel": 0, "i": 1, "from": 1, "to": 0})
    assert drawn(at) != first
    assert len(values(at, CHANGES)) == 2
    send(at, "ribbons", "undo", True)
    send(at, "ribbons", "undo", True)
    assert drawn(at) == first
    assert dict(at.query_params) == address


def test_a_link_brings_its_pin_along(runs: Path, translators: Any, write_run: Any) -> None:
    write_run(runs / "one")
    at = AppTest.from_file(str(APP), default_timeout=30)
    at.query_params.update({"s": SENTENCES[0], "pin": "0.1."})
    at.run()
    at.query_params.update({"s": SENTENCES[1], "pin": "0.2."})
    at.session_state["s"] = SENTENCES[1]
    at.run()
    assert values(at, PIN) == ["0.2."]
