"""Export of an alignment as a figure that can be cited, a page of its own, a table, or a file."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Literal

import pandas as pd
import streamlit as st

from nmt.alignments.formats import FORMATS, file_name
from nmt.alignments.measures import AlphaDifference, difference, difference_of_pairs
from nmt.alignments.policy import Policy, Rule, restrict
from nmt.charts.citation import Citation
from nmt.charts.figure3 import PrintSettings, figure3
from nmt.charts.print_figure import PrintFigure
from nmt.charts.ribbons import ribbons_figure
from nmt.charts.style import line_style
from nmt.errors import InputError
from nmt.instrument import page_of
from nmt.records import to_data
from nmt.results import Alignment
from nmt.runs.folder import RunInfo
from nmt.texts import APP, CHARTS, LOOK
from nmt.ui.address import drop_number_outside
from nmt.ui.components import offer_file
from nmt.ui.compute import errors_shown
from nmt.ui.formatting import escaped
from nmt.ui.instrument import Chosen, MapView
from nmt.ui.look.explore.draw import about as said_about
from nmt.ui.look.explore.files import DIRECTIONS, NOT_ALPHA, one_of, part_title
from nmt.ui.look.explore.form import DIFFERENCE, ExplorerView
from nmt.ui.look.explore.shown import Shown, record_of, with_effect
from nmt.ui.resources import read_translator
from nmt.ui.tasks import TranslateTask, chosen_settings


def weights_table(alignment: Alignment) -> pd.DataFrame:
    """Return alpha [T_y, T_x], one row per target word, one column per source word; numbered, since words repeat."""
    return pd.DataFrame(
        alignment.weights,
        index=pd.Index([f"{i} {word}" for i, word in enumerate(alignment.target, 1)], name=APP.target),
        columns=pd.Index([f"{j} {word}" for j, word in enumerate(alignment.source, 1)], name=APP.source),
    )


_FIGURES = ("PDF", "SVG", "PNG")
_HTML, _TABLE = "HTML", "Table"
_LONGEST_NAME = 60
_RULES: tuple[Rule, ...] = ("argmax", "threshold", "mass")
_BASES: tuple[Literal[0, 1], ...] = (0, 1)


@dataclass(frozen=True, eq=False, kw_only=True)
class Saved:
    """What can be saved: a map as it is shown, or the difference of two.

    Attributes:
        title: of its panel.
        map: the difference, or the words and weights that are shown.
        shown: whose map it is; of a difference the first of the two.
        other: of a difference the second; None for a map.
    """

    title: str
    map: Alignment | AlphaDifference
    shown: Shown
    other: Shown | None = None

    @property
    def of_one(self) -> bool:
        """Whether it is no difference."""
        return self.other is None

    @property
    def values(self) -> str:
        """Name of the values."""
        shown = self.shown
        if shown.stands_in:
            effect = CHARTS.effect
            return effect if self.of_one else LOOK.difference_values.format(effect=effect)
        if shown.part:
            part = part_title(shown.part)
            return part if self.of_one else LOOK.difference_values.format(effect=part)
        if not self.of_one:
            return APP.difference_values
        if shown.imported is None:
            return CHARTS.alpha_values
        return LOOK.values_of_file if shown.imported.kind == "weights" else LOOK.values_of_links

    def table(self) -> pd.DataFrame:
        """The weights, one row per target word and one column per source word."""
        one = self.map
        weights = one.weights if isinstance(one, Alignment) else one.delta
        return weights_table(Alignment(source=one.source, target=one.target, weights=weights))


def saved(view: ExplorerView, before: Sequence[Shown], after: Sequence[Shown], now: Chosen) -> list[Saved]:
    """All that can be saved of what the reader sees."""
    some = [_with_map(each).of_map(now.view.map) for each in (before if now.seen == "before" else after)]
    if now.seen == "change":
        firsts = [_with_map(each).of_map(now.view.map) for each in before]
        return [
            Saved(
                title=LOOK.change_title.format(name=each.title, change=LOOK.after_minus_before),
                map=difference_of_pairs(shown_map(old, now.view), shown_map(each, now.view)),
                shown=old,
                other=each,
            )
            for old, each, plain in zip(firsts, some, before, strict=True)
            if each.weights is not None and old.weights is not None and each.decoded is not plain.decoded
        ]
    found = [
        Saved(title=each.title, map=shown_map(each, now.view), shown=each) for each in some if each.weights is not None
    ]
    alpha = [each for each in found if not each.shown.stands_in]
    if DIFFERENCE in view.settings.options and len(alpha) > 1:
        one, other = alpha[:2]
        title = LOOK.difference_title.format(second=other.title, first=one.title)
        maps = [each.map for each in (one, other) if isinstance(each.map, Alignment)]
        with suppress(InputError):  # other words: the panel says so, and there is nothing to save
            found.append(Saved(title=title, map=difference(*maps), shown=one.shown, other=other.shown))
    return found


def _with_map(shown: Shown) -> Shown:
    """The same, with what its words depended on where a system has no attention and that can be computed."""
    return with_effect(shown) or shown if shown.weights is None and shown.decoded is not None else shown


def shown_map(shown: Shown, view: MapView) -> Alignment:
    """The words and weights of a map that are shown."""
    units = shown.units(pieces=view.pieces)
    return restrict(units, without_end=not view.end, without_punctuation=not view.punctuation).alignment


def show_export(
    view: ExplorerView, before: Sequence[Shown], after: Sequence[Shown], now: Chosen, *, changed: bool
) -> None:
    """Choose a panel and a format, and save; what is chosen is written into the file, or into its name.

    Args:
        changed: whether the reader changed anything, which no command draws again.
    """
    panels = {each.title: each for each in saved(view, before, after, now)}
    ribbons = {
        LOOK.ribbons.format(title=title): each for title, each in panels.items() if each.of_one and each.shown.has_alpha
    }
    everything = [LOOK.everything] if len(panels) + len(ribbons) > 1 else []
    titles = {name: chosen.title for name, chosen in FORMATS.items()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.selectbox(
            LOOK.panel, [*panels, *ribbons, *everything], key="take-panel", bind="query-params", width=240
        )
        chosen = panels.get(title)
        kinds = [*_FIGURES]
        if chosen is not None or title in everything:
            kinds += [_HTML, _TABLE, *(titles.values() if chosen is not None and chosen.of_one else ())]
        kind = st.selectbox(LOOK.format, kinds, key="take-format", bind="query-params", width=240)
    some = {name: each for name, each in (ribbons | panels).items() if title in (name, *everything)}
    if kind in _FIGURES:
        _show_figure(view, some, kind, {*ribbons}, now, changed=changed)
    elif kind == _HTML:
        _show_page(view, before, after, now)
    elif kind == _TABLE:
        for name in (name for name in panels if name in some):
            st.caption(escaped(name))
            st.dataframe(panels[name].table().style.format(precision=3))
    elif chosen is not None:
        _show_file(view, chosen, now.view, next(name for name, known in titles.items() if known == kind))


def file_stem(sentence: str, *titles: str) -> str:
    """Begin the name of a file with the sentence, in letters that every system takes, and what is drawn of it.

    >>> file_stem("Où est l'hôpital le plus proche ?", "rnnsearch-50"), file_stem("猫が寝ている。", "a/b")
    ('Où-est-l-hôpital-le-plus-proche.rnnsearch-50', '猫が寝ている.a-b')
    """
    parts = [
        re.sub(r"\W+", "-", text).strip("-") for text in (shorten(sentence, _LONGEST_NAME, placeholder=""), *titles)
    ]
    return ".".join(part[:_LONGEST_NAME] for part in parts if part) or "alignment"


@errors_shown()
def _show_figure(
    view: ExplorerView,
    in_file: Mapping[str, Saved],
    kind: str,
    ribbons: Collection[str],
    now: Chosen,
    *,
    changed: bool,
) -> None:
    """Offer figures as drawn above: the same words, scale and gold links; several on a page each, or with their tables
    in an archive. ``ribbons``: names of those that are ribbons."""
    with st.spinner(APP.drawing):
        figures = [ribbons_of(each) if n in ribbons else figure_of(each, now.view) for n, each in in_file.items()]
    missing = dict.fromkeys(word for figure in figures for word in figure.missing_glyphs)
    if missing:
        st.warning(escaped(APP.missing_glyphs.format(words=", ".join(missing))), icon=":material/warning:")
    ending = kind.lower()
    citations = [_citation(view, each, changed=changed or name in ribbons) for name, each in in_file.items()]
    names = [(each.title, *("ribbons",)[: name in ribbons]) for name, each in in_file.items()]
    about = "\n".join(dict.fromkeys(citation.about for citation in citations if citation is not None))
    archive = len(figures) > 1 and kind != "PDF"

    def data() -> bytes:
        if not archive:
            return figures[0].to_bytes(ending, about) if len(figures) == 1 else figures[0].pages(figures, about)
        files = {
            f"{file_stem('', *name)}.{ending}": figure.to_bytes(ending, "" if citation is None else citation.about)
            for name, figure, citation in zip(names, figures, citations, strict=True)
        }
        tables = {each.title: each.table().to_csv() for each in in_file.values()}
        return _zipped(files | {f"{file_stem('', name)}.csv": table.encode() for name, table in tables.items()})

    file = f"{file_stem(view.sentence, *dict.fromkeys(sum(names, ())))}.{'zip' if archive else ending}"
    offer_file(LOOK.save_as.format(format=f"{kind}, ZIP" if archive else kind), data, file)
    citation = citations[0]
    if citation is not None:
        st.caption(LOOK.metadata if citation.redrawable else LOOK.metadata_alone)
        if citation.redrawable:
            st.caption(LOOK.draw_again)
            st.code(citation.command, language=None, wrap_lines=True)
        st.caption(LOOK.latex)
        st.code(citation.latex(file), language="latex", wrap_lines=True)
    first = next(iter(in_file.values()))
    if kind == "PDF" and first.of_one and first.shown.has_alpha and first.shown.decoded is not None:
        _offer_paper_figure(first.shown.decoded.run)


def _offer_paper_figure(run: RunInfo) -> None:
    """Offer the four panels of the paper's Figure 3 by this run, which are translated when they are asked for."""

    def four_panels() -> bytes:
        from nmt.figures import figure3_pdf, figure3_sentences

        model = read_translator(run.path)
        return figure3_pdf({run.name: model.translate(figure3_sentences([model]))})

    st.caption(LOOK.paper_figure_means.format(name=escaped(run.name)))
    offer_file(LOOK.paper_figure, four_panels, f"figure3.{run.name}.pdf")


def _zipped(files: Mapping[str, bytes]) -> bytes:
    """An archive of files by name, the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def ribbons_of(chosen: Saved) -> PrintFigure:
    """Draw the ribbons of a panel for print."""
    shown = chosen.shown
    caption = LOOK.figure_caption.format(title=shown.title, values=chosen.values)
    words = restrict(shown.units(pieces=False), without_end=True).undivided
    return ribbons_figure(words, line_style(shown.number).colour, caption)


def _citation(view: ExplorerView, chosen: Saved, *, changed: bool) -> Citation | None:
    """Collect what is needed to cite the figure; None for a difference, for weights from a file, and
    for a committee and hard attention."""
    shown = chosen.shown
    if not chosen.of_one or shown.decoded is None or shown.decoded.manner:
        return None
    run = shown.decoded.run
    task = TranslateTask(run, view.sentence, chosen_settings(run, view.settings.beam, view.settings.unknown))
    return Citation(
        checkpoint=run.name,
        weights_sha256=task.fingerprint.weights,
        update=run.weights.update,
        sentence=view.sentence,
        target=view.target.typed,
        translation=shown.decoded.text,
        search=task.settings,
        own=run.config.search,
        precision=task.precision,
        values=chosen.values,
        redrawable=not (shown.stands_in or shown.part or changed),
    )


def figure_of(chosen: Saved, view: MapView) -> PrintFigure:
    """Draw a panel for print, with the words and the scale that it has on the page."""
    shown = chosen.shown
    title = ", ".join(part for part in (chosen.title, shown.condition * chosen.of_one) if part)
    run = None if shown.decoded is None else shown.decoded.run
    record = record_of("", "" if run is None else run.source_language, [shown, *filter(None, [chosen.other])])
    assert record is not None
    systems = [replace(each, maps=tuple(filter(None, [each.main_map]))) for each in record.systems]
    settings = PrintSettings(
        policy=policy_of(replace(view, pieces=view.pieces and not (shown.stands_in and shown.decoded))),
        scale=view.printed_scale,
        marks=True,
        transposed=view.transposed,
        difference=not chosen.of_one,
        caption=LOOK.figure_caption.format(title=title, values=chosen.values),
    )
    return figure3(replace(record, systems=tuple(systems)), settings=settings)


def policy_of(view: MapView) -> Policy:
    """The policy of what is shown."""
    return Policy(
        subwords="pieces" if view.pieces else "words",
        end_mark="kept" if view.end else "removed",
        punctuation="kept" if view.punctuation else "removed",
    )


def _show_page(view: ExplorerView, before: Sequence[Shown], after: Sequence[Shown], now: Chosen) -> None:
    shown = [_with_map(each) for each in (before if now.seen == "before" else after)]
    runs = [each.decoded.run for each in shown if each.decoded is not None]
    facts = [
        (run.name, LOOK.page_weights.format(update=run.weights.update, sha256=run.weights.sha256())) for run in runs
    ]
    record = record_of(view.sentence, runs[0].source_language if runs else "", shown)

    def page() -> str:
        assert record is not None
        said = said_about(view, shown, shown)
        return page_of(view.sentence, record.to_dict(), said, to_data(now.view), facts)

    st.caption(LOOK.page)
    offer_file(LOOK.save_as.format(format=_HTML), page, f"{file_stem(view.sentence)}.html")


@errors_shown()
def _show_file(view: ExplorerView, chosen: Saved, shown: MapView, name: str) -> None:
    known = FORMATS[name]
    policy = policy_of(shown)
    if known.holds != "weights":
        with st.container(horizontal=True, vertical_alignment="bottom"):
            rule = one_of(LOOK.links_by, _RULES, "take-rule", bind="query-params")
            drop_number_outside("take-share", LOOK.at_least, 0.05, 1)
            share = st.slider(LOOK.at_least, 0.05, 1.0, 0.3, 0.05, key="take-share", bind="query-params", width=220)
            base = one_of(LOOK.count_from, _BASES, "take-base", bind="query-params")
            direction = one_of(LOOK.order, DIRECTIONS, "take-direction", bind="query-params")
        policy = replace(policy, rule=rule, threshold=share, mass=share, base=base, direction=direction)
    assert chosen.shown.weights is not None
    run = f"{chosen.title}, {NOT_ALPHA}" if chosen.shown.stands_in else chosen.title
    st.caption(escaped(f"{policy.of_weights if known.holds == 'weights' else policy.of_links}."))
    text = known.write([chosen.shown.weights], policy, run)
    file = file_name(name, policy, file_stem(view.sentence, run))
    offer_file(LOOK.save_as.format(format=known.title), text.encode(), file)
