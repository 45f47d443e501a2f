"""A page that translates: one HTML file with the weights of one or more runs, which needs no server and no network.

Python collects the runs (payload.py) and writes the file; JavaScript in ``js/`` tokenises, encodes,
searches and draws. It is tested against the Python that it follows; the views are the app's own.
"""

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nmt.charts.alignment_view import view_data
from nmt.charts.style import line_style
from nmt.charts.view_files import ViewFiles, one_script, view_files
from nmt.page import strings
from nmt.page.payload import BEAM, Payload, collect

_FOLDER = Path(__file__).parent


def page_html(payload: Payload, title: str) -> str:
    """Write a page that opens from disk and translates without a network.

    Its content security policy allows its own script and styles alone, by their checksums, a worker made from text that
    the page carries, and no request at all.

    Args:
        title: of the page, as text.
    """
    runs: Sequence[dict[str, Any]] = payload.data["runs"]
    script, worker = (one_script(_FOLDER / "js" / name) for name in ("page.js", "worker.js"))
    views = view_files("alignment_view", "standalone_page"), view_files("ribbons"), view_files("small_figure")
    matrices, ribbons, figure = (_framed(files) for files in views)
    style = (_FOLDER / "page.css").read_text("utf-8")
    body = (_FOLDER / "page.html").read_text("utf-8")
    colours = {
        name: [line_style(number, dark=dark).colour for number in range(len(runs))]
        for name, dark in (("light", False), ("dark", True))
    }
    settings = view_data([], scale="paper")
    data = payload.data | {"colours": colours, "view": settings}
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hashed(script)}",
            f"style-src {' '.join(_hashed(text) for text in (style, *(files.css for files in views)))}",
            "worker-src blob:",
            "connect-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    content = body.format(
        title=html.escape(title),
        about=html.escape(_about(runs)),
        ribbons=ribbons,
        matrices=matrices,
        figure=figure,
        footer=_footer(payload),
        **_choices(payload),
        **{name: html.escape(text) for name, text in strings.FORM.items()},
    )
    weights = "\n".join(
        f'<script type="application/octet-stream" id="weights-{k}">{text}</script>'
        for k, text in enumerate(payload.weights)
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">
<title>{html.escape(title)}</title>
<style>{style}</style>
</head>
<body>
{content}
<script type="application/json" id="data">{_json(data)}</script>
<script type="text/plain" id="worker">{worker}</script>
{weights}
<script type="module">{script}</script>
</body>
</html>
"""


def _about(runs: Sequence[dict[str, Any]]) -> str:
    kinds = {strings.KINDS[run["architecture"]] for run in runs}
    return strings.ABOUT.format(kinds=kinds.pop() if len(kinds) == 1 else strings.BOTH_KINDS)


def _choices(payload: Payload) -> dict[str, str]:
    """Buttons of the examples, boxes of the runs, and the beams."""
    data = payload.data
    button = '<button type="button" class="example" dir="auto" title="{sentence}">{title}</button>'
    box = '<label class="run"><input type="checkbox" value="{number}" checked><span dir="auto">{name}</span></label>'
    return {
        "example_buttons": "".join(
            button.format(sentence=html.escape(each["sentence"]), title=html.escape(each["title"]))
            for each in data["examples"]
        ),
        "run_boxes": "".join(
            box.format(number=number, name=html.escape(run["name"])) for number, run in enumerate(data["runs"])
        ),
        "beam_options": "".join(
            f"<option{' selected' * (beam == data['beam'])}>{beam}</option>" for beam in data["beams"]
        ),
    }


def _footer(payload: Payload) -> str:
    """Runs, licences and attributions."""
    runs = [
        strings.RUN.format(
            name=run["name"],
            source=run["source_language"],
            target=run["target_language"],
            parameters=run["parameters"],
            sha256=run["sha256"],
        )
        for run in payload.data["runs"]
    ]
    parts = [f"<h2>{html.escape(strings.WEIGHTS)}</h2>", _list(runs)]
    if payload.attributions:
        parts += [f"<h2>{html.escape(strings.TRAINED_ON)}</h2>", _list(payload.attributions)]
    return "\n".join([*parts, f"<p>{html.escape(strings.PROGRAM)}</p>"])


def _list(items: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{html.escape(item)}</li>' for item in items)}</ul>"


def _framed(files: ViewFiles) -> str:
    """Frame and style of a view, for a shadow tree of its own, since the two views use the same class names."""
    return f"<style>{files.css}</style>{files.html}"


def _hashed(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
