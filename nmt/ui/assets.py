"""The scripts and styles of the views, which a browser loads once, from addresses with their checksums."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from nmt.charts.view_files import ViewFiles

_PACKAGE, _SCRIPT, _STYLE = "jointly", "view.js", "view.css"


def component(name: str, files: ViewFiles) -> Callable[..., Any]:
    """A component of Streamlit whose script and style are files that the server offers, not text in every message.

    Args:
        name: that no other files have.
    """
    place = f"{name}-{sha256((files.js + files.css).encode()).hexdigest()[:12]}"
    manager = get_bidi_component_manager()
    if manager.get_component_asset_root(f"{_PACKAGE}.{place}") is None:  # of this server, or of this test
        root = Path(_folder().name)
        (root / place).mkdir(exist_ok=True)
        (root / place / _SCRIPT).write_text(files.js, "utf-8")
        (root / place / _STYLE).write_text(files.css, "utf-8")
        config = ComponentConfig(name=place, asset_dir=place)
        manager.register_from_manifest(ComponentManifest(name=_PACKAGE, version="0", components=[config]), root)
    return st.components.v2.component(f"{_PACKAGE}.{place}", html=files.html, css=_STYLE, js=_SCRIPT)


@st.cache_resource(show_spinner=False)
def _folder() -> TemporaryDirectory[str]:
    """The folder of the files, which goes with the server."""
    return TemporaryDirectory(prefix="jointly-views-")
