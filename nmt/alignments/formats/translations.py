"""Lines of a translation and its alignment, as decoders print them: ``Nous dormons . ||| 0-0 1-1 2-2 3-3``.

Marian's ``--alignment soft`` writes a field for each target token, ``0.9,0.1,0``, with a weight for each source token.
``hard`` and a threshold write links ``source-target`` from 0. Both count the end-of-sentence tokens of the two sides,
which the text does not show. Soft alignments may stand alone, without the text. ``||| WordScores= …`` may follow the
alignment. In an n-best list the alignment follows the text: ``0 ||| text ||| alignment ||| F0= -1.2 ||| -1.2``. In
Moses' n-best list the alignment is at the end. OpenNMT-py's and eole's ``--report_align`` writes links without
end-of-sentence tokens, in later versions followed by ``||| 0-0.99 …``. Sockeye's ``translation_with_alignments`` has a
tab for the bars. Of several hypotheses the first is read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nmt.alignments.formats import checks
from nmt.alignments.formats.checks import NOTHING, Content, FileTokens, Given, LackingError
from nmt.errors import InputError
from nmt.results.links import parse_links

_LINKS = re.compile(r"[0-9]{1,5}[-p?][0-9]{1,5}(?:[ \t]+[0-9]{1,5}[-p?][0-9]{1,5})*+[ \t]*")
_WEIGHT = r"[-+]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?"
_ROWS = re.compile(rf"{_WEIGHT}(?:(?:,|[ \t]++){_WEIGHT})*+[ \t]*")
_FIELD = re.compile(r"[^ \t]+")
_ROUNDED = 0.01
"""Largest difference between 1 and the sum of a row of rounded weights."""
_FEATURES = re.compile(r"\S+=(?=[ \t]|$)")
_SCORES = re.compile(r"WordScores=|[0-9]+-[0-9]\.[0-9]+(?=[ \t]|$)")
_FAIRSEQ = re.compile(r"([SHPA])-([0-9]{1,9})\t(.*)")


@dataclass(frozen=True)
class _Hypothesis:
    """A line: the number of its sentence (or ""), its text and its alignment."""

    number: str
    text: str
    alignment: str


def _parsed(line: str) -> _Hypothesis | None:
    """Parse a line. None if the line has another form."""
    number, fields = "", [field.strip(" \t") for field in line.split("|||", checks.MAX_TOKENS)]
    bars = len(fields) > 1
    if not bars:
        fields = ["", line] if stands_alone(line) else line.rsplit("\t", 1)
    if len(fields) > 3 and fields[0].isdecimal():
        behind = is_links(fields[-1]) and len(fields) > 4  # Moses writes the alignment at the end
        features, score = fields[-3:-1] if behind else fields[-2:]
        if _FEATURES.match(features) and checks.is_number(score):
            number, fields = fields[0], [*fields[1:-3], fields[-1]] if behind else fields[1:-2]
    if len(fields) > 2 and _SCORES.match(fields[-1]):
        fields.pop()
    soft = (bars or not fields[0]) and is_soft(fields[-1])
    fits = len(fields) > 1 and (not fields[-1] or is_links(fields[-1]) or soft)
    return _Hypothesis(number, " ||| ".join(fields[:-1]), fields[-1]) if fits else None


def stands_alone(line: str) -> bool:
    """Tell if a line is a soft alignment without a text: several rows of equally many weights, each row with the sum 1.
    A line of numbers with decimal commas, or with one row of a matrix, is not."""
    first = _FIELD.search(line)
    commas = 0 if first is None else first[0].count(",")
    if first is None or not commas or not _FIELD.search(line, first.end()) or not is_soft(line):
        return False

    def is_row(field: str) -> bool:
        return field.count(",") == commas and abs(sum(map(float, field.split(","))) - 1) < _ROUNDED

    return all(is_row(field[0]) for field in _FIELD.finditer(line))


def is_links(field: str) -> bool:
    return _LINKS.fullmatch(field) is not None


def is_soft(field: str) -> bool:
    """Tell if a field of the line has rows of weights."""
    return _ROWS.fullmatch(field) is not None


_KINDS = (is_links, is_soft)


def recognise(lines: Sequence[str]) -> bool:
    """Tell if lines are translations with alignments. Some translations may have no alignment."""
    hypotheses = [hypothesis for line in lines if (hypothesis := _parsed(line))]
    alignments = [hypothesis.alignment for hypothesis in hypotheses if hypothesis.alignment]
    if len(hypotheses) < len(lines) or all(hypothesis.text.isdecimal() for hypothesis in hypotheses):
        return False  # all: numbers of lines of links
    return bool(alignments) and any(all(map(is_, alignments)) for is_ in _KINDS)


def read(text: str, given: Given = NOTHING) -> Content:
    """Read the alignment of each line, or of each sentence of an n-best list. ``given`` has the source words
    (LackingError without them), and may have target words: the tokens that the program read and wrote. Raises
    InputError, which names sentence or line, for another form, or if tokens and alignment do not match."""
    hypotheses = dict[int, _Hypothesis]()
    for place, line in enumerate(checks.lines_of(text.rstrip("\r\n"))):
        hypothesis = _parsed(line)
        if hypothesis is None or bool(hypothesis.number) != bool(next(iter(hypotheses.values()), hypothesis).number):
            raise InputError(f"line {place + 1} does not have the form of the others, a text and an alignment")
        hypotheses.setdefault(int(hypothesis.number[:9]) if hypothesis.number else place, hypothesis)
    if "|||" not in text and not given.target and not any(hypothesis.text for hypothesis in hypotheses.values()):
        given.words("target", len(hypotheses))  # asks for them
    return content({number: (line.text, line.alignment) for number, line in hypotheses.items()}, given, ends=True)


def content(hypotheses: dict[int, tuple[str, str]], given: Given, *, ends: bool) -> Content:
    """Make the content from texts and alignments, by the number of their sentence. ends: whether a link to the position
    after the last word is to the end-of-sentence token. Then weights may lack this token. If False, no link is to this
    token, and all weights include it."""
    pairs = checks.in_order(hypotheses, ("", ""))
    sources = given.words("source", len(pairs))
    targets = (
        given.words("target", len(pairs))
        if given.target
        else [checks.words(text, checks.place(k)) for k, (text, _) in enumerate(pairs, start=1)]
    )
    for number, (target, (text, _)) in enumerate(zip(targets, pairs, strict=True), start=1):
        if text:
            checks.check_same(target, text, checks.place(number))
    fields = [alignment for _, alignment in pairs]
    if not any(map(is_soft, fields)):
        if sum(field.count(mark) for field in fields for mark in "-p?") > checks.MAX_LINKS:
            raise InputError(f"the file has more than {checks.MAX_LINKS:,} links")
        links = [parse_links(field) for field in fields]
        reach = [max((link.target for link in pairs_links), default=-1) for pairs_links in links]
        ends = ends and any(last == len(words) for last, words in zip(reach, targets, strict=True))
        words = [(tuple(source), tuple(target)) for source, target in zip(sources, targets, strict=True)]
        return checks.linked([*zip(links, words, strict=True)], argmax=True, ends=ends)
    if sum(field.count(",") for field in fields) > checks.MAX_CELLS:
        raise InputError(f"the file has more than {checks.MAX_CELLS:,} weights")
    rows = []
    for number, field in enumerate(fields, start=1):
        where = checks.place(number)
        rows.append([checks.numbers(row.split(","), where) for row in checks.words(field, where)])
    return checks.of_tokens([*map(FileTokens, sources, targets, rows)], ends=not ends)


def is_fairseq(lines: Sequence[str]) -> bool:
    """Tell if lines are of fairseq's output."""
    return any(map(_FAIRSEQ.fullmatch, lines))


def read_fairseq(text: str, given: Given = NOTHING) -> Content:
    """Read the output of ``fairseq-generate`` and ``fairseq-interactive --print-alignment``: lines of a letter, the
    number of the sentence and tabs. The words are those of ``given``, or else of the file.

    ``S-0`` is the source, ``H-0`` a hypothesis after its score. ``P-0`` has the scores of the tokens, with the
    end-of-sentence token. ``A-0`` is the alignment. ``hard`` has links source-target from 0 without end-of-sentence
    tokens. ``soft`` has a field ``0.9,0.1`` for each target token, with a weight for each source token, both with
    end-of-sentence tokens. Other lines are ignored. ``--remove-bpe`` joins the subwords of S and H, but not those of A.
    Then ``given`` needs both sides. Of several hypotheses the first is read.

    Raises:
        LackingError: ``given`` lacks words, and the file has only lines A, or lines whose words are not the tokens.
        InputError: there is no alignment, or tokens and alignment do not match. Names the sentence.
    """
    kinds: dict[str, dict[int, str]] = {kind: {} for kind in "SHPA"}
    for line in checks.lines_of(text):
        if match := _FAIRSEQ.fullmatch(line):
            kinds[match[1]].setdefault(int(match[2]), match[3])
    texts = {number: line.partition("\t")[2] for number, line in kinds["H"].items()}
    if not kinds["A"]:
        raise InputError("the output of fairseq has no alignments, lines A-0: --print-alignment soft writes them")
    for number, field in kinds["A"].items():
        if not (is_links(field) or (is_soft(field) and "," in field)):
            raise InputError(f"sentence {number + 1}: {field[:40]!r} is not what --print-alignment hard or soft writes")
        if not given.target and number not in texts:
            given.words("target", 0)
        where = checks.place(number + 1)
        scores = checks.words(kinds["P"].get(number, ""), where)
        words = checks.words(given.target[number] if number < len(given.target) else texts.get(number, ""), where)
        if scores and len(scores) != len(words) + 1:
            raise LackingError(
                f"sentence {number + 1} has scores for {len(scores) - 1} tokens, but {len(words)} target words: "
                "give files of the tokens of both sides"
            )
    sources = checks.in_order(kinds["S"], "") if kinds["S"] else []
    count = max(len(given.source), len(sources), max(kinds["A"]) + 1)
    pairs = {number: (texts.get(number, ""), kinds["A"][number]) for number in kinds["A"]}
    for number, line in enumerate(given.source):
        if number in kinds["S"]:
            checks.check_same([line], kinds["S"][number], checks.place(number + 1))
    given = given if given.source else replace(given, source=sources)
    return content({count - 1: ("", ""), **pairs}, given, ends=False)
