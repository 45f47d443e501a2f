"""Contents of a page: runs with their weights, vocabularies and rules of the languages."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from nmt.answers.sentences import SENTENCES
from nmt.config import FORMAT_VERSION, SearchSettings
from nmt.data.links import read_dictionary
from nmt.data.subwords import load_vocabulary
from nmt.errors import InputError, refuse_repeated
from nmt.page.licences import Attribution, attributions
from nmt.page.text_rules import detokeniser_rules, tokeniser_rules
from nmt.page.vocabularies import vocabulary_data
from nmt.runs.fingerprint import checked_fingerprint
from nmt.runs.folder import DICTIONARY, RunInfo, read_run

BEAMS = (1, 5, 12)
"""Beams to choose from, besides the one that a page starts with."""

BEAM = 5
"""Beam that a page starts with: a sentence takes a third of the time of the usual 12."""

MOST_CHARACTERS = 2_000
"""Longest sentence that a page translates."""


@dataclass(frozen=True, kw_only=True)
class Payload:
    """Contents of a page.

    Attributes:
        data: the page's data without the weights, JSON-ready (docs/formats.md).
        weights: of each run the file of its weights in base64.
        attributions: of the corpora that the weights were trained on, each once.
    """

    data: dict[str, Any]
    weights: tuple[str, ...]
    attributions: tuple[Attribution, ...]


def collect(folders: Sequence[str], beam: int = BEAM) -> Payload:
    """Collect what a page over some runs needs.

    Raises InputError if a folder is not a run, a file of it is damaged, its weights are not 8-bit integers (those of a
    released run are), two runs have the same name or different source languages, or its model or language is one that
    pages do not support.
    """
    runs = [read_run(folder) for folder in folders]
    refuse_repeated((run.name for run in runs), "runs")
    if len({run.source_language for run in runs}) > 1:
        raise InputError("the runs of a page must all read the same language")
    vocabularies = _Vocabularies()
    targets = sorted({run.target_language for run in runs})
    data = {
        "format": FORMAT_VERSION,
        "beam": beam,
        "beams": sorted({*BEAMS, beam}),
        "most_characters": MOST_CHARACTERS,
        "runs": [_run(run, vocabularies) for run in runs],
        "tokenisers": {runs[0].source_language: tokeniser_rules(runs[0].source_language)},
        "detokenisers": {language: detokeniser_rules(language) for language in targets},
        "vocabularies": vocabularies.data,
        "examples": _examples(runs),
    }
    weights = tuple(base64.b64encode(run.weights.path.read_bytes()).decode("ascii") for run in runs)
    return Payload(data=data, weights=weights, attributions=attributions(runs))


def _run(run: RunInfo, vocabularies: _Vocabularies) -> dict[str, Any]:
    _check(run)
    search = run.config.search
    dictionary = _dictionary(run, search)
    model = run.config.model
    return {
        "name": run.name,
        "architecture": model.architecture,
        "state_order": model.state_order,
        "source_language": run.source_language,
        "target_language": run.target_language,
        "source_vocabulary": vocabularies.number(run, "source"),
        "target_vocabulary": vocabularies.number(run, "target"),
        "search": asdict(search),
        "dictionary": dictionary,
        "trained_to": run.config.training.max_length,
        "parameters": run.weights.parameters,
        "sha256": checked_fingerprint(run).weights,
    }


def _check(run: RunInfo) -> None:
    """Raise InputError unless a page can compute with this run."""
    model = run.config.model
    if model.unit != "gated" or (run.has_alignment and model.score != "additive"):
        raise InputError(
            f"{run.name} cannot be put into a page, which computes the paper's gated unit and its additive score only"
        )
    if run.weights.dtype != "I8":
        raise InputError(
            f"{run.path} has no weights of 8-bit integers; `release {run.path} OUT --weights int8` writes them"
        )


def _dictionary(run: RunInfo, search: SearchSettings) -> dict[str, str] | None:
    """The dictionary for [UNK], if the run's search uses it."""
    if search.replace_unk in (None, "copy") or not (run.path / DICTIONARY).is_file():
        return None
    return dict(read_dictionary(run.path / DICTIONARY).words)


def _examples(runs: Sequence[RunInfo]) -> list[dict[str, str]]:
    """The app's sentences for the language pairs of the runs or, if there are none, all in the source language; with
    the remark on what to look at only if the runs have a single pair, that of the sentence."""
    pairs = {(run.source_language, run.target_language) for run in runs}
    read = [each for each in SENTENCES if each.languages[0] == runs[0].source_language]
    return [
        {"title": each.title, "sentence": each.sentence, "look": each.look if pairs == {each.languages} else ""}
        for each in [each for each in read if each.languages in pairs] or read
    ]


class _Vocabularies:
    """The vocabularies of all runs, each once."""

    def __init__(self) -> None:
        self.data: list[dict[str, Any]] = []

    def number(self, run: RunInfo, side: str) -> int:
        """Number of a run's vocabulary."""
        vocabulary = load_vocabulary(run.path, side)
        expected = run.source_vocabulary if side == "source" else run.target_vocabulary
        if len(vocabulary) != expected.size:
            raise InputError(
                f"{run.path}: the {side} vocabulary has {len(vocabulary)} entries, but the settings say {expected.size}"
            )
        payload = vocabulary_data(vocabulary)
        if payload not in self.data:
            self.data.append(payload)
        return self.data.index(payload)
