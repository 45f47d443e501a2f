"""The selection: the chosen systems, the sentences that they share, and the translations of these sentences."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import streamlit as st

from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.evaluation.buckets import lengths_of
from nmt.evaluation.comparison import common_rows, common_sentences, on_other_sentences
from nmt.evaluation.evaluation_files import EvaluatedSystem, read_evaluated_system
from nmt.evaluation.measurement_files import SavedTranslations, read_translations, translations_path
from nmt.evaluation.metrics import metrics
from nmt.evaluation.score_files import Held, document_numbers, held_beside, left_out
from nmt.evaluation.test_set import TestSet
from nmt.files import changed_at
from nmt.results import Evaluation, Languages, SentenceStatistics, Span, WrittenSentence
from nmt.results.statistics import Counts, ImportedScores
from nmt.runs.folder import own_results
from nmt.texts import LENGTH, listed
from nmt.ui.formatting import as_sentence, escaped
from nmt.ui.length.additions import Addition, documents_of, session_uploads
from nmt.ui.length.choose import KnownSets, LengthsView, MeasuredSystem, read_set
from nmt.ui.length.tasks import EvaluateTask
from nmt.ui.resources import compute_service
from nmt.ui.tasks import TextTask

Translations = dict[str, dict[int, WrittenSentence]]
"""Translations by system and ``index`` of the sentence."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Sentence:
    """A sentence pair that was measured.

    Attributes:
        index: index of the pair in ``Selection.statistics``.
        number: position of the pair in the joined test sets, from 1.
        test_set, row: name of the test set, and index of the pair in this set.
        source, reference: the texts. None if this server has only statistics of the test set.
    """

    index: int
    number: int
    test_set: str
    row: int
    source: str | None
    reference: str | None


@dataclass(frozen=True, eq=False, kw_only=True)
class Selection:
    """Evaluated systems that were chosen, over the sentences that they share.

    Attributes:
        tests: the sentences of each test set, or None if only statistics are available.
        statistics: statistics of each system that can be shown, all over the same sentences.
        mismatched: names of chosen systems measured on other sentences of a test set than most of them.
        imported: another program's scores of all sentences, by system. Empty unless that program's metric is shown.
        documents: the document of each sentence, if documents are compared. Else empty.
        counted: the statistics that the curves show: ``statistics``, or their sums by document.
        control: statistics with that program's scores of the references. None without such scores.
        rows: indices of the sentences of ``statistics`` in the test set. None without scores of another program.
        faults: reasons why test sets cannot be read.
        notices: remarks on the choice for the reader, as Markdown.
    """

    view: LengthsView
    languages: Languages
    chosen: dict[str, MeasuredSystem]
    tests: dict[str, TestSet | None]
    statistics: dict[str, SentenceStatistics]
    mismatched: frozenset[str]
    imported: Mapping[str, ImportedScores]
    documents: Sequence[str]
    counted: dict[str, SentenceStatistics]
    control: SentenceStatistics | None
    rows: Counts | None
    faults: tuple[str, ...]
    notices: tuple[str, ...]

    @cached_property
    def systems(self) -> dict[str, MeasuredSystem]:
        """The chosen systems that can be shown, by name."""
        return {name: self.chosen[name] for name in self.statistics}

    @property
    def missing(self) -> dict[str, MeasuredSystem]:
        """Chosen systems without scores on one of the test sets. Systems of ``mismatched`` are not among them."""
        settled = self.statistics.keys() | self.mismatched
        return {name: system for name, system in self.chosen.items() if name not in settled}

    @property
    def comparable(self) -> list[MeasuredSystem]:
        """Chosen systems, without those of ``mismatched``."""
        return [system for name, system in self.chosen.items() if name not in self.mismatched]

    @cached_property
    def key(self) -> str:
        """A text that is equal for equal settings and counts. Each table of counts is hashed once, not once per run."""
        counts = [
            f"{name!r} {system.evaluated.trained_to} {part} {_counts(evaluation)}"
            for name, system in self.chosen.items()
            for part in self.view.sets
            if (evaluation := system.evaluated.evaluations.get(part)) is not None
        ]
        imported = [f"{name!r} {scores.sha256} {scores.lower_is_better}" for name, scores in self.imported.items()]
        view = self.view.analysis, self.view.sets, self.view.unit, tuple(self.documents)
        return "\n".join([repr(view), *counts, *imported])

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Number of the style of each chosen system: its place in the reader's choice, as on every page."""
        return {name: number for number, name in enumerate(self.chosen)}

    @cached_property
    def lengths(self) -> Counts:
        """Number of words of each sentence on the chosen side."""
        return lengths_of(next(iter(self.statistics.values())).pairs, self.view.analysis.side)

    def document(self, one: Sentence) -> str:
        """The name of the document that has the sentence."""
        return self.documents[one.row]

    @cached_property
    def sentences(self) -> list[Sentence]:
        """All sentences of ``statistics``, in their order."""
        evaluated = {name: system.evaluated for name, system in self.systems.items()}
        first = next(iter(evaluated.values()))
        sentences: list[Sentence] = []
        before = 0
        for part in self.view.sets:
            test = self.sentences_of(part)
            shared = common_rows(evaluated, part, no_unk=self.view.analysis.no_unk) if self.rows is None else self.rows
            for row in shared.tolist():
                source, reference = (None, None) if test is None else (test.sources[row], test.references[row])
                sentences.append(
                    Sentence(
                        index=len(sentences),
                        number=before + row + 1,
                        test_set=part,
                        row=row,
                        source=source,
                        reference=reference,
                    )
                )
            before += first.evaluations[part].sentences_given
        return sentences

    def within(self, span: Span | None) -> list[Sentence]:
        """The sentences whose length, or whose document's length, is in a range. All sentences if ``span`` is None."""
        if span is None:
            return self.sentences
        inside = span.holds(lengths_of(next(iter(self.counted.values())).pairs, self.view.analysis.side))
        if self.documents:
            inside = inside[document_numbers([self.document(sentence) for sentence in self.sentences])]
        return [sentence for sentence, is_in in zip(self.sentences, inside, strict=True) if is_in]

    def is_stored(self, system: MeasuredSystem) -> bool:
        """Whether the folder of the system has the shown evaluations."""
        if system.uploaded:
            return False
        both = read_evaluated_system(system.evaluated.path).evaluations, system.evaluated.evaluations
        stored, shown = ([_counts(by_set[s]) if s in by_set else "" for s in self.view.sets] for by_set in both)
        return stored == shown

    def sentences_of(self, test_set: str) -> TestSet | None:
        """The sentences of a test set that were measured. None if they are not available, or if the available set of
        this name has other sentences."""
        test = self.tests[test_set]
        evaluations = [system.evaluated.evaluations[test_set] for system in self.systems.values()]
        return test if test is not None and all(test.is_of(evaluation) for evaluation in evaluations) else None

    def search_of(self, system: MeasuredSystem, test_set: str) -> SearchSettings:
        """Search settings of the evaluated translations. If the evaluation has none, default settings."""
        no_unk, evaluation = self.view.analysis.no_unk, system.evaluated.evaluations[test_set]
        condition = evaluation.no_unk if no_unk else evaluation.everything
        return SearchSettings(no_unk=no_unk) if condition is None or condition.search is None else condition.search

    def translations(self, sentences: Sequence[Sentence]) -> Translations:
        """The evaluated translations of the sentences by each system, as far as they are here: uploaded, saved beside
        the evaluation, or in the cache."""
        written: Translations = {}
        for name, system in self.systems.items():
            written[name] = {}
            for part in self.view.sets:
                kept = _kept(system, part, self.view.analysis.no_unk)
                mine = [one for one in sentences if one.test_set == part and one.row in kept]
                written[name] |= {one.index: kept[one.row] for one in mine}
        for name, task in self.to_translate(sentences, written):
            stored = task.partial()
            lacking = [one for one in sentences if one.index not in written[name] and one.source in stored]
            written[name] |= {one.index: stored[one.source].written for one in lacking if one.source is not None}
        return written

    def to_translate(self, sentences: Sequence[Sentence], written: Translations) -> list[tuple[str, TextTask]]:
        """Tasks of checkpoints that make the translations missing in ``written``, each with its checkpoint's name."""
        tasks = []
        for name, system in self.systems.items():
            for part in self.view.sets if system.run is not None else ():
                lacking = [
                    one.source
                    for one in sentences
                    if one.test_set == part and one.source and one.source.strip() and one.index not in written[name]
                ]
                if lacking:
                    assert system.run is not None
                    task = TextTask(system.run, tuple(dict.fromkeys(lacking)), self.search_of(system, part))
                    tasks.append((name, task))
        return tasks


def select(
    view: LengthsView, systems: Mapping[str, MeasuredSystem], sets: KnownSets, languages: Languages
) -> Selection:
    """Combine the choices with the evaluations."""
    tests: dict[str, TestSet | None] = dict.fromkeys(view.sets)
    faults: list[str] = []
    for name in view.sets:
        try:
            tests[name] = read_set(sets[name], languages)
        except InputError as error:
            faults.append(str(error))
    repeated = _repeated(tests)
    warnings = [LENGTH.same_sentences.format(name=escaped(name), other=escaped(repeated[name])) for name in repeated]
    view = replace(view, sets=tuple(name for name in view.sets if name not in repeated))
    no_unk = view.analysis.no_unk
    chosen = {name: _with_measured(systems[name], tests, no_unk) for name in view.systems}
    evaluated = {name: system.evaluated for name, system in chosen.items()}
    mismatched = {name: part for part in view.sets for name in on_other_sentences(evaluated, part)}
    warnings += [
        LENGTH.other_sentences.format(name=escaped(name), test_set=escaped(part)) for name, part in mismatched.items()
    ]
    notices = [f":material/warning: {warning}" for warning in warnings]
    same = {name: system for name, system in evaluated.items() if name not in mismatched}
    statistics = common_sentences(same, view.sets, no_unk=no_unk)
    additions = _additions(view, same)
    imported = {name: entry.imported for name, entry in additions.items()}
    documents = documents_of(additions.values()) if view.unit == "documents" else ()
    held = counted = rows = None
    if imported and statistics:
        rows = common_rows({name: same[name] for name in statistics}, view.set_name, no_unk=no_unk)
        row_documents = [documents[row] for row in rows] if documents else []
        held = held_beside(statistics, {name: scores.take(rows) for name, scores in imported.items()}, row_documents)
        lacking = "" if held is None else left_out(held, len(rows), row_documents)
        notices += [f":material/info: {text}" for text in _left_out(statistics, held, lacking, view.analysis.metric)]
        if held is not None:
            counted = held.by_document([row_documents[row] for row in held.rows]) if documents else held
            view = replace(view, analysis=replace(view.analysis, metric=held.metric))
            rows = rows[held.rows]
        statistics = {} if held is None else held.systems
    return Selection(
        view=view,
        languages=languages,
        chosen=chosen,
        tests=tests,
        statistics=statistics,
        mismatched=frozenset(mismatched),
        imported=imported,
        documents=documents,
        counted=statistics if counted is None else counted.systems,
        control=None if counted is None else counted.control,
        rows=rows,
        faults=tuple(faults),
        notices=tuple(notices),
    )


def _additions(view: LengthsView, systems: Mapping[str, EvaluatedSystem]) -> dict[str, Addition]:
    """By system, added scores of the measured sentences in the shown metric. {} if this program computes the metric."""
    if view.analysis.metric in metrics():
        return {}
    evaluations = [e for system in systems.values() if (e := system.evaluations.get(view.set_name)) is not None]
    additions = session_uploads().scores(view.set_name).get(view.analysis.metric, {})
    return {name: entry for name, entry in additions.items() if all(map(entry.test.is_of, evaluations))}


def _left_out(systems: Iterable[str], held: Held | None, sentences: str, metric: str) -> list[str]:
    """Notices for the reader: one names the ``systems`` that ``held`` lacks, the other is ``sentences``, if not ""."""
    names = [name for name in systems if held is None or name not in held.systems]
    without = [LENGTH.without_scores.format(metric=escaped(metric), names=escaped(listed(names)))] if names else []
    return without + ([as_sentence(sentences)] if sentences else [])


def evaluation_task(system: MeasuredSystem, test: TestSet, no_unk: bool) -> EvaluateTask:
    """Return the task that evaluates a checkpoint on a test set, with the run's own search settings."""
    assert system.run is not None
    return EvaluateTask(checkpoint=system.run, test=test, settings=system.run.config.search, no_unk=no_unk)


def _repeated(tests: Mapping[str, TestSet | None]) -> dict[str, str]:
    """Test sets that repeat the sentences of an earlier set: name -> name of the earlier set. Sentences counted twice
    would make intervals too narrow."""
    first_of: dict[object, str] = {}
    keys = {
        name: (test.source_sha256, test.reference_sha256) if test is not None else name for name, test in tests.items()
    }
    return {name: first for name, key in keys.items() if (first := first_of.setdefault(key, name)) != name}


def _with_measured(system: MeasuredSystem, tests: Mapping[str, TestSet | None], no_unk: bool) -> MeasuredSystem:
    """If a checkpoint's folder has no scores in the column, add the evaluation that this server may have."""
    if system.run is None:
        return system
    measured = {}
    for name, test in tests.items():
        if test is None:
            continue
        stored = system.evaluated.evaluation_on(test)
        if stored is None or stored.statistics(no_unk=no_unk) is None:
            asked = (evaluation_task(system, test, both) for both in ((True,) if no_unk else (False, True)))
            stored = next(filter(None, map(compute_service().find, asked)), stored)
        if stored is not None:
            measured[name] = stored
    return system.beside(measured)


def _counts(evaluation: Evaluation) -> str:
    conditions = [evaluation.everything, evaluation.no_unk]
    hypotheses = [None if condition is None else condition.hypotheses for condition in conditions]
    return " ".join("-" if table is None else table.digest for table in (evaluation.pairs, *hypotheses))


def _kept(system: MeasuredSystem, test_set: str, no_unk: bool) -> Mapping[int, WrittenSentence]:
    """Translations by row: uploaded, else saved beside the evaluation. {} if the file is missing or broken."""
    uploaded = session_uploads().written(system.name, test_set)
    if uploaded is not None and system.run is None:
        return dict(enumerate(map(WrittenSentence, uploaded)))
    folder, evaluation = system.evaluated.path, system.evaluated.evaluations[test_set]
    stamps = [changed_at(translations_path(place, evaluation)) for place in (folder, own_results(folder)) if place]
    with suppress(InputError):
        saved = _read(str(folder), stamps, _counts(evaluation), folder, evaluation)
        return saved.no_unk if no_unk and system.run is not None else saved.everything
    return {}


@st.cache_resource(max_entries=32, show_spinner=False)
def _read(folder: str, stamps: list[int], counts: str, _folder: Path, _evaluation: Evaluation) -> SavedTranslations:
    """Parse the saved translations once, until a file or the evaluation changes. Do not modify them."""
    return read_translations(_folder, _evaluation)
