"""Theme of the page in the reader's browser."""

from __future__ import annotations

import streamlit as st


def dark_page() -> bool:
    """Return whether the page is dark now."""
    return st.context.theme.type == "dark"
