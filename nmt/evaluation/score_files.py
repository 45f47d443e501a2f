"""Scores of single sentences that another program computed, read from a file and used as a metric of systems.

A file is refused unless all of it is understood. No score and no order is guessed.
"""

import csv
import hashlib
import json
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import Any, Literal, Self

import numpy as np

from nmt.data.text_files import is_markup
from nmt.data.uploads import LIMITS, Limits, Upload, raw_lines, read_text
from nmt.errors import InputError
from nmt.evaluation.length_curves import REFERENCE
from nmt.evaluation.metrics import metrics
from nmt.evaluation.test_set import TestSet, digest
from nmt.results import SentenceStatistics
from nmt.results.statistics import Counts, ImportedScores
from nmt.texts import say

Better = Literal["higher", "lower"]

_COMET_LINE = re.compile(r"(?P<system>.+)\tSegment (?P<id>\d+)\tscore: (?P<score>\S+)")
_COMET_TOTAL = re.compile(r".+\tscore: \S+")
_METRICS = {
    "comet": "COMET", "xcomet": "xCOMET", "bleurt": "BLEURT", "metricx": "MetricX", "metricx_score": "MetricX",
    "prediction": "MetricX", "mqm": "MQM", "mqm_score": "MQM", "mqm_avg_score": "MQM", "esa": "ESA",
    "esa_score": "ESA", "score": "", "human": "",
}  # fmt: skip
"""Names of fields that hold a score, in small letters, and the metric of the field, or "" for any metric."""
_BETTER: dict[str, Better] = {
    "COMET": "higher", "xCOMET": "higher", "BLEURT": "higher", "ESA": "higher", "MetricX": "lower",
}  # fmt: skip
_SYSTEM = ("system", "model", "sysname")
_ID = ("line_id", "seg_id", "segment_id", "globalsegid", "id")
_DOCUMENT = ("doc", "doc_id", "document")
_SOURCE = ("src", "source")
_TOKENS, _WIDE = 512, 0x1100
"""Most tokens that a metric reads, and first character of the scripts with few characters per token."""
_MOST_SYSTEMS = 20
"""Largest number of systems in a file."""
_SMALL = 2.0
"""Scores up to this size are shown times 100."""
_LARGEST = 1e9
"""Largest absolute value of a score. The sum of larger scores could be infinite."""
_MISSING = ("None", "null", "NA")


@dataclass(frozen=True, kw_only=True)
class ScoreFile:
    """The scores of a file.

    Attributes:
        metric: name of the metric, or "" if the file does not name it.
        systems: the scores by system. A missing score is None. The system is "" if the file names none.
        documents: name of the document of each sentence, or "" if the file does not name it.
        source_sha256: checksum of the source sentences, as in evaluations, or "" if the file has none.
    """

    metric: str
    systems: Mapping[str, tuple[float | None, ...]]
    sha256: str
    name: str
    documents: tuple[str, ...]
    source_sha256: str

    def of(
        self,
        system: str,
        sentences: int,
        metric: str = "",
        better: Better | None = None,
        source_sha256: str = "",
        others: Collection[str] = (),
    ) -> ImportedScores:
        """The scores of a system. If the file has one system, its name is ignored, unless it is one of ``others``.

        Args:
            sentences: the number of scores that the system must have.
            metric: name of the metric. "" = the name in the file, else the file's name.
            better: whether higher or lower scores are better. None = the usual direction of the metric.
            source_sha256: checksum of the test set's sources. "" = unknown.

        Raises:
            InputError: the file has no scores of this system, their number is wrong, the direction is unknown, or
                the file has other sources. Also for a metric that is computed here.
        """
        column = self.systems.get(system)
        if column is None and len(self.systems) == 1 and not self.systems.keys() & {*others}:
            (column,) = self.systems.values()
        if column is None:
            systems = ", ".join(self.systems)
            raise InputError(say("errors.scores_of_others", file=self.name, system=system, systems=systems))
        if len(column) != sentences:
            raise InputError(
                say("errors.scores_differ", file=self.name, scores=len(column), system=system, sentences=sentences)
            )
        if self.source_sha256 and source_sha256 not in ("", self.source_sha256):
            raise InputError(say("errors.scores_of_other_sources", file=self.name))
        name = metric or self.metric or PurePath(self.name).stem
        if name in metrics():
            raise InputError(say("errors.scores_metric_taken", name=name))
        direction = better or _BETTER.get(name)
        if direction is None:
            raise InputError(say("errors.scores_direction", metric=name))
        values = np.array([math.nan if value is None else value for value in column])
        return ImportedScores(metric=name, values=values, lower_is_better=direction == "lower", sha256=self.sha256)


def read_scores(file: Upload, limits: Limits = LIMITS) -> ScoreFile:
    """Read a file of COMET (JSON, printed output, or a ``Prediction``), MetricX, mt-metrics-eval, ESA or MQM (TSV or
    JSON lines). A file may also have a score per line. If a file has several systems, each line names its system, or a
    JSON object has a list of scores for each system.

    Raises InputError for any other format, for a score that is not a number from -1e9 to 1e9, and for several metrics.
    No field and no sentence may occur twice. All systems must have the same sentences, in order.
    """
    lines = raw_lines(file, replace(limits, lines=limits.lines * _MOST_SYSTEMS))
    rows = (
        _json_rows(lines, file.name)
        or _comet_rows(lines, file.name)
        or _plain_rows(lines, file.name)
        or _table_rows(lines, file.name)
    )
    if not rows:
        raise InputError(say("errors.scores_format", file=file.name))
    systems: dict[str, list[_Row]] = {}
    for row in rows:
        systems.setdefault(row.system, []).append(row)
    for system, mine in systems.items():
        _check_order(mine, system, file.name)
    columns = {system: tuple(row.value for row in mine) for system, mine in systems.items()}
    metrics = dict.fromkeys(row.metric for row in rows)
    if len(metrics) > 1:
        raise InputError(say("errors.scores_mixed", file=file.name, metrics=tuple(name or "score" for name in metrics)))
    sentences = {tuple((row.document, row.source) for row in mine) for mine in systems.values()}
    if len(sentences) > 1:
        raise InputError(say("errors.scores_apart", file=file.name))
    documents, sources = zip(*sentences.pop(), strict=True)
    return ScoreFile(
        metric=rows[0].metric,
        systems=columns,
        sha256=hashlib.sha256(file.data).hexdigest(),
        name=file.name,
        documents=documents,
        source_sha256=digest(sources) if any(sources) else "",
    )


def probably_cut(texts: Sequence[str], metric: str) -> bool:
    """Estimate whether a metric cut a sentence at 512 tokens. COMET cuts each text of the sentence, other metrics cut
    all texts together. A token is counted for 4 characters, or for 1.5 Chinese, Japanese or Korean characters."""
    tokens = [sum(1 / 4 if ord(character) < _WIDE else 2 / 3 for character in text) for text in texts]
    return (max if metric.startswith("COMET") else sum)(tokens) > _TOKENS


@dataclass(frozen=True, eq=False, kw_only=True)
class AddedScores:
    """Scores that a user added: scores of a system, or of ``REFERENCE``, on all sentences of a test set."""

    test: TestSet
    system: str
    scores: ImportedScores


@dataclass(frozen=True, eq=False, kw_only=True)
class Held:
    """Systems with scores of another program, over the sentences for which all these systems have a score.

    Attributes:
        systems: statistics of at least one system, by name.
        control: statistics of these sentences with the metric's scores of the references, or None.
        rows: indices of these sentences among all sentences.
    """

    systems: dict[str, SentenceStatistics]
    control: SentenceStatistics | None
    rows: Counts

    @property
    def metric(self) -> str:
        """Name of the metric."""
        scores = next(iter(self.systems.values())).scores
        assert scores is not None
        return scores.metric

    def by_document(self, documents: Sequence[str]) -> Self:
        """Replace the sentences of each document by one: with the sum of their words, and the mean of their scores. Do
        not compute BLEU or chrF of the result: they are wrong (``SentenceStatistics.summed``). ``documents``: name of
        the document of each of these sentences."""
        groups = document_numbers(documents)

        def summed(sentences: SentenceStatistics) -> SentenceStatistics:
            assert sentences.scores is not None
            means = np.bincount(groups, weights=sentences.scores.values) / np.bincount(groups)
            return replace(sentences.summed(groups), scores=replace(sentences.scores, values=means))

        systems = {name: summed(sentences) for name, sentences in self.systems.items()}
        control = None if self.control is None else summed(self.control)
        return replace(self, systems=systems, control=control)


def held_beside(
    systems: Mapping[str, SentenceStatistics], scores: Mapping[str, ImportedScores], documents: Sequence[str] = ()
) -> Held | None:
    """Attach scores of another program to their systems. Sentences that lack one of these scores are left out.

    Returns None if no system has scores, or if no sentence has all scores. If all scores lie between -2 and 2, they are
    multiplied by 100, and the name of the metric says so.

    Args:
        systems: statistics by name of the system, all on the same sentences.
        scores: scores of all these sentences, by system. ``REFERENCE`` is the key of the references' scores.
        documents: the document of each of these sentences. A missing score leaves out the whole document.
    """
    shared = {name: scores[name] for name in (*systems, REFERENCE) if name in scores}
    if not shared.keys() & systems.keys():
        return None
    values = np.stack([imported.values for imported in shared.values()])
    complete = np.isfinite(values).all(axis=0)
    if documents:
        groups = document_numbers(documents)
        complete = ~np.isin(groups, groups[~complete])
    rows = np.flatnonzero(complete)
    if not len(rows):
        return None
    if (np.abs(values[:, rows]) <= _SMALL).all():
        shared = {
            name: replace(imported, metric=f"{imported.metric} × 100", values=imported.values * 100)
            for name, imported in shared.items()
        }
    first = next(iter(systems.values()))
    beside = {name: replace(systems.get(name, first), scores=imported).take(rows) for name, imported in shared.items()}
    control = None if REFERENCE in systems else beside.pop(REFERENCE, None)
    return Held(systems=beside, control=control, rows=rows)


def left_out(held: Held, sentences: int, documents: Sequence[str] = ()) -> str:
    """Say how many of the ``sentences``, or of their documents, lack a score. "" if none does."""
    left, key = sentences - len(held.rows), "errors.scores_left_out"
    if documents:
        left, key = len({*documents}) - len({documents[row] for row in held.rows}), "errors.documents_left_out"
    return say(key, sentences=left, metric=held.metric) if left else ""


def read_documents(file: Upload, sentences: int) -> tuple[str, ...]:
    """Read the name of each sentence's document. The file is XML or SGML of WMT, or a file of scores with documents. Or
    it has a name on a line for each sentence (``.docs`` of mt-metrics-eval).

    Raises InputError unless the file has ``sentences`` sentences, each with a document.
    """
    lines = raw_lines(file)
    markup = is_markup("\n".join(lines[:100]).encode())
    rows = [] if markup else _json_rows(lines, file.name) or _table_rows(lines, file.name)
    if markup:
        documents = read_text(file).documents
    elif rows:
        documents = read_scores(file).documents
    else:
        documents = tuple(line.strip() for line in lines)
    named = sum(map(bool, documents))
    if not len(documents) == named == sentences:
        raise InputError(say("errors.documents_differ", file=file.name, named=named, sentences=sentences))
    return documents


def refuse_other_documents(documents: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Raise InputError unless all files, or those that name a document for each sentence, name the same documents.
    ``documents``: name of each file, and the document of each of its sentences."""
    files = {tuple(names): file for file, names in documents if names and all(names)}
    if len(files) > 1:
        raise InputError(say("errors.scores_of_other_documents", files=tuple(files.values())))


def document_numbers(documents: Sequence[str]) -> Counts:
    """Number the documents from 0 in order of occurrence, and return the number of each sentence's document.

    >>> document_numbers(["b", "b", "a"])
    array([0, 0, 1])
    """
    numbers = {name: number for number, name in enumerate(dict.fromkeys(documents))}
    return np.array([numbers[name] for name in documents])


@dataclass(frozen=True, kw_only=True)
class _Row:
    """A score of a file, its system, the number or name of its sentence, its metric, its document, and the source
    sentence. A missing name or sentence is ""."""

    value: float | None
    system: str = ""
    sentence: str = ""
    metric: str = ""
    document: str = ""
    source: str = ""


def _number(value: Any, place: str, name: str) -> float | None:
    """A score, or None if the file says that it is missing. InputError if it is not a number from -1e9 to 1e9."""
    if value is None or value in _MISSING:
        return None
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not abs(number) <= _LARGEST:
        raise InputError(say("errors.scores_not_finite", file=name, place=place, value=str(value)[:40]))
    return number


_HALF = re.compile("[\ud800-\udfff]")


def _json_rows(lines: Sequence[str], name: str) -> list[_Row]:
    """The scores of a file of JSON or of JSON lines. Empty for any other file. InputError for broken JSON."""
    if not lines[0].lstrip().startswith(("{", "[")):
        return []
    load = partial(json.loads, object_pairs_hook=partial(_fields, name=name))
    try:
        try:
            data: Any = load("\n".join(lines))
        except json.JSONDecodeError:
            data = [load(line) for line in lines if line.strip()]
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise InputError(say("errors.scores_format", file=name)) from None
    if isinstance(data, dict) and isinstance(data.get("scores"), list):
        data = data["scores"]
    if isinstance(data, dict) and _score_fields(data):
        data = [data]  # one line of JSON lines
    if isinstance(data, list):
        return _records(data, "", name)
    if isinstance(data, dict) and data and all(isinstance(block, list) for block in data.values()):
        return [row for system, block in data.items() for row in _records(block, system, name)]
    return []


def _fields(pairs: Iterable[tuple[str, Any]], name: str) -> dict[str, Any]:
    """The fields of a JSON object or of a row of a table. InputError if two have the same name, or if one has half of a
    surrogate pair, which no page can show."""
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if _HALF.search(f"{key}{value if isinstance(value, str) else ''}"):
            raise InputError(say("errors.scores_format", file=name))
        if key in fields:
            raise InputError(say("errors.scores_repeated", file=name, field=key[:40]))
        fields[key] = value
    return fields


def _records(data: Sequence[Any], system: str, name: str) -> list[_Row]:
    rows = []
    for number, item in enumerate(data, start=1):
        place = f"{system} {number}".strip()
        if not isinstance(item, dict):
            rows.append(_Row(value=_number(item, place, name), system=system))
            continue
        fields = _score_fields(item)
        if len(fields) != 1:
            raise InputError(say("errors.scores_fields", file=name, place=place, fields=", ".join(fields) or "-"))
        rows.append(
            _Row(
                value=_number(item[fields[0]], place, name),
                system=system or _first(item, _SYSTEM),
                sentence=_sentence(item),
                metric=_METRICS[fields[0].lower().replace("-", "_")],
                document=_first(item, _DOCUMENT),
                source=_first(item, _SOURCE),
            )
        )
    return rows


def _score_fields(names: Iterable[str]) -> list[str]:
    return [name for name in names if name.lower().replace("-", "_") in _METRICS]


def _first(item: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of these fields that the item has, as text, or ""."""
    by_name = {key.lower(): value for key, value in item.items()}
    return next((str(by_name[name]) for name in names if by_name.get(name) is not None), "")


def _sentence(item: Mapping[str, Any]) -> str:
    number, document = _first(item, _ID), _first(item, _DOCUMENT)
    return f"{document} {number}".strip() if number else ""


def _comet_rows(lines: Sequence[str], name: str) -> list[_Row]:
    """The scores in a file that ``comet-score`` printed. Empty for any other file."""
    rows = []
    for line in lines:
        if (match := _COMET_LINE.fullmatch(line)) is not None:
            value = _number(match["score"], match["id"], name)
            rows.append(_Row(value=value, system=match["system"], sentence=match["id"], metric="COMET"))
        elif line.strip() and _COMET_TOTAL.fullmatch(line) is None:
            return []
    return rows


def _is_score(text: str) -> bool:
    if text in _MISSING:
        return True
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def _plain_rows(lines: Sequence[str], name: str) -> list[_Row]:
    """The scores of a file with a score on each line, or a system and its score. Empty for any other file. InputError
    for such a file with a blank line."""
    filled = [line for line in lines if line.strip()]
    if len(filled) < len(lines) and _plain_rows(filled, name):
        blank = next(number for number, line in enumerate(lines, start=1) if not line.strip())
        raise InputError(say("errors.scores_blank", file=name, line=blank))
    table = [line.strip().replace("\t", " ").split(" ") for line in lines]
    widths = {len(row) for row in table}
    if widths not in ({1}, {2}) or not all(
        _is_score(row[-1]) and not _is_score(row[-2:-1][0] if row[1:] else "x") for row in table
    ):
        return []
    return [
        _Row(value=_number(row[-1], str(k), name), system=row[0] if len(row) == 2 else "")
        for k, row in enumerate(table, start=1)
    ]


def _table_rows(lines: Sequence[str], name: str) -> list[_Row]:
    """The scores of a table with a header, divided by tabs or commas. Empty if no column has scores."""
    delimiter = "\t" if "\t" in lines[0] else ","
    try:
        header, *table = csv.reader(lines, delimiter=delimiter, quotechar=None if delimiter == "\t" else '"')
    except csv.Error:  # a cell is too long
        raise InputError(say("errors.scores_format", file=name)) from None
    if not _score_fields(header):
        return []
    for number, row in enumerate(table, start=2):
        if len(row) != len(header):
            raise InputError(say("errors.scores_columns", file=name, line=number, columns=len(row), header=len(header)))
    return _records([_fields(zip(header, row, strict=True), name) for row in table], "", name)


def _check_order(rows: Sequence[_Row], system: str, name: str) -> None:
    """Raise InputError if some sentences are named twice or have no number, or if numbers do not ascend by one."""
    names = [row.sentence for row in rows]
    if not any(names):
        return
    before: dict[str, int] = {}
    seen: set[str] = set()
    for sentence in names:
        if sentence in seen:
            raise InputError(say("errors.scores_twice", file=name, system=system or "-", sentence=sentence))
        seen.add(sentence)
        document, _, number = sentence.rpartition(" ")
        if not number.isdecimal() or len(number) > 9:
            shown = sentence[:40] or "-"
            raise InputError(say("errors.scores_unnumbered", file=name, system=system or "-", sentence=shown))
        last = before.get(document)
        if (int(number) not in (0, 1) and last is None and not document) or (
            last is not None and int(number) != last + 1
        ):
            raise InputError(say("errors.scores_order", file=name, system=system or "-", sentence=sentence))
        before[document] = int(number)
