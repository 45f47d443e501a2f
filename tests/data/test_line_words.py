import pytest

from nmt.data.line_words import count_words, strange_writing, word_counter
from nmt.data.text import Tokenizer


@pytest.mark.parametrize("text", ["猫は魚を食べました。", "Tom Brownさん、ｶﾒﾗ！", "", " a  b\tc "])
@pytest.mark.parametrize("language", ["ja", "fr", "de"])
def test_words_are_counted_as_they_are_cut(language: str, text: str) -> None:
    assert word_counter(language)(text) == len(Tokenizer(language).line_words(text))


def test_a_text_of_an_unknown_language_is_japanese_if_it_has_kana() -> None:
    assert count_words("猫は寝る。") == word_counter("ja")("猫は寝る。") > 1
    assert count_words("漢字") == 1
    assert count_words("deux mots") == 2


@pytest.mark.parametrize(
    ("text", "language", "writing"),
    [
        ("猫は魚を食べました。", "en", "Japanese"),
        ("猫は魚を食べました。", "zh", "Japanese"),
        ("猫は魚を食べました。", "ja", ""),
        ("我们去学校", "fr", "Chinese characters"),
        ("我们去学校", "ja", ""),
        ("고양이가 잔다", "ja", "Korean"),
        ("Кошка спит", "de", "Cyrillic"),
        ("The cat sleeps.", "ja", "Latin"),
        ("Tom Brown と UNESCO", "ja", "Latin"),
        ("Der Name Кошка ist russisch", "de", ""),
        ("123 … 45 %", "en", ""),
        ("ab 海山", "en", ""),  # half of the letters
        ("ab 海山空", "en", "Chinese characters"),
        ("", "ja", ""),
        ("whatever", "xx", ""),
    ],
)
def test_writing_that_a_language_does_not_have(text: str, language: str, writing: str) -> None:
    assert strange_writing(text, language) == writing
