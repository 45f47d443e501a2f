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


def translations_of(shown: Shown, sources: Sequence[str]) -> dict[str, dict[str, FinishedTranslation]]:
    """Of the checkpoints, as far as they are in the store."""
    return {
        name: finished(system.run, _settings(shown, system), sources)
        for name, system in shown.systems.items()
        if system.run is not None and sources
    }


def written_by(shown: Shown, system: System, test_set: str, row: int, source: str) -> str | None:
    """The translation of a sentence; None where it is not known."""
    if system.run is None:
        written = brought_along().written(system.name, test_set)
        return None if written is None else written[row]
    found = finished(system.run, _settings(shown, system), [source]).get(source)
    return None if found is None else found.text


def missing_translations(shown: Shown, sources: Sequence[str], known: Translations) -> dict[str, TextTranslation]:
    """What has to be asked for those that are not in the store, by system."""
    found = {}
    for name, system in shown.systems.items():
        lacking = tuple(dict.fromkeys(s for s in sources if s.strip() and s not in known.get(name, {})))
        if system.run is not None and lacking:
            found[name] = TextTranslation(system.run, system.stamp, lacking, _settings(shown, system))
    return found


def offer_translations(missing: Mapping[str, TextTranslation]) -> None:
    """A button for what is missing, and how far it is."""
    jobs = {name: job for name, asked in missing.items() if (job := asked.find()) is not None}
    idle = [name for name in missing if name not in jobs or jobs[name].state.status in ("cancelled", "failed")]
    if idle:
        sentences = max(len(missing[name].sentences) for name in idle)
        st.button(
            escaped(f"Translate {sentences:,} sentences with {' and '.join(idle)}"),
            icon=":material/translate:",
            on_click=_start,
            args=([missing[name] for name in idle],),
            help="Their translations were counted on another machine and are not kept here. They are made again in the "
            "background, and kept.",
            wrap=True,
        )
    show_progress([Watched(name, job) for name, job in jobs.items() if job.state.status != "cancelled"])


def _settings(shown: Shown, system: System) -> SearchSettings:
    return settings_of(system.evaluated.evaluations[shown.view.sets[0]], shown.view.no_unk)


def _start(asked: Sequence[TextTranslation]) -> None:
    for each in asked:
        each.start()
