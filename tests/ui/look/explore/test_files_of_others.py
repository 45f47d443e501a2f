"""Files of other programs beside the checkpoints: each is drawn, with the words that are given beside it."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmt.results.record import SentenceRecord, System, Text, Tokens, WeightMap
from nmt.texts import ALIGNMENTS, LOOK
from tests.alignments.formats.test_other_programs import HEADS, LINKS, PAIRS, SAMPLES, SOURCES, TARGETS
from tests.ui.drawn import Send, ask
from tests.ui.look.explore.test_page import SENTENCE, explore, panels, weights

pytestmark = pytest.mark.usefixtures("random_checkpoints")

MOST = 8
SOURCE = "".join(f"{line}\n" for line in SOURCES)
TARGET = "".join(f"{line}\n" for line in TARGETS)


def upload(at: AppTest, key: str, *files: tuple[str, str]) -> AppTest:
    uploader = next(each for each in at.get("file_uploader") if str(each.key).startswith(key))
    uploader.set_value([(name, text.encode(), "text/plain") for name, text in files]).run()
    assert not at.exception, at.exception
    return at


def shown(names: list[str]) -> list[AppTest]:
    """The app with some of the samples, as many at once as it takes, and with their words where it asks for them."""
    apps = []
    for start in range(0, len(names), MOST):
        files = [(f"{name}.txt", SAMPLES[name].text) for name in names[start : start + MOST]]
        at = upload(explore(), "import-files", *files)
        if any(SAMPLES[name].given.source for name in names):
            assert len(at.warning) == len(files)
            at = upload(at, "import-source-file", ("words.en", SOURCE))
        if any(SAMPLES[name].given.target for name in names):
            at = upload(at, "import-target-file", ("words.fr", TARGET))
        assert not at.warning, [warning.value for warning in at.warning]
        apps.append(at)
    return apps


LACKING = {
    "nothing": lambda name: not SAMPLES[name].given.source,
    "the source": lambda name: bool(SAMPLES[name].given.source) and not SAMPLES[name].given.target,
}


@pytest.mark.parametrize("lacking", LACKING)
def test_every_sample_is_drawn(lacking: str) -> None:
    """The part of a file with several is chosen in a test of its own."""
    names = [name for name in SAMPLES if LACKING[lacking](name) and not SAMPLES[name].given.part]
    assert len(names) > 7
    found = [panel for at in shown(names) for panel in panels(at)]
    assert [panel["title"] for panel in found] == names
    for panel, name in zip(found, names, strict=True):
        sample = SAMPLES[name]
        if sample.alignments:
            one = sample.alignments[0]
            assert (panel["source"], panel["target"]) == ([*one.source], [*one.target])
            assert weights(panel) == pytest.approx(one.weights, abs=1e-4)
            continue
        if sample.format == "numbered":  # which has no words
            continue
        assert (panel["source"], panel["target"]) == (PAIRS[0][0], PAIRS[0][1])
        assert {(int(i), int(j)) for j, i in np.argwhere(weights(panel) == 1)} == sample.links[0]


def test_the_head_is_chosen_and_named() -> None:
    name = "Hugging Face"
    (at,) = shown([name])
    for part, title, expected in (
        ("", ALIGNMENTS.mean_of_heads, HEADS[0].mean(axis=(0, 1))),
        ("1", ALIGNMENTS.mean_of_layer.format(layer=1), HEADS[0][1].mean(axis=0)),
        ("1.2", ALIGNMENTS.head.format(layer=1, head=2), HEADS[0][1, 2]),
    ):
        at.selectbox(key="choice-import-part").set_value(part).run()
        assert "".join(at.query_params.get("import-part", "")) == part
        (panel,) = panels(at)
        assert panel["title"] == ALIGNMENTS.name_and_run.format(name=name, run=title)
        assert weights(panel) == pytest.approx(expected, abs=1e-4)


def test_a_method_is_chosen_and_named() -> None:
    at = upload(explore(), "import-files", ("sim.json", SAMPLES["SimAlign, JSON"].text))
    at = upload(at, "import-source-file", ("words.en", SOURCE))
    at = upload(at, "import-target-file", ("words.fr", TARGET))
    at.selectbox(key="choice-import-part").set_value("itermax").run()
    assert "".join(at.query_params["import-part"]) == "itermax"
    (panel,) = panels(at)
    assert panel["title"] == ALIGNMENTS.name_and_run.format(name="sim", run="itermax")
    assert {(int(i), int(j)) for j, i in np.argwhere(weights(panel) == 1)} == LINKS[0]


def test_each_file_is_read_by_a_part_that_it_has() -> None:
    words = {"source": ["a", "b"], "target": ["c", "d"]}
    one, two = {"inter": [[0, 0]], "itermax": [[0, 0], [1, 1]]}, {"mwmf": [[1, 0]]}
    heads = [{"attention": [[[[1, 0], [0, 1]]]] * layers, **words} for layers in (2, 1)]
    files = [("one.json", words | {"alignments": one}), ("two.json", words | {"alignments": two})]
    files += [("deep.json", heads[0]), ("flat.json", heads[1])]
    at = upload(explore(), "import-files", *((name, json.dumps(value)) for name, value in files))
    head, mean = ALIGNMENTS.head.format(layer=1, head=0), ALIGNMENTS.mean_of_heads
    for part, parts in (("itermax", ("itermax", mean, mean)), ("1.0", ("inter", head, mean))):
        at.selectbox(key="choice-import-part").set_value(part).run()
        assert not at.warning, [warning.value for warning in at.warning]
        of_part = ALIGNMENTS.name_and_run.format
        named = [of_part(name=name, run=run) for name, run in zip(("one", "deep", "flat"), parts, strict=True)]
        assert [panel["title"] for panel in panels(at)] == [named[0], "two", *named[1:]]


def test_numbers_in_one_file_do_not_hide_the_words_of_another_of_this_name() -> None:
    pair = {"attention": [[1, 0], [0, 1]], "source": ["a", "b"], "target": ["c", "d"]}
    at = upload(explore(), "import-files", ("talk.json", json.dumps(pair)), ("talk.pharaoh", "0-0 1-1\n"))
    assert not at.warning
    assert LOOK.take_pair in [button.label for button in at.button]


def test_words_of_other_sentences_are_refused_and_what_is_in_no_format_is_named() -> None:
    name = "Marian hard"
    at = upload(explore(), "import-files", ("a.out", SAMPLES[name].text), ("prose.txt", "A text, and no more.\n"))
    assert [("source" in warning.value, "Pharaoh" in warning.value) for warning in at.warning] == [
        (True, False),
        (False, True),
    ]
    at = upload(at, "import-source-file", ("words.en", SOURCE.partition("\n")[2]))
    assert len(at.warning) == 2
    assert "a" not in [panel["title"] for panel in panels(at)]
    at = upload(at, "import-source-file", ("words.en", SOURCE))
    assert [panel["title"] for panel in panels(at)] == ["a"]


def test_gold_links_may_count_from_one_and_come_in_other_formats(send: Send) -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="gold", gold="1-1 2?3")
    (panel,) = panels(at)
    assert (panel["sure"], panel["possible"]) == ([[1, 1]], [[3, 2]])
    from_one = explore(s=SENTENCE, models=["search-words"], do="gold", gold="1-1 2?3", **{"gold-base": "1"})
    (panel,) = panels(from_one)
    assert (panel["sure"], panel["possible"]) == ([[0, 0]], [[2, 1]])
    at = explore(s=SENTENCE, models=["search-words"], do="gold")
    ask(send, at, "gold", file="1 1 1 S\n1 2 3 P\n2 9 9\n", text="", base=1)
    assert "1-1 2p3" in at.query_params["gold"]
    (panel,) = panels(at)
    assert (panel["sure"], panel["possible"]) == ([[0, 0]], [[2, 1]])


def test_gold_links_outside_the_text_are_not_counted() -> None:
    at = explore(s=SENTENCE, models=["search-words"], do="gold", gold="0-0 99-0")
    (panel,) = panels(at)
    assert panel["sure"] == []


def test_the_app_shows_the_files_that_it_was_started_with(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A record without a checkpoint; one that is gone is passed over."""
    system = System(
        name="theirs",
        text="la maison",
        source=Tokens(tokens=("the", "house")),
        target=Tokens(tokens=("la", "maison")),
        maps=(WeightMap(kind="head", weights=((1, 0), (0, 1))),),
    )
    file = tmp_path / "record.json"
    file.write_text(json.dumps(SentenceRecord(source=Text(text="the house"), systems=(system,)).to_dict()), "utf-8")
    monkeypatch.setenv("JOINTLY_FILES", json.dumps([str(file), str(tmp_path / "gone.json")]))
    (panel,) = panels(explore())
    assert (panel["title"], panel["source"], panel["target"]) == ("record (theirs)", ["the", "house"], ["la", "maison"])
    assert panel["weights"] == [[1.0, 0.0], [0.0, 1.0]]
