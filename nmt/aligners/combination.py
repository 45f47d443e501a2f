"""The combination of several runs' posteriors over whole words, and the folder of an aligner with ``aligner.json``.

Runs with different vocabularies segment words differently. Over whole words the maps of all runs have the same rows and
columns. The mean is geometric, a product of experts. A run that rules out a source word thus has more influence than an
undecided run. The floor bounds this influence.

The folder contains no weights of runs. Runs are found by name and verified by checksum. This module imports no torch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from nmt.alignments.links import RULES
from nmt.errors import InputError, refuse_repeated
from nmt.files import read_record
from nmt.results import END, Alignment
from nmt.results.statistics import Floats
from nmt.runs.folder import BEST, RunInfo, read_run

FLOOR = 1e-4
"""Smallest weight that a single run contributes to the mean for a source word."""


@dataclass(frozen=True, eq=False, kw_only=True)
class WordWeights:
    """Weights of one pair over whole words, without the end-of-sentence tokens. weights: [words_y, words_x], positive.
    A row need not sum to 1. source, target: ascending numbers of the words with a column or row."""

    weights: Floats
    source: tuple[int, ...]
    target: tuple[int, ...]


def averaged(maps: Sequence[Alignment], floor: float = FLOOR) -> WordWeights:
    """The geometric mean exp(1/N sum_n log max(p_n, floor)) of the maps of one pair by N runs. Rows are not normalised.

    A word without a token in any run has no row or column. For a run without the word's tokens, the floor counts.

    maps: [T_y, T_x] over tokens or words, end-of-sentence tokens last. All maps number the same words. floor: above 0,
    at most 1.
    """
    assert maps
    assert 0 < floor <= 1
    merged = [alignment.merged() for alignment in maps]
    assert all(part.source[-1] == part.target[-1] == END for part in merged), "both sides end with the token for it"
    source = tuple(sorted({word for part in merged for word in part.source_words[:-1]}))
    target = tuple(sorted({word for part in merged for word in part.target_words[:-1]}))
    columns = {word: j for j, word in enumerate(source)}
    rows = {word: i for i, word in enumerate(target)}
    logarithms = np.zeros((len(target), len(source)))
    for part in merged:
        weights = np.full(logarithms.shape, floor)
        at = np.ix_([rows[i] for i in part.target_words[:-1]], [columns[j] for j in part.source_words[:-1]])
        weights[at] = np.maximum(part.weights[:-1, :-1], floor)
        logarithms += np.log(weights)
    return WordWeights(weights=np.exp(logarithms / len(merged)), source=source, target=target)


LONGEST = 30
"""Largest jump, in source words. A longer jump counts as a jump of this length."""

MU = 0.2
"""Exponent of the jump model (docs/log.md)."""

_UNSEEN = 0.5
"""Number added to each count of jumps, so that no jump is impossible."""


_JUMPS = 2 * LONGEST + 1
Jumps = Annotated[
    tuple[Annotated[int, Field(ge=0, le=10**9)], ...],
    Field(min_length=_JUMPS, max_length=_JUMPS, description=f"{_JUMPS} numbers"),
]
"""Number of jumps by -LONGEST, …, LONGEST source words between the source words of successive target words."""


def transitions(jumps: Jumps, words: int, mu: float) -> Floats:
    """Probability of a jump from source word j (row) to source word k (column), [words, words]. Rows sum to 1. mu: 0 to
    1, exponent of the counted shares."""
    places = np.arange(words)
    lengths = np.clip(places[None, :] - places[:, None], -LONGEST, LONGEST) + LONGEST
    likely = ((np.array(jumps, dtype=np.float64) + _UNSEEN) ** mu)[lengths]
    rows: Floats = likely / likely.sum(axis=1, keepdims=True)
    return rows


def smoothed(weights: Floats, jumps: Jumps, mu: float) -> Floats:
    """Smooth weights: p(target word i is aligned with source word j) in a hidden Markov model, [I, J]. Rows sum to 1.

    ``weights``: weights of source words j at target words i, positive, [I, J].
    """
    return state_probabilities(weights, transitions(jumps, weights.shape[1], mu)) if weights.size else weights.copy()


def state_probabilities(weights: Floats, transitions: Floats) -> Floats:
    """Probabilities of each state k at each step i in a hidden Markov model, [I, K], by the forward-backward algorithm.
    Each step divides its probabilities by their sum, so that no sentence is too long for floating-point numbers.

    weights: weights of the states at each step, positive, [I, K], I and K at least 1. Those of the first step include
    the initial probabilities of the states. transitions: probabilities of going from the row's state to the column's
    state, [K, K].
    """
    rows, columns = weights.shape
    likely = weights / weights.max(axis=1, keepdims=True)
    forward = np.empty_like(likely)
    forward[0] = likely[0]
    for i in range(1, rows):
        forward[i] = (forward[i - 1] @ transitions) * likely[i]
        forward[i] /= forward[i].sum()
    states, backward = forward.copy(), np.ones(columns)
    for i in range(rows - 2, -1, -1):
        backward = transitions @ (likely[i + 1] * backward)
        backward /= backward.sum()
        states[i] *= backward
    probabilities: Floats = states / states.sum(axis=1, keepdims=True)
    return probabilities


ALIGNER = "aligner.json"
RULE = "intersection"

Direction = Literal["forward", "reverse"]
DIRECTIONS: tuple[Direction, ...] = ("forward", "reverse")

Name = Annotated[str, Field(pattern=r"^\w[\w.-]*\z", description="a name of a folder or file")]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}\z", description="a SHA-256")]


@dataclass(frozen=True)
class AlignerRun:
    """A run of an aligner, by the name of its folder and the checksum of model.safetensors. direction: "reverse" if it
    translates the aligner's target language into the aligner's source language."""

    name: Name
    sha256: Sha256
    direction: Direction


@dataclass(frozen=True, kw_only=True)
class Average:
    """Settings of the mean over the runs' maps. floor: as for ``averaged``."""

    kind: Literal["geometric mean"] = "geometric mean"
    floor: Annotated[float, Field(gt=0, le=1)] = FLOOR


@dataclass(frozen=True, kw_only=True)
class Smoothing:
    """Settings of the smoothing. mu: exponent (``transitions``). jumps, reverse_jumps: counts for the runs of each
    direction, None without runs of the other direction. pairs: number of sentence pairs on which they were counted."""

    mu: Annotated[float, Field(ge=0, le=1)] = MU
    jumps: Jumps
    reverse_jumps: Jumps | None
    pairs: int


@dataclass(frozen=True, kw_only=True)
class AlignerSettings:
    """Content of aligner.json. runs: at least one is forward. average, smoothing: settings of averaging and of
    smoothing the runs' maps. rule: the default rule for links."""

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


def is_aligner(path: str | Path) -> bool:
    """True if the path is an aligner's folder."""
    return (Path(path) / ALIGNER).is_file()


def read_aligner(folder: str | Path) -> AlignerSettings:
    """Read aligner.json. Raises InputError, which names the file, if it is missing or broken."""
    path = Path(folder) / ALIGNER
    if not path.is_file():
        raise InputError(f"{folder} is not an aligner's folder: it has no {ALIGNER}")
    return read_record(AlignerSettings, path)


def find_run(folder: str | Path, run: AlignerRun, runs: str | Path | None = None) -> RunInfo:
    """Find the run folder with this name and checksum. InputError if there is none, or if its weights differ.

    folder: the aligner's folder. ``../../checkpoints`` from it is searched, which suits aligners/en-fr, and then
    ``../checkpoints``. runs: if not None, the only folder to search.
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
