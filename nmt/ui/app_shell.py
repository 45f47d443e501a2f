"""The frame around every page: the list of pages, and the opening of a page."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from textwrap import shorten
from urllib.parse import unquote, urlsplit

import streamlit as st
from streamlit.navigation.page import Page

from nmt.files import ROOT
from nmt.texts import APP, by_name, current, follow, languages
from nmt.ui.address import carry_notice, consume_link, not_there, open_address, place_notices, write_address
from nmt.ui.resources import LANGUAGE, in_script_run, reader_language, script_run

_RULES = Path(__file__).with_name("app.css").read_text("utf-8")
_OF_WINDOW = (Path(__file__).with_name("js") / "history.js").read_text("utf-8")
_TITLE = 40
"""Largest number of characters of a sentence in the title of a window."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """A page of the app.

    Attributes:
        name: name of the page's file in ``pages/``, and its path in addresses. The path of the first place is "/".
        title: key of the text with the page's title in the menu.
        question: key of the text with the page's first line, a question.
    """

    name: str
    title: str
    question: str
    icon: str

    @property
    def file(self) -> str:
        return f"pages/{self.name}.py"

    @property
    def path(self) -> str:
        """The path of the page's address, without a slash."""
        return "" if self is PLACES[0] else self.name

    def page(self) -> Page:
        title, first = by_name(self.title), self is PLACES[0]
        return st.Page(self.file, title=title, icon=self.icon, default=first, url_path=self.path)


PLACES = (
    Place(name="look", title="app.look", question="app.look_question", icon=":material/visibility:"),
    Place(name="length", title="app.length", question="app.length_question", icon=":material/show_chart:"),
    Place(name="learn", title="app.learn", question="app.learn_question", icon=":material/school:"),
    Place(name="models", title="app.models", question="models.questions.use", icon=":material/inventory_2:"),
    Place(name="present", title="app.present", question="app.present_question", icon=":material/slideshow:"),
)
"""All pages, in the order of the menu."""


def pages() -> list[Page]:
    """The pages of all places. If the address names none of them, a hidden page that redirects comes last."""
    registered = [place.page() for place in PLACES]
    asked = unquote(urlsplit(st.context.url or "").path).rstrip("/").rpartition("/")[2].strip()
    if asked and asked not in {page.url_path for page in registered}:
        registered.append(st.Page(partial(_redirect, asked), title=asked, url_path=asked, visibility="hidden"))
    return registered


def _find_language() -> None:
    """Take the language from the address, else from the session, else from the browser, else English. Write it into the
    address only if it is not the one that the browser alone would give."""
    code = (st.context.locale or "").partition("-")[0].lower()
    offered = languages()
    usual = code if code in offered else "en"
    asked = st.query_params.get(LANGUAGE, st.session_state.get(LANGUAGE))
    st.session_state[LANGUAGE] = language = asked if asked in offered else usual
    follow(reader_language)
    write_address(lang="" if language == usual else language)


def _offer_languages() -> None:
    with st.container(horizontal=True, width="content", key="languages"):
        for code, name in languages().items():
            if code != current():
                st.button(name, key=f"to-{code}", type="tertiary", on_click=partial(write_address, lang=code))


def run_app() -> None:
    """Run the page that the address asks for. Called by app.py only."""
    _find_language()
    page = _navigation()
    with script_run():
        page.run()


_OPENED = "opened"
"""Key of the session's state: whether a page was shown."""


def open_page(name: str, title: Callable[[], str] | None = None, *, with_picture: bool = False) -> None:
    """Show the first line of a place: what ``title`` returns or, without it, the question that the place answers.

    Title and style rules are one element, so that neither is shown without the other. If they were elements of
    Streamlit, the script of the title would be loaded before the script of the rules.

    Args:
        title: returns the first line, which the choices of the address may decide. None: the place's question.
        with_picture: whether a new window shows the place only once it has ribbons (app.css).
    """
    _require_frame()
    consume_link()
    open_address(name, notices=False)
    place = next(place for place in PLACES if place.name == name)
    name_window(by_name(place.title))
    opening = ' class="opening"' if with_picture and _OPENED not in st.session_state else ""
    st.session_state[_OPENED] = True
    language = "" if current() == "en" else f' lang="{current()}"'
    heading = title() if title else by_name(place.question)
    st.html(f"<h1{opening}{language}>{escape(heading)}</h1><style>{_RULES}</style>")
    tidy_history()
    with st.container(horizontal=True, gap="xsmall", key="places"):  # in place of the menu, which a narrow screen folds
        for other in PLACES:
            st.page_link(other.file, label=by_name(other.title))
    if name != "present":
        _offer_languages()
    place_notices()


def name_window(*parts: str) -> None:
    """Set the title of the window, which also names its tab, history and bookmarks. The most distinctive part comes
    first, because a narrow tab shows only the beginning."""
    st.set_page_config(page_title=" – ".join((*parts, APP.app)))


def titled(sentence: str) -> str:
    """Shorten a sentence so that it fits the title of a window.

    >>> titled("The cat sleeps."), titled("The cat " * 10), titled("x" * 40 + " x"), titled(" ")
    ('The cat sleeps.', 'The cat The cat The cat The cat The cat…', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', '')
    """
    short = shorten(sentence, _TITLE, placeholder="…")
    return sentence[:_TITLE] if short == "…" else short


def _redirect(address: str) -> None:
    """Open the place that the address names in upper case, such as "/Models" for Models. "/look" opens Look, as "/"
    does. Any other address opens Look with a notice. Without this page, Streamlit would show a dialog over Look."""
    place = next((place for place in PLACES if place.name == address.lower()), None)
    if place is None:
        not_there(APP.a_page, address)
        carry_notice()
    tidy_history()
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    st.switch_page((place or PLACES[0]).file, query_params=query)


def _require_frame() -> None:
    """Run a page again in the frame of app.py if it was run without it.

    A server that has just started runs the files of pages/ alone, without app.py, until a session calls st.navigation.
    So a link opened on such a server has no frame. Running again keeps the address with its parameters.
    """
    if not in_script_run():
        _navigation()
        st.rerun()


def _navigation() -> Page:
    """Set title and icon of the window, then list the pages. Without icon, Streamlit would fetch one elsewhere."""
    icon = ROOT / "static" / "favicon.png"
    st.set_page_config(page_title=APP.app, page_icon=str(icon), layout="wide")
    return st.navigation(pages(), position="top")


def tidy_history() -> None:
    """Run a script that leaves one entry in the window's history for each step of the reader."""
    with st.container(key="history"):
        st.html(f"<script>{_OF_WINDOW}</script>", unsafe_allow_javascript=True)


def dark_page() -> bool:
    """Return whether the page is dark now."""
    return st.context.theme.type == "dark"
