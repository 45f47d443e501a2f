"""How the page looks in the reader's browser."""

from __future__ import annotations

import streamlit as st


def dark_page() -> bool:
    """Whether the page is dark now."""
    return st.context.theme.type == "dark"
