"""Initialisation of a training run from the weights of another run."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from nmt.config import Config
from nmt.data.prepared import Prepared
from nmt.data.vocabulary import vocabulary_files
from nmt.errors import InputError
from nmt.inference.checkpoint import load_model
from nmt.model import TranslationModel
from nmt.runs.checksums import check_all_files
from nmt.runs.folder import BEST, RunSettings, read_settings

_MAY_DIFFER = ("dropout", "word_dropout")
"""Model settings that do not affect the weights."""


def load_initial(model: TranslationModel, run: Path, config: Config, prepared: Prepared) -> None:
    """Replace the weights of ``model`` by the best ones of ``run``, int8 or not; optimizer and schedule are unaffected.

    Raises InputError, which names the first difference, if the run has other languages, vocabularies or sizes, or if
    its weights cannot be read.
    """
    settings = read_settings(run)
    _check_languages(run, settings, prepared)
    _check_model(run, settings, config)
    for side in ("source", "target"):
        if _files(run, side) != _files(prepared.folder, side):
            raise InputError(
                f"{run} and {prepared.folder} have different {side} vocabularies; "
                f"prepare the data with --vocabularies-from {run}"
            )
    check_all_files(run)
    loaded = load_model(settings, run / BEST)
    model.load_state_dict(loaded.state_dict())


def _check_languages(run: Path, settings: RunSettings, prepared: Prepared) -> None:
    theirs = settings.source_language, settings.target_language
    if theirs != (prepared.source_language, prepared.target_language):
        raise InputError(
            f"{run} translates from {theirs[0]} to {theirs[1]}, but {prepared.folder} is from "
            f"{prepared.source_language} to {prepared.target_language}"
        )


def _check_model(run: Path, settings: RunSettings, config: Config) -> None:
    for field in dataclasses.fields(config.model):
        theirs, ours = getattr(settings.config.model, field.name), getattr(config.model, field.name)
        if field.name not in _MAY_DIFFER and theirs != ours:
            raise InputError(
                f"{run} has model.{field.name}={theirs}, but this training run has {ours}; "
                f"the recipe of {run} is {settings.config.recipe}"
            )


def _files(folder: Path, side: str) -> dict[str, bytes]:
    """Contents of the files of one vocabulary, by name."""
    return {path.name: path.read_bytes() for path in vocabulary_files(folder, side)}
