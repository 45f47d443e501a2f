"""Provenance of a run's weights (data, program, machine, command) in provenance.json, and a summary of its training.

Paper: Table 2
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nmt.files import CHECKOUT, read_record, write_json
from nmt.results import StopEvent, UpdateEvent, ValidationEvent
from nmt.runs.folder import BEST, RunSettings, is_run, read_events, read_run, read_weights_info

if TYPE_CHECKING:
    from nmt.data.prepared import CorpusRecord, Manifest


PROVENANCE = "provenance.json"


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A machine that a training ran on.

    Attributes:
        processor: name of the processor, and its vector and matrix units that speed up training.
        cores: number of cores available to this process.
        memory_gb: total memory. 0 if unknown.
        accelerator: name of the GPU used. "" if no GPU was used.
    """

    processor: str
    cores: int
    memory_gb: int
    system: str
    python: str
    torch: str
    accelerator: str = ""


@dataclass(frozen=True, kw_only=True)
class Session:
    """One start of a training run: the first start or a resumption.

    Attributes:
        command: the command line.
        commit: commit of the program, as from ``commit``.
        device: "cpu" or "cuda".
        processes, threads: number of processes, and of threads per process. Formerly, several processes could train.
        from_update: number of updates made before this start.
    """

    command: str
    commit: str
    device: str
    processes: int = 1
    threads: int
    from_update: int
    machine: Machine


@dataclass(frozen=True, kw_only=True)
class CorpusUsed:
    """A corpus that a training used.

    Attributes:
        source, target: folder and name of the files.
        source_sha256, target_sha256, links_sha256: checksums of the files as stored, None without a file of word links.
        repeat: number of times that each pair occurs in an epoch.
        read, kept: number of pairs in the files, and of those that were prepared.
    """

    source: str
    target: str
    source_sha256: str
    target_sha256: str
    repeat: int
    read: int
    kept: int
    links_sha256: str | None = None


@dataclass(frozen=True, kw_only=True)
class InitialWeights:
    """Weights of another run that a training was initialised from: the run's name and provenance (None without one),
    the checksum of the file, and the number of updates in that run."""

    run: str
    sha256: str
    update: int
    provenance: Provenance | None


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """Provenance of a run's weights.

    Attributes:
        pairs_per_epoch: prepared training pairs, repeats counted, before the length limit of the training.
        tokens: target tokens of these pairs, end-of-sentence tokens included, each stored pair counted once.
        sessions: the first start of the training and its resumptions, in order.
        preparation: the command that prepares these data anew. "" in runs older than this field.
        initial: the weights that the training was initialised from. None for random initialisation.
    """

    train: tuple[CorpusUsed, ...]
    dev: tuple[CorpusUsed, ...]
    pairs_per_epoch: int
    tokens: int
    sessions: tuple[Session, ...]
    preparation: str = ""
    initial: InitialWeights | None = None

    @property
    def corpora(self) -> list[tuple[str, CorpusUsed]]:
        """Pairs ("train" or "dev", corpus), one for every corpus."""
        uses = ("train", self.train), ("dev", self.dev)
        return [(use, corpus) for use, corpora in uses for corpus in corpora]

    @property
    def corpora_seen(self) -> tuple[CorpusUsed, ...]:
        """The training corpora of this training and of those before it, whose weights it was initialised from."""
        earlier = None if self.initial is None else self.initial.provenance
        return self.train if earlier is None else (*self.train, *earlier.corpora_seen)

    @property
    def prepared_length(self) -> int | None:
        """Most words per side of a prepared pair. None if unlimited or unknown. Concatenated examples may be longer."""
        length = re.search(r" --max-length ([0-9]+) ", self.preparation)
        return None if length is None else int(length[1])

    @property
    def updates_before(self) -> int:
        """Number of updates of the initial weights in all earlier trainings. 0 for random initialisation."""
        if self.initial is None:
            return 0
        earlier = self.initial.provenance
        return self.initial.update + (earlier.updates_before if earlier is not None else 0)


def commit(root: Path = CHECKOUT) -> str:
    """Return the commit of the repository at ``root``. "+ changes" follows if tracked files differ from the commit. ""
    unless ``root`` is the top folder of a repository."""
    top = _git(root, "rev-parse", "--show-toplevel")
    if not top or Path(top).resolve() != root.resolve():
        return ""
    short_hash = _git(root, "rev-parse", "--short", "HEAD")
    return short_hash + (
        " + changes" if short_hash and _git(root, "status", "--porcelain", "--untracked-files=no") else ""
    )


def initial_weights(run: Path) -> InitialWeights:
    """Describe a run's best weights as the initial weights of a training. InputError for missing or broken weights."""
    info = read_weights_info(run / BEST)
    return InitialWeights(
        run=run.resolve().name, sha256=info.sha256(), update=info.update, provenance=read_provenance(run)
    )


def record_session(run: Path, manifest: Manifest, session: Session, initial: InitialWeights | None = None) -> None:
    """Add a session to the run's provenance.json. ``initial``: the weights that training started from, or None."""
    before = read_provenance(run)
    sessions = () if before is None else before.sessions
    provenance = Provenance(
        train=tuple(_used(corpus) for corpus in manifest.train.corpora),
        dev=tuple(_used(corpus) for corpus in manifest.dev.corpora),
        pairs_per_epoch=manifest.train.pairs_per_epoch,
        tokens=manifest.train.target.tokens,
        sessions=(*sessions, session),
        preparation=preparation(manifest),
        initial=initial if before is None else before.initial,
    )
    write_json(run / PROVENANCE, asdict(provenance))


def read_provenance(run: Path) -> Provenance | None:
    """Read a run's provenance. None if the run has no such file. Raises InputError if the file cannot be read."""
    path = run / PROVENANCE
    return read_record(Provenance, path) if path.is_file() else None


def _short(path: str) -> str:
    """Shorten a path to its last two parts, so that a record does not reveal the folders of a machine."""
    return "/".join(Path(path).parts[-2:])


def preparation(manifest: Manifest, shown: Callable[[str], str] = _short) -> str:
    """Compose the command that creates this prepared folder. ``shown`` shortens or formats a path."""
    words = ["jointly", "prepare", "--source-lang", manifest.source_language]
    words += ["--target-lang", manifest.target_language]
    for side, record in (("source", manifest.source_vocabulary), ("target", manifest.target_vocabulary)):
        if record.asked is not None:
            words += [f"--{side}-vocabulary", record.kind, f"--{side}-vocabulary-size", str(record.asked)]
    if manifest.source_vocabulary.asked is None:
        words += ["--vocabularies-from", manifest.vocabularies_from or "OTHER"]
    if manifest.max_length is not None:
        words += ["--max-length", str(manifest.max_length)]
    if manifest.bpe_dropout:
        words += ["--bpe-dropout", f"{manifest.bpe_dropout:g}"]
    for corpus in manifest.train.corpora:
        words += ["--corpus", shown(corpus.source.path), shown(corpus.target.path)]
        words += [f"x{corpus.repeat}"] if corpus.repeat > 1 else []
    for corpus in manifest.train.corpora:
        words += [] if corpus.links is None else ["--links", shown(corpus.links.path)]
    if base := max((corpus.links_base for corpus in manifest.train.corpora), default=0):
        words += ["--base", str(base)]
    for corpus in manifest.dev.corpora:
        words += ["--dev", shown(corpus.source.path), shown(corpus.target.path)]
    return shlex.join([*words, "--out", "PREPARED"])


def _used(corpus: CorpusRecord) -> CorpusUsed:
    return CorpusUsed(
        source=_short(corpus.source.path),
        target=_short(corpus.target.path),
        source_sha256=corpus.source.sha256,
        target_sha256=corpus.target.sha256,
        repeat=corpus.repeat,
        read=corpus.read,
        kept=corpus.kept,
        links_sha256=None if corpus.links is None else corpus.links.sha256,
    )


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


@dataclass(frozen=True, kw_only=True)
class TrainingSummary:
    """Summary of the training of one run.

    Attributes:
        run: name of the folder.
        updates, epochs: numbers of updates and epochs so far.
        updates_before: number of updates of the initial weights (``Provenance``).
        weights_from: the update whose weights the run has.
        ended: reason for the end of training. "" if it is running, was killed, or can be resumed.
        hours: time of training and validation. None if the training has not ended.
        device: "cpu" or "cuda", with the number of threads. "" if not recorded.
        words_per_second: median target tokens per second. None if never reported.
        train_nll, dev_nll: nats per sentence at ``weights_from``. None if not measured. ``train_nll`` is with dropout.
        train_nll_per_word, dev_nll_per_word: the same per target token.
    """

    run: str
    updates: int
    updates_before: int
    epochs: float
    weights_from: int
    ended: str
    hours: float | None
    device: str
    words_per_second: float | None
    train_nll: float | None
    dev_nll: float | None
    train_nll_per_word: float | None
    dev_nll_per_word: float | None


def training_summaries(folders: Iterable[str | Path]) -> list[TrainingSummary]:
    """Summarise the training of each run among the folders once, without models of Hugging Face. Raises InputError if a
    run is broken."""
    return [training_summary(run) for run in map(Path, dict.fromkeys(map(str, folders))) if is_run(run)]


def training_summary(run: Path) -> TrainingSummary:
    """Summarise the training of a run. Raises InputError if the run is broken."""
    info, events, provenance = read_run(run), read_events(run), read_provenance(run)
    update = info.weights.update
    updates = [event for event in events if isinstance(event, UpdateEvent)]
    near = min(updates, key=lambda event: abs(event.update - update), default=None)
    dev = next((e for e in events if isinstance(e, ValidationEvent) and e.update == update), None)
    stop = next((e for e in events[-1:] if isinstance(e, StopEvent) and not e.reason.startswith("interrupted")), None)
    speeds = sorted(event.words_per_second for event in updates)
    device = ""
    if provenance is not None and provenance.sessions:
        session = provenance.sessions[-1]
        threads = session.processes * session.threads
        device = f"{session.device}, {threads} thread{'s' if threads > 1 else ''}"
    return TrainingSummary(
        run=info.name,
        updates=max((event.update for event in events), default=update),
        updates_before=0 if provenance is None else provenance.updates_before,
        epochs=max([info.weights.epoch, *(event.epoch for event in updates[-1:])]),
        weights_from=update,
        ended="" if stop is None else stop.reason,
        hours=None if stop is None else stop.seconds / 3600,
        device=device,
        words_per_second=speeds[len(speeds) // 2] if speeds else None,
        train_nll=None if near is None else near.nll_per_sentence,
        dev_nll=None if dev is None else dev.nll_per_sentence,
        train_nll_per_word=None if near is None else near.nll_per_word,
        dev_nll_per_word=None if dev is None else dev.nll_per_word,
    )


@dataclass(frozen=True)
class SettingPair:
    """Values of one setting in two runs, JSON-ready. name: name in ``--set``, such as "training.batch_size"."""

    name: str
    first: Any
    second: Any

    @property
    def differs(self) -> bool:
        return bool(self.first != self.second)


def compare_settings(first: RunSettings, second: RunSettings) -> list[SettingPair]:
    """Pair all settings in the order of config.json. A setting missing from a run's file has its default."""
    first_values, second_values = (dict(_flat(settings.settings_dict())) for settings in (first, second))
    return [SettingPair(name, value, second_values[name]) for name, value in first_values.items()]


def _flat(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
