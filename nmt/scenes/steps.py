"""The steps of the first sentence of "How it works" on disk, so that they can be drawn without a model."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nmt.config import FORMAT_VERSION, SearchSettings
from nmt.errors import InputError
from nmt.files import read_versioned_json, write_json
from nmt.records import as_record
from nmt.results import Encoded, NextToken, TranslationStep, TranslationSteps
from nmt.runs.fingerprint import Fingerprint
from nmt.scenes.scene import STORED as SCENES

STORED = SCENES / "steps"
"""The folder of the file that is part of the program."""
FILE = "steps.json"

_DECIMALS = 4


@dataclass(frozen=True, kw_only=True)
class Packed:
    """An array as text.

    Attributes:
        shape: its shape.
        type: of its numbers, which are little-endian.
        data: their bytes in base64.
    """

    shape: tuple[int, ...]
    type: Literal["float16", "float32"]
    data: str

    @classmethod
    def of(cls, values: NDArray[np.floating], type: Literal["float16", "float32"] = "float16") -> Packed:
        """Pack an array. float16 keeps three digits, enough for the vectors of a drawing."""
        data = base64.b64encode(np.asarray(values, np.dtype(type).newbyteorder("<")).tobytes()).decode()
        return cls(shape=values.shape, type=type, data=data)

    def array(self) -> NDArray[np.float32]:
        """Unpack it."""
        numbers = np.frombuffer(base64.b64decode(self.data), np.dtype(self.type).newbyteorder("<"))
        return numbers.reshape(self.shape).astype(np.float32)


@dataclass(frozen=True, kw_only=True)
class StepsOfRun:
    """All steps of one run's translation; the rows of the arrays are the steps.

    Attributes:
        run: name of the run.
        weights_sha256, text_pipeline_sha256, dictionary_sha256: checksums of its files, as in its fingerprint.
        search: settings of the search; ``n_best`` is 1, and [UNK] is kept.
        source, target: the sentence as the model read it, and the translation as the model wrote it.
        architecture, state_order, score, vocabulary, text, annotations: as in ``TranslationSteps``.
        state, context, maxout: of each step.
        energies, alpha: of each step; None without attention.
        update_gate: of each step; None for units without one.
        log_probability, rank: of the token that each step writes.
        next_tokens: the most probable tokens of each step, with their log-probabilities in nats.
    """

    run: str
    weights_sha256: str
    text_pipeline_sha256: str
    dictionary_sha256: str
    search: SearchSettings
    source: Encoded
    target: Encoded
    architecture: str
    state_order: str
    score: str
    vocabulary: int
    text: str
    annotations: Packed
    state: Packed
    context: Packed
    maxout: Packed
    energies: Packed | None
    alpha: Packed | None
    update_gate: Packed | None
    log_probability: tuple[float, ...]
    rank: tuple[int, ...]
    next_tokens: tuple[tuple[tuple[str, float], ...], ...]

    @property
    def fingerprint(self) -> Fingerprint:
        """Checksums of the run that it was made with."""
        return Fingerprint(self.weights_sha256, self.text_pipeline_sha256, self.dictionary_sha256)

    def steps(self) -> TranslationSteps:
        """Return the steps as they were computed, but for the rounding."""
        state, context, maxout = self.state.array(), self.context.array(), self.maxout.array()
        energies, alpha, gate = (_rows(packed, len(state)) for packed in (self.energies, self.alpha, self.update_gate))
        steps = tuple(
            TranslationStep(
                state=state[i],
                energies=energies[i],
                alpha=alpha[i],
                context=context[i],
                update_gate=gate[i],
                maxout=maxout[i],
                log_probability=self.log_probability[i],
                rank=self.rank[i],
                next_tokens=tuple(NextToken(token, value, None) for token, value in self.next_tokens[i]),
                next_state=state[i + 1] if i + 1 < len(state) else None,
            )
            for i in range(len(state))
        )
        return TranslationSteps(
            architecture=self.architecture,
            state_order=self.state_order,
            score=self.score,
            vocabulary=self.vocabulary,
            source=self.source.tokens,
            target=self.target.tokens,
            text=self.text,
            annotations=self.annotations.array(),
            steps=steps,
        )


def steps_of_run(
    run: str,
    fingerprint: Fingerprint,
    search: SearchSettings,
    pair: tuple[Encoded, Encoded],
    steps: TranslationSteps,
) -> StepsOfRun:
    """Make the record of a run's steps over a source and its translation."""
    each = steps.steps
    return StepsOfRun(
        run=run,
        weights_sha256=fingerprint.weights,
        text_pipeline_sha256=fingerprint.text_pipeline,
        dictionary_sha256=fingerprint.dictionary,
        search=replace(search, n_best=1),
        source=pair[0],
        target=pair[1],
        architecture=steps.architecture,
        state_order=steps.state_order,
        score=steps.score,
        vocabulary=steps.vocabulary,
        text=steps.text,
        annotations=Packed.of(steps.annotations),
        state=Packed.of(np.array([step.state for step in each])),
        context=Packed.of(np.array([step.context for step in each])),
        maxout=Packed.of(np.array([step.maxout for step in each])),
        energies=_packed([step.energies for step in each], "float32"),
        alpha=_packed([step.alpha for step in each], "float32"),
        update_gate=_packed([step.update_gate for step in each], "float16"),
        log_probability=tuple(round(step.log_probability, _DECIMALS) for step in each),
        rank=tuple(step.rank for step in each),
        next_tokens=tuple(
            tuple((token.token, round(token.log_probability, _DECIMALS)) for token in step.next_tokens) for step in each
        ),
    )


@dataclass(frozen=True, kw_only=True)
class SceneSteps:
    """The stored result.

    Attributes:
        sentence: the source.
        versions: of the programs that computed it.
        systems: the first run of each architecture that reads the language of the sentence.
    """

    sentence: str
    versions: Mapping[str, str]
    systems: tuple[StepsOfRun, ...]


def write_steps(folder: Path, steps: SceneSteps) -> Path:
    """Save in a folder; returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / FILE, {"format": FORMAT_VERSION} | asdict(steps))
    return folder / FILE


def read_steps(folder: Path = STORED) -> SceneSteps:
    """Read from a folder; loads no model. InputError if the file is missing or broken."""
    return as_record(SceneSteps, read_versioned_json(folder / FILE), str(folder / FILE))


class StoredSteps:
    """Stored steps, looked up by run, settings and sentence, so that no model need be loaded.

    Args:
        steps: the result that they are taken from; None = nothing is stored.
    """

    def __init__(self, steps: SceneSteps | None) -> None:
        systems = steps.systems if steps is not None else ()
        self._sentence = "" if steps is None else steps.sentence
        self._systems = {(one.fingerprint, replace(one.search, n_best=1)): one for one in systems}

    @classmethod
    def shipped(cls) -> StoredSteps:
        """Load those that are part of the program; none if their file cannot be read: they only save time."""
        try:
            return cls(read_steps())
        except (InputError, OSError):
            return cls(None)

    def find(self, run: Fingerprint, search: SearchSettings, sentence: str) -> StepsOfRun | None:
        """Look up the steps of a run's translation; None if they are not there."""
        return self._systems.get((run, replace(search, n_best=1))) if sentence == self._sentence else None


def _packed(rows: Sequence[NDArray[np.float32] | None], type: Literal["float16", "float32"]) -> Packed | None:
    present = [row for row in rows if row is not None]
    return Packed.of(np.array(present), type) if len(present) == len(rows) else None


def _rows(packed: Packed | None, count: int) -> Sequence[NDArray[np.float32] | None]:
    return [None] * count if packed is None else list(packed.array())
