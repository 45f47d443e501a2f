"""Notice above a result that means little, because the checkpoint cannot read the sentence."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nmt.data.line_words import strange_writing
from nmt.errors import InputError
from nmt.runs.folder import RunInfo
from nmt.ui import strings
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.formatting import counted, escaped, language, listed
from nmt.ui.resources import vocabularies


def show_notices(text: str, runs: Mapping[str, RunInfo], *, unknown_words: bool = True) -> None:
    """Show one notice for all checkpoints it applies to: the text is not in their language, or consists mostly of
    unknown words.

    Args:
        unknown_words: whether they are counted; not where ``text`` is only the beginning of what is translated.
    """
    names: dict[tuple[str, str], list[str]] = {}
    for name, run in runs.items():
        reason = misfit(text, run, unknown_words=unknown_words)
        if reason:
            names.setdefault((reason, run.source_language), []).append(name)
    for (reason, source), which in names.items():
        notice = counted(
            len(which), strings.MEANS_LITTLE, reason=reason, names=escaped(listed(which)), language=language(source)
        )
        st.warning(notice, icon=":material/translate:")


def looks_like(text: str, run: RunInfo) -> str:
    """The code of the language that a text looks like, if it is one that a checkpoint on this machine writes instead of
    the one that ``run`` reads; "" for any other text.

    Each language is compared with that of ``run`` by the two vocabularies of one checkpoint, which were counted from
    the same texts.
    """
    between = {run.target_language: run}
    for other in find_checkpoints().usable.values():
        if other.source_language == run.source_language:
            between.setdefault(other.target_language, other)
    for code, each in between.items():
        try:
            if not strange_writing(text, code) and vocabularies(each).fit(text).in_target_language:
                return code
        except InputError:
            continue
    return ""


def misfit(text: str, run: RunInfo, *, unknown_words: bool = True) -> str:
    """A sentence on what in a text is strange for a checkpoint; "" if nothing is."""
    writing = strange_writing(text, run.source_language)
    if writing:
        return strings.IN_OTHER_WRITING.format(writing=writing)
    other = looks_like(text, run)
    if other:
        return strings.IN_OTHER_LANGUAGE.format(language=language(other))
    if not unknown_words:
        return ""
    try:
        fit = vocabularies(run).fit(text)
    except InputError:
        return ""
    if not fit.mostly_unknown:
        return ""
    if len(fit.unknown) == fit.words:
        return counted(fit.words, strings.ALL_UNKNOWN)
    return strings.MOSTLY_UNKNOWN.format(unknown=len(fit.unknown), words=fit.words)
