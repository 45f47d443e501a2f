"""The output of ``fairseq-generate`` and ``fairseq-interactive --print-alignment``: lines of a letter, the number of
the sentence and tabs.

``S-0`` is the source, ``H-0`` a hypothesis after its score, ``P-0`` the scores of its tokens, the end-of-sentence token
included, and ``A-0`` its alignment: ``hard``, links source-target from 0 without end-of-sentence tokens, or ``soft``, a
field ``0.9,0.1`` for each target token with a weight for each source token, both with end-of-sentence tokens. Other
lines are ignored. ``--remove-bpe`` joins the subwords of S and H but not those of A; then both sides have to be given.
Of several hypotheses the first is read.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from nmt.alignments.formats import checks, translations
from nmt.alignments.formats.checks import NOTHING, Content, Given, LackingError
from nmt.errors import InputError

_LINE = re.compile(r"([SHPA])-([0-9]{1,9})\t(.*)")


def recognise(lines: Sequence[str]) -> bool:
    return any(map(_LINE.fullmatch, lines))


def read(text: str, given: Given = NOTHING) -> Content:
    """Read the alignments, with the words of ``given`` or else of the file.

    Raises:
        LackingError: the file has lines A alone, and words are not given.
        InputError: there is no alignment, or tokens and alignment do not match; names the sentence.
    """
    kinds: dict[str, dict[int, str]] = {kind: {} for kind in "SHPA"}
    for line in checks.lines_of(text):
        if match := _LINE.fullmatch(line):
            kinds[match[1]].setdefault(int(match[2]), match[3])
    texts = {number: line.partition("\t")[2] for number, line in kinds["H"].items()}
    if not kinds["A"]:
        raise InputError("the output of fairseq has no alignments, lines A-0: --print-alignment soft writes them")
    for number, field in kinds["A"].items():
        if not (translations.is_links(field) or (translations.is_soft(field) and "," in field)):
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
    return translations.content({count - 1: ("", ""), **pairs}, given, ends=False)
