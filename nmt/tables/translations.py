"""Translations of many sentences as a file."""

from __future__ import annotations

from collections.abc import Sequence

from nmt.results import FinishedTranslation


def as_tsv(translations: Sequence[FinishedTranslation]) -> str:
    """Format as a header line, then one line per sentence: source, translation, log-probability in nats. A tab or line
    break within a text becomes a space.

    >>> as_tsv([FinishedTranslation(source="a\\tb", text="c", tokens=2, log_probability=-0.5)])
    'source\\ttranslation\\tlog_probability\\na b\\tc\\t-0.5\\n'
    """
    rows = [["source", "translation", "log_probability"]]
    rows += [[_flat(one.source), _flat(one.text), repr(float(one.log_probability))] for one in translations]
    return "".join("\t".join(row) + "\n" for row in rows)


def _flat(text: str) -> str:
    return " ".join(text.replace("\t", " ").splitlines())
