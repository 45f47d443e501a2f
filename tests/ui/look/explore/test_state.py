"""What belongs to a sentence goes with it, what belongs to a reader stays: random steps beside a model of ten lines."""

import os
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmt.answers import service
from nmt.results import Translation
from nmt.ui.look.explore import page
from nmt.ui.look.explore.view import CHANGES, OF_A_SENTENCE, PIN
from nmt.ui.resources import load_translator
from nmt.ui.tasks import WhatIfTask
from tests.ui.drawn import FIELD, Send, ask, data_of, drawn, enter, field_of, pin, tell
from tests.ui.opened import opened
from trials.look_model import OWN, SENTENCES, LookModel


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
    monkeypatch.setattr(page, "explanation", lambda *_: None)
    return opened(s=SENTENCES[0], models=["one"])


def values(at: AppTest, name: str) -> list[str]:
    value = at.query_params.get(name, [])
    return [value] if isinstance(value, str) else list(value)


def bound(at: AppTest, field: Any, value: Any) -> None:
    """Change a field that the browser, not the server, writes into the address."""
    at.query_params[field.key] = str(value)
    field.set_value(value).run()


def check(at: AppTest, model: LookModel) -> None:
    assert not at.exception, at.exception
    assert field_of(at) == model.sentence
    assert at.multiselect(key="choice-models").value == [*model.models]
    assert at.slider(key="beam").value == model.beam
    kinds = [change.split(":")[0] for change in values(at, CHANGES)]
    assert {PIN: values(at, PIN), CHANGES: kinds, "k": values(at, "k")} == model.address()
    data, found = data_of(at), drawn(at)
    assert data is not None
    assert data["number"] == model.number
    pinned = found["pin"]
    assert (None if pinned is None else (pinned["panel"], *pinned["target"])) == model.pinned
    for name, system in zip(model.models, found["systems"], strict=True):
        mine = [change for change in values(at, CHANGES) if f":{name}:" in change or "::" in change]
        assert (system["target"] != model.words[::-1]) == bool(mine)


def undo(send: Send, at: AppTest, model: LookModel) -> None:
    """As the browser does: the last change of the translations that are shown, else the sentence added last."""
    changes = values(at, CHANGES)
    shown = [k for k, one in enumerate(changes) if one.split(":")[2] in ("", *model.models)]
    if shown:
        ask(send, at, "change", changes=[one for k, one in enumerate(changes) if k != shown[-1]])
    elif model.number > 1:
        add(send, at, model.number - 1)


def add(send: Send, at: AppTest, number: int) -> None:
    """The browser asks for so many sentences as one, and forgets the pin of the others."""
    data = data_of(at)
    assert data is not None
    ask(send, at, "translate", number=number)
    if number != data["number"]:
        tell(send, at, pin=None)


def test_a_hundred_random_steps(app: AppTest, send: Send) -> None:
    at, chance = app, random.Random(34)
    model = LookModel(SENTENCES[0], ("one",), known=("one", "two"), beam=12)
    check(at, model)
    for _ in range(100):
        step = model.draw(chance)
        if not model.offers(step):
            continue
        if step.kind == "type":
            ask(send, at, "translate", FIELD, typed=step.text, again=False)
        elif step.kind == "pin":
            tell(send, at, pin=pin(step.name, step.i))
        elif step.kind == "unpin":
            tell(send, at, pin=None)
        elif step.kind == "drag":
            moved = [0, 1, *[0] * (len(model.words) - 1)]
            changes = [*values(at, CHANGES)[:19], f"weights:{step.i}:{step.name}:{','.join(map(str, moved))}"]
            ask(send, at, "change", changes=changes)
        elif step.kind == "begin":
            tell(send, at, section="what-if")
            ask(send, at, "change", changes=[*values(at, CHANGES)[:19], "begin:0::a"])
            tell(send, at, section=None)  # whose page knows the pin
        elif step.kind == "undo":
            undo(send, at, model)
        elif step.kind == "reset":
            ask(send, at, "change", changes=[])
        elif step.kind == "models":
            at.multiselect(key="choice-models").set_value([*step.models]).run()
        elif step.kind == "beam":
            bound(at, at.slider(key="beam"), step.number)
        elif step.kind == "add":
            if not values(at, "own"):
                at.query_params["own"] = OWN
                at.run()
            add(send, at, step.number)
        elif step.kind == "leave":
            at.switch_page("pages/models.py").run()
            at.switch_page("pages/look.py").run()
            step = replace(step, kind="type", text=field_of(at))
        model.take(step)
        check(at, model)


def test_whoever_comes_back_to_the_sentence_finds_pin_and_changes_again(app: AppTest, send: Send) -> None:
    """The menu leaves out of the address what no field writes into it."""
    at = app
    tell(send, at, pin=pin("one", 1))
    ask(send, at, "change", changes=["weights:0:one:1,0,0,0"])
    kept, seen = {name: values(at, name) for name in (PIN, CHANGES)}, drawn(at)
    assert all(kept.values())
    at.switch_page("pages/models.py").run()
    for name in kept:
        del at.query_params[name]
    at.switch_page("pages/look.py").run()
    assert not at.exception, at.exception
    assert {name: values(at, name) for name in kept} == kept
    assert drawn(at) == seen


def test_without_changes_the_page_is_as_it_was_at_first(app: AppTest, send: Send) -> None:
    at = app
    first, address = drawn(at), dict(at.query_params)
    changes = ["weights:0:one:1,0,0,0", "weights:1:one:1,0,0,0"]
    ask(send, at, "change", changes=changes[:1])
    ask(send, at, "change", changes=changes)
    assert drawn(at) != first
    assert len(values(at, CHANGES)) == 2
    ask(send, at, "change", changes=changes[:1])
    ask(send, at, "change", changes=[])
    assert drawn(at) == first
    assert dict(at.query_params) == address


def test_a_link_brings_its_pin_along(app: AppTest) -> None:
    at = opened(s=SENTENCES[0], models=["one"], pin="one.1.")
    at.query_params["pin"] = "one.2."
    enter(at, SENTENCES[1])
    assert values(at, PIN) == ["one.2."]


def typed(send: Send, at: AppTest, text: str) -> str | None:
    """The reader pauses while typing; the sentence that is shown then."""
    ask(send, at, "translate", FIELD, typed=text, again=False, entered=False)
    assert not at.exception, at.exception
    data = data_of(at)
    return None if data is None else data["record"]["source"]["text"]


def test_a_sentence_is_shown_while_it_is_typed_and_is_no_act(app: AppTest, send: Send) -> None:
    """It is in no address and in no store, and what belongs to the sentence of the address waits there."""
    at, before = app, SENTENCES[0]
    tell(send, at, section="explain")
    tell(send, at, pin=pin("one", 1))
    ask(send, at, "change", changes=["weights:0:one:1,0,0,0"])
    address = {name: values(at, name) for name in at.query_params}
    stored = [*Path(os.environ["JOINTLY_CACHE"]).rglob("*")]
    assert typed(send, at, "a girl") == "a girl"
    data, field = data_of(at), data_of(at, FIELD)
    assert data is not None
    assert field is not None
    assert (field["typed"], field["draft"], field["quick"]) == (before, "a girl", True)
    assert (data["change"], data["state"]["pin"], data["animate"]) == ([], None, False)
    assert {*OF_A_SENTENCE} == {*data["draft"]}
    assert typed(send, at, "a girl reads") == "a girl reads"
    assert {name: values(at, name) for name in at.query_params} == address
    assert [*Path(os.environ["JOINTLY_CACHE"]).rglob("*")] == stored
    assert typed(send, at, before) == before
    assert values(at, CHANGES) == address[CHANGES]
    assert drawn(at)["pin"] is not None


@pytest.mark.parametrize("act", ["enter", "change", "number", "beam", "Enter"])
def test_an_act_on_a_sentence_that_is_typed_enters_it(app: AppTest, send: Send, act: str) -> None:
    at = app
    tell(send, at, pin=pin("one", 1))
    ask(send, at, "change", changes=["weights:0:one:1,0,0,0"])
    typed(send, at, "a girl")
    if act == "beam":
        bound(at, at.slider(key="beam"), 3)
    elif act == "Enter":
        ask(send, at, "translate", FIELD, typed="a girl", again=False, entered=True)
    elif act == "number":
        ask(send, at, "translate", number=2, sentence="a girl")
    else:
        ask(send, at, act, changes=["weights:1:one:1,0,0"], sentence="a girl")
    changes = ["weights:1:one:1,0,0"] if act == "change" else []
    assert (values(at, "s"), values(at, PIN), values(at, CHANGES)) == (["a girl"], [], changes)
    assert values(at, "k") == (["2"] if act == "number" else [])
    data, field = data_of(at), data_of(at, FIELD)
    assert data is not None
    assert field is not None
    assert (field["typed"], field["draft"], data["draft"]) == ("a girl", "", None)
    assert data["record"]["source"]["text"].startswith("a girl")


def test_what_was_touched_on_an_older_text_changes_nothing(app: AppTest, send: Send) -> None:
    at = app
    typed(send, at, "a girl")
    typed(send, at, "a girl reads")
    ask(send, at, "change", changes=["weights:1:one:1,0,0"], sentence="a girl")
    assert (values(at, "s"), values(at, CHANGES)) == ([SENTENCES[0]], [])


def test_a_sentence_in_another_language_is_named_while_it_is_typed(
    app: AppTest, send: Send, runs: Path, write_run: Any
) -> None:
    at = app
    write_run(runs / "zz", source="ko", target="en")
    at.run()
    assert typed(send, at, "나는 오늘 책을 읽었다.") is None
    assert [each.key for each in at.button if (each.key or "").startswith("translate-as")] == ["translate-as-ko-en"]
    assert values(at, "s") == [SENTENCES[0]]
    ask(send, at, "translate", FIELD, typed="나는 오늘 책을 읽었다.", again=False, entered=True)
    assert (values(at, "s"), values(at, "pair")) == (["나는 오늘 책을 읽었다."], ["ko-en"])


def test_nothing_is_translated_while_typing_where_many_wait_or_more_is_asked_for(
    app: AppTest, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = app
    at.query_params["with"] = "hard"
    at.run()
    assert typed(send, at, "a girl") == SENTENCES[0]
    del at.query_params["with"]
    at.run()
    with monkeypatch.context() as patch:
        patch.setattr(service, "_MOST_WAITING", -1)
        assert typed(send, at, "a girl") == SENTENCES[0]
    assert typed(send, at, "a girl") == "a girl"


def test_a_text_too_long_for_an_address_stays_out_of_it(app: AppTest, send: Send) -> None:
    """A server refuses such an address, so that a reload would show nothing."""
    at, long = app, "a girl reads. " * 500
    at.query_params["with"] = "hard"  # where nothing is translated while one types
    at.run()
    ask(send, at, "translate", FIELD, typed=long, again=False, entered=True)
    assert data_of(at) is None
    assert "6,999" in at.warning[0].value
    bound(at, at.slider(key="beam"), 3)
    assert "6,999" in at.warning[0].value
    assert values(at, "s") == [SENTENCES[0]]
    ask(send, at, "translate", FIELD, typed="a girl", again=False, entered=True)
    assert values(at, "s") == ["a girl"]


def test_back_builds_closed_settings(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser keeps the old value of a slider that it does not build."""
    closed = len(app.get("popover"))
    monkeypatch.setattr("nmt.ui.inputs.travelled", lambda: True)
    assert len(app.run().get("popover")) == closed - 1
