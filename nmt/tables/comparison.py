"""Curves over length, and differences between systems, as tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace

from nmt.results import Comparison, Interval, LengthCurves, PairedTest, Ratio, ScoreDifference, SetScores, TestMethod
from nmt.results.scores import CurvePoint
from nmt.tables.table import NOTHING, Record, Table

_WIDEST = 12
"""Maximum number of ranges shown as columns. More ranges are shown as rows."""


def lengths_table(curves: LengthCurves, retention: Mapping[str, Ratio | None]) -> Table:
    """Make a table of one row per system and one column per range, with 95 % intervals. More than _WIDEST ranges
    become rows. ``retention``: a ratio of BLEU for each system, in the last column."""
    head = ["", *(span.text for span in curves.spans), "all", "51–60 over 11–20"]
    rows = [
        [curve.system, *map(_cell, curve.points), _cell(curve.overall), ratio_cell(retention[curve.system])]
        for curve in curves.curves
    ]
    rows.append([curves.unit, *(f"{point.sentences:,}" for point in curves.curves[0].points), "", ""])
    if len(curves.spans) > _WIDEST:
        head, *rows = [list(column) for column in zip(head, *rows, strict=True)]
        head[0] = "words"
    intervals = ", with 95 % intervals" if curves.resamples else ""
    on = f" on {curves.test_set}" if curves.test_set else ""
    column = ", no UNK" if curves.no_unk else ""
    title = f"{curves.metric}{column}{on} by words of the {curves.side}{intervals} (Figure 2)"
    return Table(title=title, head=head, rows=rows, data=_points(curves))


def differences_table(pairs: Sequence[PairedTest], test_set: str, side: str) -> Table:
    """Make a table of the difference of every two systems in each range, with the corrected p."""
    spans = [test.span.text for test in pairs[0].by_length]
    rows = [[f"{pair.first} – {pair.second}", *(_difference(test) for test in pair.by_length)] for pair in pairs]
    rows.append([pairs[0].unit, *(f"{test.sentences:,}" for test in pairs[0].by_length)])
    title = (
        f"Differences in {pairs[0].metric} on {test_set} by words of the {side}; in brackets p, corrected for the "
        "ranges of each pair (Holm)"
    )
    return Table(
        title=title,
        head=["", *spans],
        rows=rows,
        data=[_tested(pair, test) for pair in pairs for test in pair.by_length],
    )


def words_table(pairs: Sequence[PairedTest], test_set: str) -> Table:
    """Make a table with a sentence about each pair of systems. A single pair also gets a sentence per range."""
    rows = [[f"{pair.first} – {pair.second}", "all", pair.in_words(pair.overall)] for pair in pairs]
    data = [_tested(pair, pair.overall) for pair in pairs]
    if len(pairs) == 1:
        (pair,) = pairs
        rows += [["", test.span.text, pair.in_words(test)] for test in pair.by_length]
        data += [_tested(pair, test) for test in pair.by_length]
    return Table(title=f"Is the difference on {test_set} real?", head=["", "words", ""], rows=rows, left=3, data=data)


def pairs_table(pairs: Sequence[PairedTest], test_set: str, method: str) -> Table:
    """Make a table that compares every two systems over all sentences. ``method``: name of the test, for the title."""
    rows = [
        [
            f"{pair.first} – {pair.second}",
            _signed(pair.overall) + brackets(pair.overall.difference_interval, 1),
            ratio_cell(pair.overall.ratio),
            NOTHING if pair.overall.p is None else f"{pair.overall.p:.3f}",
        ]
        for pair in pairs
    ]
    title = f"{pairs[0].metric} on {test_set} in pairs: {method}"
    return Table(
        title=title,
        head=["", "difference", "ratio", "p"],
        rows=rows,
        data=[_tested(pair, pair.overall) for pair in pairs],
    )


def ratio_cell(ratio: Ratio | None) -> str:
    return NOTHING if ratio is None else f"{ratio.value:.2f}{brackets(ratio.interval, 2)}"


def brackets(interval: Interval | None, digits: int) -> str:
    """Format an interval, such as " [31.2, 33.4]". "" for None."""
    return "" if interval is None else f" [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def _cell(point: CurvePoint) -> str:
    return NOTHING if point.value is None else f"{point.value:.1f}{brackets(point.interval, 1)}"


def _signed(difference: ScoreDifference) -> str:
    return NOTHING if difference.difference is None else f"{difference.difference:+.1f}"


def _difference(difference: ScoreDifference) -> str:
    return _signed(difference) + ("" if difference.corrected_p is None else f" ({difference.corrected_p:.3f})")


def _points(curves: LengthCurves) -> list[Record]:
    return [
        {
            "system": curve.system,
            "test_set": curves.test_set,
            "column": "no UNK" if curves.no_unk else "all",
            "metric": curves.metric,
            "words_of": curves.side,
            "first": point.span.first,
            "last": point.span.last,
            "sentences": point.sentences,
            "mean_length": point.mean_length,
            "value": point.value,
            **_ends(point.interval),
            "signature": curves.signature,
        }
        for curve in curves.curves
        for point in (*curve.points, curve.overall)
    ]


def _ends(interval: Interval | None) -> Record:
    return {"low": None, "high": None} if interval is None else {"low": interval.low, "high": interval.high}


def _tested(pair: PairedTest, difference: ScoreDifference) -> Record:
    return {
        "first_system": pair.first,
        "second_system": pair.second,
        "metric": pair.metric,
        "method": pair.method,
        "first": difference.span.first,
        "last": difference.span.last,
        "sentences": difference.sentences,
        "difference": difference.difference,
        **_ends(difference.difference_interval),
        "ratio": None if difference.ratio is None else difference.ratio.value,
        "p": difference.p,
        "corrected_p": difference.corrected_p,
        "in_words": pair.in_words(difference),
    }


def tables(comparison: Comparison) -> list[Table]:
    """Table 1, tables of chrF, TER and NLL, and a table of the signatures of BLEU. For each test set that was analysed
    by length, a table of the curves follows. With several systems, a table of their differences follows it."""
    title = "BLEU, all / no UNK (Table 1), one number where both are the same"
    all_tables = [
        _with_sentences(comparison, _by_set(comparison, title, bleu_cell, _bleu_record)),
        _by_set(comparison, "chrF / TER, all sentences", _others, _others_record),
        _by_set(
            comparison,
            "NLL of the references in nats, per sentence / per token",
            _likelihood,
            lambda scores: {} if scores.likelihood is None else asdict(scores.likelihood),
        ),
    ]
    for look in comparison.closer:
        all_tables.append(lengths_table(look.curves, look.retention))
        if look.pairs:
            how = _tests(comparison, look.pairs[0].method)
            all_tables.append(pairs_table(look.pairs, look.test_set, how))
    return [*all_tables, _signatures(comparison)]


def difference_tables(comparison: Comparison) -> list[Table]:
    """Tables of the differences between systems by range, and tables that state the test results in sentences."""
    difference_rows = []
    for look in comparison.closer:
        if look.pairs and look.pairs[0].by_length:
            difference_rows.append(differences_table(look.pairs, look.test_set, look.curves.side))
        if look.pairs:
            difference_rows.append(words_table(look.pairs, look.test_set))
    return difference_rows


def _by_set(
    comparison: Comparison, title: str, cell: Callable[[SetScores], str], record: Callable[[SetScores], Record]
) -> Table:
    rows = [
        [system, *(cell(scores[name]) if name in scores else NOTHING for name in comparison.test_sets)]
        for system, scores in comparison.scores.items()
    ]
    data: list[Record] = [
        {"system": system, "test_set": name, **record(scores_of_system)}
        for system, scores in comparison.scores.items()
        for name, scores_of_system in scores.items()
        if record(scores_of_system)
    ]
    return Table(title=title, head=["", *comparison.test_sets], rows=rows, data=data)


def _with_sentences(comparison: Comparison, table: Table) -> Table:
    """Add a row with the number of sentences of each test set. The first system with scores gives the number."""
    cells = []
    for name in comparison.test_sets:
        scores_of_set = [scores[name] for scores in comparison.scores.values() if name in scores]
        numbers = [
            next((f"{entry.sentences:,}" for entry in column if entry is not None), NOTHING)
            for column in ([scores.everything for scores in scores_of_set], [scores.no_unk for scores in scores_of_set])
        ]
        cells.append(" / ".join(numbers))
    return replace(table, rows=[*table.rows, ["sentences", *cells]])


def bleu_cell(scores: SetScores) -> str:
    """BLEU of both columns of Table 1. One number if both are equal, for example for a run over subwords."""
    columns = (NOTHING if e is None else f"{e.bleu:.1f}" for e in (scores.everything, scores.no_unk))
    return " / ".join(dict.fromkeys(columns))


def _bleu_record(scores: SetScores) -> Record:
    everything, no_unk = scores.everything, scores.no_unk
    return {
        "bleu": None if everything is None else everything.bleu,
        "sentences": None if everything is None else everything.sentences,
        "no_unk_bleu": None if no_unk is None else no_unk.bleu,
        "no_unk_sentences": None if no_unk is None else no_unk.sentences,
        "signature": scores.signature,
        "no_unk_signature": scores.no_unk_signature,
    }


def _others_record(scores: SetScores) -> Record:
    entry = scores.everything
    return {} if entry is None else {"chrf": entry.chrf, "ter": entry.ter, "sentences": entry.sentences}


def _others(scores: SetScores) -> str:
    entry = scores.everything
    return NOTHING if entry is None else f"{entry.chrf:.1f} / {entry.ter:.1f}"


def _likelihood(scores: SetScores) -> str:
    forced = scores.likelihood
    return NOTHING if forced is None else f"{forced.nll_per_sentence:.2f} / {forced.nll_per_token:.3f}"


def _tests(comparison: Comparison, method: TestMethod) -> str:
    if method == "bootstrap":
        return f"paired bootstrap, {comparison.resamples} resamples, seed {comparison.seed}"
    return f"approximate randomisation, {comparison.trials} trials, seed {comparison.seed}"


def _signatures(comparison: Comparison) -> Table:
    rows = [
        [system, signature]
        for system, scores in comparison.scores.items()
        for scores_of_system in scores.values()
        for signature in (scores_of_system.signature, scores_of_system.no_unk_signature)
        if signature
    ]
    return Table(title="Signatures of BLEU", head=["", ""], rows=rows, left=2)
