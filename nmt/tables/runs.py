"""The description of a run for card, overview and app. Tables of trainings, error rates and stress tests."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from nmt.data.corpora.registry import in_folder
from nmt.evaluation.evaluation_files import EvaluatedSystem, read_evaluated_system
from nmt.evaluation.measurement_files import MeasuredErrorRate, StoredStress, read_error_rates, read_stress
from nmt.results import Event, Interval, RetentionPoint, StressPoint
from nmt.runs.folder import RunInfo, list_snapshots, read_events
from nmt.runs.provenance import CorpusUsed, Provenance, TrainingSummary, read_provenance, training_summary
from nmt.tables.table import NOTHING, Table


@dataclass(frozen=True, eq=False)
class RunReport:
    """Content of the files of a run, from which the card, the overview of all runs and the app describe the run.

    Each file is read at its first use. Raises InputError if the file is then broken. ``own``: whether to include the
    user's measurements of a released run (``result_files``)."""

    info: RunInfo
    own: bool = True

    @cached_property
    def trained(self) -> TrainingSummary:
        """The row of the run in Table 2."""
        return training_summary(self.info.path)

    @cached_property
    def provenance(self) -> Provenance | None:
        """Origin of the weights. None if the run has no provenance.json."""
        return read_provenance(self.info.path)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Events of the training, in order."""
        return tuple(read_events(self.info.path))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Numbers of the updates whose weights were saved as snapshots."""
        return tuple(step.update for step in list_snapshots(self.info.path))

    @cached_property
    def sha256(self) -> str:
        """Checksum of the weights file."""
        return self.info.weights.sha256()

    @cached_property
    def evaluated(self) -> EvaluatedSystem:
        """Evaluations of the run."""
        return read_evaluated_system(self.info.path, own=self.own)

    @cached_property
    def error_rates(self) -> dict[str, list[MeasuredErrorRate]]:
        """Error rates of the run's alignments, by set of gold links."""
        return read_error_rates(self.info.path, own=self.own)

    @cached_property
    def stress(self) -> dict[str, StoredStress]:
        """Scores of concatenated sentences, by test set."""
        return read_stress(self.info.path, own=self.own)

    @property
    def alignment_units(self) -> int | None:
        """Number of hidden units of the alignment model. None without attention or for a score without hidden units."""
        model = self.info.config.model
        return model.alignment if self.info.has_alignment and model.score in ("additive", "concat") else None


def training_table(rows: Iterable[TrainingSummary]) -> Table:
    """Tabulate trainings: updates, epochs, hours, machine and NLL.

    Paper: Table 2
    """

    def number(value: float | None, digits: int) -> str:
        return "–" if value is None else f"{value:.{digits}f}"

    cells = [
        [
            row.run,
            f"{row.updates:,}" + (f" after {row.updates_before:,}" if row.updates_before else ""),
            f"{row.epochs:.2f}",
            number(row.hours, 2),
            row.device or "–",
            number(row.train_nll, 1),
            number(row.dev_nll, 1),
        ]
        for row in rows
    ]
    head = ["", "updates", "epochs", "hours", "machine", "NLL train", "NLL dev"]
    title = "Training (Table 2), of several parts the last; NLL in nats per sentence, on train with dropout"
    return Table(title=title, head=head, rows=cells)


def files(corpus: CorpusUsed) -> str:
    """Names of both files, with their folder once. If models wrote one side, a remark says which and how."""
    corpus_of_folder = in_folder(corpus.source.split("/")[0])
    by_models = f" ({corpus_of_folder.translated})" if corpus_of_folder and corpus_of_folder.translated else ""
    return f"{corpus.source}, {corpus.target.split('/')[-1]}{by_models}"


def licence(corpus: CorpusUsed) -> str:
    """Licence of a corpus. A remark that the licence is unknown if the corpus is not a known one."""
    corpus_of_folder = in_folder(corpus.source.split("/")[0])
    return corpus_of_folder.licence if corpus_of_folder else "not known here"


def alignment_table(systems: Mapping[str, Mapping[str, Sequence[MeasuredErrorRate]]]) -> Table:
    """Tabulate error rates, sorted by gold set and error rate. ``systems``: measurements by system and gold set."""
    rows = []
    for name, scores_of_run in systems.items():
        for gold, measured in scores_of_run.items():
            for rate in measured:
                shares = [f"{100 * share:.1f}" for share in (rate.aer, rate.precision, rate.recall)]
                rule = rate.rule.removeprefix(f"{rate.map} ")
                rows.append((gold, rate.aer, [gold, name, rate.map or "", rule, *shares, f"{rate.sentences:,}"]))
    rows.sort(key=lambda row: row[:2])
    head = ["gold", "", "links from", "rule", "AER", "precision", "recall", "pairs"]
    return Table(
        title="Alignment against gold links, in per cent", head=head, rows=[cells for _, _, cells in rows], left=4
    )


def stress_table(curves: Mapping[str, Sequence[StressPoint]], test_set: str | None) -> Table:
    """Make a table of one row per system and number of concatenated sentences."""
    head = "System|Concatenated|Sentences|Words|BLEU|95 %|One by one|Log p|Length|Least|Mean".split("|")
    rows, data = [], []
    for name, points in curves.items():
        for p in points:
            rows.append(
                [
                    name,
                    str(p.joined),
                    str(p.sentences),
                    f"{p.source_words:.1f}",
                    f"{p.bleu:.1f}",
                    _between(p.interval, 1, 1),
                    f"{p.bleu_apart:.1f}",
                    f"{p.log_probability:.2f}",
                    f"{p.length_ratio:.2f}",
                    *(NOTHING if value is None else f"{value:.2f}" for value in (p.least_coverage, p.mean_coverage)),
                ]
            )
            fields = asdict(p) | _ends(p.interval, "bleu")
            fields.pop("interval")
            data.append({"system": name} | fields)
    title = "Concatenated sentences: BLEU, log-probability of the reference per word, length, coverage"
    return Table(title=f"{title} ({test_set})" if test_set else title, head=head, rows=rows, data=data)


def retention_table(curves: Mapping[str, Sequence[RetentionPoint]], test_set: str | None) -> Table:
    """Make a table of one row per system and range of lengths."""
    head = ["System", "Words", "Texts", "Sentences", "BLEU concatenated", "BLEU one by one", "Kept, %", "95 %"]
    rows, data = [], []
    for name, points in curves.items():
        for p in points:
            share = NOTHING if p.kept is None else f"{100 * p.kept:.0f}"
            counts = [p.span.text, str(p.texts), str(p.sentences)]
            rows.append([name, *counts, f"{p.bleu:.1f}", f"{p.bleu_apart:.1f}", share, _between(p.interval, 100, 0)])
            fields = asdict(p) | {"span": p.span.name} | _ends(p.interval, "kept")
            fields.pop("interval")
            data.append({"system": name} | fields)
    title = "The same sentences one by one and concatenated: BLEU, and the share that is kept"
    return Table(title=f"{title} ({test_set})" if test_set else title, head=head, rows=rows, data=data)


def _between(interval: Interval | None, factor: int, digits: int) -> str:
    return NOTHING if interval is None else f"{factor * interval.low:.{digits}f}–{factor * interval.high:.{digits}f}"


def _ends(interval: Interval | None, name: str) -> dict[str, float | None]:
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    return {f"{name}_low": low, f"{name}_high": high}
