"""Choice of fonts, and characters that none of them has."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nmt.charts.fonts import BASE, BOXES, fonts_for, printable, typesetting, visible


class BothHaveAll:
    """A machine with a Korean and a Japanese font, each with all characters."""

    def families(self) -> set[str]:
        return {BASE, "Noto Sans KR", "VL Gothic"}

    def drawable(self, family: str, characters: Iterable[str]) -> set[str]:
        return set() if family == BASE else set(characters)

    def is_truetype(self, family: str) -> bool:
        return family != "Noto Sans KR"


def test_kanji_beside_kana_come_from_a_japanese_font() -> None:
    """Where both have them: a Korean or Chinese font would draw the forms of its own country."""
    with typesetting():
        japanese, other = fonts_for(["猫が好き"], BothHaveAll()), fonts_for(["漢字"], BothHaveAll())
    assert (japanese.families[1], japanese.truetype) == ("VL Gothic", True)
    assert (other.families[1], other.truetype) == ("Noto Sans KR", False)


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
