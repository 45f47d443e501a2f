"""The instrument: one script over one record of a sentence, for every place that shows what systems made of it.

``js/instrument.js`` has its one entry, ``mount(element, record, host)`` (docs/instrument.md). It draws with the views
of ``nmt/charts``. Python brings it the styles, and to a notebook a frame.
"""

import base64
import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nmt.charts.view_files import one_script, view_files
from nmt.texts import view_texts

FOLDER = Path(__file__).parent
_COMMENTS = re.compile(r"^\s*(?://|/\*\*|\*[ /]|\*$).*\n", re.MULTILINE)
_INDENT = re.compile(r"^[ ]+", re.MULTILINE)


def styles() -> dict[str, str]:
    """The style of each of its parts by name, for a page that cannot load files."""
    views = {name: view_files(name).css for name in ("ribbons", "alignment_view", "small_figure")}
    return views | {"instrument": (FOLDER / "instrument.css").read_text("utf-8")}


def texts() -> dict[str, Any]:
    """Its texts in the language of the present reader, those of the views that it draws with among them."""
    return view_texts("instrument", "ribbons", "alignment_view")


def cell(record: Mapping[str, Any], picture: bytes, height: int) -> str:
    """Show a record in a notebook: a frame of its own, which shares nothing with other cells and asks for nothing.

    Args:
        record: of a sentence (docs/formats.md), JSON-ready.
        picture: its ribbons as SVG, which stand behind the frame and are seen where no script runs.
        height: of the frame, pixels.
    """
    page, theme = ((FOLDER / name).read_text("utf-8") for name in ("notebook.html", "notebook.css"))
    script = _INDENT.sub("", _COMMENTS.sub("", one_script(FOLDER / "js" / "notebook.js")))
    shown = page.format(theme=theme, record=_json(record), styles=_json(styles()), texts=_json(texts()), script=script)
    text = html.escape("; ".join(system["text"] for system in record["systems"]))
    drawn = base64.b64encode(picture).decode("ascii")
    place = "grid-area: 1 / 1"
    return (
        '<div style="display: grid">'
        f'<img src="data:image/svg+xml;base64,{drawn}" alt="{text}" style="{place}; background: #fff">'
        f'<iframe srcdoc="{html.escape(shown)}" sandbox="allow-scripts" title="{text}" '
        f'style="{place}; width: 100%; height: {height}px; border: 0"></iframe></div>'
    )


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
