"""Frame, style and script of the view fit together."""

from __future__ import annotations

import re

from nmt.charts.alignment_view import view_files


def test_every_class_that_the_script_looks_for_is_in_the_frame() -> None:
    files = view_files("standalone_page")
    names = re.findall(r'find\("\.([\w-]+)"\)', files.js)
    assert names
    for name in names:
        assert re.search(rf'class="{name}"', files.html), name


def test_streamlit_gets_a_module_with_a_default_export() -> None:
    """Streamlit takes text without a line end for a path."""
    files = view_files("streamlit_component")
    assert re.search(r"^export default ", files.js, re.MULTILINE)
    assert "\n" in files.js
    assert "\n" in files.css


def test_the_view_itself_does_not_know_streamlit() -> None:
    assert "Streamlit" not in view_files("standalone_page").js
