"""``A3.final`` of GIZA++ and MGIZA: three lines for each pair, a remark with its number, the target words, and each
source word with the numbers, from 1, of the target words that it generated; those of NULL have no link.

    # Sentence pair (1) source length 2 target length 2 alignment score : 0.01
    Nous dormons
    NULL ({ }) We ({ 1 }) sleep ({ 2 })
"""

import re
from collections.abc import Sequence

from nmt.alignments.formats import checks
from nmt.alignments.formats.checks import NOTHING, Content, Given, Words
from nmt.errors import InputError
from nmt.results.links import MarkedLink, numbered_words

_REMARK = re.compile(
    r"# Sentence pair \(([0-9]{1,9})\) source length ([0-9]+) target length ([0-9]+) alignment score.*"
)
_GENERATED = re.compile(r"([^ \t]+) \(\{((?: [0-9]{1,9})*) \}\) ?")


def recognise(lines: Sequence[str]) -> bool:
    return bool(_REMARK.fullmatch(lines[0]))


def read(text: str, given: Given = NOTHING) -> Content:
    """Read the links of each pair. With the direction target-source the words of the third line are the target.

    Raises:
        InputError: a pair does not have the three lines, or its words and numbers do not match; names the pair.
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
        numbers = [numbered_words(each) for _, each in fields]
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
