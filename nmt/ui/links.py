"""Links from one page to another that shows the same thing.

When a reader leaves a page, Streamlit drops its parameters, even those that the new page reads. So they are passed
inside a single parameter, which the new page unpacks before it asks for anything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import streamlit as st

_PARAMETER = "take"
BACK = "back"
"""The parameter that holds what the page was asked for that the reader came from."""

Query = Mapping[str, str | list[str]]
"""What a page is to be asked for: parameters of its address."""


def link_to(page: str, label: str, asked: Query, icon: str) -> None:
    """A link to a page of the menu that then shows what is asked for."""
    st.page_link(page, label=label, icon=icon, query_params={_PARAMETER: json.dumps(asked, ensure_ascii=False)})


def link_back(page: str, label: str) -> None:
    """A link to the page that the reader came from, as it was; nothing if the reader came otherwise."""
    query = unpacked(st.query_params.get(BACK, ""))
    if query:
        link_to(page, label, query, icon=":material/arrow_back:")


def consume_link() -> None:
    """Called before anything of a page is shown: put what another page handed over into the address."""
    if _PARAMETER not in st.query_params:
        return
    query = unpacked(st.query_params[_PARAMETER])
    if query:
        st.query_params.from_dict(query)
    else:
        del st.query_params[_PARAMETER]
    st.rerun()


def unpacked(text: str) -> dict[str, str | list[str]]:
    """Decode what ``link_to`` packed; nothing for anything else.

    >>> unpacked('{"s": "a", "models": ["x", "y"]}'), unpacked('{"s": 1}'), unpacked("["), unpacked('{"take": "{}"}')
    ({'s': 'a', 'models': ['x', 'y']}, {}, {}, {})
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(data, dict) or _PARAMETER in data or any(name.startswith("embed") for name in data):
        return {}  # Streamlit keeps names with "embed" to itself
    for value in data.values():
        values = value if isinstance(value, list) else [value]
        if not all(isinstance(one, str) for one in values):
            return {}
    return data
