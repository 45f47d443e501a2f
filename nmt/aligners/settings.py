"""An aligner's folder: ``aligner.json``, which names the runs and defines how their posteriors are combined.

It contains no weights of runs: runs are found by the names of their folders and verified by checksums. Nothing here
imports torch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from nmt.aligners.averaging import FLOOR
from nmt.aligners.smoothing import JumpModel
from nmt.config import FORMAT_VERSION
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.link_extraction import RULES
from nmt.files import read_versioned_json, write_json
from nmt.records import as_record
from nmt.runs.folder import BEST, RunInfo, read_run

ALIGNER = "aligner.json"
RULE = "intersection"
AVERAGE = "geometric mean"
"""The only supported kind of average."""

Direction = Literal["forward", "reverse"]
DIRECTIONS: tuple[Direction, ...] = ("forward", "reverse")

Name = Annotated[str, Field(pattern=r"^\w[\w.-]*\z", description="a name of a folder or file")]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}\z", description="a SHA-256")]


@dataclass(frozen=True)
class AlignerRun:
    """A run of an aligner. name: of the run folder; sha256: of its model.safetensors; direction: "reverse" for a run
    that translates the aligner's target language into its source language."""

    name: Name
    sha256: Sha256
    direction: Direction


@dataclass(frozen=True)
class HeadFile:
    """An alignment head (nmt.model.alignment_head). file: its weights in the aligner's folder; sha256: of that file;
    run: the run whose states the head reads, one of the aligner's."""

    file: Name
    sha256: Sha256
    run: Name


@dataclass(frozen=True, kw_only=True)
class AlignerSettings:
    """Content of aligner.json.

    Attributes:
    source_language, target_language: codes such as "en".
    runs: at least one of them forward.
    jumps: jumps between the source words of successive target words, and mu.
    reverse_jumps: the same for the runs of the other direction; None without any.
    jump_pairs: number of sentence pairs on which the jumps were counted.
    floor: smallest weight of a source word by a single run in the mean.
    rule: the default rule for links.
    heads: at most one per direction, each of one of the runs.
    """

    source_language: str
    target_language: str
    runs: tuple[AlignerRun, ...]
    jumps: JumpModel
    reverse_jumps: JumpModel | None
    jump_pairs: int
    floor: float = FLOOR
    rule: str = RULE
    heads: tuple[HeadFile, ...] = ()

    def __post_init__(self) -> None:
        if not any(run.direction == "forward" for run in self.runs):
            raise InputError("an aligner needs a run that translates its source language into its target language")
        if any(run.direction == "reverse" for run in self.runs) != (self.reverse_jumps is not None):
            raise InputError(
                "an aligner must have jumps of the other direction if it has runs of that direction, and only then"
            )
        for direction in DIRECTIONS:
            refuse_repeated((run.name for run in self.runs if run.direction == direction), "runs of an aligner")
        if not 0 < self.floor <= 1:
            raise InputError(f"the floor of the mean is a weight above 0 and at most 1, not {self.floor:g}")
        if self.rule not in RULES:
            raise InputError(f"there is no rule {self.rule!r}; there are {', '.join(RULES)}")
        if len({self.direction_of(head) for head in self.heads}) < len(self.heads):
            raise InputError("an aligner has at most one alignment head per direction")

    def direction_of(self, head: HeadFile) -> Direction:
        """The direction of the head's run. InputError if the run is not one of the aligner's."""
        for run in self.runs:
            if run.name == head.run:
                return run.direction
        raise InputError(
            f"the alignment head {head.file} belongs to the run {head.run}, which is not one of the aligner's runs"
        )

    @property
    def map(self) -> str:
        """The name of the weights in results.

        >>> run = AlignerRun("mine", "0" * 64, "forward")
        >>> jumps = JumpModel((0,) * 61)
        >>> AlignerSettings(source_language="en", target_language="fr", runs=(run,), jumps=jumps, reverse_jumps=None,
        ...                 jump_pairs=0).map
        'posterior of 1 run, smoothed'
        """
        forward = sum(run.direction == "forward" for run in self.runs)
        other = len(self.runs) - forward
        name = f"posterior of {forward} run{'s' * (forward > 1)}"
        if other:
            name += f" and {other} of the other direction"
        return f"{name}, smoothed" if self.jumps.mu else name

    def with_head(self, head: HeadFile) -> AlignerSettings:
        """The settings with this head for its direction. InputError as in ``direction_of``."""
        direction = self.direction_of(head)
        kept = tuple(other for other in self.heads if self.direction_of(other) != direction)
        return replace(self, heads=(*kept, head))

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the layout of aligner.json (docs/formats.md)."""
        reverse = self.reverse_jumps
        return {
            "format": FORMAT_VERSION,
            "source_language": self.source_language,
            "target_language": self.target_language,
            "runs": [{"name": run.name, "sha256": run.sha256, "direction": run.direction} for run in self.runs],
            "average": {"kind": AVERAGE, "floor": self.floor},
            "smoothing": {
                "mu": self.jumps.mu,
                "jumps": list(self.jumps.counts),
                "reverse_jumps": None if reverse is None else list(reverse.counts),
                "pairs": self.jump_pairs,
            },
            "rule": self.rule,
            "heads": [{"file": head.file, "sha256": head.sha256, "run": head.run} for head in self.heads],
        }


def is_aligner(path: str | Path) -> bool:
    """True if the path is an aligner's folder."""
    return (Path(path) / ALIGNER).is_file()


def write_aligner(folder: Path, settings: AlignerSettings) -> None:
    """Write aligner.json, atomically."""
    write_json(folder / ALIGNER, settings.to_dict())


def read_aligner(folder: str | Path) -> AlignerSettings:
    """Read aligner.json; InputError names the file and the fault."""
    path = Path(folder) / ALIGNER
    if not path.is_file():
        raise InputError(f"{folder} is not an aligner's folder: it has no {ALIGNER}")
    content = as_record(_AlignerFile, read_versioned_json(path), str(path))
    smoothing = content.smoothing
    reverse = smoothing.reverse_jumps
    try:
        return AlignerSettings(
            source_language=content.source_language,
            target_language=content.target_language,
            runs=content.runs,
            jumps=JumpModel(smoothing.jumps, smoothing.mu),
            reverse_jumps=None if reverse is None else JumpModel(reverse, smoothing.mu),
            jump_pairs=smoothing.pairs,
            floor=content.average.floor,
            rule=content.rule,
            heads=content.heads,
        )
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None


@dataclass(frozen=True)
class _Average:
    kind: Literal["geometric mean"]
    floor: float


@dataclass(frozen=True, kw_only=True)
class _Smoothing:
    mu: float
    jumps: tuple[int, ...]
    pairs: int
    reverse_jumps: tuple[int, ...] | None


@dataclass(frozen=True, kw_only=True)
class _AlignerFile:
    """Layout of aligner.json (docs/formats.md)."""

    source_language: str
    target_language: str
    runs: tuple[AlignerRun, ...]
    average: _Average
    smoothing: _Smoothing
    rule: str
    heads: tuple[HeadFile, ...]


def find_run(folder: str | Path, run: AlignerRun, runs: str | Path | None = None) -> RunInfo:
    """Find the run folder with a given name and checksum.

    Args:
        folder: the aligner's folder. Searched are the folder ``checkpoints`` beside its parent folder, as in
            aligners/en-fr and checkpoints, and one beside the aligner's folder itself.
        run: the run to find.
        runs: the only folder to search, if given.

    Raises:
        InputError: there is no run of that name, or its weights differ.
    """
    base = Path(folder).resolve()
    places = [base.parent.parent / "checkpoints", base.parent / "checkpoints"] if runs is None else [Path(runs)]
    folder_of_run = next((place / run.name for place in places if (place / run.name).is_dir()), None)
    if folder_of_run is None:
        raise InputError(
            f"the aligner {base.name} needs the run {run.name}, which is not in {' nor in '.join(map(str, places))}"
        )
    info = read_run(folder_of_run)
    if info.weights.sha256() != run.sha256:
        raise InputError(
            f"the aligner {base.name} was built with other weights of {run.name} than those in {folder_of_run / BEST}"
        )
    return info
