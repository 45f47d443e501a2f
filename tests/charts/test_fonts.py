"""Choice of fonts, and characters that none of them has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nmt.charts.fonts import BASE, BOXES, fonts_for, printable, typesetting, visible


@dataclass(frozen=True)
class Families:
    """Installed families and the characters that each can draw; those in ``truetype`` are TrueType."""

    characters: Mapping[str, str]
    truetype: frozenset[str]

    def names(self) -> Iterable[str]:
        return self.characters

    def drawable(self, family: str, characters: Iterable[str]) -> set[str]:
        return set(self.characters[family]) & set(characters)

    def is_truetype(self, family: str) -> bool:
        return family in self.truetype


def test_kanji_beside_kana_come_from_a_japanese_font() -> None:
    """Where both have them: a Korean or Chinese font would draw the forms of its own country."""
    both = "猫が好き漢字"
    installed = Families({BASE: "", "Noto Sans KR": both, "VL Gothic": both}, frozenset())
    assert fonts_for(["猫が好き"], installed).families == (BASE, "VL Gothic", BOXES)
    assert fonts_for(["漢字"], installed).families == (BASE, "Noto Sans KR", BOXES)


def test_only_families_that_are_needed_are_taken_and_what_none_can_draw_is_said() -> None:
    installed = Families({BASE: "abc", "Noto Sans KR": "abc한국", "Symbola": "→"}, frozenset(["Noto Sans KR"]))
    assert fonts_for(["abc"], installed).families == (BASE, BOXES)
    korean = fonts_for(["a한", "국어"], installed)
    assert korean.families == (BASE, "Noto Sans KR", BOXES)
    assert korean.truetype
    assert korean.missing == {"국어": "어"}
    assert not fonts_for(["한→"], installed).truetype


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
