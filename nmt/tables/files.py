"""Tables as files, in the format given by the suffix of the name."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from nmt.config import FORMAT_VERSION
from nmt.errors import InputError
from nmt.files import replacing
from nmt.tables.table import Table


def tables_text(tables: Sequence[Table], format: str) -> str:
    """The content of a file: "csv" (an empty line between tables), "tex" (for the package booktabs), "json" or "md".

    InputError for another format.
    """
    if format not in _WRITERS:
        raise InputError(f"tables are written as .csv, .tex, .json or .md, not {format!r}")
    return _WRITERS[format](tables)


def write_tables(path: str | Path, tables: Sequence[Table]) -> None:
    """Write tables to a file; InputError for another suffix, or a path that cannot be written."""
    path = Path(path)
    text = tables_text(tables, path.suffix.removeprefix(".").lower())
    try:
        with replacing(path) as temporary:
            temporary.write_bytes(text.encode())
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def _csv(tables: Sequence[Table]) -> str:
    return "\ufeff" + "\r\n".join(table.csv() for table in tables)


def _latex(tables: Sequence[Table]) -> str:
    head = r"% \usepackage{booktabs}, with UTF-8 as the encoding of the document"
    return "\n\n".join([head, *(table.latex() for table in tables)]) + "\n"


def _json(tables: Sequence[Table]) -> str:
    data = {"format": FORMAT_VERSION, "tables": [{"title": t.title, "records": t.records()} for t in tables]}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _markdown(tables: Sequence[Table]) -> str:
    return "\n\n".join(table.markdown() for table in tables) + "\n"


_WRITERS: dict[str, Callable[[Sequence[Table]], str]] = {"csv": _csv, "tex": _latex, "json": _json, "md": _markdown}
FORMATS = tuple(_WRITERS)
