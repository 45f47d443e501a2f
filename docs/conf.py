"""How Sphinx makes the site of the documents: ``make docs``, or ``.ci/site.py`` where there is no make.

The documents are read where they stand, so a link between two of them leads to the same place in the site, in a
checkout and on the web page of a repository. That is why the source folder is the whole checkout, of which only the
folders named here are looked at.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

project = "Jointly"
author = "the authors of Jointly"
root_doc = "docs/index"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

_FOLDERS = {"docs", "checkpoints", "aligners", "benchmarks", "experiments", "release"}
include_patterns = ["*.md", *(f"{folder}/{depth}" for folder in sorted(_FOLDERS) for depth in ("*.md", "**/*.md"))]
exclude_patterns = [each.name for each in ROOT.iterdir() if each.is_dir() and each.name not in _FOLDERS]
exclude_patterns += ["*/.environments", "**/__pycache__"]

_LISTED_BELOW = {
    "docs/log": "log/*",
    "docs/decisions/README": "0*",
    "docs/teaching/README": "[a-z]*",
    "checkpoints/README": "*/README",
}
"""Documents that have others below them in the menu, and which: the menu is no business of theirs."""

myst_heading_anchors = 4
highlight_language = "none"
nitpicky = False
language = "en"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
napoleon_numpy_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = "Jointly"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_copy_source = False
html_show_search_summary = False  # would fetch each page, which no browser does from disk
html_show_sphinx = False
html_show_copyright = False
html_last_updated_fmt = None


def list_below(app, name, source):
    """Add to a document the list of those below it, which only the menu shows where the document names them itself."""
    if name in _LISTED_BELOW:
        hidden = "" if name == "docs/decisions/README" else ":hidden:\n"
        source[0] += f"\n```{{toctree}}\n:glob:\n:maxdepth: 1\n{hidden}\n{_LISTED_BELOW[name]}\n```\n"


def setup(app):
    app.connect("source-read", list_below)
