"""Languages without spaces: sacreBLEU's own scores, and lengths in the units that it counts."""

import pytest
import sacrebleu
from sacrebleu.metrics.bleu import BLEU

from nmt.data.line_words import not_by_words, word_counter
from nmt.evaluation.concatenation import kept_words
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.metrics import corpus_scores, signed_scores
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.results import Languages, Span

SOURCES = ["The island is far.", "We read two books today.", "Yes."]
TEXTS = {
    "zh": (["岛很远。", "我们今天读了三本书，在 Paris。", "是"], ["这个岛很远。", "我们今天读了两本书。", "是的"]),
    "cmn": (["岛很远。", "我们今天读了三本书。", "是"], ["这个岛很远。", "我们今天读了两本书。", "是的"]),
    "th": (["เกาะอยู่ไกล", "วันนี้เราอ่านหนังสือสาม เล่ม", "ใช่"], ["เกาะนั้นอยู่ไกล", "วันนี้เราอ่านหนังสือสองเล่ม", "ใช่ค่ะ"]),
    "lo": (["ເກາະຢູ່ໄກ", "ມື້ນີ້ພວກເຮົາອ່ານປຶ້ມ", "ແມ່ນ"], ["ເກາະນັ້ນຢູ່ໄກ", "ມື້ນີ້ພວກເຮົາອ່ານປຶ້ມສອງຫົວ", "ແມ່ນແລ້ວ"]),
    "km": (["កោះនៅឆ្ងាយ", "ថ្ងៃនេះយើងអានសៀវភៅ", "បាទ"], ["កោះនោះនៅឆ្ងាយ", "ថ្ងៃនេះយើងអានសៀវភៅពីរ", "បាទ"]),
    "my": (["ကျွန်းကဝေးတယ်", "ဒီနေ့စာအုပ်ဖတ်တယ်", "ဟုတ်"], ["အဲဒီကျွန်းကဝေးတယ်", "ဒီနေ့စာအုပ်နှစ်အုပ်ဖတ်တယ်", "ဟုတ်ကဲ့"]),
}


def cut(language: str, text: str) -> list[str]:
    tokenizer = BLEU(tokenize="zh" if language in ("zh", "cmn") else "char").tokenizer
    return str(tokenizer(text)).split()


@pytest.mark.parametrize("language", TEXTS)
def test_scores_are_sacrebleus_over_its_tokens(language: str) -> None:
    written, wanted = TEXTS[language]
    tokeniser = "zh" if language in ("zh", "cmn") else "char"
    statistics = sentence_statistics(SOURCES, written, wanted, languages=Languages("en", language))
    found = corpus_scores(statistics)
    assert found.bleu == pytest.approx(sacrebleu.corpus_bleu(written, [wanted], tokenize=tokeniser).score)
    assert found.bleu > 1
    assert found.chrf == pytest.approx(sacrebleu.corpus_chrf(written, [wanted]).score)
    spaced = [[" ".join(cut(language, text)) for text in texts] for texts in (written, wanted)]
    assert found.ter == pytest.approx(sacrebleu.corpus_ter(spaced[0], [spaced[1]]).score)
    scores = signed_scores(statistics, signature_extras={})
    assert f"|tok:{tokeniser}|" in scores.signature
    assert f"|tok:{tokeniser}|" in scores.ter_signature


@pytest.mark.parametrize("language", TEXTS)
def test_lengths_are_in_the_same_units(language: str) -> None:
    _, wanted = TEXTS[language]
    lengths = [len(cut(language, text)) for text in wanted]
    assert [word_counter(language)(text) for text in wanted] == lengths
    statistics = sentence_statistics(wanted, SOURCES, SOURCES, languages=Languages(language, "en"))
    assert statistics.pairs.source_words.tolist() == lengths
    (curve,) = length_curves({"s": statistics}, [Span(lengths[0], lengths[0])]).curves
    assert curve.points[0].sentences == lengths.count(lengths[0])


@pytest.mark.parametrize("language", ["ja", "ko", "fr"])
def test_other_languages_are_counted_as_before(language: str) -> None:
    statistics = sentence_statistics(SOURCES, SOURCES, SOURCES, languages=Languages(language, language))
    assert "|tok:13a|" in signed_scores(statistics, signature_extras={}).signature or language != "fr"
    assert "|tok:char|" in signed_scores(statistics, signature_extras={}).signature or language == "fr"
    assert statistics.pairs.source_words.tolist()[2] == (2 if language == "ja" else 1)


def test_words_that_a_concatenation_keeps_are_found_without_spaces() -> None:
    found = kept_words(["岛很远。"], "岛太远。", "zh")
    assert [(fate.word, fate.kept) for fate in found.sentences[0]] == [
        ("岛", True),
        ("很", False),
        ("远", True),
        ("。", None),
    ]
    assert not found.spaced


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("岛很远。", "Chinese"),
        ("เกาะไกล", "Thai"),
        ("ເກາະຢູ່ໄກ", "Lao"),
        ("កោះនៅឆ្ងាយ", "Khmer"),
        ("ကျွန်းကဝေးတယ်", "Burmese"),
        ("島は遠い。", "Japanese"),
        ("섬은 멀다.", "Korean"),
        ("Le panneau dit 出口.", ""),
        ("", ""),
        ("123", ""),
    ],
)
def test_writing_not_counted_by_words_is_known(text: str, script: str) -> None:
    assert not_by_words(text) == script
