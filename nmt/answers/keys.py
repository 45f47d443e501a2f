"""Keys of answers: everything that determines a translation, a score or the result of another task. Needs no torch."""

import hashlib
import json
import platform
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from nmt import native
from nmt.config import SearchSettings, search_precision
from nmt.results import Encoded
from nmt.runs.fingerprint import Fingerprint

LEAVE_ONE_OUT, STEPS, DOUBTS = "leave-one-out", "steps", "doubts"
"""Kinds of tasks with answers that come with the program (nmt/answers/shipped.py)."""

Text = str | Encoded
"""A sentence as a user typed it (str), or the tokens that a model read or wrote (Encoded)."""

_SEARCH, _SCORE = 2, 2
"""Versions of translations and of scores. Increase one when the same weights and settings give other results."""


@dataclass(frozen=True, kw_only=True)
class SearchKey:
    """Key of a search: all that determines the translation of a sentence. The cache has separate entries for each key.

    Attributes:
        weights, text_pipeline: checksums from the run's fingerprint.
        beam, no_unk, length_penalty, hard_attention: search settings. ``text`` omits ``hard_attention`` if it is off.
        replace_unk: "copy", "dictionary", or "" to keep [UNK].
        dictionary: checksum of the dictionary if it replaces [UNK], else "".
        precision: precision of matrix products, "fp32", "bf16" or "int8".
        kernel: name of the kernels and the engine that compute the products. Precision and kernel change
            log-probabilities slightly, and so occasionally a translation.

    The number of returned hypotheses is not part of the key: a shorter list is the beginning of a longer list.
    """

    weights: str
    text_pipeline: str
    beam: int
    no_unk: bool
    length_penalty: float
    replace_unk: str
    dictionary: str
    precision: str
    kernel: str
    hard_attention: bool

    def text(self) -> str:
        """Serialise to JSON. Equal keys give equal texts."""
        return json.dumps({"search": _SEARCH} | _without_soft(asdict(self)), sort_keys=True)


def score_key(run: Fingerprint, device: str) -> str:
    """Serialise all that determines a pair's score by forced decoding, in fp32. No search key has the same text."""
    parts = {"weights": run.weights, "text_pipeline": run.text_pipeline, "kernel": kernel(device)}
    return json.dumps({"score": _SCORE} | parts, sort_keys=True)


def search_key(
    settings: SearchSettings, run: Fingerprint, precision: str | None = None, device: str = "cpu"
) -> SearchKey:
    """Make the cache key of a run's translations. In ``settings`` every "auto" must be resolved already.
    ``precision``: None = the default of the device."""
    precision = search_precision(precision, device)
    return SearchKey(
        weights=run.weights,
        text_pipeline=run.text_pipeline,
        beam=settings.beam,
        no_unk=settings.no_unk,
        length_penalty=float(settings.length_penalty),
        replace_unk=settings.replace_unk or "",
        dictionary=run.dictionary if settings.replace_unk == "dictionary" else "",
        precision=precision,
        kernel=f"{kernel(device)}{_engine(device, precision)}",
        hard_attention=settings.hard_attention,
    )


def _without_soft(settings: dict[str, Any]) -> dict[str, Any]:
    """Leave out ``hard_attention`` if it is off. So answers stored before this setting existed keep their keys."""
    return {name: value for name, value in settings.items() if name != "hard_attention" or value}


@cache
def kernel(device: str) -> str:
    """Name the kernels of matrix products by what determines them (nmt/model/kernels.py): the kind of device, the
    processor architecture and the version of torch. Does not import torch."""
    torch = next((each.version for each in distributions(name="torch")), "")  # without torch, only stored answers
    return f"{device} {platform.machine().lower()} torch {torch}"


@cache
def _engine(device: str, precision: str) -> str:
    """A space and the name of the engine that computes steps of few hypotheses. "" if torch computes them."""
    own = device == "cpu" and precision != "bf16" and native.name() != "torch"
    return f" {native.name()}" if own else ""


def task_key(kind: str, *parts: object) -> str:
    """Name a task by its kind and a checksum of its ``parts`` (JSON types, paths, dataclasses). They decide its result.

    >>> task_key("add", 1, 2) == task_key("add", 1, 2), task_key("add", 1, 2) == task_key("add", 12)
    (True, False)
    """
    text = json.dumps(parts, sort_keys=True, default=lambda each: str(each) if isinstance(each, Path) else asdict(each))
    return f"{kind} {hashlib.sha256(text.encode()).hexdigest()}"


def leave_one_out_key(run: Fingerprint, source: Text, target: Text) -> str:
    """Name the task that computes the leave-one-out map of a pair."""
    return task_key(LEAVE_ONE_OUT, asdict(run), text_parts(source), text_parts(target))


def doubts_key(run: Fingerprint, source: Text, written: Text) -> str:
    """Name the task in which ``run`` scores each word of a translation by another run."""
    return task_key(DOUBTS, asdict(run), text_parts(source), text_parts(written))


def steps_key(run: Fingerprint, settings: SearchSettings, sentence: str) -> str:
    """Name the task that translates a sentence and computes every step of its translation."""
    return task_key(STEPS, asdict(run), _without_soft(asdict(settings)), sentence)


def text_parts(text: Text) -> list[object]:
    """List the values that determine how a model reads a text."""
    return [text] if isinstance(text, str) else [text.ids, text.tokens]
