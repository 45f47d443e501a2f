"""Translations of the systems that are shown, as they were measured: from the store, or brought along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from nmt.results import Evaluation, FinishedTranslation
from nmt.search_key import SearchSettings
from nmt.ui.background import TextTranslation, finished
from nmt.ui.lengths.measured import brought_along
from nmt.ui.lengths.progress import Watched, show_progress
from nmt.ui.lengths.shown import Shown
from nmt.ui.lengths.systems import System
from nmt.ui.text import escaped

Translations = Mapping[str, Mapping[str, FinishedTranslation]]
"""By system and source."""


def settings_of(evaluation: Evaluation, no_unk: bool) -> SearchSettings:
    """How the translations were searched that were measured, as their signature says."""
    condition = evaluation.no_unk if no_unk else evaluation.everything
    assert condition is not None
    fields = dict(field.partition(":")[::2] for field in condition.scores.bleu.signature.split("|"))
    unknown = fields.get("unk", "yes")
    return SearchSettings(
        int(fields.get("beam", "12")),
        no_unk,
        "copy" if unknown == "copy" else "dictionary" if unknown == "dictionary" else None,
        float(fields.get("lp", "0")),
    )


def translations_of(shown: Shown, sources: Mapping[str, Sequence[str]]) -> dict[str, dict[str, FinishedTranslation]]:
    """Of the checkpoints, as far as they are in the store; ``sources`` by test set."""
    found: dict[str, dict[str, FinishedTranslation]] = {}
    for name, system in shown.systems.items():
        for test_set, some in sources.items():
            if system.run is not None:
                known = finished(system.run, _settings(shown, system, test_set), some)
                found.setdefault(name, {}).update(known)
    return found


def written_by(shown: Shown, system: System, test_set: str, row: int, source: str) -> str | None:
    """The translation of a sentence; None where it is not known."""
    if system.run is None:
        written = brought_along().written(system.name, test_set)
        return None if written is None else written[row]
    found = finished(system.run, _settings(shown, system, test_set), [source]).get(source)
    return None if found is None else found.text


def missing_translations(
    shown: Shown, sources: Mapping[str, Sequence[str]], known: Translations
) -> list[TextTranslation]:
    """What has to be asked for those that are not in the store; ``sources`` by test set."""
    found = []
    for name, system in shown.systems.items():
        for test_set, some in sources.items():
            lacking = tuple(dict.fromkeys(s for s in some if s.strip() and s not in known.get(name, {})))
            if system.run is not None and lacking:
                settings = _settings(shown, system, test_set)
                found.append(TextTranslation(system.run, system.stamp, lacking, settings))
    return found


def offer_translations(missing: Sequence[TextTranslation]) -> None:
    """A button for what is missing, and how far it is."""
    jobs = [(asked, asked.find()) for asked in missing]
    idle = [asked for asked, job in jobs if job is None or job.state.status in ("cancelled", "failed")]
    if idle:
        names = " and ".join(dict.fromkeys(asked.run.name for asked in idle))
        sentences = len({sentence for asked in idle for sentence in asked.sentences})
        st.button(
            escaped(f"Translate {sentences:,} sentences with {names}"),
            icon=":material/translate:",
            on_click=_start,
            args=(idle,),
            help="Their translations were counted on another machine and are not kept here. They are made again in the "
            "background, and kept.",
            wrap=True,
        )
    under_way = [Watched(asked.run.name, job) for asked, job in jobs if job and job.state.status != "cancelled"]
    show_progress(under_way)


def _settings(shown: Shown, system: System, test_set: str) -> SearchSettings:
    return settings_of(system.evaluated.evaluations[test_set], shown.view.no_unk)


def _start(asked: Sequence[TextTranslation]) -> None:
    for each in asked:
        each.start()
