"""The output of other systems, from lines in memory."""

import pytest
import sacrebleu

from nmt.errors import InputError
from nmt.evaluation.evaluation_files import evaluate_external_system
from nmt.evaluation.test_set import TestSet

TEST = TestSet(
    name="mine", sources=["the cat sleeps", "", "she reads"], references=["le chat dort", "oui", "elle lit un livre"]
)
WRITTEN = ["le chat dort bien", "", "elle lit"]


def test_scores_are_sacrebleus() -> None:
    told: list[int] = []
    found = evaluate_external_system("moses", TEST, WRITTEN, by_length=True, on_progress=told.append)
    assert found.everything is not None
    scores = found.everything
    references = [list(TEST.references)]
    assert scores.bleu == pytest.approx(sacrebleu.corpus_bleu(WRITTEN, references).score)
    assert scores.chrf == pytest.approx(sacrebleu.corpus_chrf(WRITTEN, references).score)
    assert scores.ter == pytest.approx(sacrebleu.corpus_ter(WRITTEN, references).score)
    assert {"system:moses", "n:3", "test:mine"} < set(scores.signature.split("|"))
    assert sum(bucket.sentences for bucket in scores.by_length) == 2
    assert TEST.is_of(found)
    plain = evaluate_external_system("moses", TEST, WRITTEN)
    assert plain.everything is not None
    assert not plain.everything.by_length
    assert told[-1] == 3


@pytest.mark.parametrize("lines", [2, 4])
def test_another_number_of_lines_is_refused(lines: int) -> None:
    with pytest.raises(InputError, match=f"moses .*{lines} lines.*mine .*3 sentences"):
        evaluate_external_system("moses", TEST, ["une ligne"] * lines)


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(InputError, match=r"^moses is an n-best list"):
        evaluate_external_system("moses", TEST, [f"{k} ||| le chat ||| -1" for k in range(3)])
