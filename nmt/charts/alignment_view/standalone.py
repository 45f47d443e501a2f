"""The view as a self-contained HTML file: no server, no network."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any

from nmt.charts.view_files import view_files

_THEME = """
:root { color-scheme: light dark; --st-text-color: #10161d; --st-background-color: #ffffff; --st-primary-color: #0b6e99;
  --st-font: system-ui, "Noto Sans", sans-serif; --st-base-radius: 0.5rem; }
@media (prefers-color-scheme: dark) {
  :root { --st-text-color: #e6edf3; --st-background-color: #101418; --st-primary-color: #4fb3d9; } }
body { margin: 2rem auto; max-width: 80rem; padding: 0 1rem; background: var(--st-background-color);
  color: var(--st-text-color); font-family: var(--st-font); }
h1 { font-size: 1.25rem; } dt { font-weight: 600; } dd { margin: 0 0 0.5rem; overflow-wrap: anywhere; }
"""


def standalone_html(title: str, data: Mapping[str, Any], about: Sequence[tuple[str, str]] = ()) -> str:
    """Build a page that shows the result of ``view_data`` and opens from disk.

    Args:
        title: of the page, as text.
        about: names and values below the view, such as the checkpoint and the signature.
    """
    files = view_files("alignment_view", "standalone_page")
    facts = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in about)
    content = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'unsafe-inline'; img-src data:">
<title>{html.escape(title)}</title>
<style>{_THEME}{files.css}</style>
</head>
<body>
<main>
<h1>{html.escape(title)}</h1>
<div id="view">{files.html}</div>
<dl>{facts}</dl>
</main>
<script type="application/json" id="data">{content}</script>
<script type="module">
{files.js}</script>
</body>
</html>
"""
