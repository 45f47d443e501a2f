"""The files of the views, as text. There is no build step and no separate server.

A view is a folder beside this module. ``view.html`` is the frame, ``view.css`` the style. ``js/`` has the script, in
modules that also import from ``nmt/charts/js/``.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent
_STYLE = re.compile(r'^@import "[./]+(\w+\.css)";\n', re.MULTILINE)
_IMPORT = re.compile(r"^import \{([^}]*)\} from \"(\.{1,2}/[^\"]+)\";$", re.MULTILINE)
_EXPORT = re.compile(r"^export (default )?(?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^\s*(?:import\b(?!\()|export\b).*$", re.MULTILINE)


@dataclass(frozen=True)
class ViewFiles:
    """The files of a view, as text. ``html`` is the frame, ``css`` the style, and ``js`` one module script."""

    html: str
    css: str
    js: str


def view_files(name: str) -> ViewFiles:
    """Read the files of a view, whose ``js/component.js`` has the default export that Streamlit calls."""
    folder = _FOLDER / name
    script = one_script(folder / "js" / "component.js")
    return ViewFiles((folder / "view.html").read_text("utf-8"), view_style(name), script)


def view_style(name: str, file: str = "view.css") -> str:
    """The style of the view in the folder ``name``, with the styles beside this module that it imports."""
    style = (_FOLDER / name / file).read_text("utf-8")
    return _STYLE.sub(lambda match: view_style("", match[1]), style)


def one_script(entry: Path) -> str:
    """Concatenate a module and all modules that it imports, directly or not, in the order of their dependencies.

    Each module becomes a function, called once, which returns the exports of the module. Other names stay private. The
    script exports what ``entry`` exports. The script is itself a module (``<script type="module">``), and it needs no
    address. So it works wherever the view is shown. Streamlit's components load it from a blob, without a base for
    relative addresses. Browsers refuse imports in a file opened from disk, and the page's own content security policy
    allows inline scripts only. A notebook's frame has no address either. Import maps with data: or blob: addresses
    would cost three things: a weaker policy, a single map for the whole page, and copies of modules in their importers.

    Modules may use ``import { a, b as c } from "./path.js";``, and ``export`` or ``export default`` before a function,
    class or constant. Each must begin a line.

    Raises:
        ValueError: another form of import or export, a circle of imports, or text that would end a script.
        OSError: a module cannot be read.
    """
    order: list[Path] = []
    _visit(entry.resolve(), order, ())
    folder = entry.resolve().parent
    place = _place(order[-1], folder)
    parts = ["const modules = {};", *(_as_statement(path, folder) for path in order)]
    exports = _exports(order[-1].read_text("utf-8"))
    if named := [name for name, value in exports.items() if name == value]:
        parts.append(f"export const {{ {', '.join(named)} }} = {place};")
    if "default" in exports:
        parts.append(f"export default {place}.default;")
    script = "\n".join(parts) + "\n"
    if re.search(r"</script|<!--", script, re.IGNORECASE):
        raise ValueError(f"{entry.name}: a script in a page must not contain </script or <!--")
    return script


def _visit(path: Path, order: list[Path], importers: tuple[Path, ...]) -> None:
    """Append to ``order`` the modules that ``path`` needs and ``order`` lacks, and then ``path``."""
    if path in importers:
        circle = " -> ".join(module.name for module in (*importers[importers.index(path) :], path))
        raise ValueError(f"modules import one another in a circle: {circle}")
    if path in order:
        return
    for match in _IMPORT.finditer(path.read_text("utf-8")):
        _visit((path.parent / match[2]).resolve(), order, (*importers, path))
    order.append(path)


def _as_statement(path: Path, folder: Path) -> str:
    """The JavaScript statement that runs a module and stores its exports in ``modules``."""
    text = path.read_text("utf-8")

    def constants(match: re.Match[str]) -> str:
        names = re.sub(r"(\w+) as (\w+)", r"\1: \2", match[1])
        return f"const {{{names}}} = {_place((path.parent / match[2]).resolve(), folder)};"

    body = _EXPORT.sub("", _IMPORT.sub(constants, text))
    unknown = _OTHER.search(body)
    if unknown:
        raise ValueError(f"{path.name}: cannot be made part of one script: {unknown[0].strip()}")
    exports = ", ".join(name if name == value else f"{name}: {value}" for name, value in _exports(text).items())
    result = f"return {{ {exports} }};\n" if exports else ""
    return f"{_place(path, folder)} = (() => {{\n{body.rstrip()}\n{result}}})();"


def _exports(text: str) -> dict[str, str]:
    """The exported names of a module, each with the name that the value has inside the module."""
    return {"default" if match[1] else match[2]: match[2] for match in _EXPORT.finditer(text)}


def _place(path: Path, folder: Path) -> str:
    name = Path(os.path.relpath(path, folder)).as_posix()
    return f'modules["{name}"]'
