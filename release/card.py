"""``card``: the model card of a run in Markdown, generated from its files.

Paper: Table 2
"""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from nmt.cli.options import RUN, Commands
from nmt.config import Config
from nmt.data.line_words import MANY_CHARACTERS, UNSPACED
from nmt.evaluation.comparison import compare
from nmt.evaluation.evaluation_files import EvaluatedSystem
from nmt.files import write_text
from nmt.recipes import RECIPES
from nmt.released import NOT_POOLED
from nmt.results import ALL_SETS, RetentionPoint, ValidationEvent
from nmt.runs.checksums import check_all_files
from nmt.runs.folder import CARD, RunInfo, read_run
from nmt.runs.provenance import CorpusUsed, Provenance
from nmt.tables.comparison import tables
from nmt.tables.runs import RunReport, alignment_table, files, licence, retention_table
from nmt.tables.table import Table, in_markdown

_ARCHITECTURES = {
    "rnnsearch": "RNNsearch: a bidirectional encoder and a decoder that attends to the source words",
    "rnnencdec": "RNNencdec, the baseline without attention: the encoder passes one fixed vector to the decoder",
}
_LANGUAGES = {"de": "German", "en": "English", "fr": "French", "ja": "Japanese", "ko": "Korean"}
_VOCABULARIES = {
    "words": "word shortlist of {size:,} entries, including [UNK] and the end-of-sentence token",
    "bpe": "SentencePiece BPE, {size:,} subwords, from {words}",
    "unigram": "SentencePiece unigram, {size:,} subwords, from {words}",
}


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "card",
        description="Write the README.md of a run from its own files: model, training, data, scores with signatures.",
        parents=[RUN],
    )
    parser.add_argument("--print", action="store_true", dest="shown", help="print the card instead of writing it")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    folder = Path(options.run_folder)
    write_page(folder, card(folder), options.shown)


def write_page(folder: Path, text: str, shown: bool) -> None:
    """Print the text, or write it as the folder's README.md."""
    if shown:
        print(text, end="")
    else:
        write_text(folder / CARD, text)


def read_report(run: Path) -> RunReport:
    """Check the files of a run. Measurements that are kept outside its folder are left out. InputError if the folder is
    no run, or a file differs from its checksum."""
    info = read_run(run)
    check_all_files(run)
    return RunReport(info, own=False)


def retention_tables(reports: Sequence[RunReport]) -> dict[str, str]:
    """Tabulate what each run keeps when the same sentences are concatenated, by test set."""
    curves: dict[str, dict[str, Sequence[RetentionPoint]]] = {}
    for report in reports:
        for test, points in report.stress.items():
            if points.retention:
                curves.setdefault(test, {})[report.info.name] = points.retention
    return {test: retention_table(by_run, test).markdown() for test, by_run in curves.items()}


def alignment_section(reports: Sequence[RunReport]) -> list[str]:
    """The error rates of all alignments; empty if there are none."""
    rates = {report.info.name: report.error_rates for report in reports if report.error_rates}
    return ["## Alignment", alignment_table(rates).markdown()] if rates else []


def card(run: Path) -> str:
    """Generate the card. Raises InputError if the folder is not a run, or one of its files is broken."""
    report = read_report(run)
    kept = [*retention_tables([report]).values()]
    sections = [
        _head(report.info),
        _model(report),
        _training(report),
        _curve(report),
        _data(report.provenance),
        _scores(report.evaluated),
        *(["## Length", *kept] if kept else []),
        *alignment_section([report]),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def _head(info: RunInfo) -> str:
    config = info.config
    between = " to ".join(_LANGUAGES.get(code, code) for code in (info.source_language, info.target_language))
    about = RECIPES[config.recipe].about if config.recipe in RECIPES else ""
    model = f"{_ARCHITECTURES[config.model.architecture]}. {in_markdown(between)}. Recipe {in_code(config.recipe)}"
    return f"# {in_markdown(info.name)}\n\n{model}: {about}"


def _model(report: RunReport) -> str:
    info, model, weights = report.info, report.info.config.model, report.info.weights
    sizes = f"m {model.embedding}, n {model.hidden}, l {model.maxout}"
    if report.alignment_units is not None:
        sizes += f", n' {report.alignment_units}"
    source, target = (
        _VOCABULARIES[vocabulary.kind].format(size=vocabulary.size, words=_words(language))
        for vocabulary, language in (
            (info.source_vocabulary, info.source_language),
            (info.target_vocabulary, info.target_language),
        )
    )
    stored = {"I8": "int8 with one scale per row", "F16": "fp16", "F32": "fp32"}.get(weights.dtype, weights.dtype)
    size = f"{weights.parameters:,}, {stored}, {weights.bytes / 1e6:.1f} MB"
    rows = [
        ["sizes", f"{sizes}; state order {model.state_order}"],
        ["source vocabulary", source],
        ["target vocabulary", target],
        ["weights", f"{size}; SHA-256 {in_code(report.sha256)}"],
    ]
    return f"## Model\n\n{_plain(rows)}"


def _words(language: str) -> str:
    words = "tokens of our Japanese tokeniser" if language in UNSPACED else "Moses words"
    return f"{words}, and bytes" if language in MANY_CHARACTERS else words


def _training(report: RunReport) -> str:
    summary, provenance = report.trained, report.provenance
    rows = [["settings", _settings(report.info.config)]]
    if provenance is not None and provenance.preparation:
        rows.append(["prepared by", in_code(provenance.preparation)])
    if provenance is not None and provenance.sessions:
        for session in provenance.sessions:
            after = f" (from update {session.from_update:,})" if session.from_update else ""
            commit = in_markdown(session.commit or "unknown")
            rows.append(["command", f"{in_code(session.command)}{after}, code of commit {commit}"])
        last, machine = provenance.sessions[-1], provenance.sessions[-1].machine
        used = f"{last.processes} x {last.threads} threads of {machine.cores} cores"
        programs = f"Python {machine.python}, torch {machine.torch}"
        where = f"{machine.processor}, {machine.system}, {machine.accelerator or last.device}"
        rows.append(["machine", in_markdown(f"{where}, {used}; {programs}")])
    ended = in_markdown(summary.ended or "not ended yet")
    before = f", after {summary.updates_before:,} updates of earlier parts" if summary.updates_before else ""
    rows.append(["trained", f"{summary.updates:,} updates, {summary.epochs:.2f} epochs{before}: {ended}"])
    if summary.hours is not None and summary.words_per_second is not None:
        rows.append(["time", f"{summary.hours:.2f} hours; median {summary.words_per_second:,.0f} target tokens/s"])
    if summary.train_nll is not None:
        rows.append(["NLL on train, with dropout", _nll(summary.train_nll, summary.train_nll_per_word)])
    if summary.dev_nll is not None:
        rows.append(["NLL on dev, weights in fp32", _nll(summary.dev_nll, summary.dev_nll_per_word)])
    best = f"update {summary.weights_from:,}, epoch {report.info.weights.epoch:.2f}"
    rows.append(["weights from", f"{best}: the best on dev"])
    return "## Training\n\n" + _plain(rows)


def _nll(per_sentence: float, per_token: float | None) -> str:
    return f"{per_sentence:.1f} nats per sentence" + ("" if per_token is None else f", {per_token:.3f} per token")


def _settings(config: Config) -> str:
    s = config.training
    held = s.hold and s.schedule == "cosine"
    parts = [
        f"{s.optimizer.capitalize()}, rate {s.learning_rate:g}",
        f"{s.warmup} updates of warm-up" if s.warmup else "",
        f"{s.schedule}{f' after {s.hold:.0%} of the updates' if held else ''}",
        f"{s.batch_tokens:,} padded tokens per minibatch" if s.batch_tokens else f"{s.batch_size} sentences",
        f"sentences of up to {s.max_length} words" if s.max_length else "",
        f"dropout {config.model.dropout:g}",
        f"word dropout {config.model.word_dropout:g}" if config.model.word_dropout else "",
        f"label smoothing {s.label_smoothing:g}" if s.label_smoothing else "",
        f"guided attention, weight {s.guided:g}" if s.guided else "",
        f"{s.precision} products",
        f"seed {s.seed}",
    ]
    return "; ".join(filter(None, parts))


def _curve(report: RunReport) -> str:
    rows = [
        [f"{event.update:,}", f"{event.nll_per_word:.3f}", f"{event.nll_per_sentence:.1f}"]
        for event in report.events
        if isinstance(event, ValidationEvent)
    ]
    if not rows:
        return ""
    table = Table(title="", head=["updates", "nats per token", "nats per sentence"], rows=rows, left=0)
    return "NLL on the development set during training:\n\n" + table.of_markdown()


def _data(provenance: Provenance | None) -> str:
    if provenance is None:
        return ""
    return (
        f"## Data\n\n{data_table(provenance).of_markdown()}\n\n{provenance.pairs_per_epoch:,} prepared pairs per "
        "epoch. Licence terms: `../LICENSES.md`."
    )


def _scores(evaluated: EvaluatedSystem) -> str:
    measured = list(evaluated.evaluations)
    apart = [[name] for name in measured if name in NOT_POOLED]
    groups = [[name for name in measured if name not in NOT_POOLED], *apart]
    comparisons = [_compared(evaluated, group) for group in groups]
    return "\n\n".join(["## Scores", *(part for part in comparisons if part)]) if any(comparisons) else ""


def _compared(evaluated: EvaluatedSystem, sets: list[str]) -> str:
    """Tabulate detailed scores on the sets with an "All" column, and on all sets concatenated if every set has one."""
    closer = [name for name in sets if evaluated.evaluations[name].everything is not None]
    if not closer:
        return ""
    joined = [ALL_SETS] if len(closer) == len(sets) > 1 else []
    return "\n\n".join(table.markdown() for table in tables(compare([evaluated], sets, [*closer, *joined])))


def _plain(rows: list[list[str]]) -> str:
    return Table(title="", head=["", ""], rows=rows, left=2).of_markdown()


def data_table(provenance: Provenance) -> Table:
    """Training and development corpora with licences and checksums; the cells are Markdown."""
    rows = [
        [
            use,
            in_markdown(files(corpus)),
            f"{corpus.kept:,} of {corpus.read:,}",
            f"{corpus.repeat}",
            licence(corpus),
            sums(corpus),
        ]
        for use, corpus in provenance.corpora
    ]
    return Table(
        title="Data",
        head=["", "files", "pairs used", "times per epoch", "licence", "SHA-256 (first 16 digits)"],
        rows=rows,
        left=6,
    )


def sums(corpus: CorpusUsed) -> str:
    """Checksums of both files and of the word links, in Markdown."""
    source, target = (in_code(digest[:16]) for digest in (corpus.source_sha256, corpus.target_sha256))
    links = f", word links {in_code(corpus.links_sha256[:16])}" if corpus.links_sha256 else ""
    return f"{source}, {target}{links}"


def in_code(text: str) -> str:
    """Format ``text`` as code on one line, even if it contains backticks.

    >>> print(in_code("a <b>"), in_code("`a` `"))
    `a <b>` `` `a` ` ``
    """
    flat = " ".join(text.split())
    fence = "`" * (1 + max(map(len, re.findall("`+", flat)), default=0))
    return f"{fence} {flat} {fence}" if "`" in flat else f"{fence}{flat}{fence}"
