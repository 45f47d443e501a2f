"""A comparison as tables for people: plain text or Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nmt.results import CloserLook, Comparison, Interval, LengthBucket, PairedTest, Ratio, SetScores

_NOTHING = "–"


@dataclass(frozen=True)
class Table:
    """A title, a head, and rows of as many cells; the first ``left`` columns are flush left, the others right."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1

    def text(self) -> str:
        """Columns apart by spaces."""
        lines = [self.head, *self.rows]
        widths = [max(len(line[k]) for line in lines) for k in range(len(self.head))]
        body = [
            "  ".join(cell.ljust(widths[k]) if k < self.left else cell.rjust(widths[k]) for k, cell in enumerate(line))
            for line in lines
        ]
        return "\n".join([self.title, *(line.rstrip() for line in body)])

    def markdown(self) -> str:
        """A table of Markdown, the title in bold above it."""
        return f"**{self.title}**\n\n{self.untitled()}"

    def untitled(self) -> str:
        """The table of Markdown alone."""
        rule = ["---" if k < self.left else "---:" for k in range(len(self.head))]
        lines = [self.head, rule, *self.rows]
        cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
        return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def tables(comparison: Comparison) -> list[Table]:
    """Table 1, the other scores, and for each set that was looked at closely its lengths and pairs."""
    found = [
        _with_sentences(comparison, _by_set(comparison, "BLEU, all / no UNK (Table 1)", _bleu)),
        _by_set(comparison, "chrF / TER, all sentences", _others),
        _by_set(comparison, "NLL of the references in nats, per sentence / per token", _likelihood),
    ]
    for look in comparison.closer:
        found.append(_by_length(look, comparison))
        if look.pairs:
            found.append(_pairs(look, comparison.resamples, comparison.seed))
    return [*found, _signatures(comparison)]


def _by_set(
    comparison: Comparison,
    title: str,
    cell: Callable[[SetScores], str],
) -> Table:
    rows = [
        [system, *(cell(scores[name]) if name in scores else _NOTHING for name in comparison.test_sets)]
        for system, scores in comparison.scores.items()
    ]
    return Table(title, ["", *comparison.test_sets], rows)


def _with_sentences(comparison: Comparison, table: Table) -> Table:
    """One more row: the sentences of the first system that has each number."""
    cells = []
    for name in comparison.test_sets:
        found = [scores[name] for scores in comparison.scores.values() if name in scores]
        numbers = [
            next((f"{entry.sentences:,}" for entry in column if entry is not None), _NOTHING)
            for column in ([scores.everything for scores in found], [scores.no_unk for scores in found])
        ]
        cells.append(" / ".join(numbers))
    return replace(table, rows=[*table.rows, ["sentences", *cells]])


def _bleu(scores: SetScores) -> str:
    return " / ".join(_NOTHING if e is None else f"{e.bleu:.1f}" for e in (scores.everything, scores.no_unk))


def _others(scores: SetScores) -> str:
    entry = scores.everything
    return _NOTHING if entry is None else f"{entry.chrf:.1f} / {entry.ter:.1f}"


def _likelihood(scores: SetScores) -> str:
    found = scores.likelihood
    return _NOTHING if found is None else f"{found.nll_per_sentence:.2f} / {found.nll_per_token:.3f}"


def _by_length(look: CloserLook, comparison: Comparison) -> Table:
    def overall(system: str) -> str:
        entry = comparison.scores[system][look.test_set].everything
        return _NOTHING if entry is None else f"{entry.bleu:.1f}{_brackets(look.overall[system], 1)}"

    spans = [bucket.span for bucket in next(iter(look.by_length.values()))]
    rows = [
        [system, *map(_bucket, buckets), overall(system), _ratio(look.retention[system])]
        for system, buckets in look.by_length.items()
    ]
    counts = [f"{bucket.sentences:,}" for bucket in next(iter(look.by_length.values()))]
    title = f"BLEU on {look.test_set} by words of the source, with 95 % intervals (Figure 2)"
    return Table(title, ["", *spans, "all", "51-60 over 11-20"], [*rows, ["sentences", *counts, "", ""]])


def _bucket(bucket: LengthBucket) -> str:
    return _NOTHING if bucket.bleu is None else f"{bucket.bleu:.1f}{_brackets(bucket.interval, 1)}"


def _ratio(ratio: Ratio | None) -> str:
    return _NOTHING if ratio is None else f"{ratio.value:.2f}{_brackets(ratio.interval, 2)}"


def _brackets(interval: Interval | None, digits: int) -> str:
    return "" if interval is None else f" [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def _pairs(look: CloserLook, resamples: int, seed: int) -> Table:
    def row(pair: PairedTest) -> list[str]:
        difference = f"{pair.difference:+.1f}{_brackets(pair.difference_interval, 1)}"
        return [f"{pair.first} – {pair.second}", difference, _ratio(pair.ratio), f"{pair.p:.3f}"]

    title = f"BLEU on {look.test_set} in pairs: paired bootstrap, {resamples} resamples, seed {seed}"
    return Table(title, ["", "difference", "ratio", "p"], [row(pair) for pair in look.pairs])


def _signatures(comparison: Comparison) -> Table:
    rows = [
        [system, signature]
        for system, scores in comparison.scores.items()
        for found in scores.values()
        for signature in (found.signature, found.no_unk_signature)
        if signature
    ]
    return Table("Signatures of BLEU", ["", ""], rows, left=2)
