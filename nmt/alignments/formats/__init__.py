"""Alignment files, one module per format: the formats by name, suggested file names, and recognition of the format of a
file. The functions convert between text and records; the caller reads and writes the files."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import Literal

from nmt.alignments.formats import comma_separated, json_format, nematus, pharaoh, soft_alignments
from nmt.alignments.formats.checks import Content, decoded
from nmt.alignments.policy import Direction, Policy
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.results.links import is_link


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format that can be written.

    Attributes:
        title: name shown to users.
        suffix: suffix of its files.
        holds: weights or links; the policy's rule, base and direction matter for links only (JSON has both).
        write: function from alignments, policy and the name of the run to the text of a file, to be stored as UTF-8.
    """

    title: str
    suffix: str
    holds: Literal["weights", "links", "both"]
    write: Callable[[Sequence[Alignment], Policy, str], str]


FORMATS: dict[str, Format] = {
    "csv": Format(title="CSV", suffix=".csv", holds="weights", write=comma_separated.write),
    "json": Format(title="JSON", suffix=".json", holds="both", write=json_format.write),
    "pharaoh": Format(title="Pharaoh", suffix=".pharaoh", holds="links", write=pharaoh.write),
    "nematus": Format(title="Nematus / SoftAlignments", suffix=".nematus", holds="weights", write=nematus.write),
}
"""Formats that can be written, by name."""

READ = (*FORMATS, "softalignments")
"""Formats that can be read, by name; softalignments: the three files of ``soft_alignments`` in one text."""

_BY_SUFFIX = {
    ".csv": "csv",
    ".tsv": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".js": "softalignments",
    ".pharaoh": "pharaoh",
    ".nematus": "nematus",
}
_LOOKED_AT = 1000
"""Fields of the first line by which links are recognised."""
_NEMATUS = re.compile(r"\s*\d+\s*\|\|\|")
_JAVASCRIPT = re.compile(r"\s*var\s")


def file_name(name: str, policy: Policy, run: str = "") -> str:
    """A file name for the format ``name``, with all parts of the policy that affect its content.

    >>> file_name("pharaoh", Policy(rule="threshold", base=1), "rnnsearch-50")
    'rnnsearch-50.words.end-mark-kept.punctuation-kept.threshold-0.3.from-1.source-target.pharaoh'
    >>> file_name("csv", Policy(end_mark="removed"))
    'alignment.words.end-mark-removed.punctuation-kept.csv'
    """
    chosen = FORMATS[name]
    described = policy.of_weights if chosen.holds == "weights" else policy.of_links
    stem = re.sub(r"[^\w.-]+", "_", run).strip("._")[:80] or "alignment"
    return f"{stem}.{described.replace(', ', '.').replace(' ', '-')}{chosen.suffix}"


def recognised(text: str, file: str = "") -> str:
    """The format of a text, one of READ: by the suffix of the file's name, or else by the beginning of the text."""
    by_name = _BY_SUFFIX.get(PurePath(file).suffix.lower())
    if by_name is not None:
        return by_name
    if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        return "json"
    found = re.search(r"\S[^\n]*", text)
    first = found[0] if found else ""
    if _JAVASCRIPT.match(first):
        return "softalignments"
    if _NEMATUS.match(first):
        return "nematus"
    if all(is_link(field[0]) for field in islice(re.finditer(r"\S+", first), _LOOKED_AT)):
        return "pharaoh"
    return "csv"


def read(
    data: bytes | str, file: str = "", base: int = 0, direction: Direction = "source-target", name: str = ""
) -> Content:
    """Read a file.

    Args:
        data: the bytes of the file, or its text.
        file: the file's name, from which the format is recognised.
        base, direction: of the links in a file of links.
        name: the format, one of READ; "" to recognise it.

    Raises:
        InputError: the file is empty, too large, not text, or not in its format.
    """
    text = decoded(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    match name or recognised(text, file):
        case "csv":
            return Content(alignments=comma_separated.read(text))
        case "json":
            return json_format.read(text)
        case "pharaoh":
            return Content(links=pharaoh.read(text, base, direction))
        case "nematus":
            return Content(alignments=nematus.read(text))
        case "softalignments":
            return Content(alignments=soft_alignments.read(text))
        case other:
            raise InputError(f"there is no format {other!r}; there are {', '.join(READ)}")
