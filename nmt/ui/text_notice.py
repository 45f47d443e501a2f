"""What is said above a result that means little, because the checkpoint cannot read the sentence."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nmt.data.line_words import strange_writing
from nmt.errors import InputError
from nmt.runs.folder import RunInfo
from nmt.ui import strings
from nmt.ui.formatting import counted, escaped, language, listed
from nmt.ui.resources import vocabularies


def show_notices(sentence: str, runs: Mapping[str, RunInfo]) -> None:
    """Say once for all checkpoints alike that a sentence is not in their language, or mostly of unknown words."""
    names: dict[tuple[str, str], list[str]] = {}
    for name, run in runs.items():
        found = _reason(sentence, run)
        if found:
            names.setdefault((found, run.source_language), []).append(name)
    for (reason, source), which in names.items():
        said = counted(
            len(which), strings.MEANS_LITTLE, reason=reason, names=escaped(listed(which)), language=language(source)
        )
        st.warning(said, icon=":material/translate:")


def _reason(sentence: str, run: RunInfo) -> str:
    """A sentence on what is strange; "" if nothing is."""
    writing = strange_writing(sentence, run.source_language)
    if writing:
        return strings.IN_OTHER_WRITING.format(writing=writing)
    try:
        fit = vocabularies(run).fit(sentence)
    except InputError:
        return ""
    if fit.in_target_language:
        return strings.IN_TARGET_LANGUAGE.format(language=language(run.target_language))
    if not fit.mostly_unknown:
        return ""
    if len(fit.unknown) == fit.words:
        return counted(fit.words, strings.ALL_UNKNOWN)
    return strings.MOSTLY_UNKNOWN.format(unknown=len(fit.unknown), words=fit.words)
