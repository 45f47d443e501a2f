"""A record of whatever program is shown on Look with all of its systems, those without a map among them."""

import json
from typing import Any

import pytest

from nmt.texts import ALIGNMENTS, LOOK
from nmt.ui.formatting import escaped
from tests.ui.drawn import drawn
from tests.ui.look.explore.test_files_of_others import upload
from tests.ui.look.explore.test_page import SENTENCE, explore, systems

pytestmark = pytest.mark.usefixtures("random_checkpoints")

TOKENS = {"tokens": ["the", "white", "house", "</s>"]}
FRENCH = {"tokens": ["la", "maison", "▁blan", "che", "</s>"], "words": [0, 1, 2, 2, 3]}
ALPHA = [[0.9, 0, 0.1, 0], [0.1, 0, 0.9, 0], [0, 0.8, 0.1, 0.1], [0, 0.6, 0.3, 0.1], [0, 0, 0, 1]]


def record(**more: Any) -> dict[str, Any]:
    common = {"language": "fr", "text": "la maison blanche", "source": TOKENS, "target": FRENCH}
    mapped = {"name": "mine", "kind": "Transformer", **common, "maps": [{"kind": "alpha", "weights": ALPHA}]}
    worse = mapped | {"rank": 2, "text": "la blanche maison"}
    effect = {"name": "theirs", **common, "maps": [{"kind": "leave-one-out", "weights": ALPHA}]}
    others = [worse, {"name": "phrases", "kind": "phrase-based", **common}, effect]
    return {"format": 1, "source": {"text": "the white house", "language": "en"}, "systems": [mapped, *others]} | more


def test_all_systems_of_a_record_are_shown_beside_the_checkpoints() -> None:
    at = explore(s=SENTENCE, models=["search-words"])
    at = upload(at, "import-files", ("other.json", json.dumps(record())))
    assert LOOK.files_alone not in [caption.value for caption in at.caption]
    shown = systems(at)[1:]
    assert [(each["title"], each["text"]) for each in shown] == [
        (ALIGNMENTS.name_and_run.format(name="other", run=name), "la maison blanche")
        for name in ("mine", "phrases", "theirs")
    ]
    assert shown[0]["kind"] == LOOK.from_system.format(kind="Transformer")
    assert shown[0]["target"] == ["la", "maison", "blanche"]
    assert shown[0]["weights"][2] == pytest.approx([0, 0.7, 0.2], abs=1e-6)
    assert [each["weights"] for each in shown[1:]] == [None, None]  # what words cost is not where they come from
    maps = {panel["title"]: bool(panel["not_attention"]) for panel in drawn(at)["panels"]}
    assert maps == {"search-words": False, shown[0]["title"]: False, shown[2]["title"]: True}


def test_a_record_is_shown_alone_and_the_next_of_its_file_is_chosen() -> None:
    other = record(source={"text": "a second one", "language": "en"})
    other["systems"] = other["systems"][:1]
    text = "\n".join(json.dumps(each) for each in (record(), other))
    at = upload(explore(), "import-files", ("two.jsonl", text))
    assert len(systems(at)) == 3
    assert LOOK.files_alone in [caption.value for caption in at.caption]
    next(field for field in at.number_input if field.key == "import-sentence").set_value(2).run()
    assert len(systems(at)) == 1
    next(field for field in at.number_input if field.key == "import-sentence").set_value(3).run()
    assert ALIGNMENTS.no_sentence.format(number=3, count=2) in at.warning[0].value


def test_a_broken_record_is_named() -> None:
    broken = record()
    broken["systems"][0]["maps"][0]["weights"] = ALPHA[:2]
    at = upload(explore(s=SENTENCE, models=["search-words"]), "import-files", ("broken.json", json.dumps(broken)))
    assert at.warning[0].value.startswith(escaped("broken.json: sentence 1, system 1"))
    assert len(systems(at)) == 1
