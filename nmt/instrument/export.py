"""Exports of a record in the instrument: figures for print, a page, tables, alignments."""

import base64
import csv
import io
import mimetypes
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from textwrap import shorten
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from nmt.alignments.formats import FORMATS, file_name
from nmt.alignments.formats.one_sentence import NOT_ALPHA
from nmt.alignments.measures import difference_of_pairs
from nmt.alignments.policy import Direction, Policy, Rule, restrict
from nmt.charts.citation import Citation
from nmt.charts.figure3 import PrintSettings, figure3
from nmt.charts.print_figure import PrintFigure
from nmt.charts.ribbons import ribbons_figure
from nmt.charts.style import line_style
from nmt.instrument import About, page_of
from nmt.instrument.map_view import MapView
from nmt.records import to_data
from nmt.results import Alignment
from nmt.results.alignment import shortest
from nmt.results.record import ALPHA, HEAD, LEAVE_ONE_OUT, SentenceRecord, System
from nmt.texts import APP, INSTRUMENT

FORMS: dict[str, str] = {"PDF": "figure", "SVG": "figure", "PNG": "figure", "HTML": "page", "Table": "table"} | {
    form.title: form.holds for form in FORMATS.values()
}
"""Kind of content of each format, by name. js/export.js offers a format if a panel has its kind of content."""
_LONGEST_NAME = 60


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A user's request for an export, from js/export.js.

    Attributes:
        format: a format in ``FORMS``, or a format that only the host knows.
        maps: names of the systems whose maps to export. DIFFERENCE is the second of ``compared`` minus the first.
        compared: names of two systems, or () if no systems are compared.
        seen: "after" or "before" the user's changes. With "change" or "same", maps are differences of both.
        rule, share, base, direction: settings of links, see ``Policy``.
    """

    format: str = "PDF"
    maps: tuple[str, ...] = ()
    ribbons: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    seen: Literal["after", "before", "change", "same"] = "after"
    view: MapView = field(default_factory=MapView)
    rule: Rule = "argmax-null"
    share: Annotated[float, Field(ge=0.05, le=1)] = 0.3
    base: Literal[0, 1] = 0
    direction: Direction = "source-target"


DIFFERENCE = "difference"


@dataclass(frozen=True, eq=False, kw_only=True)
class Panel:
    """A shown map, or the difference of two maps.

    Attributes:
        title: name of the system, or of the difference.
        record: one system with this map alone, or two systems. Their difference is the second map minus the first.
        number: index of the system among all systems, which chooses the colour.
    """

    title: str
    record: SentenceRecord
    view: MapView
    number: int = 0
    ribbons: bool = False

    @property
    def kinds(self) -> set[str]:
        """Kinds of the one or two maps."""
        return {shown.kind for system in self.record.systems for shown in system.maps}

    @property
    def of_one(self) -> bool:
        """Whether the panel shows a single map, not a difference."""
        return len(self.record.systems) == 1

    @property
    def names(self) -> tuple[str, ...]:
        """The title, and "ribbons" if so, for the name of the file."""
        return (self.title, *["ribbons"] * self.ribbons)

    @property
    def policy(self) -> Policy:
        """Policy that keeps the shown tokens of the map. Leave-one-out maps have whole words only."""
        return Policy(
            subwords="pieces" if self.view.pieces and LEAVE_ONE_OUT not in self.kinds else "words",
            end_mark="kept" if self.view.end else "removed",
            punctuation="kept" if self.view.punctuation else "removed",
        )

    @property
    def values(self) -> str:
        """Name of the values, such as "alignment weights alpha"."""
        first = self.record.systems[0].maps[0]
        place = [INSTRUMENT.layer.format(layer=first.layer)] * (first.layer is not None)
        if first.kind == HEAD:
            place += [INSTRUMENT.mean_of_heads if first.head is None else INSTRUMENT.head.format(head=first.head)]
        values = ", ".join((INSTRUMENT.by_key.maps.get(first.kind, first.kind), *place))
        if self.of_one:
            return values
        of_alpha = self.kinds == {ALPHA}
        return INSTRUMENT.difference_values if of_alpha else INSTRUMENT.difference_with.format(values=values)

    @property
    def alignments(self) -> list[Alignment]:
        """The maps over all tokens, or over whole words if one of them is a leave-one-out map."""
        over_tokens = [system.alignment(system.maps[0]) for system in self.record.systems]
        return [alignment.merged() for alignment in over_tokens] if LEAVE_ONE_OUT in self.kinds else over_tokens

    def table(self) -> bytes:
        """The weights as CSV: a row for each target word, a column for each source word. Words are numbered."""
        shown = [self.policy.applied(alignment).alignment for alignment in self.alignments]
        values = shown[0] if self.of_one else difference_of_pairs(*shown)
        rows = shortest(values.weights if isinstance(values, Alignment) else values.delta)
        written = io.StringIO()
        table = csv.writer(written, lineterminator="\n")
        table.writerow([APP.target, *(f"{j} {word}" for j, word in enumerate(values.source, 1))])
        table.writerows([f"{i} {word}", *row] for i, (word, row) in enumerate(zip(values.target, rows, strict=True), 1))
        return written.getvalue().encode()

    def figure(self, condition: str = "") -> PrintFigure:
        """Draw the panel for print. ``condition``: condition of the translation, for the title."""
        if self.ribbons:
            words = restrict(self.alignments[0].merged(), without_end=True).undivided
            return ribbons_figure(words, line_style(self.number).colour, f"{self.title}: {self.values}")
        title = ", ".join(filter(None, (self.title, condition)))
        settings = PrintSettings(
            policy=self.policy,
            scale=self.view.printed_scale,
            marks=True,
            transposed=self.view.transposed,
            difference=not self.of_one,
            caption=f"{title}: {self.values}",
        )
        return figure3(self.record, settings=settings)


def panel_of(
    name: str, record: SentenceRecord, former: SentenceRecord | None, wanted: Wanted, *, ribbons: bool = False
) -> Panel | None:
    """The panel of a system, or of DIFFERENCE. None if a map is missing. ``former``: record to subtract, or None."""
    names = wanted.compared if name == DIFFERENCE else (name,)
    sides = [side for side in (former, record) if side is not None]
    systems = [_drawn(side, part, wanted.view.map) for part in names for side in sides]
    some = tuple(system for system in systems if system is not None)
    if not some or len(some) < len(systems):
        return None
    title = name
    if name == DIFFERENCE:
        title = INSTRUMENT.difference_of.format(first=names[0], second=names[1])
    elif former is not None:
        how = INSTRUMENT.new_source if wanted.seen == "same" else INSTRUMENT.after_minus_before
        title = INSTRUMENT.change_of.format(name=name, change=how)
    number = [system.name for system in record.systems].index(names[0])
    alone = replace(record, systems=some, gold=None)
    return Panel(title=title, record=alone, view=wanted.view, number=number, ribbons=ribbons)


def _drawn(record: SentenceRecord, name: str, key: str) -> System | None:
    """The system ``name`` with the single map that the instrument draws: ``key``, such as "head.2.1", or "head.2" for
    the mean of a layer. If this map is missing, alpha, else the first map. None without the system or maps."""
    system = next((entry for entry in record.systems if entry.rank == 1 and entry.name == name), None)
    if system is None or system.main_map is None:
        return None
    kind, *place = key.split(".")
    layer, head = ([int(number) for number in place if number.isdecimal()] + [None, None])[:2]
    of_layer = [entry for entry in system.maps if (entry.kind, entry.layer) == (kind, layer)]
    drawn = next((entry for entry in of_layer if entry.head == head), None)
    if drawn is None and kind == HEAD and head is None and len(of_layer) > 1:
        mean = np.mean([entry.weights for entry in of_layer], axis=0).tolist()
        drawn = replace(of_layer[0], head=None, weights=tuple(map(tuple, mean)))
    return replace(system, maps=(drawn or system.main_map,))


@dataclass(frozen=True, eq=False, kw_only=True)
class Taken:
    """An exported file. ``codes``: code that the user can copy, by title."""

    name: str
    data: bytes
    notes: Sequence[str] = ()
    codes: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON-ready data for js/export.js, the content in base64."""
        kind, data = mimetypes.guess_type(self.name)[0] or "text/plain", base64.b64encode(self.data).decode("ascii")
        return {"name": self.name, "type": kind, "data": data, "notes": [*self.notes], "codes": [*self.codes.items()]}


Cite = Callable[[Panel], Citation | None]
"""Function that returns the citation of a panel, or None if the panel shows no checkpoint."""


def take(
    wanted: Wanted,
    record: SentenceRecord,
    former: SentenceRecord | None = None,
    *,
    about: Mapping[str, About],
    facts: Sequence[tuple[str, str]] = (),
    cite: Cite = lambda panel: None,
) -> Taken | None:
    """Make the requested file. None if the format is unknown, or no requested map exists."""
    kind, sentence = FORMS.get(wanted.format, ""), record.source.text
    if kind == "page":
        page = page_of(sentence, record.to_dict(), about, to_data(wanted.view), facts)
        return Taken(name=f"{file_stem(sentence)}.html", data=page.encode())
    panels = [panel_of(name, record, None, wanted, ribbons=True) for name in wanted.ribbons * (kind == "figure")]
    some = [panel for panel in (*panels, *(panel_of(name, record, former, wanted) for name in wanted.maps)) if panel]
    if kind == "figure" and some:
        return _figures(wanted.format, sentence, some, about, cite)
    if kind == "table" and some:
        tables = {f"{file_stem('', panel.title)}.csv": panel.table() for panel in some}
        return _one_file(file_stem(sentence, *(panel.title for panel in some)), tables)
    if kind in ("weights", "links", "both") and some and some[0].of_one:
        return _alignments(wanted, sentence, some[0])
    return None


def _figures(kind: str, sentence: str, panels: Sequence[Panel], about: Mapping[str, About], cite: Cite) -> Taken:
    """Write the panels as figures. Several figures become pages of a PDF, or an archive with their tables."""
    figures = [panel.figure(about.get(panel.title, {}).get("condition", "")) for panel in panels]
    citations = [cite(panel) for panel in panels]
    described = ["" if citation is None else citation.about for citation in citations]
    ending, several = kind.lower(), len(figures) > 1
    stem = file_stem(sentence, *dict.fromkeys(part for panel in panels for part in panel.names))
    if kind == "PDF" and several:
        pages = figures[0].pages(figures, "\n".join(dict.fromkeys(filter(None, described))))
        taken = Taken(name=f"{stem}.pdf", data=pages)
    else:
        files = {
            f"{file_stem('', *panel.names)}.{ending}": figure.to_bytes(ending, text)
            for panel, figure, text in zip(panels, figures, described, strict=True)
        }
        tables = {f"{file_stem('', item.title)}.csv": item.table() for item in panels if several and not item.ribbons}
        taken = _one_file(stem, files | tables)
    missing = dict.fromkeys(word for figure in figures for word in figure.missing_glyphs)
    notes, codes = [APP.missing_glyphs.format(words=", ".join(missing))] * bool(missing), dict[str, str]()
    if citation := citations[0]:
        texts = INSTRUMENT.by_key.export
        notes.append(texts["metadata"] if citation.redrawable else texts["metadata_alone"])
        codes = {texts["draw_again"]: citation.command} if citation.redrawable else {}
        codes[texts["latex"]] = citation.latex(taken.name)
    return replace(taken, notes=notes, codes=codes)


def _alignments(wanted: Wanted, sentence: str, panel: Panel) -> Taken:
    """Write the map as a file of weights or links. A note says how the weights were changed or the links chosen."""
    name, form = next((name, form) for name, form in FORMATS.items() if form.title == wanted.format)
    share, of_weights = wanted.share, form.holds == "weights"
    chosen = replace(panel.policy, rule=wanted.rule, base=wanted.base, direction=wanted.direction)
    policy = replace(chosen, threshold=share, mass=share)
    run = f"{panel.title}, {NOT_ALPHA}" if LEAVE_ONE_OUT in panel.kinds else panel.title
    data = form.write(panel.alignments, policy, run).encode()
    notes = [f"{policy.of_weights if of_weights else policy.of_links}."]
    return Taken(name=file_name(name, policy, file_stem(sentence, run)), data=data, notes=notes)


def _one_file(stem: str, files: Mapping[str, bytes]) -> Taken:
    """Return the only one of ``files``, or an archive of several. The same files give the same bytes."""
    if len(files) == 1:
        ((name, data),) = files.items()
        return Taken(name=f"{stem}{PurePath(name).suffix}", data=data)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return Taken(name=f"{stem}.zip", data=buffer.getvalue())


def file_stem(sentence: str, *titles: str) -> str:
    """The beginning of a file's name: the sentence, in letters that every system allows, and ``titles``.

    >>> file_stem("Où est l'hôpital le plus proche ?", "rnnsearch-50"), file_stem("猫が寝ている。", "a/b")
    ('Où-est-l-hôpital-le-plus-proche.rnnsearch-50', '猫が寝ている.a-b')
    """
    parts = (shorten(sentence, _LONGEST_NAME, placeholder=""), *titles)
    written = [re.sub(r"\W+", "-", part).strip("-")[:_LONGEST_NAME] for part in parts]
    return ".".join(filter(None, written)) or "alignment"
