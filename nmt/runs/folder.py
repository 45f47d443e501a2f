"""Layout of a run folder, and functions that read its files without loading the model.

    config.json                 settings, languages, vocabularies, data
    source.* target.*           the vocabularies
    model.safetensors           the weights of the run
    last.safetensors            the latest weights
    steps/UPDATE.safetensors    intermediate weights, if any (nmt.runs.folder)
    training.jsonl              events of the training, one per line
    evaluation/*.json           scores, and counts for every sentence
    alignment/*.json            alignment error rates
    stress/*.json               stress tests
    provenance.json             data, commands, commits and machine of the training
    checksums.json              checksums of a released run's files (nmt.runs.checksums)
    dictionary.tsv              replacements for [UNK], if any
    README.md                   the card of a released run
    weights.json                header and size of weights that the package leaves out
    resume.safetensors          state from which an interrupted training resumes (not released)

This module does not import torch.
"""

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field
from safetensors import SafetensorError, safe_open

from nmt.config import Config
from nmt.errors import InputError
from nmt.files import ROOT, is_plain_name, own_folder, read_json, read_versioned_json, read_whole, sha256_of, write_json
from nmt.records import FORMAT_VERSION, as_record, check_format, parse_object
from nmt.results import Event, Languages, event_from_dict
from nmt.runs.checksums import check_config, read_checksums
from nmt.texts import say

CONFIG, BEST, LAST = "config.json", "model.safetensors", "last.safetensors"
RELEASED_RUNS = ROOT / "checkpoints"
LONGEST_CARD = 1_000_000
"""Largest number of characters of a model card that are read."""
TRAINING, RESUME, CARD, EVALUATION = "training.jsonl", "resume.safetensors", "README.md", "evaluation"
DICTIONARY = "dictionary.tsv"
ALIGNMENT = "alignment"
STRESS = "stress"
HEADER = "weights.json"
"""File with header and size of the weights of a run that the package holds without its weights (setup.py)."""
ROW_SCALE = ".row_scale"
"""The scales of the int8 matrix NAME are the tensor NAME with this suffix (nmt.inference.checkpoint)."""


MOST_TOKENS = 10_000_000
"""Largest number of ids of a run's vocabulary."""


@dataclass(frozen=True)
class VocabularyInfo:
    """Kind of a vocabulary, and number of its ids, [UNK] and the end-of-sentence token included."""

    kind: Literal["words", "unigram", "bpe"]
    size: Annotated[int, Field(ge=2, le=MOST_TOKENS)]


LanguageCode = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9]{1,20}([-_][A-Za-z0-9]{1,20}){0,4}\z", description="a language code")
]


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Content of config.json. The file has the sections of ``config`` on the same level as the other fields. data:
    checksum of the manifest of the prepared data."""

    config: Config
    source_language: LanguageCode
    target_language: LanguageCode
    source_vocabulary: VocabularyInfo
    target_vocabulary: VocabularyInfo
    data: str = ""

    @property
    def languages(self) -> Languages:
        return Languages(self.source_language, self.target_language)

    @property
    def has_alignment(self) -> bool:
        return self.config.model.architecture == "rnnsearch"

    def settings_dict(self) -> dict[str, Any]:
        """Convert to the JSON layout of config.json (docs/formats.md)."""
        whole = asdict(self)
        settings = {field.name: whole[field.name] for field in fields(RunSettings)}
        return {"format": FORMAT_VERSION, **settings.pop("config"), **settings}


@dataclass(frozen=True, kw_only=True)
class WeightsInfo:
    """Information from the header of a weights file.

    Attributes:
        parameters: number of weights.
        dtype: "F32", "F16", or "I8" for integer matrices with one scale per row.
        bytes: size of the file.
        update, epoch: point in the training at which these weights were saved.
        dev_nll_per_word, dev_nll_per_sentence: NLL on the development set, in nats. None if never validated.
        dev_bleu: BLEU on the development set, 0 to 100. None if not measured.
        owner: checksums of the run's vocabularies and settings (``fingerprint.owner``). None if not in the header.
    """

    path: Path
    parameters: int
    dtype: str
    bytes: int
    update: Annotated[int, Field(ge=0)] = 0
    epoch: float = 0.0
    dev_nll_per_word: float | None = None
    dev_nll_per_sentence: float | None = None
    dev_bleu: float | None = None
    owner: dict[str, str] | None = None

    def sha256(self) -> str:
        """Compute the checksum of the file. Every call reads the whole file."""
        return sha256_of(self.path)


@dataclass(frozen=True, kw_only=True)
class Guest:
    """A model of Hugging Face. languages: codes as in its files. layers, heads: decoder layers, and heads per layer."""

    languages: Languages
    layers: int
    heads: int


@dataclass(frozen=True, kw_only=True)
class RunInfo(RunSettings):
    """Description of a run, read without loading the model. guest: None unless it is a folder of Hugging Face."""

    path: Path
    name: str
    weights: WeightsInfo
    guest: Guest | None = None

    @property
    def kind(self) -> str:
        """Architecture of the model."""
        return "transformer" if self.guest else self.config.model.architecture

    @property
    def has_weights(self) -> bool:
        """Whether the weights are on this machine. Without weights a run can be viewed, but not used."""
        return self.weights.path.is_file()

    @property
    def behind(self) -> dict[str, str]:
        """Checksums of the run's files by name if its weights are not on this machine. Otherwise {}."""
        return {} if self.has_weights else read_checksums(self.path) or {}

    @property
    def has_dictionary(self) -> bool:
        """Whether the run has a dictionary for [UNK], on this machine or not."""
        return DICTIONARY in self.behind or (self.path / DICTIONARY).is_file()

    def card(self) -> str:
        """The card in Markdown, at most LONGEST_CARD characters. Empty if the run has no card."""
        path = self.path / CARD
        if not path.is_file():
            return ""
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(LONGEST_CARD)

    def to_dict(self) -> dict[str, Any]:
        weights = asdict(self.weights) | {"path": str(self.weights.path)}
        del weights["owner"]
        return {"name": self.name, "path": str(self.path), "weights": weights} | self.settings_dict()


@dataclass(frozen=True)
class BrokenRun:
    """A folder that looks like a run but cannot be loaded. problem: the reason, one sentence."""

    path: Path
    name: str
    problem: str


def write_settings(run: Path, settings: RunSettings) -> None:
    write_json(run / CONFIG, settings.settings_dict())


def read_settings(run: Path) -> RunSettings:
    """Read config.json. Raises InputError if it is missing, invalid or differs from the run's list of checksums."""
    if not run.is_dir():
        raise InputError(say("errors.no_run", run=run))
    path = run / CONFIG
    data = read_json(path)
    check_config(run, data)
    check_format(data, str(path))
    del data["format"]
    others = {field.name: data.pop(field.name) for field in fields(RunSettings) if field.name in data}
    return as_record(RunSettings, others | {"config": Config.from_dict(data, str(path)).to_dict()}, str(path))


def parse_info(text: str | None, path: Path) -> dict[str, Any]:
    """Parse the ``nmt`` entry of a safetensors header. Raises InputError unless it is an object of our format."""
    info = parse_object(text or "null", f"the entry nmt in the header of {path}")
    check_format(info, str(path))
    del info["format"]
    return info


@contextmanager
def opened_weights(path: Path, framework: Literal["np", "pt"] = "np") -> Iterator[Any]:
    """Open a safetensors file. ``framework``: NumPy or PyTorch, for the tensors. Raises InputError if it is broken."""
    try:
        with safe_open(path, framework=framework) as file:
            yield file
    except (
        SafetensorError,
        OSError,
        ValueError,
        RuntimeError,
    ) as error:  # torch raises RuntimeError if the file has gone
        raise InputError(say("errors.not_safetensors", file=path, error=error)) from None


def read_weights_info(path: Path) -> WeightsInfo:
    """Read the header of a weights file. If the package left the file out, weights.json has the header. Raises
    InputError if both are missing, or if the file is not a safetensors file."""
    header = path.with_name(HEADER)
    if path.is_file():
        with opened_weights(path) as file:
            meta, size = file.metadata() or {}, path.stat().st_size
            slices = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118
            tensors = {name: (piece.get_shape(), piece.get_dtype()) for name, piece in slices.items()}
    elif path.name == BEST and header.is_file():
        data = read_versioned_json(header)
        meta, size = data["header"].pop("__metadata__"), data["bytes"]
        tensors = {name: (entry["shape"], entry["dtype"]) for name, entry in data["header"].items()}
    else:
        if path.name == BEST and path.with_name(RESUME).is_file():
            raise InputError(say("errors.not_validated", run=path.parent))
        raise InputError(say("errors.no_weights", file=path))
    matrices = [entry for name, entry in tensors.items() if not name.endswith(ROW_SCALE)]
    measured = {
        "path": str(path),
        "parameters": sum(math.prod(shape) for shape, _ in matrices),
        "dtype": "/".join(sorted({dtype for shape, dtype in matrices if len(shape) > 1})),
        "bytes": size,
    }
    return as_record(WeightsInfo, parse_info(meta.get("nmt"), path) | measured, str(path), unknown="ignore")


def read_run(run: str | Path, weights: str = BEST) -> RunInfo:
    """Read the description of a run. Raises InputError, which names the file, for a broken or missing file.
    ``run``: folder or name of the run. ``weights``: the weights file to read, BEST or LAST."""
    path = Path(find_run(str(run)))
    settings = read_settings(path)
    for side in ("source", "target"):
        if not (path / f"{side}.vocabulary.json").is_file() and not (path / HEADER).is_file():
            raise InputError(say("errors.no_file", file=path / f"{side}.vocabulary.json"))
    return RunInfo(**vars(settings), path=path, name=path.resolve().name, weights=read_weights_info(path / weights))


def runs_folder() -> Path:
    """Return the folder of the runs that the user trained or got with ``jointly get`` ($JOINTLY_RUNS, or runs/)."""
    return Path(os.environ.get("JOINTLY_RUNS") or own_folder() / "runs")


def trainings_folder() -> Path:
    """Return the folder of newly trained runs: $JOINTLY_RUNS, or runs/ of the working folder."""
    return Path(os.environ.get("JOINTLY_RUNS") or "runs")


def find_run(text: str) -> str:
    """Find a run folder by its path, or else by its name. Runs trained from this folder come first, then the user's,
    then released ones. Return ``text`` unchanged if there is no such run, so that a later error names it."""
    name = text.removeprefix("checkpoints/")
    if not Path(text).is_dir() and is_plain_name(name):
        places = (trainings_folder(), runs_folder(), RELEASED_RUNS)
        text = next((str(folder / name) for folder in places if (folder / name).is_dir()), text)
    return text


def is_hugging_face(folder: str | Path) -> bool:
    """Whether config.json of a folder is a file of the package transformers. Raises InputError if it is broken."""
    path = Path(folder) / CONFIG
    return path.is_file() and "model_type" in read_json(path)


def listed(folder: str | Path, read: Callable[[Path], RunInfo | None]) -> list[RunInfo | BrokenRun]:
    """Describe the subfolders of a folder with ``read``, by name. None leaves a subfolder out. An unusable subfolder
    becomes a ``BrokenRun``. [] without a folder."""
    runs: list[RunInfo | BrokenRun] = []
    for path in sorted(Path(folder).iterdir()) if Path(folder).is_dir() else ():
        try:
            if (info := read(path)) is not None:
                runs.append(info)
        except InputError as error:
            runs.append(BrokenRun(path, path.name, str(error)))
    return runs


def list_runs(folder: str | Path) -> list[RunInfo | BrokenRun]:
    """List the runs among the subfolders of a folder (``listed``), without models of Hugging Face."""
    return listed(folder, lambda path: read_run(path) if is_run(path) else None)


def is_run(folder: Path) -> bool:
    """Whether a folder has config.json of a run. Raises InputError if the file is broken."""
    return (folder / CONFIG).is_file() and not is_hugging_face(folder)


def read_events(run: str | Path) -> list[Event]:
    """Read the training events so far. A broken last line, as a kill leaves it, is ignored. [] without a log. Raises
    InputError for a broken line before the last, and for a file that is too large."""
    path = Path(run) / TRAINING
    if not path.is_file():
        return []
    events = []
    lines = read_whole(path).split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            events.append(event_from_dict(parse_object(line, "the line")))
        except InputError as error:
            if number == len(lines):
                break
            raise InputError(say("errors.in_line", file=path, line=number, problem=error)) from None
    return events


SNAPSHOTS = "steps"
"""Name of the folder of snapshots in a run folder."""
_ENDING = ".safetensors"


def snapshot_file(update: int) -> str:
    """Return the path of the weights of an update, relative to the run folder."""
    return f"{SNAPSHOTS}/{update}{_ENDING}"


def list_snapshots(run: str | Path) -> list[WeightsInfo]:
    """Read the header of every snapshot, in training order. [] without snapshots. Raises InputError if a snapshot is
    broken, or if its header and its file name differ in the update."""
    paths = (Path(run) / SNAPSHOTS).glob(f"*{_ENDING}")
    numbered = [path for path in paths if path.stem.isascii() and path.stem.isdecimal()]
    snapshots = sorted((read_weights_info(path) for path in numbered), key=lambda weights: weights.update)
    for weights in snapshots:
        if weights.path.name != Path(snapshot_file(weights.update)).name:
            raise InputError(
                f"{weights.path} is named after another update: it contains the weights of update {weights.update}"
            )
    return snapshots


def own_results_folder() -> Path:
    """Folder of the user's measurements of released runs: $JOINTLY_RESULTS or results/."""
    return Path(os.environ.get("JOINTLY_RESULTS") or own_folder() / "results")


def own_results(run: Path) -> Path | None:
    """Folder for the user's measurements of a released run, whose run folder never changes: NAME-WEIGHTS, with the
    first digits of the checksum of the weights. None for any other run, whose measurements are in the run folder."""
    try:
        listed = read_checksums(run)
    except InputError:
        return None
    if listed is None or BEST not in listed:
        return None
    return own_results_folder() / f"{run.resolve().name}-{listed[BEST][:8]}"


def results_folder(run: Path, into_run: bool) -> Path:
    """Folder for new results: the run folder, or ``own_results`` for a released run unless ``into_run``. Raises
    InputError if the folder cannot be created."""
    folder = (None if into_run else own_results(run)) or run
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be made: {error.strerror}; $JOINTLY_RESULTS names another place") from None
    return folder


def result_files(run: Path, kind: str, *, own: bool = True) -> list[Path]:
    """List the results FOLDER/KIND/NAME.json of a run, in alphabetical order. With ``own``, a result of the user
    replaces a released result of the same name."""
    folders = (run, own_results(run)) if own else (run,)
    by_name = {path.name: path for folder in folders if folder is not None for path in (folder / kind).glob("*.json")}
    return [by_name[name] for name in sorted(by_name)]
