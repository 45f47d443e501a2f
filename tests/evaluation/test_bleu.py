"""BLEU, chrF and TER out of statistics against sacreBLEU over the texts, in Python and by its command line."""

import json
import subprocess
import sys

import numpy as np
import pytest
import sacrebleu

from nmt.errors import InputError
from nmt.evaluation.metrics import corpus_scores, signed_scores
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.results import SentenceStatistics
from tests.evaluation.texts import texts

REFERENCES = [
    "The lamp on the desk is broken.",
    "She waters the plants every second morning, even in winter.",
    "No train leaves before noon.",
    "We painted the old gate green.",
]
HYPOTHESES = [
    "The lamp on the table is broken.",
    "She waters the plants every other morning, even in winter.",
    "",
    "We have painted the old gate green .",
]


def statistics(hypotheses: list[str], references: list[str]) -> SentenceStatistics:
    return sentence_statistics(references, hypotheses, references)


@pytest.mark.parametrize("hypotheses", [HYPOTHESES, REFERENCES, [""] * 4])
def test_equals_sacrebleu(hypotheses):
    scores = corpus_scores(statistics(hypotheses, REFERENCES))
    assert scores.bleu == sacrebleu.corpus_bleu(hypotheses, [REFERENCES]).score
    assert scores.chrf == sacrebleu.corpus_chrf(hypotheses, [REFERENCES]).score
    assert scores.ter == sacrebleu.corpus_ter(hypotheses, [REFERENCES]).score
    assert scores.sentences == 4


@pytest.mark.parametrize("seed", range(4))
def test_any_choice_of_sentences_equals_sacrebleu_over_these(seed):
    random = np.random.default_rng(seed)
    given = texts(random.integers(0, 30, size=40), seed, kept=0.3 + 0.2 * seed)
    found = sentence_statistics(given.sources, given.hypotheses, given.references)
    for rows in (np.arange(40), random.choice(40, size=9, replace=False), random.integers(0, 40, 60), np.array([3])):
        hypotheses, references = ([side[i] for i in rows] for side in (given.hypotheses, given.references))
        scores = corpus_scores(found.take(rows))
        assert scores.bleu == sacrebleu.corpus_bleu(hypotheses, [references]).score
        assert scores.chrf == sacrebleu.corpus_chrf(hypotheses, [references]).score
        assert scores.ter == sacrebleu.corpus_ter(hypotheses, [references]).score


def test_sets_joined_equal_sacrebleu_over_all_their_texts():
    parts = [texts([3, 14, 8], seed=1), texts([25, 1], seed=2)]
    found = SentenceStatistics.join([sentence_statistics(p.sources, p.hypotheses, p.references) for p in parts])
    hypotheses = [line for part in parts for line in part.hypotheses]
    references = [line for part in parts for line in part.references]
    assert corpus_scores(found).bleu == sacrebleu.corpus_bleu(hypotheses, [references]).score
    assert corpus_scores(found).ter == sacrebleu.corpus_ter(hypotheses, [references]).score


def test_equals_sacrebleus_command_with_its_signatures(tmp_path):
    (tmp_path / "reference").write_text("\n".join(REFERENCES) + "\n", encoding="utf-8")
    (tmp_path / "hypothesis").write_text("\n".join(HYPOTHESES) + "\n", encoding="utf-8")
    arguments = ["reference", "-i", "hypothesis", "-m", "bleu", "chrf", "ter", "-w", "9"]
    command = [sys.executable, "-m", "sacrebleu", *arguments]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    expected = json.loads(run.stdout)
    scores = signed_scores(statistics(HYPOTHESES, REFERENCES), signature_extras={"run": "a", "beam": "12"})
    for score, other in zip(scores.each, expected, strict=True):
        assert score.value == pytest.approx(other["score"], abs=1e-8)
        assert score.signature == other["signature"] + "|run:a|beam:12"
    assert [score.metric for score in scores.each] == ["BLEU", "chrF", "TER"]
    assert (scores.sentences, scores.by_length) == (4, ())


def test_values_of_the_extras_cannot_break_the_signature():
    scores = signed_scores(statistics(HYPOTHESES, REFERENCES), signature_extras={"run": "x|beam:5 y"})
    assert scores.signature.endswith("|run:x_beam_5_y")


def test_nothing_has_no_score():
    with pytest.raises(InputError, match=r"\bsentences\b"):
        corpus_scores(statistics(HYPOTHESES, REFERENCES).take([]))
