"""Alignment files, one module per format: the formats by name, suggested file names, and recognition of a file's
format. The functions convert between text and records. The caller reads and writes the files."""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import islice
from pathlib import PurePath
from typing import Literal

from nmt.alignments.formats import (
    attention_table,
    comma_separated,
    json_format,
    link_files,
    nematus,
    soft_alignments,
    translations,
)
from nmt.alignments.formats.checks import NOTHING, Content, Given, decoded
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.texts import say, term


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format that can be written. title, suffix: name shown to users, and suffix of its files. holds: weights or
    links. The policy's rule, base and direction matter for links only (JSON has both). write: function from alignments,
    policy and the name of the run to the text of a file."""

    title: str
    suffix: str
    holds: Literal["weights", "links", "both"]
    write: Callable[[Sequence[Alignment], Policy, str], str]


FORMATS: dict[str, Format] = {
    "csv": Format(title="CSV", suffix=".csv", holds="weights", write=comma_separated.write),
    "json": Format(title="JSON", suffix=".json", holds="both", write=json_format.write),
    "pharaoh": Format(title="Pharaoh", suffix=".pharaoh", holds="links", write=link_files.write),
    "nematus": Format(title="Nematus / SoftAlignments", suffix=".nematus", holds="weights", write=nematus.write),
}
"""Formats that can be written, by name."""


@dataclass(frozen=True)
class Reader:
    """A format that can be read. title, suffixes: name shown to users, and suffixes of its files. recognise: tells by
    the first lines that are not blank if a file is in this format. read: reads the text, with ``Given``."""

    title: str
    recognise: Callable[[Sequence[str]], bool]
    read: Callable[[str, Given], Content]
    _: KW_ONLY
    suffixes: tuple[str, ...] = ()


def _weights(read: Callable[[str], tuple[Alignment, ...]]) -> Callable[[str, Given], Content]:
    """Adapt the reader of a format that needs no ``Given``."""
    return lambda text, _: Content(alignments=read(text))


READERS = {
    "json": Reader("JSON", json_format.recognise, json_format.read, suffixes=(".json", ".jsonl")),
    "softalignments": Reader(
        "SoftAlignments", soft_alignments.recognise, _weights(soft_alignments.read), suffixes=(".js",)
    ),
    "giza": Reader("GIZA++ A3.final", link_files.is_giza, link_files.read_giza),
    "naacl": Reader("NAACL/WPT", link_files.are_rows, link_files.read_rows),
    "pharaoh": Reader("Pharaoh", link_files.recognise, link_files.read, suffixes=(".pharaoh",)),
    "numbered": Reader("SimAlign", link_files.are_numbered, link_files.read),
    "fairseq": Reader("fairseq", translations.is_fairseq, translations.read_fairseq),
    "nematus": Reader("Nematus", nematus.recognise, _weights(nematus.read), suffixes=(".nematus",)),
    "translations": Reader("Marian/OpenNMT/Sockeye/Moses", translations.recognise, translations.read),
    "table": Reader("OpenNMT attn_debug", attention_table.recognise, attention_table.read),
    "csv": Reader("CSV", comma_separated.recognise, _weights(comma_separated.read), suffixes=(".csv", ".tsv")),
}
"""Formats that can be read, by name. A text in softalignments has the three files of ``soft_alignments``, one after
the other. No file is in two formats."""

_UNREAD = {
    "a matrix without words": re.compile(r"(?:[-+0-9.eE]+[ \t,;]+)+[-+0-9.eE]+[ \t]*"),
    "an n-best list without alignments": re.compile(r"[0-9]+ \|\|\| .*"),
    "two texts without alignments": re.compile(r".* \|\|\| .*"),
    "SGML, XML or HTML": re.compile(r"<[!?a-zA-Z].*"),
}
"""Contents that cannot be read, by their first line."""
_LOOKED_AT = 50
"""Number of lines by which a format is recognised."""


def file_name(name: str, policy: Policy, run: str = "") -> str:
    """A file name for the format ``name``, with all parts of the policy that affect the file's content.

    >>> file_name("pharaoh", Policy(rule="threshold", base=1), "rnnsearch-50")
    'rnnsearch-50.words.end-mark-kept.punctuation-kept.threshold-0.3.from-1.source-target.pharaoh'
    >>> file_name("csv", Policy(end_mark="removed"))
    'alignment.words.end-mark-removed.punctuation-kept.csv'
    """
    chosen = FORMATS[name]
    described = policy.of_weights if chosen.holds == "weights" else policy.of_links
    stem = re.sub(r"[^\w.-]+", "_", run).strip("._")[:80] or "alignment"
    return f"{stem}.{described.replace(', ', '.').replace(' ', '-')}{chosen.suffix}"


def recognised(text: str) -> str:
    """Return the format of a text, one of READERS, by the first lines of the text. "" if no format fits."""
    lines = [
        line.removesuffix("\n").removesuffix("\r") for line in islice(filter(str.strip, io.StringIO(text)), _LOOKED_AT)
    ]
    return next((name for name, reader in READERS.items() if lines and reader.recognise(lines)), "")


def read(data: bytes | str, file: str = "", given: Given = NOTHING) -> Content:
    """Read a file.

    Args:
        data: the bytes of the file, or its text.
        file: name of the file. If no reader recognises the file, the reader of its suffix names the fault.
        given: facts that the file does not state, such as the base and direction of links, or words.

    Raises:
        LackingError: ``given`` lacks words or a part that this format needs.
        InputError: the file is empty, too large, no text, in an unknown format, or faulty.
    """
    text = decoded(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    if chosen := recognised(text):
        return READERS[chosen].read(text, given)
    for reader in READERS.values():
        if PurePath(file).suffix.lower() in reader.suffixes:
            reader.read(text, given)
    first = next(filter(None, map(str.strip, io.StringIO(text))))[:1000]
    titles = ", ".join(reader.title for reader in READERS.values())
    if what := next((what for what, line in _UNREAD.items() if line.fullmatch(first)), ""):
        raise InputError(say("errors.looks_like", kind=term(what), formats=titles))
    raise InputError(say("errors.unknown_format", formats=titles))
