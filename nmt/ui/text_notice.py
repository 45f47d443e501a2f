"""What is said above a result that means little, because the checkpoint cannot read the sentence."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nmt.data.line_words import strange_writing
from nmt.errors import InputError
from nmt.runs.folder import RunInfo
from nmt.ui.formatting import escaped, language, listed
from nmt.ui.resources import vocabularies


def show_notices(sentence: str, runs: Mapping[str, RunInfo]) -> None:
    """Say once for all checkpoints alike that a sentence is not in their language, or mostly of unknown words."""
    names: dict[tuple[str, str], list[str]] = {}
    for name, run in runs.items():
        found = _reason(sentence, run)
        if found:
            names.setdefault((found, run.source_language), []).append(name)
    for (reason, source), which in names.items():
        reads = "reads" if len(which) == 1 else "read"
        st.warning(
            f"{reason} {escaped(listed(which))} {reads} {language(source)}: translation and weights mean little here.",
            icon=":material/translate:",
        )


def _reason(sentence: str, run: RunInfo) -> str:
    """A sentence on what is strange; "" if nothing is."""
    writing = strange_writing(sentence, run.source_language)
    if writing:
        return f"The sentence is written in {writing}."
    try:
        fit = vocabularies(run).fit(sentence)
    except InputError:
        return ""
    if fit.in_target_language:
        return f"The sentence looks like {language(run.target_language)}."
    if not fit.mostly_unknown:
        return ""
    if len(fit.unknown) == fit.words:
        return "Its only word is unknown." if fit.words == 1 else f"All {fit.words} words are unknown."
    return f"{len(fit.unknown)} of {fit.words} words are unknown."
