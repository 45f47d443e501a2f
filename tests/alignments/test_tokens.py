"""Which tokens are punctuation, character by character, and where the end mark is."""

import string
import unicodedata

import pytest

from nmt.alignments.measures import end_mask, is_punctuation, punctuation_mask
from nmt.results import END, UNKNOWN


@pytest.mark.parametrize(
    "token", [*string.punctuation, "...", "«", "»", "—", "¿", "€", "،", "。", "▁,", "🙂", "👩‍👩‍👧", "❤️"]
)
def test_punctuation_and_symbols(token: str) -> None:
    assert is_punctuation(token)


@pytest.mark.parametrize(
    "token",
    [
        *string.ascii_letters,
        *string.digits,
        "l'",
        "$x$",
        "&apos;",
        "&#124;",
        "3,5",
        "C++",
        END,
        UNKNOWN,
        "한국어",
        "العربية",
    ],
)
def test_words(token: str) -> None:
    assert not is_punctuation(token)


@pytest.mark.parametrize("token", ["", "▁", " ", "\u200b", "\u0301", "\u200d"])
def test_what_says_nothing_is_no_punctuation(token: str) -> None:
    assert not is_punctuation(token)


def test_single_characters_go_by_their_category() -> None:
    for code in [*range(0x20, 0x3000), *range(0x1F300, 0x1F700)]:
        character = chr(code)
        expected = unicodedata.category(character)[0] in "PS" and character != "▁"
        assert is_punctuation(character) == expected, hex(code)
        assert not is_punctuation(character + "a"), hex(code)


def test_only_the_last_token_can_be_the_end_mark() -> None:
    assert end_mask((END, "a", END)).tolist() == [False, False, True]
    assert end_mask((END, "a")).tolist() == [False, False]
    assert end_mask(()).tolist() == []


def test_masks_are_boolean_even_when_empty() -> None:
    assert punctuation_mask(()).dtype == bool
    assert punctuation_mask(("a", ".")).tolist() == [False, True]
