import pytest

from nmt.data.line_words import count_words, word_counter
from nmt.data.text import Tokenizer


@pytest.mark.parametrize("text", ["猫は魚を食べました。", "Tom Brownさん、ｶﾒﾗ！", "", " a  b\tc "])
@pytest.mark.parametrize("language", ["ja", "fr", "de"])
def test_words_are_counted_as_they_are_cut(language: str, text: str) -> None:
    assert word_counter(language)(text) == len(Tokenizer(language).line_words(text))


def test_a_text_of_an_unknown_language_is_japanese_if_it_has_kana() -> None:
    assert count_words("猫は寝る。") == word_counter("ja")("猫は寝る。") > 1
    assert count_words("漢字") == 1
    assert count_words("deux mots") == 2
