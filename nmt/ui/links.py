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
"""The parameter that holds the parameters of the page that the reader came from."""

Query = Mapping[str, str | list[str]]
"""Parameters of the address of a page."""


def link_to(page: str, label: str, query: Query, icon: str) -> None:
    """Show a link to a page of the menu with parameters."""
    st.page_link(page, label=label, icon=icon, query_params={_PARAMETER: json.dumps(query, ensure_ascii=False)})


def link_back(page: str, label: str) -> None:
    """Show a link to the page that the reader came from, as it was; nothing if the reader came in another way."""
    query = unpacked(st.query_params.get(BACK, ""))
    if query:
        link_to(page, label, query, icon=":material/arrow_back:")


def consume_link() -> None:
    """Write the parameters passed by another page into the address; to be called before the page shows anything."""
    if _PARAMETER not in st.query_params:
        return
    query = unpacked(st.query_params[_PARAMETER])
    if query:
        st.query_params.from_dict(query)
    else:
        del st.query_params[_PARAMETER]
    st.rerun()


def unpacked(text: str) -> dict[str, str | list[str]]:
    """Decode the parameters packed by ``link_to``; none for any other text.

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
