"""The address at which others reach this server, and its QR code."""

from __future__ import annotations

import io
from urllib.parse import urlsplit, urlunsplit

import segno
import streamlit as st

from nmt.ui.present import strings

_LOCAL = ("127.0.0.1", "localhost", "::1", "")


def public_address(here: str, bound: str, announced: str) -> str:
    """Return the address that others can open for the page at ``here``; "" if only this machine can.

    Args:
        here: address of the page as the presenter's browser has it.
        bound: address that the server listens at.
        announced: name or address of this machine on its network, from the settings of the server.

    >>> public_address("http://localhost:8501/?present=", "127.0.0.1", "localhost")
    ''
    >>> public_address("http://localhost:8501/?present=", "0.0.0.0", "10.0.0.7")
    'http://10.0.0.7:8501/'
    >>> public_address("https://jointly.example.org/?present=long", "127.0.0.1", "localhost")
    'https://jointly.example.org/'
    """
    parts = urlsplit(here)
    host = parts.hostname or ""
    if host in _LOCAL:
        if bound in _LOCAL or announced in _LOCAL:
            return ""
        host = announced
    shown = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit((parts.scheme, shown + port, "/", "", ""))


def show_address() -> None:
    """Show the address as a QR code and as text, or say how to open the server to the network."""
    address = public_address(
        st.context.url or "", st.get_option("server.address") or "", st.get_option("browser.serverAddress") or ""
    )
    if not address:
        st.info(strings.LOCAL_ONLY, icon=":material/wifi_off:")
        return
    image = io.BytesIO()
    segno.make(address, micro=False).save(image, kind="png", scale=8, border=3)
    st.image(image.getvalue(), width=260, caption=address)
