"""Recognition of the kind of a text file: plain sentences, or segments of WMT's SGML or XML or of TMX. A file of any
other kind raises an error that names the kind. Every text of a user is checked here.
"""

import html
import json
import re
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from itertools import chain
from typing import Literal
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from nmt.errors import InputError

Side = Literal["source", "reference", "hypothesis"]
SOURCE: Side = "source"
REFERENCE: Side = "reference"
HYPOTHESIS: Side = "hypothesis"

LOOKED_AT = 1_000
"""Number of first lines that tell the kind of a large text."""
_NEARLY_ALL = 0.9
_EITHER_END = 1_000
"""Number of characters at either end of a line that tell the kind of the text."""

_SIDES: dict[str, Side] = dict.fromkeys(("src", "srcset"), SOURCE) | dict.fromkeys(("ref", "refset"), REFERENCE)
_SIDES |= dict.fromkeys(("hyp", "tstset"), HYPOTHESIS)
_TAGS: dict[str, str] = {SOURCE: "<src>", REFERENCE: "<ref>", HYPOTHESIS: "<hyp>"}
_ROOTS = frozenset({"srcset", "refset", "tstset", "mteval", "dataset", "tmx", "doc", "seg"})
_NATIVE = frozenset({"bpt", "ept", "it", "ph", "ut"})
"""Elements of TMX whose content is code of another format, not text."""
_MARKUP = re.compile(
    rf"\s*(<\?xml\b|<!doctype\b|<!--|<({'|'.join(_ROOTS)}|xliff|html|rss|feed)(\s[^<>]*)?>\s*(<|$)|<seg\b[^<>]*>[^<]*</seg>)",
    re.IGNORECASE,
)
_WEB_PAGE = re.compile(r"\s*(<\?xml[^<>]*>\s*)?<(!doctype\s+html\b|html\b.*?<(head|body)\b)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<(/?)([A-Za-z!?][\w:.-]*+)([^<>]*+)>")
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_XML_SPACE = re.compile(r"[ \t\r\n]+")
_INLINE = "a|abbr|b|big|code|em|font|i|kbd|q|s|small|span|strong|sub|sup|u"


def is_markup(head: bytes) -> bool:
    """Tell by the first bytes of a file if it is SGML, XML or HTML."""
    text = head[:2000].decode("utf-8", "ignore").removeprefix("\ufeff")
    return _MARKUP.match(text) is not None or _WEB_PAGE.match(text) is not None


@dataclass(frozen=True)
class FileText:
    """The sentences of a text. columns: the lines. A text with several references has a column for each. documents: for
    each line, the identifier of its document. Empty if the file has no identifiers."""

    columns: tuple[tuple[str, ...], ...]
    documents: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the first column."""
        return self.columns[0]


_LOG = r"[STHDPAE]-\d+(\t|$)|(SENT|PRED|GOLD) \d+:"
_N_BEST = r"\s*\d+ \|\|\| "
_MARK = r"(?i:</?s>|<(pad|[bes]os|sep|cls|2[a-z_]+)>|\[(cls|sep|pad|[be]os)\]|<\|[a-z_]+\|>|>>[a-z_]+<<)"
_TAGGED = (
    rf"\s*(<(?!(?:{_INLINE})\b)([a-z][\w:-]*)(\s[^<>]*)?>.*</\2>|</?[a-z][\w-]*(\s[^<>]*)?/?>|<!--.*-->|.*<br\s*/?>)"
    r"\s*$"
)
_QUOTED = r'"([^"]|"")*"([,;]"([^"]|"")*")+\s*$'
_LINKS = r"\s*\d+[-p?]\d+( +\d+[-p?]\d+)+\s*$"
_JSON = r"""(?:\[\s*)?\{\s*(["'])[^"'\n]*\1\s*:|\[\s*(?:\[\s*)?"(?:[^"\\\n]|\\.)*"\s*(?:,\s*["\[\n]|\]\s*(?:,|$))"""


def refuse_other_kinds(lines: Sequence[str], name: str, *, tabs: bool = False) -> None:
    """Raise InputError, which names the file, if nearly all lines show that it does not hold plain sentences. ``tabs``:
    whether to accept a table with tabs."""
    written = [_bounded(line) for line in lines if line.strip()]
    if sentence := _other_kind(written, name):
        raise InputError(sentence)
    if not tabs and len(written) > 1 and sum("\t" in line for line in written) >= _NEARLY_ALL * len(written):
        raise InputError(
            f"{name} is a table: its lines have tabs; give one column of it (`cut -f1`), one sentence per line"
        )


def _bounded(line: str) -> str:
    """A line, or only the beginning and end of a very long line, so that matching patterns takes little time."""
    return line if len(line) <= 2 * _EITHER_END else line[:_EITHER_END] + line[-_EITHER_END:]


def _other_kind(written: Sequence[str], name: str) -> str | None:
    """The error message for lines that are no plain sentences. None for plain sentences. ``written``: no blank line."""
    if re.match(_JSON, "\n".join(written[:5]).lstrip()) or _all_json(written):
        return f"{name} is JSON; give its sentences as plain text, one per line"
    most = _NEARLY_ALL
    for pattern, share, sentence in (
        (
            _LOG,
            0.5,
            f"{name} is the log of a decoder, such as fairseq prints; give the translations alone, one per line",
        ),
        (_N_BEST, most, f"{name} is an n-best list (`0 ||| …`); give one translation per line, the first of each"),
        (r".*\|\|\|", most, f"{name} has fields with ||| between them; give one text alone, a sentence per line"),
        (rf"\s*{_MARK}|.*{_MARK}\s*$", most, f"{name} has marks such as <s> at the ends of its lines; remove them"),
        (_TAGGED, most, f"{name} is markup: its lines are in tags; give the text alone, one sentence per line"),
        (_QUOTED, most, f"{name} is a table (CSV); give one column of it, one sentence per line"),
        (_LINKS, most, f"{name} is a file of links (0-0 1-2 …), not of sentences"),
    ):
        expression = re.compile(pattern, re.IGNORECASE if pattern == _TAGGED else 0)
        if written and sum(expression.match(line) is not None for line in written) >= share * len(written):
            return sentence
    return None


def _all_json(lines: Sequence[str]) -> bool:
    """Whether each line is a JSON object or list, and at least one line contains a quotation mark."""
    try:
        values = [json.loads(line) for line in lines if line.lstrip()[0] in "[{"]
    except (ValueError, RecursionError):
        return False
    return len(values) == len(lines) > 0 and any('"' in line for line in lines)


def text_of_lines(lines: Sequence[str], name: str, side: Side) -> FileText:
    """The lines of a plain text. If ``side`` is REFERENCE and at least 90 % of the non-blank lines have tabs, the tabs
    separate references, and each reference is a column. Otherwise there is one column.

    Raises the errors of ``refuse_other_kinds``, and InputError for lines with unequal numbers of references.
    """
    refuse_other_kinds(lines, name, tabs=side == REFERENCE)
    tabs = [line.count("\t") for line in lines if line.strip()]
    if side != REFERENCE or sum(map(bool, tabs)) < max(1, _NEARLY_ALL * len(tabs)):
        return FileText((tuple(lines),))
    rows = [line.split("\t") if line.strip() else [""] * (1 + max(tabs)) for line in lines]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{name}, line {number}: the columns between tabs are {len(row)}, but {len(rows[0])} in the first line"
            )
    return FileText(tuple(zip(*rows, strict=True)))


@dataclass
class _Segment:
    """A segment of a text, with its side, author, language, document and unit."""

    side: Side | Literal[""] = ""
    author: str = ""
    language: str = ""
    _: KW_ONLY
    document: str = ""
    unit: int = -1
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return _XML_SPACE.sub(" ", "".join(self.parts)).strip(" ")


class _Reader:
    """Collector of segments. An XML parser or ``read_sgml`` calls its methods."""

    def __init__(self) -> None:
        self.segments: list[_Segment] = []
        self.root, self.source_language = "", ""
        self._place = _Segment()
        self._open: _Segment | None = None
        self._native = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name, values = _local(tag), {_local(key): value or "" for key, value in attributes.items()}
        place, self.root = self._place, self.root or name
        if name in _SIDES:
            place.side = _SIDES[name]
            place.author = values.get("translator") or values.get("system") or values.get("sysid") or ""
        elif name == "doc":
            place.document = values.get("docid") or values.get("id") or ""
            place.author = values.get("sysid") or place.author
        elif name == "tu":
            place.unit += 1
        elif name == "tuv":
            place.language = values.get("lang", "").lower().replace("_", "-")
        elif name == "header":
            self.source_language = values.get("srclang", "").lower().replace("_", "-")
        elif name == "seg":
            self._open = _Segment(place.side, place.author, place.language, document=place.document, unit=place.unit)
            self.segments.append(self._open)
        self._native += name in _NATIVE

    def end(self, tag: str) -> None:
        name = _local(tag)
        self._native -= name in _NATIVE
        if name in ("seg", "doc"):
            self._open = None

    def data(self, data: str) -> None:
        if self._open is not None and not self._native:
            self._open.parts.append(data)

    def read_sgml(self, text: str) -> None:
        """Read tags in any order and nesting. "<" and "&" in the text need not be escaped."""
        end = 0
        for tag in _TAG.finditer(text):
            self.data(html.unescape(text[end : tag.start()]))
            end = tag.end()
            if tag[1]:
                self.end(tag[2])
            elif tag[2][0] not in "!?":
                matches = _ATTRIBUTE.finditer(tag[3])
                self.start(tag[2], {m[1]: html.unescape(m[2] or m[3] or m[4] or "") for m in matches})


def _local(name: str) -> str:
    """A name of XML without its namespace."""
    return name.rpartition("}")[2].rpartition(":")[2].lower()


def text_of_markup(text: str, name: str, side: Side, language: str = "") -> FileText:
    """The segments of one side of a file, in order.

    In WMT's files, srcset, refset and tstset mark the sides. References of several translators give one column each. If
    the file has only references or only hypotheses, they serve as ``side`` unless ``side`` is SOURCE. In TMX, a unit
    without text in the language becomes a blank line. If ``language`` is "", the header tells the source language, and
    the target language must be the only other language of the file.

    Raises InputError for a web page, damaged or foreign XML, several systems, and a file without side or language.
    """
    text, reader = text.removeprefix("\ufeff"), _Reader()
    web_page = _WEB_PAGE.match(text) is not None
    xml = re.match(r"\s*<(\?xml|!doctype tmx|tmx|dataset)\b", text, re.IGNORECASE)
    try:
        if xml and not web_page:
            parser = DefusedXMLParser(target=reader)
            parser.feed(text)
            parser.close()
        else:
            reader.read_sgml(text)
    except ParseError as error:
        raise InputError(f"{name} is damaged XML: {error}") from None
    except DefusedXmlException:
        raise InputError(f"{name} is XML with entities of its own, which are not read") from None
    if web_page or reader.root == "html":
        raise InputError(f"{name} is a web page (HTML); save its text as a plain text file")
    if reader.root not in _ROOTS | {""}:
        raise InputError(
            f"{name} is XML (<{reader.root[:40]}>); of XML, files of WMT (srcset, refset, tstset, dataset) and TMX are "
            "read"
        )
    if not reader.segments:
        raise InputError(f"{name} is markup without segments (<seg>)")
    return _translation_memory(reader, name, side, language) if reader.root == "tmx" else _of_wmt(reader, name, side)


def _translation_memory(reader: _Reader, name: str, side: Side, language: str) -> FileText:
    languages = list(dict.fromkeys(segment.language for segment in reader.segments))
    source = next((code for code in languages if code == reader.source_language), languages[0])
    others = [code for code in languages if code != source] if side != SOURCE else [source]
    chosen = [code for code in languages if code.partition("-")[0] == language] if language else others
    if language and len(chosen) != 1:
        raise InputError(f"{name} has texts in {', '.join(languages)}, but must have one in {language}")
    if len(chosen) != 1:
        raise InputError(f"{name} has texts in {', '.join(languages)}; which one is meant cannot be told")
    lines = [""] * (1 + max(segment.unit for segment in reader.segments))
    for segment in reversed(reader.segments):  # if a unit has several segments, the first counts
        if segment.language == chosen[0]:
            lines[segment.unit] = segment.text
    return FileText((tuple(lines),))


def _of_wmt(reader: _Reader, name: str, side: Side) -> FileText:
    sides = {segment.side for segment in reader.segments}
    marked = sorted(sides - {""})
    if marked and side not in marked and (len(marked) > 1 or SOURCE in (side, *marked)):
        raise InputError(f"{name} has segments of {', '.join(_TAGS[kind] for kind in marked)}, not of {_TAGS[side]}")
    chosen = side if side in sides else min(sides)  # references serve as hypotheses, and hypotheses as references
    segments = [segment for segment in reader.segments if segment.side == chosen]
    by_author: dict[str, list[_Segment]] = {}
    for segment in segments:
        by_author.setdefault(segment.author, []).append(segment)
    documents = [[segment.document for segment in part] for part in by_author.values()]
    repeated = len(by_author) > 1 and len(set(chain(*documents))) < sum(len(set(part)) for part in documents)
    if not repeated:
        by_author, documents = {"": segments}, [[segment.document for segment in segments]]
    elif side != REFERENCE:
        raise InputError(f"{name} has the texts of {len(by_author)} systems ({', '.join(by_author)}); give one")
    elif any(part != documents[0] for part in documents):
        raise InputError(f"{name} has {len(by_author)} references ({', '.join(by_author)}) of different documents")
    columns = tuple(tuple(segment.text for segment in part) for part in by_author.values())
    return FileText(columns, tuple(documents[0]) if any(documents[0]) else ())
