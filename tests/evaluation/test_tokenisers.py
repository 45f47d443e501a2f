"""Scores of Japanese against sacreBLEU itself."""

import numpy as np
import pytest
import sacrebleu

from nmt.data.text import Tokenizer
from nmt.errors import InputError
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.metrics import bleu_tokeniser, corpus_scores, has_mecab, more_scores, signed_scores
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.results import Languages, SentenceStatistics, Span

SOURCES = ["The cat sleeps.", "It is late, so go home!", "Mr. Brown reads.", ""]
WRITTEN = ["猫が寝る。", "もう遅いので家に行って！", "ブラウンさん は本を読む", "Tom"]
WANTED = ["猫は眠っている。", "もう遅いから、家に帰って！", "Brownさんは読書する。", "トム"]
JAPANESE = Languages("en", "ja")


@pytest.fixture(scope="module")
def statistics() -> SentenceStatistics:
    return sentence_statistics(SOURCES, WRITTEN, WANTED, languages=JAPANESE)


def test_japanese_is_scored_over_characters(statistics: SentenceStatistics) -> None:
    found = corpus_scores(statistics)
    assert found.bleu == pytest.approx(sacrebleu.corpus_bleu(WRITTEN, [WANTED], tokenize="char").score)
    assert found.chrf == pytest.approx(sacrebleu.corpus_chrf(WRITTEN, [WANTED]).score)
    spaced = [[" ".join(text.replace(" ", "")) for text in texts] for texts in (WRITTEN, WANTED)]
    assert found.ter == pytest.approx(sacrebleu.corpus_ter(spaced[0], [spaced[1]]).score)
    assert found.bleu != pytest.approx(sacrebleu.corpus_bleu(WRITTEN, [WANTED]).score)


def test_every_signature_names_the_tokeniser(statistics: SentenceStatistics) -> None:
    scores = signed_scores(statistics, signature_extras={"test": "mine"})
    assert "|tok:char|" in scores.signature
    assert "|tok:char|" in scores.ter_signature
    assert "|tok:char|" in length_curves({"one": statistics}, [Span(0, 5), Span(6)]).signature
    german = sentence_statistics(SOURCES, WRITTEN, WANTED, languages=Languages("en", "de"))
    assert "|tok:13a|" in signed_scores(german, signature_extras={}).signature


def test_words_of_japanese_are_counted_without_spaces() -> None:
    found = sentence_statistics(WANTED, SOURCES, SOURCES, languages=Languages("ja", "en")).pairs
    assert found.source_words.tolist() == [len(Tokenizer("ja").tokenize(text)) for text in WANTED]
    assert found.source_words.min() < found.source_words.max()
    assert found.reference_words.tolist() == [len(text.split()) for text in SOURCES]


def test_scores_over_different_tokens_are_not_put_side_by_side(statistics: SentenceStatistics) -> None:
    other = sentence_statistics(SOURCES, WRITTEN, WANTED)
    with pytest.raises(InputError, match="13a"):
        length_curves({"one": statistics, "other": SentenceStatistics(statistics.pairs, other.hypotheses)}, [Span(0)])
    with pytest.raises(ValueError):
        SentenceStatistics.join([statistics, other])


def test_some_sentences_keep_the_tokeniser(statistics: SentenceStatistics) -> None:
    some = SentenceStatistics.join([statistics.take([0, 2]), statistics.take(np.array([], dtype=np.int64))])
    rows = [WRITTEN[0], WRITTEN[2]], [WANTED[0], WANTED[2]]
    assert corpus_scores(some).bleu == pytest.approx(sacrebleu.corpus_bleu(rows[0], [rows[1]], tokenize="char").score)


def test_mecab_is_one_score_more_where_it_is_installed() -> None:
    found = more_scores(WRITTEN, WANTED, "ja")
    assert bool(found) == has_mecab()
    assert more_scores(WRITTEN, WANTED, "en") == more_scores([], [], "ja") == ()
    if found:
        assert found[0].value == pytest.approx(sacrebleu.corpus_bleu(WRITTEN, [WANTED], tokenize="ja-mecab").score)
        assert "|tok:ja-mecab" in found[0].signature


def test_languages_with_spaces_have_the_usual_tokeniser() -> None:
    assert {bleu_tokeniser(code) for code in ("", "en", "fr", "de")} == {"13a"}
