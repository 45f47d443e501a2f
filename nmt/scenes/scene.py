"""Scenes on disk: one JSON file per sentence, with the results of each run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from nmt.config import FORMAT_VERSION, SearchSettings
from nmt.errors import InputError
from nmt.files import read_versioned_json, replacing
from nmt.records import as_record
from nmt.results import Alignment, Encoded, Hypothesis, Translation
from nmt.runs.fingerprint import Fingerprint

STORED = Path(__file__).parent / "stored"
"""The scenes that are part of the program."""

_DECIMALS = 4

Table = tuple[tuple[float, ...], ...]
"""Weights [T_y, T_x]."""


@dataclass(frozen=True, kw_only=True)
class LeaveOneOut:
    """Leave-one-out attribution over whole words, which stands beside the translation of a run without alpha.

    Attributes:
        source, target: the words, end-of-sentence token last.
        weights: [T_y, T_x] in words, 4 decimals.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    weights: Table

    def alignment(self) -> Alignment:
        """Return it as an alignment."""
        return Alignment(source=self.source, target=self.target, weights=np.asarray(self.weights, np.float32))


@dataclass(frozen=True, kw_only=True)
class SceneSystem:
    """Translation of the sentence by one run.

    Attributes:
        run: name of the run.
        weights_sha256, text_pipeline_sha256, dictionary_sha256: checksums of its files, as in its fingerprint.
        search: settings of the search, "auto" resolved; ``n_best`` is 1.
        source, target: the sentence as the model read it, and the translation as the model wrote it.
        text: the detokenised translation.
        log_probability, score, token_log_probabilities: as in ``Hypothesis``, nats.
        alpha: [T_y, T_x] over tokens, 4 decimals; None for a run without attention.
        leave_one_out: None for a run with attention.
    """

    run: str
    weights_sha256: str
    text_pipeline_sha256: str
    dictionary_sha256: str
    search: SearchSettings
    source: Encoded
    target: Encoded
    text: str
    log_probability: float
    score: float
    token_log_probabilities: tuple[float, ...]
    alpha: Table | None = None
    leave_one_out: LeaveOneOut | None = None

    @property
    def fingerprint(self) -> Fingerprint:
        """Checksums of the run that it was made with."""
        return Fingerprint(self.weights_sha256, self.text_pipeline_sha256, self.dictionary_sha256)

    def translation(self, sentence: str) -> Translation:
        """Return the translation as the search did; rows of alpha sum to 1 again in spite of the rounding."""
        alignment = None
        if self.alpha is not None:
            weights = np.asarray(self.alpha, np.float32)
            alignment = Alignment(
                source=self.source.tokens,
                target=self.target.tokens,
                weights=weights / weights.sum(axis=1, keepdims=True),
                source_words=self.source.words,
                target_words=self.target.words,
            )
        hypothesis = Hypothesis(
            text=self.text,
            tokens=self.target.tokens,
            log_probability=self.log_probability,
            score=self.score,
            token_log_probabilities=self.token_log_probabilities,
            alignment=alignment,
            encoded=self.target,
        )
        return Translation(sentence, (hypothesis,), self.source.unknown, encoded=self.source)


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A sentence with the results of all runs that read its language and write its target language.

    Attributes:
        name, sentence: as in ``SceneSentence``.
        source_language, target_language: codes.
        versions: of the programs that computed it.
        systems: one per run.
    """

    name: str
    sentence: str
    source_language: str
    target_language: str
    versions: Mapping[str, str]
    systems: tuple[SceneSystem, ...]


def system(
    run: str,
    fingerprint: Fingerprint,
    search: SearchSettings,
    translation: Translation,
    leave_one_out: Alignment | None,
) -> SceneSystem:
    """Make the record of a run's translation. ``search``: with "auto" resolved."""
    best = translation.best
    assert translation.encoded is not None
    assert best.encoded is not None
    attribution = None
    if leave_one_out is not None:
        attribution = LeaveOneOut(
            source=leave_one_out.source, target=leave_one_out.target, weights=_rounded(leave_one_out.weights)
        )
    return SceneSystem(
        run=run,
        weights_sha256=fingerprint.weights,
        text_pipeline_sha256=fingerprint.text_pipeline,
        dictionary_sha256=fingerprint.dictionary,
        search=replace(search, n_best=1),
        source=translation.encoded,
        target=best.encoded,
        text=best.text,
        log_probability=best.log_probability,
        score=best.score,
        token_log_probabilities=tuple(round(float(value), _DECIMALS) for value in best.token_log_probabilities),
        alpha=None if best.alignment is None else _rounded(best.alignment.weights),
        leave_one_out=attribution,
    )


def write_scene(folder: Path, scene: Scene) -> None:
    """Save as FOLDER/NAME.json, one line per run."""
    data = {"format": FORMAT_VERSION} | asdict(scene)
    systems = ",\n".join(_compact(one) for one in data.pop("systems"))
    text = f'{_compact(data)[:-1]},"systems":[\n{systems}\n]}}\n'
    with replacing(folder / f"{scene.name}.json") as path:
        path.write_text(text, "utf-8")


def read_scenes(folder: Path = STORED) -> tuple[Scene, ...]:
    """Read all scenes of a folder, in the order of their names; InputError names a broken file."""
    return tuple(_read(path) for path in sorted(folder.glob("*.json")))


def _read(path: Path) -> Scene:
    return as_record(Scene, read_versioned_json(path), str(path))


class StoredResults:
    """Stored results, looked up by run, settings and sentence, so that no model need be loaded.

    Args:
        scenes: the scenes that they are taken from.
    """

    def __init__(self, scenes: Iterable[Scene]) -> None:
        self._systems = {
            (one.fingerprint, _settings(one.search), scene.sentence): one for scene in scenes for one in scene.systems
        }

    @classmethod
    def shipped(cls) -> StoredResults:
        """Load those that are part of the program; none if their files cannot be read: they only save time."""
        try:
            return cls(read_scenes())
        except (InputError, OSError):
            return cls(())

    def translation(self, run: Fingerprint, search: SearchSettings, sentence: str) -> Translation | None:
        """Look up the best translation; None if it is not there, or if a longer list is wanted."""
        if search.n_best > 1:
            return None
        stored = self._systems.get((run, _settings(search), sentence))
        return None if stored is None else stored.translation(sentence)

    def leave_one_out(self, run: Fingerprint, source: object, target: object) -> Alignment | None:
        """Look up the leave-one-out attribution of a pair that the run translated."""
        stored = self._pairs.get((run, source, target))
        return None if stored is None else stored.alignment()

    @cached_property
    def _pairs(self) -> dict[tuple[object, ...], LeaveOneOut]:
        systems = self._systems.values()
        return {(one.fingerprint, one.source, one.target): one.leave_one_out for one in systems if one.leave_one_out}


def _compact(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _settings(search: SearchSettings) -> SearchSettings:
    return replace(search, n_best=1)


def _rounded(weights: Any) -> Table:
    return tuple(tuple(round(float(value), _DECIMALS) for value in row) for row in weights)
