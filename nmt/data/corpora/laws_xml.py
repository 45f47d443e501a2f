"""Parser of a consolidated act or regulation of Canada: published XML to texts by label path.

The English and the French version of a law have the same labels: subsection (2) of section 4 is ``4/2`` in both.
Elements without labels get a path from others:

- a definition by its term in both languages, which both versions name (each is sorted alphabetically):
  ``2/minister=ministre``;
- a heading by the section that follows it: ``^4/1`` is the first heading before section 4;
- text after a list by what it continues: ``4/1/+1``.

A path that occurs twice in a document is ambiguous, and omitted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

import defusedxml.ElementTree
from defusedxml import DefusedXmlException

from nmt.data.corpora.parallel import tidy
from nmt.errors import InputError

_LABELLED = {"Section", "Subsection", "Paragraph", "Subparagraph", "Clause", "Subclause", "Subsubclause"}
_CONTINUED = {
    "ContinuedSectionSubsection",
    "ContinuedDefinition",
    "ContinuedParagraph",
    "ContinuedSubparagraph",
    "ContinuedClause",
    "ContinuedSubclause",
}
_NOT_TEXT = {"Footnote", "FootnoteRef", "Image", "MathML", "FormBlank", "Fraction"}
_NO_LAW = {"Repealed"}
"""Phrases that mark a text as an editorial remark."""

_OTHER_TERM = {"en": "DefinedTermFr", "fr": "DefinedTermEn"}
_TERMS = ("DefinedTermEn", "DefinedTermFr")
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_EMPTY_BRACKETS = re.compile(r"\s*\(\s*(?:(?:or|ou|and|et|,|;)\s*)*\)")


@dataclass
class Document:
    """Texts of an act or regulation in one language.

    Attributes:
    language: "en" or "fr".
    texts: by label path, in document order.
    """

    language: str
    texts: dict[str, str] = field(default_factory=dict)


def read_document(path: Path) -> Document:
    """Read the body of a Statute or Regulation (schedules and forms are not read).

    The parser accepts no document type declaration and therefore no entities: neither exponential expansion nor
    references to other files are possible. Raises InputError if the file is not one of these documents.
    """
    try:
        root = defusedxml.ElementTree.parse(path, forbid_dtd=True).getroot()
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise InputError(f"{path} is not acceptable XML: {type(error).__name__}, {error}") from None
    language = "" if root is None else root.get(_XML_LANG, "")[:2]
    if root is None or root.tag not in ("Statute", "Regulation") or language not in _OTHER_TERM:
        raise InputError(f"{path} is not a Statute or Regulation in English or French")
    reader = _Reader(_OTHER_TERM[language])
    body = root.find("Body")
    if body is not None:
        reader.read(body)
    return Document(language, {path: text for path, text in reader.found if reader.times[path] == 1})


class _Reader:
    def __init__(self, other_term: str) -> None:
        self.found: list[tuple[str, str]] = []
        self.times: Counter[str] = Counter()
        self._other_term = other_term

    def read(self, body: Element) -> None:
        headings: list[Element] = []
        for element in body:
            if element.tag == "Heading":
                headings.append(element)
            elif element.tag == "Section":
                anchor = _label(element)
                for number, heading in enumerate(headings, start=1):
                    self._add(f"^{anchor}/{number}", heading.find("TitleText"))
                headings = []
                self._provision(element, "", anchor)

    def _provision(self, element: Element, above: str, own: str) -> None:
        """Collect a section, a part of it, or a definition; an element without a name is skipped with its contents."""
        if not own:
            return
        path = f"{above}/{own}" if above else own
        self._add(path, element.find("Text"))
        continued = 0
        for child in element:
            if child.tag in _LABELLED:
                self._provision(child, path, _label(child))
            elif child.tag == "Definition":
                self._provision(child, path, _terms(child))
            elif child.tag in _CONTINUED:
                continued += 1
                self._provision(child, path, f"+{continued}")

    def _add(self, path: str, element: Element | None) -> None:
        if element is None or any(part.tag in _NO_LAW for part in element.iter()):
            return
        text = tidy(_EMPTY_BRACKETS.sub("", "".join(self._strings(element))))
        if text:
            self.times[path] += 1
            self.found.append((path, text))

    def _strings(self, element: Element) -> Iterator[str]:
        """The text of an element, without notes, and without the term of the other language."""
        yield element.text or ""
        for child in element:
            if child.tag != self._other_term and child.tag not in _NOT_TEXT:
                yield from self._strings(child)
            yield child.tail or ""


def _label(element: Element) -> str:
    """Return the label without brackets and full stops at its ends, "" if there is none: ``(a)`` in English is ``a)``
    in French; ``4.1`` stays."""
    label = element.find("Label")
    return "" if label is None else tidy("".join(label.itertext())).strip("()[]. ").casefold()


def _terms(definition: Element) -> str:
    """The terms that a definition defines, English and French; empty unless it names both."""
    names = []
    for tag in _TERMS:
        terms = {tidy("".join(term.itertext())).casefold() for term in definition.iter(tag)}
        names.append(",".join(sorted(terms)))
    return "=".join(names) if all(names) else ""
