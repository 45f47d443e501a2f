"""BLEU, chrF and TER against sacreBLEU called directly, and against its command line."""

import json
import subprocess
import sys

import pytest
import sacrebleu

from nmt.errors import InputError
from nmt.evaluation.bleu import score_texts

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


@pytest.mark.parametrize("hypotheses", [HYPOTHESES, REFERENCES, [""] * 4])
def test_equals_sacrebleu(hypotheses):
    scores = score_texts(hypotheses, REFERENCES, signature_extras={})
    assert scores.bleu.value == sacrebleu.corpus_bleu(hypotheses, [REFERENCES]).score
    assert scores.chrf.value == sacrebleu.corpus_chrf(hypotheses, [REFERENCES]).score
    assert scores.ter.value == sacrebleu.corpus_ter(hypotheses, [REFERENCES]).score
    assert scores.sentences == 4
    assert scores.by_length == ()


def test_equals_sacrebleus_command_with_its_signatures(tmp_path):
    (tmp_path / "reference").write_text("\n".join(REFERENCES) + "\n", encoding="utf-8")
    (tmp_path / "hypothesis").write_text("\n".join(HYPOTHESES) + "\n", encoding="utf-8")
    arguments = ["reference", "-i", "hypothesis", "-m", "bleu", "chrf", "ter", "-w", "9"]
    command = [sys.executable, "-m", "sacrebleu", *arguments]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    expected = json.loads(run.stdout)
    scores = score_texts(HYPOTHESES, REFERENCES, signature_extras={"run": "a", "beam": "12"})
    for score, other in zip((scores.bleu, scores.chrf, scores.ter), expected, strict=True):
        assert score.value == pytest.approx(other["score"], abs=1e-8)
        assert score.signature == other["signature"] + "|run:a|beam:12"
    assert [score.metric for score in (scores.bleu, scores.chrf, scores.ter)] == ["BLEU", "chrF", "TER"]


def test_values_of_the_extras_cannot_break_the_signature():
    scores = score_texts(HYPOTHESES, REFERENCES, signature_extras={"run": "x|beam:5 y"})
    assert scores.bleu.signature.endswith("|run:x_beam_5_y")


@pytest.mark.parametrize(("hypotheses", "references"), [(["a"], ["a", "b"]), (["a", "b"], ["a"]), ([], [])])
def test_lines_that_do_not_match_are_input_errors(hypotheses, references):
    with pytest.raises(InputError):
        score_texts(hypotheses, references, signature_extras={})
