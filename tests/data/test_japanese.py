"""Words of Japanese: sentences are our own, but for random strings of kana and kanji."""

import itertools
import random
import unicodedata

import pytest

from nmt.data.japanese import HIRAGANA_WORDS, normalised, segmented, written
from nmt.data.line_words import count_words, word_counter
from nmt.data.text import Tokenizer

SENTENCES = [
    "庭の古い木が、昨日の嵐で倒れた。",
    "駅まで歩いて十分くらいかかります。",
    "「窓を開けてもいいですか？」と彼女は聞いた。",
    "このカメラは2万5千円もしませんでした！",
    "Tom Brownさんは、Wi-Fiの使い方をメールで教えてくれた。",
    "１０月３日に、ＮＨＫのニュースを見ました。",
    "らーめんとコーヒー、どっちがいい？",
    "佐々木さんは一ヶ月ぶりにトーマス・マンを読んでいる…",
    "It's OK, Tom! と言った。",
    "気温は3.5℃、湿度は40%です。",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_comes_back_as_it_was_written(sentence: str) -> None:
    japanese = Tokenizer("ja")
    again = japanese.detokenize(japanese.tokenize(sentence))
    assert again == sentence.replace("! と", "!と")  # a space between letters and kana is not kept


def test_no_character_is_lost_and_no_word_has_a_space() -> None:
    draw = random.Random(1)
    characters = (
        "はがをにてたるこのあいしまアイスーッ々〆ヶ一二三食飲行日本語、。？「」…ABcé12３％ \u3000-'.ゝ゛🎉\u200d\ufe0f"
    )
    for _ in range(2_000):
        text = "".join(draw.choices(characters, k=draw.randrange(30)))
        words = segmented(text)
        assert "".join(words) == "".join(text.split())
        assert all(words)
        assert Tokenizer("ja").tokenize(written(words)) == Tokenizer("ja").tokenize(written(segmented(written(words))))


def test_kinds_of_writing_are_cut_apart() -> None:
    def kind(character: str) -> str:
        name = unicodedata.name(character, "")
        return next((kind for kind in ("HIRAGANA", "KATAKANA", "CJK UNIFIED") if kind in name), "other")

    for sentence in SENTENCES:
        for word in segmented(sentence):
            kinds = [kind for kind, _ in itertools.groupby(kind(c) for c in word if c not in "ーヶ々")]
            assert len(kinds) <= 1 or kinds == ["CJK UNIFIED", "HIRAGANA"]  # okurigana


def test_particles_and_endings_are_words() -> None:
    assert segmented("猫は魚を食べました") == ["猫", "は", "魚", "を", "食べ", "ました"]
    assert segmented("本が机の上にある") == ["本", "が", "机", "の", "上", "に", "ある"]


def _cheapest(run: str, follows_kanji: bool) -> int:
    """The least cost of all ways to cut a run, by trying each of them."""
    best = 10**9
    for cuts in itertools.product((False, True), repeat=len(run) - 1):
        places = [0, *(k + 1 for k, cut in enumerate(cuts) if cut), len(run)]
        parts = [run[start:end] for start, end in itertools.pairwise(places)]
        best = min(best, _cost(parts, follows_kanji))
    return best


def _cost(parts: list[str], follows_kanji: bool) -> int:
    cost = 0
    for number, part in enumerate(parts):
        if part in HIRAGANA_WORDS:
            cost += 2
        elif "を" in part:
            return 10**9
        else:
            cost += 3 * len(part) + (0 if follows_kanji and number == 0 and len(part) <= 2 else 2)
    return cost


@pytest.mark.parametrize("before", ["", "木"])
def test_hiragana_is_cut_at_the_least_cost(before: str) -> None:
    draw = random.Random(2)
    for _ in range(300):
        run = "".join(draw.choices("はをてたいるのしもらかなつと", k=draw.randrange(1, 10)))
        words = segmented(before + run)
        parts = [words[0].removeprefix(before), *words[1:]] if before else words
        assert "".join(parts) == run
        assert _cost([part for part in parts if part], bool(before)) == _cheapest(run, bool(before))


def test_of_ways_that_cost_the_same_one_is_taken() -> None:
    """What is not listed stays whole, also after kanji; and of listed words the last is the longest: はず, not では."""
    assert segmented("ぬむゆ") == ["ぬむゆ"]
    assert segmented("木ぬむゆ") == ["木ぬむゆ"]
    assert {"で", "では", "はず", "ず"} <= HIRAGANA_WORDS
    assert segmented("ではず") == ["で", "はず"]


def test_a_very_long_run_of_hiragana_is_quick() -> None:
    assert "".join(segmented("むかしむかし" * 1_500)) == "むかしむかし" * 1_500


def test_half_width_katakana_is_read_as_katakana_and_nothing_else_changes() -> None:
    assert normalised("ﾃﾞｰﾀは℃と１２と㈱と①") == "データは℃と１２と㈱と①"
    assert Tokenizer("ja").tokenize("か\u3099") == ["が"]


def test_spaces_stand_between_words_in_letters_alone() -> None:
    assert written(["New", "York", "と", "Rio", "です"]) == "New YorkとRioです"
    assert written(["No", ".", "5"]) == "No. 5"
    assert written(["価格", ":", "50", "%", "OFF"]) == "価格:50% OFF"
    assert written([]) == ""


def test_words_of_a_line() -> None:
    assert Tokenizer("ja").line_words("猫は Tom が好き") == ["猫", "は", "Tom", "が", "好き"]
    assert Tokenizer("de").line_words("z. B. so, „hier“") == ["z.", "B.", "so,", "„hier“"]


@pytest.mark.parametrize("text", ["猫は魚を食べました。", "Tom Brownさん、ｶﾒﾗ！", "", " a  b\tc "])
@pytest.mark.parametrize("language", ["ja", "fr", "de"])
def test_words_are_counted_as_they_are_cut(language: str, text: str) -> None:
    assert word_counter(language)(text) == len(Tokenizer(language).line_words(text))


def test_a_text_of_an_unknown_language_is_japanese_if_it_has_kana() -> None:
    assert count_words("猫は寝る。") == word_counter("ja")("猫は寝る。") > 1
    assert count_words("漢字") == 1
    assert count_words("deux mots") == 2
