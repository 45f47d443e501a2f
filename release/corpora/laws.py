"""Parser of a consolidated act or regulation of Canada: published XML to texts by label path.

The English and the French version of a law have the same labels: subsection (2) of section 4 is ``4/2`` in both.
Elements without labels get a path from others:

- a definition by its term in both languages, which both versions name (each is sorted alphabetically):
  ``2/minister=ministre``;
- a heading by the section that follows it: ``^4/1`` is the first heading before section 4;
- text after a list by what it continues: ``4/1/+1``.

A path that occurs twice in a document is ambiguous, and omitted.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from xml.etree.ElementTree import Element, ParseError

import defusedxml.ElementTree
from defusedxml import DefusedXmlException

from nmt.data.corpora.parallel import Built, SentencePair, share, tidy, write_split
from nmt.data.corpus import read_lines
from nmt.errors import InputError
from release.corpora.archives import extract

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
_CURLY = str.maketrans({"’": "'", "‘": "'"})


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


KINDS = (("eng/acts", "fra/lois"), ("eng/regulations", "fra/reglements"))
"""The folders of the repository that are read, English and French."""

MIN_WORDS, MAX_WORDS = 2, 140
"""Limits on the whitespace tokens of either side."""
MAX_RATIO = 2.6
"""Maximum ratio of the numbers of characters of the two sides, five added to each because headings are short."""
MIN_LETTERS = 0.6
"""Minimum share of the characters that are letters or spaces."""
DEV_SHARE, TEST_SHARE = 0.02, 0.03
"""Shares of the documents that are held out."""
DEV_PAIRS, TEST_PAIRS = 2_000, 3_003
DROPPED_SHARE = 0.3
"""Share of the pairs that is dropped if an aligner's scores are given."""

_REGULATION = re.compile(r"^(?:DORS|TR|C\.R\.C\.,_ch\.)(?=[-_])")
_ENGLISH = {"DORS": "SOR", "TR": "SI", "C.R.C.,_ch.": "C.R.C.,_c."}
_REMARK = re.compile(r"\[.*\]")

OnDocuments = Callable[[int, int], None]
"""Progress callback: number of documents read, and their total."""


_PairOfDocument = tuple[SentencePair, str]
"""A pair and the document that it comes from."""


def build(
    xml: Path, folder: Path, scores: Sequence[Path] = (), on_documents: OnDocuments = lambda done, total: None
) -> Built:
    """Write train, dev, test, and ``pairs`` (all of them, before filtering by scores and splitting) from a folder that
    contains eng/acts, fra/lois, eng/regulations, fra/reglements, or some of them.

    ``scores`` are files with one number per line of ``pairs``, lower is better, such as eflomal writes for each
    direction; with several files the worst score of a pair counts, and the worst 30 % of the pairs are dropped. The
    same XML and scores give the same files.

    Whole documents are held out for dev and test. From these, repetitions and pairs whose English side also occurs in
    train (for dev: or in test) are dropped; ``DEV_PAIRS`` and ``TEST_PAIRS`` are drawn if there are more.

    Of the numbers of what was dropped, "score" counts pairs that passed all other filters. Raises InputError if no
    document is in both languages, or the scores do not match the pairs.
    """
    documents = _documents(xml)
    if not documents:
        raise InputError(
            f"{xml} contains no law in both languages: eng/acts and fra/lois, or regulations and reglements"
        )
    dropped: Counter[str] = Counter()
    unreadable: list[str] = []
    origins: dict[SentencePair, str] = {}
    for number, (name, paths) in enumerate(sorted(documents.items()), start=1):
        if len(paths) < 2:
            dropped["document in one language"] += 1
            continue
        try:
            pairs = list(_aligned(paths[0], paths[1], dropped))
        except InputError as error:
            unreadable.append(str(error))
            continue
        for pair in pairs:
            if pair in origins:
                dropped["repeated"] += 1
            origins.setdefault(pair, name)
        on_documents(number, len(documents))
    everything = list(origins.items())
    kept = _without_worst(everything, scores) if scores else everything
    dropped["score"] = len(everything) - len(kept)
    splits = [write_split(folder, name, pairs) for name, pairs in _split(kept, dropped).items()]
    splits.append(write_split(folder, "pairs", [pair for pair, _ in everything]))
    return Built(splits=splits, dropped=dict(dropped), unreadable=unreadable)


def build_archive(archive: Path, folder: Path, on_documents: OnDocuments) -> Built:
    """Do the same with the repository's archive."""
    with TemporaryDirectory(dir=archive.parent, prefix="xml-") as xml:
        extract(archive, Path(xml), _is_law)
        root = next(Path(xml).iterdir(), Path(xml))  # GitHub puts all into one folder
        return build(root, folder, on_documents=on_documents)


def _is_law(name: str) -> bool:
    """Recognise names such as laws-lois-xml-COMMIT/eng/acts/A-1.xml."""
    path = PurePosixPath(name)
    kinds = {kind for pair in KINDS for kind in pair}
    return path.suffix == ".xml" and "/".join(path.parts[1:-1]) in kinds


def _documents(xml: Path) -> dict[str, list[Path]]:
    """The files of each document, English first, by its English name."""
    documents: dict[str, list[Path]] = {}
    for english, french in KINDS:
        for path in sorted((xml / english).glob("*.xml")):
            documents[f"{english}/{path.stem}"] = [path]
        for path in sorted((xml / french).glob("*.xml")):
            name = _REGULATION.sub(lambda match: _ENGLISH[match[0]], path.stem)
            documents.setdefault(f"{english}/{name}", []).append(path)
    return documents


def _aligned(english: Path, french: Path, dropped: Counter[str]) -> Iterator[SentencePair]:
    """Yield the pairs of one document: equal paths, texts that can be translations of each other."""
    en, fr = read_document(english), read_document(french)
    if (en.language, fr.language) != ("en", "fr"):
        raise InputError(f"{english} and {french} are not the English and the French version of one law")
    for path, text in en.texts.items():
        if path not in fr.texts:
            dropped["label in one language"] += 1
            continue
        pair = SentencePair(straight_apostrophes(text), straight_apostrophes(fr.texts[path]))
        reason = _fault(pair)
        if reason:
            dropped[reason] += 1
        else:
            yield pair
    dropped["label in one language"] += len(fr.texts.keys() - en.texts.keys())


def _fault(pair: SentencePair) -> str:
    """Return the reason why a pair cannot be used, or "" if it can."""
    words = [len(side.split()) for side in pair]
    lengths = [len(side) + 5 for side in pair]
    if any(_REMARK.fullmatch(side) for side in pair):
        return "remark"
    if min(words) < MIN_WORDS or max(words) > MAX_WORDS:
        return "length"
    if max(lengths) > MAX_RATIO * min(lengths):
        return "ratio"
    if pair.en == pair.other or any(_not_prose(side) for side in pair):
        return "characters"
    return ""


def _not_prose(text: str) -> bool:
    """Tell whether much of a text is not letters, or a letter is not Latin (a few Greek letters are units and
    symbols)."""
    if sum(character.isalpha() or character == " " for character in text) < MIN_LETTERS * len(text):
        return True
    others = {c for c in text if ord(c) > 0x24F and c.isalpha()}
    return any(not unicodedata.name(c, "").startswith(("LATIN", "GREEK")) for c in others)


def _without_worst(pairs: list[_PairOfDocument], scores: Sequence[Path]) -> list[_PairOfDocument]:
    """Drop the pairs with the worst scores, keeping the order; among equal scores the first stay."""
    worst = [-math.inf] * len(pairs)
    for path in scores:
        values = [_number(line.text, number, path) for number, line in enumerate(read_lines(path), start=1)]
        if len(values) != len(pairs):
            raise InputError(f"{path} has {len(values):,} scores, but there are {len(pairs):,} pairs")
        worst = list(map(max, worst, values))
    kept = sorted(range(len(pairs)), key=lambda i: worst[i])[: len(pairs) - int(DROPPED_SHARE * len(pairs))]
    return [pairs[i] for i in sorted(kept)]


def _number(text: str | None, number: int, path: Path) -> float:
    try:
        value = float(text or "")
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise InputError(f"{path}, line {number}: not a number")
    return value


def _split(pairs: list[_PairOfDocument], dropped: Counter[str]) -> dict[str, list[SentencePair]]:
    splits: dict[str, list[SentencePair]] = {"train": [], "dev": [], "test": []}
    for pair, document in pairs:
        place = share(document)
        name = "dev" if place < DEV_SHARE else "test" if place < DEV_SHARE + TEST_SHARE else "train"
        splits[name].append(pair)
    seen = {pair.en for pair in splits["train"]}
    for name, number in (("test", TEST_PAIRS), ("dev", DEV_PAIRS)):
        new = []
        for pair in splits[name]:
            if pair.en not in seen:
                seen.add(pair.en)
                new.append(pair)
        dropped["English side known"] += len(splits[name]) - len(new)
        drawn = set(sorted(new, key=lambda pair: share(pair.en))[:number])
        dropped["more than is held out"] += len(new) - len(drawn)
        splits[name] = [pair for pair in new if pair in drawn]
    return splits


def straight_apostrophes(text: str) -> str:
    """Replace single curly quotation marks by straight ones, as in most text."""
    return text.translate(_CURLY)
