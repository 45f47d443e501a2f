"""Choice of fonts, and characters that none of them has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.font_manager import fontManager

from nmt.charts import fonts
from nmt.charts.fonts import BASE, BOXES, fonts_for, printable, typesetting, visible


def test_kanji_beside_kana_come_from_a_japanese_font(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both have them: a Korean or Chinese font would draw the forms of its own country."""
    monkeypatch.setattr(fontManager, "get_font_names", lambda: [BASE, "Noto Sans KR", "VL Gothic"])
    monkeypatch.setattr(fonts, "_drawable", lambda family, characters: set() if family == BASE else set(characters))
    monkeypatch.setattr(fonts, "_is_truetype", lambda family: True)
    with typesetting():
        assert fonts_for(["猫が好き"]).families[1] == "VL Gothic"
        assert fonts_for(["漢字"]).families[1] == "Noto Sans KR"


@given(st.text())
def test_texts_that_are_drawn_can_be_written_to_xml_and_have_no_line_ends(text: str) -> None:
    drawn = printable(text)
    assert len(drawn) == len(text)
    assert drawn.splitlines() in ([], [drawn])
    drawn.encode()
    assert visible(visible(drawn)) == visible(drawn)
    assert printable(drawn) == drawn


def test_wider_texts_have_more_room() -> None:
    with typesetting():
        chosen = fonts_for(["iW"])
        assert chosen.families == (BASE, BOXES)
        assert 0 == chosen.width("", 9) < chosen.width("i", 9) < chosen.width("W", 9) < chosen.width("iW", 9)
        assert chosen.width("iW", 18) == pytest.approx(2 * chosen.width("iW", 9), rel=0.01)
