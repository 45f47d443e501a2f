"""The instrument: one script that shows the record of a sentence, wherever results of systems are shown.

Its only entry is ``mount(element, record, host)`` in ``js/instrument.js`` (docs/instrument.md). The script draws with
the views of ``nmt/charts``. Python supplies the styles, and in a notebook the frame.
"""

import base64
import gzip
import html
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from nmt.charts.colour_scales import DIFFERENCE, SCALES, STAND_IN
from nmt.charts.view_files import ViewFiles, one_script, view_style
from nmt.texts import current, view_texts

FOLDER = Path(__file__).parent
_COMMENTS = re.compile(r"^\s*(?://|/\*\*|\*[ /]|\*$).*\n", re.MULTILINE)
_INDENT = re.compile(r"^[ ]+", re.MULTILINE)
_UNPACK = """<script type="module">
const packed = new Blob([Uint8Array.from(atob("PACKED"), (letter) => letter.charCodeAt(0))]);
document.write(await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).text());
document.close();
</script>"""
"""A page that becomes the page packed in it, a sixth as large. Without scripts or such a stream it stays empty."""


class About(TypedDict, total=False):
    """Facts on a system that the record lacks, in the reader's language. The host, such as the app, adds them."""

    colour: str
    trained_to: int | None  # source words of the longest sentence of its training
    kind: str  # of the system
    condition: str  # under which it wrote the translation
    own_text: str  # what it writes without that condition
    notes: list[str]  # on its translation, in place of those of the record
    note: str  # on its map
    changed: None  # no change had an effect on this system, even if it concerns the system
    kept: str  # how much of several sentences is kept if they are translated as one
    alone: list[list[str | bool]]  # words of the sentences one by one, and whether these are lost
    doubts: list[float | None]  # for each target word that is probably wrong, its probability
    judge: str  # the system that gives it this probability
    uncertain: bool  # whether nothing can be said on the order of its words
    movable: bool  # whether its weights can be dragged; by default those of its own translation
    panel: dict[str, Any]  # properties of its panel that are other than usual


def styles() -> dict[str, str]:
    """The CSS of the instrument's parts by name, for a page that cannot load files."""
    views = {name: view_style(name) for name in ("ribbons", "alignment_view", "small_figure")}
    return views | {"instrument": (FOLDER / "instrument.css").read_text("utf-8")}


def themed(style: Path) -> str:
    """The theme of pages outside the app (colours and font), followed by a stylesheet."""
    return (FOLDER / "theme.css").read_text("utf-8") + style.read_text("utf-8")


def texts() -> dict[str, Any]:
    """The texts of the instrument and its views in the current user's language."""
    return view_texts("instrument", "ribbons", "alignment_view")


@cache
def texts_and_scales(language: str) -> dict[str, Any]:
    """The instrument's texts and colour scales, cached by language. ``language`` must be the current user's."""
    assert language == current()
    return {"texts": texts(), "scales": scales()}


def app_files() -> ViewFiles:
    """The files of the app's component, styles included."""
    script = f"globalThis.jointlyStyles = {json_in_html(styles())};\n{_smaller(one_script(FOLDER / 'js' / 'app.js'))}"
    return ViewFiles('<div class="instrument"></div>', (FOLDER / "app.css").read_text("utf-8"), script)


def widget_files() -> ViewFiles:
    """The files of the notebook's widget, without the styles of the instrument's parts."""
    style = themed(FOLDER / "notebook.css").replace(":root", ".jointly").replace("body", ".jointly")
    return ViewFiles("", style, _smaller(one_script(FOLDER / "js" / "widget.js")))


def scales() -> dict[str, Any]:
    """The colour scales by name, with hyphens for spaces, and the scales of differences and leave-one-out maps."""
    named = {name.replace(" ", "-"): scale for name, scale in SCALES.items()} | {
        "difference": DIFFERENCE,
        "stand-in": STAND_IN,
    }
    return {name: scale.to_dict() for name, scale in named.items()}


def _smaller(script: str) -> str:
    """A script without comments and indentation."""
    return _INDENT.sub("", _COMMENTS.sub("", script))


def page_of(
    title: str,
    record: Mapping[str, Any],
    about: Mapping[str, About],
    view: Mapping[str, Any],
    facts: Sequence[tuple[str, str]],
) -> str:
    """Build a page that shows a record. Browsers can open it from disk, and it loads nothing from elsewhere.

    Args:
        title: title of the page, as text.
        about: facts on each system, by its name.
        view: settings of the shown maps, in the form of nmt/instrument/js/systems.js.
        facts: names and values below the picture, such as checkpoint and weights.
    """
    below = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in facts)
    host = {"about": about, "state": {"view": view}, "controls": True, "scales": scales()}
    return _page(
        title, "page.css", record, host, f"<main><h1>{html.escape(title)}</h1>\n", f"<dl>{below}</dl></main>\n"
    )


def cell(record: Mapping[str, Any], picture: bytes, height: int) -> str:
    """Show a record in a notebook, in a frame that shares nothing with other cells and loads nothing. ``picture``:
    ribbons of the record as SVG, behind the frame, for readers without scripts."""
    text = html.escape("; ".join(system["text"] for system in record["systems"]))
    drawn = base64.b64encode(picture).decode("ascii")
    packed = base64.b64encode(gzip.compress(_page("", "notebook.css", record, {}).encode(), mtime=0)).decode("ascii")
    place = "grid-area: 1 / 1"
    return (
        '<div style="display: grid; grid-template-columns: minmax(0, 1fr)">'
        f'<img src="data:image/svg+xml;base64,{drawn}" alt="{text}" style="{place}; max-width: 100%; background: #fff">'
        f'<iframe srcdoc="{html.escape(_UNPACK.replace("PACKED", packed))}" sandbox="allow-scripts" title="{text}" '
        f'style="{place}; width: 100%; height: {height}px; border: 0"></iframe></div>'
    )


def _page(
    title: str, theme: str, record: Mapping[str, Any], host: Mapping[str, Any], above: str = "", below: str = ""
) -> str:
    """A page with a record and the host's data for the instrument. ``above``, ``below``: HTML around the instrument."""
    return (
        (FOLDER / "page.html")
        .read_text("utf-8")
        .format(
            title=html.escape(title),
            theme=themed(FOLDER / theme),
            above=above,
            below=below,
            record=json_in_html(record),
            language=current(),
            host=json_in_html({**host, "styles": styles(), "texts": texts()}),
            script=_smaller(one_script(FOLDER / "js" / "page.js")),
        )
    )


def json_in_html(data: object) -> str:
    """JSON in a form that is safe within an element of a page."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
