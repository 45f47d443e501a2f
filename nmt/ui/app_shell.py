"""The frame around every page: which pages there are, and how a page opens."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from textwrap import shorten
from urllib.parse import unquote, urlsplit

import streamlit as st
from streamlit.navigation.page import Page

from nmt.ui import strings
from nmt.ui.address import carry_notice, not_there, open_address
from nmt.ui.checkpoints import ROOT
from nmt.ui.history import tidy_history
from nmt.ui.links import consume_link

_LEGIBLE = """<style>
[data-testid="stMain"] { scrollbar-gutter: stable; } /* else a matrix that fits the width may come and go with it */
[data-testid="stMainBlockContainer"] { padding-top: 4rem; }
.st-key-history { position: absolute; }
[data-testid="stBaseButton-primary"], [data-testid="stMultiSelect"] span[title] { color: light-dark(#fff, #10161d); }
[data-testid="stBaseButton-primary"] kbd { color: inherit; opacity: 1; }
[data-testid="stHeadingWithActionElements"] h1 { font-size: 1.375rem; font-weight: 600; padding: 0 0 0.5rem; }
[data-testid="stCaptionContainer"] code { color: inherit; }
.st-key-checkpoint-row [role="radio"], .st-key-length-place [role="radio"], .st-key-models-place [role="radio"] {
  min-height: 2.5rem; /* that of the menu of languages beside it */
}
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding-top: 3.5rem; }
  .st-key-choice-view [role="radiogroup"], .st-key-choice-show [role="radiogroup"] {
    flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none;
  }
  .st-key-choice-view [role="radio"], .st-key-choice-show [role="radio"] { flex: none; }
  :is(.st-key-choice-view, .st-key-choice-show) [aria-checked="true"] { scroll-initial-target: nearest; }
  .st-key-sentence-row, .st-key-checkpoint-row { gap: 0.5rem; }
  .st-key-sentence-row > :first-child { flex-basis: 100% !important; }
  .st-key-checkpoint-row > :has([data-testid="stSelectbox"]) { flex: 1 1 0 !important; min-width: 0; }
  .st-key-checkpoint-row > :has([data-testid="stMultiSelect"]) { flex-basis: 100% !important; order: 1; }
  .st-key-checkpoint-row [role="radio"] { padding-inline: 0.5rem; }
  [data-testid="stBaseButton-primary"] kbd { display: none; } /* there is no keyboard, and little room */
}
</style>"""
"""Streamlit writes white on the primary colour, also where that is a light one, and a shortcut half transparent; both
have too little contrast. ``light-dark`` follows a change of the theme at once, without a run of the page."""

_framed = threading.local()
"""Whether this script run came through app.py; a script run has a thread of its own."""

_TITLE = 40
"""Characters of a sentence in the title of a window."""

FORMER: dict[str, tuple[str, dict[str, str]]] = {
    "explore": ("pages/look.py", {}),
    "lengths": ("pages/length.py", {}),
    "stress": ("pages/length.py", {"view": "together"}),
    "learning": ("pages/learn.py", {"view": "training"}),
    "checkpoints": ("pages/models.py", {}),
    "scores": ("pages/models.py", {"show": "scores"}),
}
"""Addresses of pages of former versions: the page that each leads to, and the parameters for it."""


def pages() -> list[Page]:
    """All pages, in the order of the menu; former addresses redirect and are not in the menu, nor is what the address
    asks for without there being such a page."""
    places = [
        st.Page("pages/look.py", title=strings.LOOK, icon=":material/visibility:", default=True, url_path=""),
        st.Page("pages/length.py", title=strings.LENGTH, icon=":material/show_chart:"),
        st.Page("pages/learn.py", title=strings.LEARN, icon=":material/school:"),
        st.Page("pages/models.py", title=strings.MODELS, icon=":material/inventory_2:"),
    ]
    former = [st.Page(f"pages/{address}.py", title=address, visibility="hidden") for address in FORMER]
    known = places + former
    asked = unquote(urlsplit(st.context.url or "").path).rstrip("/").rpartition("/")[2].strip()
    if asked and asked not in {page.url_path for page in known}:
        known.append(st.Page(partial(_redirect_unknown, asked), title=asked, url_path=asked, visibility="hidden"))
    return known


def run_app() -> None:
    """Run the page that the address asks for. Called by app.py only."""
    page = _navigation()
    _framed.value = True
    try:
        page.run()
    finally:
        _framed.value = False


def open_page(place: str, question: str) -> None:
    """Show the first line of a page: the question that it answers.

    Args:
        place: its title in the menu, which is also the title of the window until the page names it.
    """
    _require_frame()
    consume_link()
    name_window(place)
    st.html(_LEGIBLE)
    tidy_history()
    st.title(question, anchor=False)
    open_address(place)


def name_window(*parts: str) -> None:
    """Name the window, and with it the reader's tabs, history and bookmarks, after what it shows. The part that
    tells it from others comes first, where a narrow tab still shows it."""
    st.set_page_config(page_title=" – ".join((*parts, strings.APP)))


def titled(sentence: str) -> str:
    """As much of a sentence as there is room for in the title of a window.

    >>> titled("The cat sleeps."), titled("The cat " * 10), titled("x" * 50)
    ('The cat sleeps.', 'The cat The cat The cat The cat The cat…', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')
    """
    return shorten(sentence, _TITLE, placeholder="…") if len(sentence.split()[0]) < _TITLE else sentence[:_TITLE]


def redirect(address: str) -> None:
    """Redirect a former address to its page, with all parameters."""
    _require_frame()
    _go_to(*FORMER[address])


def _redirect_unknown(address: str) -> None:
    """Open the place that an address means in other letters, such as "/Models", and also "/look", whose own address is
    "/". Any other address opens Look with a notice, where Streamlit would cover the page with a dialog."""
    name = address.lower()
    places = ("look", "length", "learn", "models")
    page, added = FORMER.get(name, (f"pages/{name if name in places else 'look'}.py", {}))
    if name not in FORMER and name not in places:
        not_there(strings.A_PAGE, address)
        carry_notice()
    _go_to(page, added)


def _go_to(page: str, added: Mapping[str, str]) -> None:
    tidy_history()
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    st.switch_page(page, query_params={**query, **added})


def _require_frame() -> None:
    """Bring a page into the frame of app.py.

    A server that has just started takes files in pages/ for pages of their own, without app.py, until a session
    calls st.navigation. So a link opened on such a server lands here without a frame; calling st.navigation and
    starting again keeps its address and everything in it. Former addresses have a file each for the same reason:
    without one, such a server would say that there is no such page.
    """
    if not getattr(_framed, "value", False):
        _navigation()
        st.rerun()


def _navigation() -> Page:
    """Name the window, then the pages. Without an icon of our own, a page's icon would be fetched from elsewhere."""
    icon = ROOT / "static" / "favicon.png"
    st.set_page_config(page_title=strings.APP, page_icon=str(icon), layout="wide")
    return st.navigation(pages(), position="top")
