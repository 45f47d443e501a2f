"""A widget of a notebook: what its script sends is answered, and its state is the reader's."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nmt
from nmt.errors import InputError
from nmt.inference.systems import load_hugging_face
from nmt.inference.translator import Translator
from nmt.inspection.what_if import what_if
from nmt.notebook import CHANGES, answer, changed
from nmt.results import Intervention
from nmt.results.record import ReadersChange, read_sentence_record
from tests.oracles.hugging_face_folders import build

SENTENCE = "the girl reads a book"


@pytest.fixture(scope="module")
def model(random_runs: Path) -> Translator:
    return nmt.load(random_runs / "search-bpe")


def moved(model: Translator, sentence: str, row: int, column: int) -> dict[str, Any]:
    """All weight of a target word on one source word, as a drag sends it."""
    alignment = model.translate(sentence).alignment
    assert alignment is not None
    weights = [float(k == column) for k in range(len(alignment.merged().source))]
    return {"kind": "weights", "system": model.name, "row": row, "weights": weights}


def test_messages_in_answers_out(model: Translator) -> None:
    pytest.importorskip("anywidget")
    widget, sent = nmt.explore(model, SENTENCE), list[dict[str, Any]]()
    widget.send = sent.append
    record = model.translate(SENTENCE).to_dict()
    assert widget.record == widget.changed == record
    assert set(widget.get_state()) >= {"record", "changed", "state", "host", "_esm", "_css"}
    json.dumps(widget.host)
    asked = {"id": "a-1", "kind": "change", "sentence": SENTENCE, "changes": [moved(model, SENTENCE, 1, 0)]}
    widget._handle_custom_msg(asked, [])
    (told,) = sent
    assert (told["id"], told["done"]) == ("a-1", True)
    assert widget.changed == told["record"] != record == widget.record
    read_sentence_record(told["record"], "the answer")
    widget._handle_custom_msg({"id": "a-2", "kind": "translate", "sentence": "a cat", "changes": []}, [])
    assert widget.record == widget.changed == model.translate("a cat").to_dict()
    widget.set_state({"state": {"pin": {"name": model.name, "target": [1], "source": []}}})
    assert widget.state["pin"]["target"] == [1]


def test_a_transformer_brings_the_maps_of_its_heads(tmp_path: Path) -> None:
    build("marian", tmp_path / "marian")
    guest = load_hugging_face(tmp_path / "marian")
    told = answer([guest], {"id": "1", "kind": "translate", "sentence": "The girl reads."})  # type: ignore[arg-type]
    record = read_sentence_record(told["record"], "the answer")
    translation = guest.translate("The girl reads.")
    assert translation.encoded is not None
    assert translation.best.encoded is not None
    every = guest.every_head(translation.encoded, translation.best.encoded)
    alpha, *heads = record.systems[0].maps
    assert (alpha.kind, {each.kind for each in heads}) == ("alpha", {"head"})
    found = {(each.layer, each.head): np.array(each.weights) for each in heads}
    assert found.keys() == {*np.ndindex(every.shape[:2])}
    assert all(weights == pytest.approx(every[place], abs=1e-6) for place, weights in found.items())


def test_a_drag_gives_what_python_gives(model: Translator) -> None:
    drag = moved(model, SENTENCE, 1, 0)
    best = model.translate(SENTENCE).best
    assert best.encoded is not None
    step = best.encoded.words.index(1)
    expected = what_if(
        model, SENTENCE, Intervention(prefix=best.tokens[:step], weights=((step, tuple(drag["weights"])),))
    )
    told = answer([model], {"id": "x", "kind": "change", "sentence": SENTENCE, "changes": [drag]})
    assert told["record"] == expected.to_dict()


def test_models_stand_one_below_the_other_and_a_drag_is_of_its_own(model: Translator, random_runs: Path) -> None:
    pytest.importorskip("anywidget")
    models = [nmt.load(random_runs / "encdec-bpe"), model]
    widget = nmt.explore(models, SENTENCE)
    assert widget.record["systems"] == [each.translate(SENTENCE).to_dict()["systems"][0] for each in models]
    drag = moved(model, SENTENCE, 1, 0)
    asked = {"id": "x", "kind": "change", "sentence": SENTENCE, "changes": [drag]}
    (alone,) = answer([model], asked)["record"]["systems"]
    assert answer(models, asked)["record"]["systems"] == [widget.record["systems"][0], alone]
    with pytest.raises(InputError, match="models"):
        nmt.explore([model, model], SENTENCE)


def test_changes_apply_one_after_the_other(model: Translator) -> None:
    blocked = ReadersChange(kind="blocked", row=2, text="reads")
    first = changed(model, SENTENCE, [blocked])
    assert first.to_dict() == what_if(model, SENTENCE, Intervention(blocked=(2,))).to_dict()
    alignment = first.alignment
    assert alignment is not None
    assert not alignment.merged().weights[:, 2].any()
    last = first.best.encoded.words[-1] if first.best.encoded else 0
    drag = ReadersChange(kind="weights", row=last, weights=(1.0, *[0.0] * (len(alignment.merged().source) - 1)))
    both = changed(model, SENTENCE, [blocked, drag])
    assert both.best.tokens[: len(first.best.tokens) - 1] == first.best.tokens[:-1]
    beyond = ReadersChange(kind="weights", row=99, weights=drag.weights)
    assert changed(model, SENTENCE, [beyond]).best.tokens == model.translate(SENTENCE).best.tokens


def test_a_fault_is_one_sentence(model: Translator) -> None:
    drag = moved(model, SENTENCE, 0, 0) | {"weights": [1.0]}
    told = answer([model], {"id": "x", "kind": "change", "sentence": SENTENCE, "changes": [drag]})
    assert told.keys() == {"id", "done", "said"}
    wrong = {"id": "x", "kind": "change", "sentence": SENTENCE, "changes": [{"kind": "magic"}]}
    assert "kind" in answer([model], wrong)["said"]


def test_without_anywidget_the_program_says_what_it_needs(model: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(InputError, match="pip install anywidget"):
        nmt.explore(model, SENTENCE)


def test_a_model_without_attention_offers_no_drags(random_runs: Path) -> None:
    pytest.importorskip("anywidget")
    widget = nmt.explore(nmt.load(random_runs / "encdec-bpe"), SENTENCE)
    assert widget.host["changes"] == []
    assert CHANGES
