"""A page that translates: one HTML file with the weights of one or more runs. It needs no server and no network.

Python collects the runs (payload.py) and writes the file. JavaScript in ``js/`` tokenises, encodes, searches and draws.
Tests compare the JavaScript with the corresponding Python. The page has the views of the app.
"""

import base64
import hashlib
import html
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nmt.charts.style import line_style
from nmt.charts.view_files import one_script
from nmt.instrument import json_in_html, styles, themed
from nmt.page.payload import BEAM, Payload, collect
from nmt.texts import languages

_FOLDER = Path(__file__).parent


def page_html(payload: Payload, title: str) -> str:
    """Write a page that opens from disk and translates without a network.

    The page's content security policy allows the page's script and styles, by their checksums, its worker and its
    WebAssembly module. It allows no request. The page has the texts of all languages. The script that inserts the texts
    stands before the weights, so that it runs while the browser reads the weights.
    """
    script = one_script(_FOLDER / "js" / "page.js")
    worker = one_script(_FOLDER / "js" / "worker.js")
    document, style = (_FOLDER / "page.html").read_text("utf-8"), themed(_FOLDER / "page.css")
    colours = {
        name: [line_style(number, dark=dark).colour for number in range(len(payload.weights))]
        for name, dark in (("light", False), ("dark", True))
    }
    source = payload.data["runs"][0]["source_language"]
    engine = base64.b64encode((_FOLDER / "engine.wasm").read_bytes()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src {_hashed(script)} 'wasm-unsafe-eval'; style-src {_hashed(style)}; "
        "worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )
    weights = "\n".join(
        f'<script type="application/octet-stream" id="weights-{k}">{text}</script>'
        for k, text in enumerate(payload.weights)
    )
    return document.format(
        title=html.escape(title),
        policy=html.escape(policy),
        style=style,
        script=script,
        worker=worker,
        texts=json_in_html({"languages": payload.languages, "styles": styles(), "source_language": source}),
        data=json_in_html(payload.data | {"colours": colours, "engine": engine}),
        weights=weights,
        **_lists(payload),
    )


def _lists(payload: Payload) -> dict[str, str]:
    """HTML of buttons, boxes, runs and attributions, and of the text for a browser without JavaScript."""
    runs, beams = payload.data["runs"], payload.data["beams"]
    button = '<button type="button" class="example" dir="auto" title="{sentence}" data-text="title-{number}"></button>'
    box = '<label class="run"><input type="checkbox" value="{number}" checked><span dir="auto">{name}</span></label>'
    language = '<button type="button" class="language" lang="{code}" hidden>{name}</button>'
    attributions = _each("<li>{text}</li>", ({"text": text} for text in payload.attributions))
    names = languages()
    texts = [{"code": code, "name": names[code]} | content["texts"] for code, content in payload.languages.items()]
    return {
        "language_buttons": _each(language, texts),
        "example_buttons": _each(button, payload.languages["en"]["examples"]),
        "run_boxes": _each(box, runs),
        "beam_options": "".join(f"<option{' selected' * (k == payload.data['beam'])}>{k}</option>" for k in beams),
        "run_lines": _each('<li data-text="run-{number}"></li>', runs),
        "attributions": f'<h2 data-text="trained_on"></h2><ul lang="en">{attributions}</ul>' if attributions else "",
        "no_script": _each('<p lang="{code}">{no_script}</p>', texts),
    }


def _each(template: str, rows: Iterable[dict[str, Any]]) -> str:
    """Fill the template once for each row, with the row's values as text, and with its index as ``number``."""
    texts = ({name: html.escape(str(value)) for name, value in row.items()} for row in rows)
    return "".join(template.format(number=number, **text) for number, text in enumerate(texts))


def _hashed(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return f"'sha256-{digest}'"
