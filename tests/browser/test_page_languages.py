"""The file that translates, in the reader's language."""

import re
from pathlib import Path
from typing import Any

import pytest

import nmt.page
from nmt import texts
from nmt.charts.small_figure import SmallCurve, SmallFigure
from nmt.charts.style import line_style
from nmt.page import payload
from nmt.texts import languages
from tests.browser.conftest import FITS_IN_WIDTH
from tests.browser.patient_server import texts_in_long
from tests.browser.test_languages import OVERLAPS
from tests.browser.test_translating_page import FIELD, SENTENCE, Open, _written, file, open_file, runs, translate

__all__ = ["file", "open_file", "runs"]

pytestmark = pytest.mark.browser

SWITCH = "#languages button:visible"
TEXTS = """() => {
  const texts = [];
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      texts.push(node.data);
    } else if (!node.matches?.("script, style, template, noscript, textarea, [lang=en]")) {
      texts.push(...["aria-label", "title"].map((name) => node.getAttribute?.(name) ?? ""));
      [node.shadowRoot, ...node.childNodes].filter(Boolean).forEach(visit);
    }
  };
  visit(document.body);
  return texts.join(" ");
}"""
"""All texts of the page but those that say that they are English: seen, spoken, and shown where the pointer rests."""
NAMES = {
    *("Jointly", "contributors", "MIT", "Moses", "sacremoses", "SHA", "RNNsearch", "RNNencdec", "Bahdanau", "Cho"),
    *("Bengio", "BLEU", "UNK", "log", "nats", "alpha", "Enter", "Alt"),
}
"""Words of Latin letters that are Korean, too."""


def _figure(runs: object) -> dict[str, Any]:
    """The small Figure 2 of the first run, which the runs of these tests do not have."""
    curve = SmallCurve(name="search", style=line_style(0), points=((5, 40), (30, 20)))
    figure = SmallFigure.of([curve], "multi").to_dict()
    return figure | {"curves": [one | {"run": 0} for one in figure["curves"]]}


@pytest.mark.parametrize(
    ("query", "fragment", "locale", "expected"),
    [
        ("", "", "ko-KR", "ko"),
        ("", "", "fr-FR", "en"),
        ("lang=ko", "", "en-US", "ko"),
        ("", "lang=ko", "en-US", "ko"),
        ("lang=ko", "s=a+cat&lang=en", "ko", "en"),
        ("lang=nn", "", "ko", "ko"),
    ],
)
def test_the_address_comes_before_the_browser(
    open_file: Open, query: str, fragment: str, locale: str, expected: str
) -> None:
    window = open_file(query=query, fragment=fragment, locale=locale)
    assert window.locator("html").get_attribute("lang") == expected
    assert window.locator(".go").inner_text() == {"en": "Translate", "ko": "번역"}[expected]
    assert window.locator(SWITCH).inner_text() == languages()["en" if expected == "ko" else "ko"]
    window.reload()
    window.locator("body[data-state=done]").wait_for()
    assert window.locator("html").get_attribute("lang") == expected


def test_the_switch_keeps_what_is_on_the_screen(open_file: Open) -> None:
    window = open_file()
    translate(window, SENTENCE)
    window.locator("#runs input").nth(1).uncheck()
    window.locator("#beam").select_option("1")
    window.locator("body[data-state=done]").wait_for()
    window.locator("#ribbons .line.target .word").first.click()
    window.locator("#matrices canvas").press("ArrowDown")
    window.locator("#matrices canvas").press("Enter")
    window.locator("#sentence").evaluate("(field) => { field.value = 'not yet translated'; }")  # and no pause follows
    written = window.locator("#matrices .target-text").inner_text()
    seconds = re.findall(r"\d\.\d", window.locator("#status").inner_text())
    window.locator(SWITCH).focus()
    window.keyboard.press("Enter")
    assert window.locator("html").get_attribute("lang") == "ko"
    assert window.locator(f"{SWITCH}:focus").inner_text() == "English"
    assert re.findall(r"\d\.\d", window.locator("#status").inner_text()) == seconds
    assert re.search("[가-힣]", window.locator("#status").inner_text())
    assert window.locator("#matrices .target-text").inner_text() == written
    assert window.locator("#sentence").input_value() == "not yet translated"
    assert window.locator("#beam").input_value() == "1"
    assert window.locator("#runs input:checked").count() == 1
    assert window.locator("#matrices .pin-mark").count() == 1
    assert "←" in window.locator("#ribbons .readout").first.inner_text()
    assert window.evaluate("new URLSearchParams(location.hash.slice(1)).get('lang')") == "ko"
    window.keyboard.press("Enter")
    assert window.locator("html").get_attribute("lang") == "en"
    assert "lang" not in window.evaluate("location.hash")


def test_an_address_with_another_language_is_followed(open_file: Open) -> None:
    window = open_file()
    window.evaluate("location.hash = '#s=she+is+seen&lang=ko'")
    window.locator("html[lang=ko]").wait_for()
    window.locator("body[data-state=done]").wait_for()
    assert window.locator("#sentence").input_value() == "she is seen"
    window.evaluate("location.hash = '#s=she+is'")
    window.wait_for_function(f"{FIELD}.value === 'she is'")
    assert window.locator("html").get_attribute("lang") == "ko"


def test_an_error_is_told_in_the_language_that_is_switched_to(open_file: Open) -> None:
    window = open_file(locale="ko-KR")
    translate(window, "  ")
    korean = window.locator("#status").inner_text()
    window.locator(SWITCH).click()
    english = window.locator("#status").inner_text()
    assert re.search("[가-힣]", korean)
    assert re.fullmatch(r"[ -~]+", english)
    assert not window.locator("#results").is_visible()


def test_no_english_word_is_left(open_file: Open, runs: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload, "_figure", _figure)
    window = open_file(address=_written(runs), locale="ko-KR")
    translate(window, f"{SENTENCE} zzzz")
    shown = " ".join(window.locator("#ribbons .line, #matrices .target-text").all_inner_texts())
    own = {SENTENCE, shown, *(each.name for each in runs), "multi", *(each["sentence"] for each in _examples(window))}
    known = NAMES | set(re.findall(r"\w+", " ".join(own)))
    texts = re.sub("[0-9a-f]{64}", "", window.evaluate(TEXTS))
    assert re.search("[가-힣]", texts)
    assert {*re.findall(r"[A-Za-z]{3,}", texts)} - known == set()


def _examples(window: Any) -> list[dict[str, str]]:
    return [{"sentence": one.get_attribute("title")} for one in window.locator("#examples button").all()]


@pytest.mark.parametrize("width", [390, 1280])
def test_a_third_language_is_a_table(
    open_file: Open, runs: list[Path], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    """English with accents, and a third longer, breaks no layout."""
    monkeypatch.setattr(payload, "_figure", _figure)
    monkeypatch.setattr(texts, "texts_in", texts_in_long)
    for module in (nmt.page, payload):
        monkeypatch.setattr(module, "languages", lambda: languages() | {"xx": "Ĺáñgúágé"})
    window = open_file(address=_written(runs), query="lang=xx", width=width)
    translate(window, SENTENCE)
    for place in (".about", "#examples button", "#ribbons .kind", "#matrices .kind", "#figure figcaption", "footer li"):
        assert re.search("é$|é ·", window.locator(place).first.inner_text()), place
    assert window.evaluate(FITS_IN_WIDTH)
    assert window.evaluate(OVERLAPS) == []
