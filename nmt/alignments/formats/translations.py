"""Lines of a translation and its alignment, as decoders print them: ``Nous dormons . ||| 0-0 1-1 2-2 3-3``.

Marian's ``--alignment soft`` writes a field for each target token, ``0.9,0.1,0``, with a weight for each source token;
``hard`` and a threshold write links ``source-target`` from 0. Both count the end-of-sentence tokens of the two sides as
tokens, which the text does not show. The alignment may be followed by ``||| WordScores= …``, and in an n-best list it
follows the text: ``0 ||| text ||| alignment ||| F0= -1.2 ||| -1.2``; in Moses' it stands at the end. OpenNMT-py's and
eole's ``--report_align`` writes links without end-of-sentence tokens, in later versions followed by ``||| 0-0.99 …``;
Sockeye's ``translation_with_alignments`` has a tab for the bars. Of several hypotheses the first is read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nmt.alignments.formats import checks
from nmt.alignments.formats.checks import NOTHING, Content, Given
from nmt.errors import InputError
from nmt.results.links import cut, is_link, parse_links

_FEATURES = re.compile(r"\S+=(?=[ \t]|$)")
_SCORES = re.compile(r"WordScores=|[0-9]+-[0-9]\.[0-9]+(?=[ \t]|$)")


@dataclass(frozen=True)
class _Hypothesis:
    """A line: the number of its sentence, "" without one, its text and its alignment."""

    number: str
    text: str
    alignment: str


def _parsed(line: str) -> _Hypothesis:
    if "|||" not in line:
        text, _, alignment = line.rpartition("\t")
        return _Hypothesis("", text, alignment)
    number, fields = "", [field.strip(" \t") for field in line.split("|||")]
    if fields[0].isdecimal() and len(fields) > 3:
        behind = is_links(fields[-1]) and len(fields) > 4  # Moses writes the alignment at the end
        features, score = fields[-3:-1] if behind else fields[-2:]
        if _FEATURES.match(features) and checks.is_number(score):
            number, fields = fields[0], [*fields[1:-3], fields[-1]] if behind else fields[1:-2]
    if len(fields) > 2 and _SCORES.match(fields[-1]):
        fields.pop()
    return _Hypothesis(number, " ||| ".join(fields[:-1]), fields[-1] if len(fields) > 1 else "")


def is_links(field: str) -> bool:
    return bool(field) and all(map(is_link, cut(field)))


def is_soft(field: str) -> bool:
    """Tell if a field has rows of weights."""
    return bool(field) and all(checks.is_number(weight) for row in cut(field) for weight in row.split(","))


def recognise(lines: Sequence[str]) -> bool:
    """Tell if lines are translations with alignments; some may have none."""
    alignments = [_parsed(line).alignment for line in lines if "|||" in line or "\t" in line]
    return (
        len(alignments) == len(lines)
        and any(alignments)
        and any(all(kind(field) for field in alignments if field) for kind in (is_links, is_soft))
    )


def read(text: str, given: Given = NOTHING) -> Content:
    """Read the alignment of each line, or of each sentence of an n-best list. The words of ``given`` are the source
    words, and the target words if it has some: they are the tokens that the program read and wrote.

    Raises:
        LackingError: the source words are not given.
        InputError: a line has another form, or tokens and alignment do not match; names sentence or line.
    """
    hypotheses = dict[int, _Hypothesis]()
    for place, line in enumerate(checks.lines_of(text.rstrip("\r\n"))):
        one = _parsed(line)
        if one.alignment and not (is_links(one.alignment) or is_soft(one.alignment)):
            raise InputError(f"line {place + 1} does not end with an alignment: {one.alignment[:40]!r}")
        hypotheses.setdefault(int(one.number[:9]) if one.number else place, one)
    return content({number: (one.text, one.alignment) for number, one in hypotheses.items()}, given, ends=True)


def content(hypotheses: dict[int, tuple[str, str]], given: Given, *, ends: bool) -> Content:
    """The content of texts and alignments by the number of their sentence.

    Args:
        ends: links to the position after the last word, if there are any, mean the end-of-sentence token.
    """
    pairs = checks.in_order(hypotheses, ("", ""))
    sources = given.words("source", len(pairs))
    targets = given.words("target", len(pairs)) if given.target else [cut(text) for text, _ in pairs]
    fields = [alignment for _, alignment in pairs]
    if all(is_links(field) for field in fields if field):
        links = [parse_links(field) for field in fields]
        if sum(map(len, links)) > checks.MAX_LINKS:
            raise InputError(f"the file has more than {checks.MAX_LINKS:,} links")
        ends = ends and any(
            link.target == len(words) for one, words in zip(links, targets, strict=True) for link in one
        )
        words = zip(map(tuple, sources), map(tuple, targets), strict=True)
        return checks.linked([*zip(links, words, strict=True)], argmax=True, ends=ends)
    alignments, size = [], checks.Size()
    for number, (source, target, field) in enumerate(zip(sources, targets, fields, strict=True), start=1):
        where = f"sentence {number}"
        rows = [checks.numbers(row.split(","), where) for row in cut(field)]
        size.add(len(rows), max(map(len, rows), default=0))
        read = checks.alignment_of_words(source, target, rows, where) if rows or target else checks.NO_ALIGNMENT
        alignments.append(read)
    return Content(alignments=tuple(alignments))
