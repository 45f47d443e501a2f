"""The page "Explore" in a browser, where a reader changes something: Delta-alpha, what if, gold links, files put in."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nmt
from nmt.alignments.formats import FORMATS
from nmt.alignments.policy import Policy
from nmt.config import SearchSettings
from nmt.inspection.what_if import what_if
from nmt.instrument import texts
from nmt.results import Alignment, Intervention
from nmt.texts import ALIGNMENTS, APP, LOOK
from tests.alignments.formats.test_other_programs import SAMPLES
from tests.browser.conftest import wait_for_address
from trials.at_rest import enter

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect

pytestmark = pytest.mark.browser

SENTENCE = "the cat has never seen the sea ."
TARGET = "le chat dort ."
Visit = Callable[..., None]
Settle = Callable[[Any], None]


def control(page: Any, name: str) -> Any:
    """A control of the view, which is opened for it."""
    if not page.locator("#controls:popover-open").count():
        page.locator("#view > button").click()
    return page.locator(f'#controls [data-control="{name}"]')


def test_the_difference_of_two_checkpoints_is_seen_and_read_out(
    server: str, page: Any, visit: Visit, settle: Settle, runs: Path
) -> None:
    visit(server, s=SENTENCE, models=["search", "endless"], of="typed", t=TARGET)
    page.locator(".panel").nth(1).wait_for()
    settle(page)
    page.get_by_role("button", name=APP.settings).click()
    page.get_by_role("button", name=LOOK.by_key.option_choices["difference"]).click()
    page.locator(".panel").nth(2).wait_for()
    settle(page)
    first, second = (nmt.load(runs / name).score(SENTENCE, TARGET).alignment for name in ("search", "endless"))
    assert first is not None
    assert second is not None
    delta = second.weights - first.weights
    panel = page.locator(".panel").nth(2)
    matrix = panel.get_by_role("application")
    matrix.scroll_into_view_if_needed()
    box, (rows, columns) = matrix.bounding_box(), delta.shape
    i, j = np.unravel_index(int(np.abs(delta).argmax()), delta.shape)
    page.mouse.move(box["x"] + (j + 0.5) * box["width"] / columns, box["y"] + (i + 0.5) * box["height"] / rows)
    expect(panel.locator(".readout .weight")).to_have_text(f"Δα = {delta[i, j]:.3f}".replace("-", "−"))
    assert "−1" in panel.locator(".legend").inner_text()
    wait_for_address(page, **{"with": ["difference"]})


def test_settings_that_open_after_a_sentence_was_typed_show_what_is_chosen(
    server: str, page: Any, visit: Visit, settle: Settle
) -> None:
    """The browser builds them when they open, and knows only the last of the runs before that."""
    visit(server, models=["search"], beam="3", unk="forbid")
    enter(page, SENTENCE)
    wait_for_address(page, s=SENTENCE)
    settle(page)
    page.get_by_role("button", name=APP.settings).click()
    kind = page.locator(".st-key-choice-of [aria-checked=true]")
    expect(kind).to_have_text([LOOK.by_key.target_kinds["best"]])
    expect(page.locator(".st-key-choice-unk [aria-checked=true]")).to_have_text([APP.by_key.unknown_choices["forbid"]])
    expect(page.get_by_role("slider", name=APP.beam)).to_have_value("3")
    control(page, "bars").click()
    wait_for_address(page, bars="true", unk="forbid", beam="3")
    expect(page.locator(".panel .bars").first).to_be_visible()
    control(page, "show-links").click()
    wait_for_address(page, show="links", bars="true", unk="forbid", beam="3")
    pressed = page.locator("#controls [aria-pressed=true]")
    assert [one.get_attribute("data-control") for one in pressed.all()] == [
        "show-links",
        "bars",
        "end",
        "punctuation",
        "by-threshold",
    ]


def test_what_if_is_asked_and_shown_in_place(server: str, page: Any, visit: Visit, settle: Settle, runs: Path) -> None:
    visit(server, s=SENTENCE, models=["search"], beam="2", do="what-if")
    model = nmt.load(runs / "search")
    before = page.locator(".system").get_attribute("aria-label")
    field = page.get_by_label(texts()["typed"]["begin"])
    field.fill("une fille")
    field.press("Enter")
    expected = what_if(model, SENTENCE, Intervention(prefix="une fille"), SearchSettings(beam=2))
    system = page.locator(f'.system[aria-label="search: {expected.text}"]')
    system.locator(".former").wait_for()
    settle(page)
    wait_for_address(page, change="begin:0::une fille")
    assert page.locator(".panel").count() == 1
    page.get_by_role("button", name="After − before").click()
    page.get_by_text("Δα").first.wait_for()
    settle(page)
    page.reload()
    system.wait_for()
    settle(page)
    page.get_by_role("button", name="Reset", exact=True).click()
    page.locator(f'.system[aria-label="{before}"]').wait_for()
    settle(page)
    wait_for_address(page, change=[], see=[])
    expect(page.locator(".former")).to_have_count(0)


def test_a_dragged_cell_makes_the_model_look_elsewhere_until_the_next_sentence(
    server: str, page: Any, visit: Visit, settle: Settle, runs: Path
) -> None:
    model = nmt.load(runs / "search")
    best = model.translate(SENTENCE, beam=2).best
    assert best.alignment is not None
    alpha, i = best.alignment.weights, 1
    j, goal = int(alpha[i].argmax()), int(alpha[i].argmin())
    visit(server, s=SENTENCE, models=["search"], beam="2", do="length")  # whose section has no notice
    box, (rows, columns) = page.get_by_role("application").bounding_box(), alpha.shape
    side = box["width"] / columns
    page.mouse.move(box["x"] + (j + 0.5) * side, box["y"] + (i + 0.5) * box["height"] / rows)
    page.mouse.down()
    page.mouse.move(box["x"] + (goal + 0.5) * side, box["y"] + 5 * side, steps=3)
    page.mouse.up()
    values = [round(float(weight), 3) for weight in alpha[i]]
    values[goal], values[j] = round(values[goal] + values[j], 3), 0.0
    changed = Intervention(prefix=best.tokens[:i], weights=((i, tuple(values)),))
    expected = what_if(model, SENTENCE, changed, SearchSettings(beam=2))
    change = f"weights:{i}:search:" + ",".join(f"{value:g}" for value in values)

    def is_changed() -> None:
        page.locator(f'.system[aria-label="search: {expected.text}"] .former').wait_for()
        settle(page)
        assert "pin=" not in page.url
        wait_for_address(page, change=change)

    is_changed()
    page.go_back(wait_until="commit")
    page.locator(f'.system[aria-label="search: {best.text}"]').wait_for()
    expect(page.locator(".former")).to_have_count(0)
    wait_for_address(page, s=SENTENCE, change=[])
    page.go_forward(wait_until="commit")
    is_changed()
    page.reload()
    is_changed()
    enter(page, "the girl reads")
    wait_for_address(page, s="the girl reads", change=[])
    settle(page)
    assert page.get_by_test_id("stAlert").count() == 0
    expect(page.locator(".former")).to_have_count(0)


def test_a_pin_of_a_checkpoint_that_is_not_shown_is_named_and_forgotten(
    server: str, page: Any, visit: Visit, settle: Settle
) -> None:
    """Whatever the link changes, which Ctrl+Z takes back."""
    visit(server, s=SENTENCE, models=["search"], beam="2", pin="encdec.1.", change="begin:0::la")
    expect(page.get_by_text("encdec.1.")).to_be_visible()
    wait_for_address(page, pin=[])
    page.locator("[data-control=undo]").wait_for()
    page.keyboard.press("Control+z")
    wait_for_address(page, change=[], pin=[])
    settle(page)
    assert page.locator(".system").count() == 1


def test_gold_links_come_from_a_file_and_follow_the_threshold(
    server: str, page: Any, visit: Visit, settle: Settle, tmp_path: Path, runs: Path
) -> None:
    visit(server, s=SENTENCE, models=["search"], do="gold", show="both", of="typed", t=TARGET)
    gold = tmp_path / "gold"
    gold.write_text("0-0 1-1 4p2\n", encoding="utf-8")
    page.locator("#typed-file").set_input_files(gold)
    page.locator(".lines .gold.sure").nth(1).wait_for(state="attached")
    expect(page.locator(".lines .gold.sure")).to_have_count(2)
    expect(page.locator(".lines .gold.possible")).to_have_count(1)
    alignment = nmt.load(runs / "search").score(SENTENCE, TARGET).alignment
    assert alignment is not None
    slider = control(page, "least")
    for key, least in (("Home", 0.0), ("End", 1.0)):
        slider.press(key)
        page.wait_for_function(f"new URL(location).searchParams.get('least') == {least}")
        settle(page)
        count = int((alignment.weights >= least).sum()) if least else int((alignment.weights > 0).sum())
        expect(page.locator(".lines path.line")).to_have_count(count)
    latin = tmp_path / "latin"
    latin.write_bytes(b"\xff\xfe0-0")
    page.locator("#typed-file").set_input_files(latin)
    page.get_by_text(texts()["gold"]["no_text"]).wait_for()


def test_a_file_of_another_program_is_put_in(
    server: str, page: Any, visit: Visit, settle: Settle, tmp_path: Path
) -> None:
    visit(server, models=["search"])
    words = ("<b>the</b>", "cat", "</s>")
    alignment = Alignment(source=words, target=("le", "chat", "</s>"), weights=np.eye(3, dtype=np.float32))
    path = tmp_path / "other.nematus"
    path.write_text(FORMATS["nematus"].write([alignment], Policy(), ""), encoding="utf-8")
    page.get_by_role("button", name=APP.settings).click()
    page.get_by_text(LOOK.files).click()
    page.locator("input[type=file]").first.set_input_files(path)
    page.locator(".column-words .label").get_by_text(
        "<b>the</b>", exact=True
    ).wait_for()  # before, the page opens on alpha
    settle(page)
    assert tuple(page.locator(".column-words .label").all_text_contents()) == words
    page.get_by_role("button", name=LOOK.take_pair).click()
    page.locator(".panel").nth(1).wait_for()
    settle(page)
    expect(page.locator(".system").first).to_have_attribute("aria-label", "search: le chat")
    assert page.locator(".column-words b").count() == 0
    wait_for_address(page, s="<b>the</b> cat", t="le chat")


def test_the_map_of_a_file_comes_with_back_reload_and_a_link(
    server: str, page: Any, visit: Visit, settle: Settle, tmp_path: Path
) -> None:
    """Whatever another program calls the maps of its record, and the head of a file of weights."""
    tokens, eye = {"tokens": ["a", "b", "</s>"]}, np.eye(3)
    maps = [{"kind": kind, "weights": weights.tolist()} for kind, weights in (("alpha", eye), ("Mixed in", eye[::-1]))]
    system = {"name": "one", "text": "a b", "source": tokens, "target": tokens, "maps": maps}
    record, heads = tmp_path / "record.json", tmp_path / "heads.json"
    record.write_text(json.dumps({"format": 1, "source": {"text": "a b"}, "systems": [system]}), encoding="utf-8")
    heads.write_text(SAMPLES["Hugging Face, a head"].text, encoding="utf-8")
    visit(server, models=["search"])
    page.get_by_role("button", name=APP.settings).click()
    page.get_by_text(LOOK.files).click()
    page.locator("input[type=file]").first.set_input_files(record)
    chosen = page.locator("#maps")
    chosen.select_option("Mixed in")
    wait_for_address(page, map="Mixed in")
    settle(page)
    link = page.url
    page.locator("input[type=file]").first.set_input_files(heads)
    page.get_by_text(ALIGNMENTS.name_and_run.format(name="heads", run=ALIGNMENTS.mean_of_heads)).first.wait_for()
    settle(page)
    part = page.get_by_role("combobox", name=LOOK.part)
    head = page.get_by_role("option", name=ALIGNMENTS.head.format(layer=1, head=2))
    while not head.is_visible():  # what is drawn late closes an open list
        part.press("ArrowDown")
        page.wait_for_timeout(300)
    head.click()
    wait_for_address(page, **{"import-part": "1.2"})
    settle(page)
    title = page.get_by_text(
        ALIGNMENTS.name_and_run.format(name="heads", run=ALIGNMENTS.head.format(layer=1, head=2))
    ).first
    title.wait_for()
    page.reload()
    settle(page)
    title.wait_for()
    expect(chosen).to_have_value("Mixed in")
    page.go_back(wait_until="commit")
    wait_for_address(page, **{"import-part": []})
    page.get_by_text(ALIGNMENTS.name_and_run.format(name="heads", run=ALIGNMENTS.mean_of_heads)).first.wait_for()
    page.goto(link)
    settle(page)
    expect(chosen).to_have_value("Mixed in")
