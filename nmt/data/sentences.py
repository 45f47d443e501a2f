"""Splitting a text into sentences, and assembling their translations into a text again.

The package sentencex (Wikimedia, MIT) finds sentence ends. It works offline and does not split in doubtful cases. The
abbreviations of Moses are added to those of sentencex.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import sentencex

from nmt.data.line_words import UNSPACED
from nmt.data.text import check_language

_MARKER = re.compile(r"[^\S\n]*(?:(?:[-–—*•‣▪◦·+>]|#{1,6}|\(?\d{1,3}[.)]|\(?[a-zA-Z]\))[^\S\n]+)*")
"""Prefix of a line before its sentences: indentation, bullets, list numbers, heading marks."""
_NUMBER = re.compile(r"\(?\d{1,3}[.)]")
_LAST_WORD = re.compile(r"(?:^|[\s'’(«“\"])([^\s'’(«“\"]+)\.$")
_LONGEST_ABBREVIATION = 40
_ENDED = re.compile(r"[.!?…:;][\"'”’»)\]\s]*$")
_LONGEST_WRAPPED, _SHORTEST_WRAPPED = 120, 40
"""Largest and smallest width, in characters, at which the lines of a text may be hard-wrapped."""

_MORE = {"fr": {"Dr": "", "Pr": "", "Mgr": "", "St": "", "Ste": "", "no": "0", "nos": "0", "p": "0"}}
_MONTHS = {"fr": ("janv", "févr", "avr", "juil", "juill", "sept", "oct", "nov", "déc")}
"""Abbreviations added to the lists of Moses. Months and words with "0" are abbreviations only before a number."""


@dataclass(frozen=True)
class Paragraph:
    """A line of a text, or several lines that a sentence spans. before: untranslated text before the paragraph: line
    breaks, blank lines, indentation, a bullet. sentences: one or more."""

    before: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class SplitText:
    """A text split into sentences: the paragraphs in order, and the text after the last, such as a line break."""

    paragraphs: tuple[Paragraph, ...]
    after: str

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences, in text order."""
        return tuple(sentence for paragraph in self.paragraphs for sentence in paragraph.sentences)

    def together(self, translations: Sequence[str], language: str = "") -> str:
        """Replace each of ``sentences`` by its translation. ``language`` is the language of the translations. A
        language without spaces between words has no spaces between sentences."""
        assert len(translations) == len(self.sentences)
        rest = iter(translations)
        space = "" if language in UNSPACED else " "
        parts = []
        for paragraph in self.paragraphs:
            written = [next(rest) for _ in paragraph.sentences]
            parts.append(paragraph.before + space.join(text for text in written if text))
        return "".join([*parts, self.after])


def split_text(text: str, language: str) -> SplitText:
    """Split a text into sentences.

    A line break ends a sentence, so headings and list items need no full stop. A block of lines hard-wrapped at one
    width, as in mails, is an exception. White space within a sentence becomes one space.

    Raises InputError if ``language`` is not a language code.

    >>> text = split_text("A heading\\n\\n- It is 3.5 m long. Is it?\\n", "en")
    >>> text.sentences
    ('A heading', 'It is 3.5 m long.', 'Is it?')
    >>> text.together(["Un titre", "Il fait 3,5 m de long.", "Ah bon ?"])
    'Un titre\\n\\n- Il fait 3,5 m de long. Ah bon ?\\n'
    """
    check_language(language)
    paragraphs = []
    before = ""
    for block in re.split(r"(\n(?:[^\S\n]*\n)+)", text):
        for number, line in enumerate(_unwrapped(block.split("\n"))):
            before += "\n" if number else ""
            marker = _marker(line)
            body = line[len(marker) :]
            sentences = _sentences(body, language)
            if sentences:
                paragraphs.append(Paragraph(before + marker, sentences))
                before = body[len(body.rstrip()) :]
            else:
                before += line
    return SplitText(tuple(paragraphs), before)


def split_lines(text: str) -> SplitText:
    """Split a text into lines. Each line is one sentence, and the white space around it stays in the text.

    >>> text = split_lines("It is late. Go home.\\n\\n  Good night.\\n")
    >>> text.sentences
    ('It is late. Go home.', 'Good night.')
    >>> text.together(["a", "b"])
    'a\\n\\n  b\\n'
    """
    paragraphs = []
    before = ""
    for number, line in enumerate(text.split("\n")):
        before += "\n" if number else ""
        sentence = line.strip()
        if sentence:
            first = line.index(sentence)
            paragraphs.append(Paragraph(before + line[:first], (sentence,)))
            before = line[first + len(sentence) :]
        else:
            before += line
    return SplitText(tuple(paragraphs), before)


def _marker(line: str) -> str:
    marker = _MARKER.match(line)
    return marker.group() if marker else ""


def _unwrapped(lines: list[str]) -> list[str]:
    """Join the lines of a block if they were hard-wrapped at one width. In such a block the first word of a line never
    fits on the line before, and at least one line ends within a sentence."""
    texts = [line.strip() for line in lines]
    width = max(len(text) for text in texts)
    if len(lines) < 2 or not _SHORTEST_WRAPPED <= width <= _LONGEST_WRAPPED or not all(texts):
        return lines
    breaks = list(pairwise(texts))
    full = all(len(text) + 1 + len(following.split()[0]) > width for text, following in breaks)
    within = any(not _ENDED.search(text) for text, _ in breaks)
    itemised = any(_marker(line).strip() for line in lines[1:])
    if not full or not within or itemised:
        return lines
    return [" ".join([lines[0].rstrip(), *texts[1:]]) + lines[-1][len(lines[-1].rstrip()) :]]


def _sentences(line: str, language: str) -> tuple[str, ...]:
    """Split a line into sentences with sentencex, and join what ``_continues`` joins."""
    sentences: list[str] = []
    space = ""  # white space between the last part and this part
    for part in sentencex.segment(language, line):
        piece = " ".join(part.split())
        if part[:1].isspace():
            space = " "
        if sentences and piece and _continues(sentences[-1], piece, language):
            sentences[-1] += space + piece
        elif piece:
            sentences.append(piece)
        space = " " if part[-1:].isspace() else ""
    return tuple(sentences)


def _continues(before: str, piece: str, language: str) -> bool:
    """Tell whether ``piece`` continues the sentence ``before``, although sentencex separated them."""
    if _NUMBER.fullmatch(before) or (before.endswith(".") and piece[0].islower()):
        return True
    last = _LAST_WORD.search(before[-_LONGEST_ABBREVIATION:])
    if last is None:
        return False
    abbreviations = _abbreviations(language)
    kinds = {abbreviations.get(word) for word in (last[1], last[1].rpartition("-")[2])}  # "J.-C." as "C."
    return "" in kinds or ("0" in kinds and piece[0].isdigit())


@cache
def _abbreviations(language: str) -> dict[str, str]:
    """Abbreviations whose full stop ends no sentence. The value is "", or "0" if this holds only before a number."""
    from sacremoses.corpus import NonbreakingPrefixes

    by_form = {}
    for word in NonbreakingPrefixes().words(language):
        bare, _, only = word.partition(" ")
        if len(bare) > 1 or (bare.isupper() and language != "en"):  # "8 h." may end a sentence; "It was I."
            by_form[bare] = "0" if only else ""
    return by_form | _MORE.get(language, {}) | dict.fromkeys(_MONTHS.get(language, ()), "0")
