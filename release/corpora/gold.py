"""Hand-aligned sentence pairs in a uniform format: ``tokens.LANGUAGE``, and ``gold`` in Pharaoh format, English first.

Each set has its own source format. A link listed twice is sure if either listing is; a link to a nonexistent word is an
error of the file.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from nmt.data.corpora.get import GOLD
from nmt.data.corpora.parallel import SentencePair, WrittenSplit, write_split
from nmt.errors import InputError
from nmt.results.links import MarkedLink, numbered_words
from release.corpora.archives import extract

TOKENS = "tokens"

_LINK = re.compile(r"(\d+)\s*([-p])\s*(\d+)")
_SENTENCE = re.compile(r"<s snum=0*(\d+)>(.*?)</s>")


@dataclass(frozen=True)
class LinkedPair:
    """Words of both sides, between spaces, and the links between them, English word first."""

    english: str
    other: str
    links: Sequence[MarkedLink]


def hansards(folder: Path) -> list[LinkedPair]:
    """The shared task of 2003: ``<s snum=0001> … </s>`` in Latin-1, and lines "0001 1 2 S", words counted from 1."""
    english, french = (_numbered(_file_ending_in(folder, f"test/test.{side}"), "latin-1") for side in ("e", "f"))
    links: dict[int, list[MarkedLink]] = {number: [] for number in english}
    answers = _file_ending_in(folder, "answers/test.wa.nonullalign")
    for line in _lines(answers, "latin-1"):
        fields = numbered_words(line)
        if not fields:
            continue
        if not 3 <= len(fields) <= 4 or not all(map(str.isdigit, fields[:3])) or int(fields[0]) not in links:
            raise InputError(f"{answers.name} has a line that is not a link: {line!r}")
        links[int(fields[0])].append(MarkedLink(int(fields[1]) - 1, int(fields[2]) - 1, fields[3:] != ["P"]))
    if english.keys() != french.keys():
        raise InputError("the two sides of the Hansards do not have the same sentences")
    return [LinkedPair(english[number], french[number], links[number]) for number in english]


def alibi(folder: Path) -> list[LinkedPair]:
    """Read one folder per story, FRENCH_ENGLISH: two files of sentences and one of links, each line starting with a
    number and a tab; links "3-4 5p6", French word first. Sentences without a link are omitted."""
    pairs = []
    for story in sorted(path for path in folder.rglob("ali/*") if path.is_dir()):
        names = story.name.split("_")
        sides = [story / f"{name}_sents.txt" for name in names]
        others = sorted({*story.glob("*.txt")} - {*sides})
        if len(names) != 2 or len(others) != 1:
            raise InputError(f"{story.name} of Alibi does not have two files of sentences and one of links")
        french, english = (_by_number(_file_ending_in(story, side.name)) for side in sides)
        for number, text in _by_number(others[0]).items():
            links = [MarkedLink(int(j), int(i), mark == "-") for i, mark, j in _LINK.findall(text)]
            if links and number in english and number in french:
                pairs.append(LinkedPair(english[number], french[number], links))
    return pairs


def europarl_de(folder: Path) -> list[LinkedPair]:
    """``test.de``, ``test.en`` and ``de-en.wa``, German word first; words are counted from 1 if no link has a 0."""
    german, english = (_lines(_file_ending_in(folder, f"test.{side}")) for side in ("de", "en"))
    rows = [
        [(int(i), mark, int(j)) for i, mark, j in _LINK.findall(line)]
        for line in _lines(_file_ending_in(folder, "de-en.wa"))
    ]
    first = 0 if any(0 in (i, j) for row in rows for i, _, j in row) else 1
    links = [[MarkedLink(j - first, i - first, mark == "-") for i, mark, j in row] for row in rows]
    return _side_by_side(english, german, links)


def kftt(folder: Path) -> list[LinkedPair]:
    """The test part of the Kyoto articles: one sentence per line, and links "3-4", Japanese word first."""
    english, japanese, links = (
        _lines(_file_ending_in(folder, f"data/{side}-test.txt")) for side in ("english", "japanese", "align")
    )
    links_by_line = [[MarkedLink(int(j), int(i), mark == "-") for i, mark, j in _LINK.findall(line)] for line in links]
    return _side_by_side(english, japanese, links_by_line)


SETS: Mapping[str, tuple[Callable[[Path], list[LinkedPair]], tuple[str, ...]]] = {
    "hansards": (hansards, ("test/test.e", "test/test.f", "answers/test.wa.nonullalign")),
    "alibi": (alibi, (".txt",)),
    "europarl-de": (europarl_de, ("test.de", "test.en", "de-en.wa")),
    "kftt": (kftt, ("english-test.txt", "japanese-test.txt", "align-test.txt")),
}
"""By name: a function from a folder of the set's files to its pairs, and how the names of these files end in the
archive."""


def build(archive: Path, name: str, languages: tuple[str, ...], out: Path) -> list[WrittenSplit]:
    """Write ``tokens.en``, ``tokens.LANGUAGE`` and ``gold`` of a set from its archive.

    Raises InputError for a damaged archive, a missing or malformed file, and links to nonexistent words.
    """
    read, wanted = SETS[name]
    with TemporaryDirectory(dir=archive.parent, prefix="gold-") as folder:
        extract(archive, Path(folder), lambda member: PurePosixPath(member).as_posix().endswith(wanted))
        pairs = read(Path(folder))
    if not pairs:
        raise InputError(f"{archive} contains no linked sentence")
    for number, pair in enumerate(pairs, 1):
        english, other = len(numbered_words(pair.english)), len(numbered_words(pair.other))
        if not all(0 <= link.source < english and 0 <= link.target < other for link in pair.links):
            raise InputError(f"pair {number} of {name} links a word that does not exist")
    (out / GOLD).write_text("".join(f"{_pharaoh(pair.links)}\n" for pair in pairs), "utf-8", newline="\n")
    words = (SentencePair(*(" ".join(numbered_words(side)) for side in (pair.english, pair.other))) for pair in pairs)
    return [write_split(out, TOKENS, words, languages, compressed=False)]


def _pharaoh(links: Iterable[MarkedLink]) -> str:
    sure = {(link.source, link.target) for link in links if link.sure}
    every = sorted({(link.source, link.target) for link in links})
    return " ".join(str(MarkedLink(i, j, (i, j) in sure)) for i, j in every)


def _side_by_side(english: list[str], other: list[str], links: Sequence[Sequence[MarkedLink]]) -> list[LinkedPair]:
    if not len(english) == len(other) == len(links):
        raise InputError(
            f"there are {len(english)} English lines, {len(other)} in the other language and {len(links)} of links"
        )
    return [LinkedPair(*row) for row in zip(english, other, links, strict=True)]


def _file_ending_in(folder: Path, ending: str) -> Path:
    """Find the one file whose path ends with ``ending``."""
    name = PurePosixPath(ending).name
    matching = [path for path in sorted(folder.rglob(name)) if path.as_posix().endswith(f"/{ending}")]
    if len(matching) != 1:
        raise InputError(f"there {'is no' if not matching else 'is more than one'} {ending} in the archive")
    return matching[0]


def _lines(path: Path, encoding: str = "utf-8") -> list[str]:
    try:
        text = path.read_bytes().decode(encoding)
    except UnicodeDecodeError:
        raise InputError(f"{path.name} is not in {encoding.upper()}") from None
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def _numbered(path: Path, encoding: str) -> dict[int, str]:
    return {int(number): text for line in _lines(path, encoding) for number, text in _SENTENCE.findall(line)}


def _by_number(path: Path) -> dict[int, str]:
    """Map the number before the tab to the text after it."""
    lines_by_number = {}
    for line in _lines(path):
        number, tab, text = line.partition("\t")
        if tab and number.strip().isdigit():
            lines_by_number[int(number)] = text
    return lines_by_number
