"""A comparison as tables: Table 1, likelihoods, scores by length, tests, signatures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace

from nmt.results import Comparison, SetScores, TestMethod
from nmt.tables.lengths import differences_table, lengths_table, pairs_table, words_table
from nmt.tables.table import NOTHING, Record, Table


def tables(comparison: Comparison) -> list[Table]:
    """Table 1, the other scores, and for each set analysed by length its scores by length and its tests of pairs."""
    all_tables = [
        _with_sentences(comparison, _by_set(comparison, "BLEU, all / no UNK (Table 1)", _bleu, _bleu_record)),
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
    """Tables of the differences between systems, and of the test results in words."""
    difference_rows = []
    for look in comparison.closer:
        if look.pairs and look.pairs[0].by_length:
            difference_rows.append(differences_table(look.pairs, look.test_set, look.curves.side))
        if look.pairs:
            difference_rows.append(words_table(look.pairs, look.test_set))
    return difference_rows


def _by_set(
    comparison: Comparison,
    title: str,
    cell: Callable[[SetScores], str],
    record: Callable[[SetScores], Record],
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
    """Add a row with the number of sentences in each column, as in the first system that has it."""
    cells = []
    for name in comparison.test_sets:
        scores_of_set = [scores[name] for scores in comparison.scores.values() if name in scores]
        numbers = [
            next((f"{entry.sentences:,}" for entry in column if entry is not None), NOTHING)
            for column in ([scores.everything for scores in scores_of_set], [scores.no_unk for scores in scores_of_set])
        ]
        cells.append(" / ".join(numbers))
    return replace(table, rows=[*table.rows, ["sentences", *cells]])


def _bleu(scores: SetScores) -> str:
    return " / ".join(NOTHING if e is None else f"{e.bleu:.1f}" for e in (scores.everything, scores.no_unk))


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
