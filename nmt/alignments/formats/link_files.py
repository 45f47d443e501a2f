"""Files of links: the Pharaoh format ``0-0 1-2 2-1``, one line per sentence pair, and files of SimAlign, NAACL and
GIZA++.

Programs that read Pharaoh (Moses, Marian, fast_align's atools, ``jointly aer``) expect links on every line and support
no comments. So the policy can only be part of the file's name.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from nmt.alignments.formats import checks
from nmt.alignments.formats.checks import NOTHING, SIDES, Content, Given, Words
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.results.links import Gold, MarkedLink, format_links, is_link, numbered_words, parse_links

_LOOKED_AT = 1000
"""Number of fields at the start of the first line that are checked to recognise links."""
_NUMBERED = re.compile(r"([0-9]+)\t")
_ROW = re.compile(r"[ \t]+".join([r"0*([1-9][0-9]{0,5})"] * 3) + r"(?:[ \t]+([SP])(?:[ \t]+[0-9.]+)?)?[ \t]*")
_REMARK = re.compile(
    r"# Sentence pair \(([0-9]{1,9})\) source length ([0-9]+) target length ([0-9]+) alignment score.*"
)
_GENERATED = re.compile(r"([^ \t]+) \(\{((?: [0-9]{1,9})*) \}\) ?")


def write(alignments: Sequence[Alignment], policy: Policy, run: str = "") -> str:
    """Format a file as text, with links by the policy's rule, base and direction. ``run`` is not stored."""
    return "".join(format_links(policy.numbered(policy.links(alignment))) + "\n" for alignment in alignments)


def read(text: str, given: Given = NOTHING) -> Content:
    """Read the links of each line, none for an empty line. A link that is both sure and possible is sure. Each line may
    begin with its number and a tab, as in gold files of simalign and awesome-align. ``given`` may have the words.
    Raises InputError, which names the line, for a field that is no link, and for a number below the base or outside the
    words."""
    lines = checks.lines_of(text)
    checks.check_sentences(len(lines))
    if sum(map(text.count, "-p?")) > checks.MAX_LINKS:
        raise InputError(f"the file has more than {checks.MAX_LINKS:,} links")
    numbered = [match for line in lines if (match := _NUMBERED.match(line))] if _NUMBERED.match(lines[0]) else []
    if numbered and [int(match[1]) - int(numbered[0][1]) for match in numbered] != list(range(len(lines))):
        raise InputError("the lines are not numbered one after the other")
    links = []
    for number, line in enumerate(lines, start=1):
        try:
            links.append(parse_links(line.partition("\t")[2] if numbered else line, given.base))
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None
    return content(links, given)


def read_rows(text: str, given: Given = NOTHING) -> Content:
    """Read gold links of the shared tasks of 2003 and 2005. Each line is a link: numbers of sentence, source word and
    target word, from 1, then S (sure, the default) or P (possible). A sentence without a line has no links. Raises
    InputError, which names the line, for another form or a link outside the words."""
    sentences: dict[int, list[MarkedLink]] = {}
    if text.count("\n") > checks.MAX_LINKS:
        raise InputError(f"the file has more than {checks.MAX_LINKS:,} links")
    for number, line in enumerate(checks.lines_of(text), start=1):
        match = _ROW.fullmatch(line)
        if match is None:
            raise InputError(f"line {number}: {line[:40]!r} is not a sentence, two words, all from 1, and S or P")
        sentence, source, target = (int(field) - 1 for field in match.groups()[:3])
        checks.check_sentences(sentence + 1)
        sentences.setdefault(sentence, []).append(MarkedLink(source, target, match[4] != "P"))
    if given.source:  # the last sentences may have no line
        sentences.setdefault(len(given.source) - 1, [])
    return content(checks.in_order(sentences, []), replace(given, base=1))


def content(sentences: Sequence[Sequence[MarkedLink]], given: Given) -> Content:
    """The content of a file from its links as written. ``given`` has their direction, and may have the words. Raises
    InputError for a link outside these words."""
    if given.direction != "source-target":
        sentences = [[MarkedLink(j, i, sure) for i, j, sure in links] for links in sentences]
    if given.source and given.target:
        source, target = (given.words(side, len(sentences)) for side in SIDES)
        words = zip(map(tuple, source), map(tuple, target), strict=True)
        return checks.linked([*zip(sentences, words, strict=True)])
    golds = tuple(map(Gold.of, sentences))
    for number, gold in enumerate(golds, start=1):
        if max(gold.words) > checks.MAX_TOKENS:
            raise InputError(f"sentence {number} has more than {checks.MAX_TOKENS:,} words")
    return Content(links=golds)


def recognise(lines: Sequence[str]) -> bool:
    fields = re.finditer(r"[^ \t]+", lines[0])
    return all(is_link(field[0]) for field in islice(fields, _LOOKED_AT))


def are_numbered(lines: Sequence[str]) -> bool:
    """Tell if a file begins with lines of a number, a tab and links."""
    return all(map(_NUMBERED.match, lines)) and recognise(lines[0].partition("\t")[2:])


def are_rows(lines: Sequence[str]) -> bool:
    """Tell if a file begins with rows of a sentence and two words."""
    return _ROW.fullmatch(lines[0]) is not None


def is_giza(lines: Sequence[str]) -> bool:
    """Tell if a file begins with a remark of GIZA++."""
    return _REMARK.fullmatch(lines[0]) is not None


def read_giza(text: str, given: Given = NOTHING) -> Content:
    """Read the links of each pair from ``A3.final`` of GIZA++ and MGIZA. A pair has three lines: a remark with its
    number, the target words, and each source word with the numbers, from 1, of the target words that it generated.
    Words of NULL have no link.

        # Sentence pair (1) source length 2 target length 2 alignment score : 0.01
        Nous dormons
        NULL ({ }) We ({ 1 }) sleep ({ 2 })

    If the direction is target-source, the words of the third line are the target. Raises InputError, which names the
    pair, if it does not have three lines, or its words and numbers do not match.
    """
    lines = checks.lines_of(text.rstrip("\r\n"))
    pairs: dict[int, tuple[list[MarkedLink], Words]] = {}
    for start in range(0, len(lines), 3):
        remark, target, generated = (*lines[start : start + 3], "", "")[:3]
        match, where = _REMARK.fullmatch(remark), f"line {start + 1}"
        if match is None:
            raise InputError(f"line {start + 1} should begin with # Sentence pair (number) source length …")
        checks.check_length(
            max(generated.count("({") - 1, generated.count(" ") // 8), where
        )  # four of a word and a link
        fields = _GENERATED.findall(generated)
        words = tuple(word for word, _ in fields[1:]), tuple(checks.words(target, where))
        numbers = [numbered_words(field) for _, field in fields]
        links = [MarkedLink(j, int(i) - 1, True) for j, linked in enumerate(numbers[1:]) for i in linked]
        total = sum(map(len, numbers))
        if _GENERATED.sub("", generated) or (len(words[0]), len(words[1]), total) != (
            int(match[2]), int(match[3]), int(match[3])
        ):  # fmt: skip
            raise InputError(f"{where} counts other words and links than those of its pair")
        if given.direction != "source-target":
            words, links = (words[1], words[0]), [MarkedLink(i, j, True) for j, i, _ in links]
        if pairs.setdefault(int(match[1]) - 1, (links, words)) != (links, words) or match[1] == "0":
            raise InputError(f"{where} has the number of another pair")
    return checks.linked(checks.in_order(pairs, ([], ((), ()))))
