"""Several references of each sentence, against sacreBLEU itself."""

from pathlib import Path

import pytest
import sacrebleu
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from nmt.errors import InputError
from nmt.evaluation.bootstrap import Resamples
from nmt.evaluation.concatenation import bleu_counts, concatenated_set
from nmt.evaluation.evaluation_files import evaluate_external_system, read_evaluation, write_evaluation
from nmt.evaluation.length_curves import length_curves
from nmt.evaluation.metrics import bleu_of_each, corpus_scores, signed_scores
from nmt.evaluation.sufficient_statistics import sentence_statistics
from nmt.evaluation.test_set import TestSet
from nmt.results import UNKNOWN_LANGUAGES, Languages, SentenceStatistics, Span

SOURCES = ["the red cat sleeps", "it is late now", "", "she reads a long book", "go"]
WRITTEN = ["le chat roux dort bien", "il est tard", "rien", "elle lit un gros livre ici", ""]
FIRST = ["le chat roux dort", "il se fait tard maintenant", "du vide", "elle lit un long livre", "va"]
SECOND = ["un chat rouge dort bien", "il est tard à présent", "néant", "elle lit un gros bouquin", "vas-y donc"]
THIRD = ["", "il est tard maintenant", "", "", "pars"]


def oracle(rows: list[int], *columns: list[str]) -> list[float]:
    """BLEU, chrF and TER by sacreBLEU; a blank reference beside another is none."""
    texts = [[column[row] for column in columns] for row in rows]
    given = [[text if text or not any(each) else None for text in each] for each in texts]
    references = [list(column) for column in zip(*given, strict=True)]
    hypotheses = [WRITTEN[row] for row in rows]
    return [metric.corpus_score(hypotheses, references).score for metric in (BLEU(), CHRF(), TER())]  # type: ignore[arg-type]


def counted(*more: list[str], languages: Languages = UNKNOWN_LANGUAGES) -> SentenceStatistics:
    return sentence_statistics(SOURCES, WRITTEN, FIRST, languages=languages, more=more)


@pytest.mark.parametrize("more", [(SECOND,), (SECOND, THIRD), (THIRD,), (SECOND, SECOND, FIRST)])
@pytest.mark.parametrize("rows", [[0, 1, 2, 3, 4], [0, 3], [2], [1, 2, 4]])
def test_scores_are_sacrebleus(more: tuple[list[str], ...], rows: list[int]) -> None:
    found = corpus_scores(counted(*more).take(rows))
    assert [found.bleu, found.chrf, found.ter] == pytest.approx(oracle(rows, FIRST, *more))


@pytest.mark.parametrize(("more", "number"), [((), "1"), ((SECOND,), "2"), ((SECOND, SECOND), "3"), ((THIRD,), "var")])
def test_every_signature_names_their_number(more: tuple[list[str], ...], number: str) -> None:
    statistics = counted(*more)
    scores = signed_scores(statistics, signature_extras={})
    for signature in (scores.signature, scores.chrf_signature, scores.ter_signature):
        assert signature.startswith(f"nrefs:{number}|")
    assert length_curves({"one": statistics}, [Span(0)]).signature.startswith(f"nrefs:{number}|")
    bleu = BLEU()
    given = [[text if text or not any(row) else None for text in row] for row in zip(FIRST, *more, strict=True)]
    bleu.corpus_score(WRITTEN, [list(column) for column in zip(*given, strict=True)])  # type: ignore[arg-type]
    assert str(bleu.get_signature()).startswith(f"nrefs:{number}|")


def test_ranges_of_lengths_and_resamples_have_them() -> None:
    """TER divides by the mean of their lengths, which is no integer."""
    statistics = counted(SECOND)
    curves = length_curves({"one": statistics}, [Span(1, 3), Span(4, 9)], metric="TER")
    rows = [[4], [0, 1, 3]]
    assert [point.value for point in curves.curves[0].points] == pytest.approx(
        [oracle(r, FIRST, SECOND)[2] for r in rows]
    )
    assert statistics.ter[:, 1].tolist() == [
        (len(a.split()) + len(b.split())) / 2 for a, b in zip(FIRST, SECOND, strict=True)
    ]
    many = SentenceStatistics.join([statistics] * 3)
    resampled = length_curves({"one": many}, [Span(0)], metric="TER", resamples=Resamples.draw(15, 40))
    assert resampled.curves[0].overall.interval is not None


def test_sets_with_one_and_with_two_are_scored_as_one() -> None:
    joined = SentenceStatistics.join([counted(SECOND), counted()])
    assert joined.references == "var"
    assert SentenceStatistics.join([counted(), counted()]).references == "1"
    alone: list[str | None] = [None] * len(FIRST)
    references = [FIRST + FIRST, SECOND + alone]
    bleu, ter = BLEU(), TER()
    found = corpus_scores(joined)
    assert found.bleu == pytest.approx(bleu.corpus_score(WRITTEN * 2, references).score)  # type: ignore[arg-type]
    assert found.ter == pytest.approx(ter.corpus_score(WRITTEN * 2, references).score)  # type: ignore[arg-type]
    assert found.chrf == pytest.approx(sacrebleu.corpus_chrf(WRITTEN * 2, references).score)  # type: ignore[arg-type]


def test_what_is_stored_comes_back(tmp_path: Path) -> None:
    test = TestSet(name="mine", sources=SOURCES, references=FIRST, more_references=[SECOND])
    evaluation = evaluate_external_system("s", test, WRITTEN)
    write_evaluation(tmp_path, evaluation)
    read = read_evaluation(tmp_path / "evaluation" / "mine.json")
    statistics = read.statistics()
    assert statistics is not None
    assert statistics.references == "2"
    assert corpus_scores(statistics) == corpus_scores(counted(SECOND))
    assert test.is_of(read)
    assert not TestSet(name="mine", sources=SOURCES, references=FIRST).is_of(read)


def test_a_set_keeps_them_when_some_are_taken_and_when_it_is_concatenated() -> None:
    test = TestSet(
        name="m", sources=SOURCES * 30, references=FIRST * 30, more_references=[SECOND * 30], documents=["d"] * 150
    )
    some = test.take([3, 0])  # type: ignore[arg-type]
    assert some.more_references == ((SECOND[3], SECOND[0]),)
    assert some.documents == ("d", "d")
    longer = concatenated_set(test)
    k = next(k for k, source in enumerate(longer.sources) if source.count(" ") > 25)
    assert len(longer.more_references[0][k].split()) > 25
    assert longer.documents == ()


def test_a_concatenated_reference_has_all_sentences() -> None:
    """Where a sentence lacks the second reference, a text takes its first. A text that has none of them has none."""
    second = [text if row % 7 == 0 else "" for row, text in enumerate(SECOND * 30)]
    filled = [b or a for a, b in zip(FIRST * 30, second, strict=True)]
    test = TestSet(name="m", sources=SOURCES * 30, references=FIRST * 30, more_references=[second, filled])
    _, some, whole = concatenated_set(test).all_references
    assert all(text in ("", full) for text, full in zip(some, whole, strict=True))
    assert 0 < some.count("") < len(some)


def test_counts_of_candidates_have_them() -> None:
    counts = bleu_counts(WRITTEN, FIRST, more=[SECOND])
    assert float(bleu_of_each(counts.sum(axis=0).astype(float))) == pytest.approx(
        oracle([0, 1, 2, 3, 4], FIRST, SECOND)[0]
    )


def test_characters_of_several_references() -> None:
    found = corpus_scores(counted(SECOND, languages=Languages("en", "ja")))
    assert found.bleu == pytest.approx(sacrebleu.corpus_bleu(WRITTEN, [FIRST, SECOND], tokenize="char").score)


def test_unequal_columns_are_refused() -> None:
    with pytest.raises((InputError, AssertionError)):
        TestSet(name="m", sources=SOURCES, references=FIRST, more_references=[SECOND[:-1]])
