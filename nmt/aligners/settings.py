"""An aligner's folder: ``aligner.json``, which names the runs and defines how their posteriors are combined.

It contains no weights of runs: runs are found by the names of their folders and verified by checksums. Nothing here
imports torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from nmt.aligners.maps import FLOOR, MU, JumpModel
from nmt.config import FORMAT_VERSION
from nmt.errors import InputError, refuse_repeated
from nmt.evaluation.links import RULES
from nmt.files import read_versioned_json, write_json
from nmt.records import as_record, check_fields, to_data
from nmt.runs.folder import BEST, RunInfo, read_run

ALIGNER = "aligner.json"
RULE = "intersection"

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


@dataclass(frozen=True, kw_only=True)
class Average:
    """The mean of the runs' maps. kind: there is only this one; floor: smallest weight of a source word by a single run
    in the mean."""

    kind: Literal["geometric mean"] = "geometric mean"
    floor: Annotated[float, Field(gt=0, le=1)] = FLOOR

    def __post_init__(self) -> None:
        check_fields(self, "average.")


@dataclass(frozen=True, kw_only=True)
class Smoothing:
    """Counts of jumps in given text.

    Attributes:
        mu: exponent of both jump models.
        jumps: between the source words of successive target words, as in ``JumpModel``.
        reverse_jumps: the same for the runs of the other direction; None without any.
        pairs: number of sentence pairs on which the jumps were counted.
    """

    mu: float = MU
    jumps: tuple[int, ...]
    reverse_jumps: tuple[int, ...] | None
    pairs: int

    def __post_init__(self) -> None:
        self.model("forward")
        if self.reverse_jumps is not None:
            self.model("reverse")

    def model(self, direction: Direction) -> JumpModel:
        """The jump model of a direction that the aligner has runs of."""
        counts = self.jumps if direction == "forward" else self.reverse_jumps
        assert counts is not None
        return JumpModel(counts, self.mu)


@dataclass(frozen=True, kw_only=True)
class AlignerSettings:
    """Content of aligner.json.

    Attributes:
        source_language, target_language: codes such as "en".
        runs: at least one of them forward.
        average, smoothing: of the runs' maps.
        rule: the default rule for links.
    """

    source_language: str
    target_language: str
    runs: tuple[AlignerRun, ...]
    average: Average
    smoothing: Smoothing
    rule: str = RULE

    def __post_init__(self) -> None:
        if not self.named("forward"):
            raise InputError("an aligner needs a run that translates its source language into its target language")
        if bool(self.named("reverse")) != (self.smoothing.reverse_jumps is not None):
            raise InputError(
                "an aligner must have jumps of the other direction if it has runs of that direction, and only then"
            )
        for direction in DIRECTIONS:
            refuse_repeated(self.named(direction), "runs of an aligner")
        if self.rule not in RULES:
            raise InputError(f"there is no rule {self.rule!r}; there are {', '.join(RULES)}")

    def named(self, direction: Direction) -> list[str]:
        """Names of the runs of a direction."""
        return [run.name for run in self.runs if run.direction == direction]

    @property
    def map(self) -> str:
        """The name of the weights in results.

        >>> run = AlignerRun("mine", "0" * 64, "forward")
        >>> smoothing = Smoothing(jumps=(0,) * 61, reverse_jumps=None, pairs=0)
        >>> AlignerSettings(source_language="en", target_language="fr", runs=(run,), average=Average(),
        ...                 smoothing=smoothing).map
        'posterior of 1 run, smoothed'
        """
        forward, other = len(self.named("forward")), len(self.named("reverse"))
        name = f"posterior of {forward} run{'s' * (forward > 1)}"
        if other:
            name += f" and {other} of the other direction"
        return f"{name}, smoothed" if self.smoothing.mu else name

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; the content of aligner.json (docs/formats.md)."""
        return {"format": FORMAT_VERSION} | to_data(self)


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
    return as_record(AlignerSettings, read_versioned_json(path), str(path))


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
