"""Length shows each sentence with its own words and scores, whatever choices meet. The texts themselves say so."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import pytest
import sacrebleu

from nmt.data.line_words import word_counter
from nmt.evaluation.evaluation_files import EvaluatedSystem, evaluate_external_system, read_evaluated_system
from nmt.evaluation.length_curves import LengthAnalysisSettings
from nmt.evaluation.metrics import sentence_scores
from nmt.evaluation.test_set import TestSet, from_folder
from nmt.files import ROOT
from nmt.results import Languages, LengthSide, Span
from nmt.results.scores import Unit
from nmt.runs.folder import read_run
from nmt.ui.length import select as module
from nmt.ui.length.additions import Addition, SessionUploads
from nmt.ui.length.choose import LengthsView, MeasuredSystem
from nmt.ui.length.select import Selection, Sentence, select
from nmt.ui.length.sentences import NUMBER, TEXT, WORDS, sentence_table
from nmt.ui.length.significance import SystemPair

SET, METRIC, FRENCH = "jointly-300", "another", Languages("en", "fr")
RUNS = ("rnnsearch-50", "rnnsearch-en-fr")
"""Checkpoints that know different words."""
ADDED = "added"
"""A system whose output a reader added."""
_BLEU = sacrebleu.BLEU(effective_order=True)
SPANS = (Span(1, 12), Span(13, 40), Span(41, None))


@cache
def sentences() -> TestSet:
    plain = from_folder(ROOT / "testsets" / SET, "en", "fr")
    return replace(plain, languages=FRENCH, documents=[f"document {row // 7}" for row in range(len(plain))])


@cache
def systems() -> dict[str, MeasuredSystem]:
    runs = {name: ROOT / "checkpoints" / name for name in RUNS}
    read = [
        MeasuredSystem(name=name, evaluated=read_evaluated_system(path), run=read_run(path))
        for name, path in runs.items()
    ]
    measured = evaluate_external_system(ADDED, sentences(), output(), languages=FRENCH)
    evaluated = EvaluatedSystem(name=ADDED, path=ROOT / ADDED, about="", evaluations={SET: measured})
    return {
        system.name: system
        for system in (*read, MeasuredSystem(name=ADDED, evaluated=evaluated, run=None, uploaded=True))
    }


def output() -> tuple[str, ...]:
    return tuple(sentences().references[::-1])


def score(name: str, row: int) -> float | None:
    """The other program's score of a sentence. One in eleven is missing."""
    return None if (row + len(name)) % 11 == 0 else 3 + row / 10 + len(name) / 1000


def uploads(scored: Sequence[str]) -> SessionUploads:
    additions = {"output": Addition(test=sentences(), system=ADDED, hypotheses=output())}
    for name in scored:
        scores = tuple(score(name, row) for row in range(len(sentences())))
        additions[name] = Addition(test=sentences(), system=name, metric=METRIC, scores=scores)
    return SessionUploads(additions=additions)


@cache
def bleu(row: int, text: str) -> float:
    """BLEU of one translation, computed by sacreBLEU from the texts alone."""
    return _BLEU.sentence_score(text, [sentences().references[row]]).score


def common(shown: Sequence[str], scored: Sequence[str], unit: Unit, *, no_unk: bool) -> set[int]:
    """Rows of the sentences that all shown systems have."""
    pairs = [systems()[name].evaluated.evaluations[SET].pairs for name in shown]
    known = [{*rows.tolist()} for one in pairs if (rows := one.without_unknown()) is not None] if no_unk else []
    rows = set(range(len(sentences()))).intersection(*known) if known or not no_unk else set[int]()
    lacking = {row for row in rows for name in {*shown} & {*scored} if score(name, row) is None}
    documents = {sentences().documents[row] for row in lacking if unit == "documents"}
    return {row for row in rows - lacking if sentences().documents[row] not in documents}


def check(selection: Selection, shown: Sequence[Sentence], span: Span, scored: Sequence[str]) -> None:
    """Compare what the table says of the sentences with their texts."""
    view, written = selection.view, selection.translations(shown)
    metric, pair = view.analysis.metric, SystemPair(*[*selection.statistics, ""][:2])
    count = word_counter(FRENCH.source if view.analysis.side == "source" else FRENCH.target)
    texts = sentences().sources if view.analysis.side == "source" else sentences().references
    frame = sentence_table(selection, pair, shown, written)
    assert frame[TEXT].str.removeprefix("✂ ").tolist() == [sentences().sources[number - 1] for number in frame[NUMBER]]
    assert frame[WORDS].tolist() == [count(texts[number - 1]) for number in frame[NUMBER]]
    units = frame[WORDS].groupby([selection.document(one) for one in shown]).sum() if selection.documents else None
    assert span.holds((frame[WORDS] if units is None else units).to_numpy()).all()
    for name, statistics in selection.statistics.items():
        counts = statistics.take([one.index for one in shown])
        own = [bleu(one.number - 1, written[name][one.index].text) for one in shown]
        assert sentence_scores(counts, "BLEU").tolist() == pytest.approx(own)
        if scored:
            assert sentence_scores(counts, metric).tolist() == pytest.approx([score(name, one.row) for one in shown])


@pytest.mark.parametrize("no_unk", [False, True])
@pytest.mark.parametrize("scored", [chosen for size in range(4) for chosen in combinations((*RUNS, ADDED), size)])
def test_sentences_have_their_own_words_and_scores(
    scored: tuple[str, ...], no_unk: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "session_uploads", lambda: uploads(scored))
    names = (*RUNS, ADDED)
    ways: list[tuple[LengthSide, Unit]] = [("source", "sentences"), ("reference", "documents")]
    for size, (side, unit) in product((1, 2, 3), ways if scored else ways[:1]):
        for shown in combinations(names, size):
            settings = LengthAnalysisSettings(metric=METRIC if scored else "BLEU", side=side, no_unk=no_unk)
            view = LengthsView(sets=(SET,), systems=shown, analysis=settings, options=frozenset(), unit=unit)
            selection = select(view, systems(), {SET: sentences()}, FRENCH)
            rows = common(shown, scored, unit, no_unk=no_unk) if not scored or {*shown} & {*scored} else set()
            assert bool(selection.statistics) == bool(rows)
            if rows:
                assert {one.row for one in selection.sentences} == rows
                for span in SPANS:
                    if inside := selection.within(span):
                        check(selection, inside, span, scored)
