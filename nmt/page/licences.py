"""Attributions that go with weights: the corpora that they were trained on, with authors and terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nmt.data.corpora.registry import CORPORA
from nmt.runs.folder import RunInfo
from nmt.runs.provenance import Provenance, read_provenance

_RESEARCH = "Weights trained on it are for research and teaching."

_NOTICES = {
    "Open Government Licence - Canada": "Contains information licensed under the Open Government Licence - Canada. "
    "Not an official version, nor endorsed by the Government of Canada.",
    "for research; the images' terms are Flickr's": _RESEARCH,
    "for research (WMT)": _RESEARCH,
}
"""Notice that the terms of a corpus require with everything made from it (checkpoints/LICENSES.md)."""


@dataclass(frozen=True, kw_only=True)
class Attribution:
    """Attribution of a corpus. All but the title may be empty.

    Attributes:
        title: its name or description.
        citation: its authors.
        licence: its terms.
        home: address of its page.
        notice: notice that its terms require.
    """

    title: str
    citation: str = ""
    licence: str = ""
    home: str = ""
    notice: str = ""

    def sentences(self) -> str:
        """The attribution in sentences."""
        parts = (self.title, self.citation, f"Licence: {self.licence or 'not known here'}", self.home, self.notice)
        return " ".join(part if part.endswith(".") else f"{part}." for part in parts if part)


def attributions(runs: Sequence[RunInfo]) -> tuple[Attribution, ...]:
    """Attributions of all corpora that the runs, and the runs that they began with, were trained on; each once."""
    by_text: dict[str, Attribution] = {}
    for run in runs:
        for folder in _folders(read_provenance(run.path)):
            by_text.setdefault(folder, _attribution(folder))
    return tuple(by_text.values())


def _folders(provenance: Provenance | None) -> Iterable[str]:
    while provenance is not None:
        yield from (corpus.source.split("/")[0] for corpus in provenance.train)
        provenance = provenance.initial.provenance if provenance.initial is not None else None


def _attribution(folder: str) -> Attribution:
    for corpus in CORPORA.values():
        if corpus.folder == folder:
            return Attribution(
                title=corpus.title,
                citation=corpus.citation,
                licence=corpus.licence,
                home=corpus.home,
                notice=_NOTICES.get(corpus.licence, ""),
            )
    return Attribution(title=folder)
