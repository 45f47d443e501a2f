"""One sentence of a file of alignments, as systems of a record that can be drawn."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

import numpy as np

from nmt.alignments.formats import read, recognised
from nmt.alignments.formats.checks import Content, Given, lines_of
from nmt.errors import InputError
from nmt.results import END, Alignment
from nmt.results.links import Gold, parse_links
from nmt.results.record import LEAVE_ONE_OUT, LINKS, SentenceRecord, System, map_of, sides_of
from nmt.texts import ALIGNMENTS, LOOK

NOT_ALPHA = "effect of leaving a word out"
"""Text after a run's name in files whose weights are not attention. It is English for every user."""
_MOST_CELLS = 250_000
"""Most cells of a matrix that is drawn."""


def part_title(part: str) -> str:
    """Title of a head, a layer or a method, by its name in ``Content.parts``."""
    layer, _, head = part.partition(".")
    if not part:
        return ALIGNMENTS.mean_of_heads
    if not layer.isdecimal():
        return part
    return ALIGNMENTS.head.format(layer=layer, head=head) if head else ALIGNMENTS.mean_of_layer.format(layer=layer)


def systems_of(records: Sequence[SentenceRecord], file: str, number: int) -> list[System]:
    """The best output of each system of record ``number``, from 1. The systems are named after the file.

    Raises InputError if the record is missing or a matrix is too large.
    """
    if number > len(records):
        raise InputError(ALIGNMENTS.no_sentence.format(number=number, count=len(records)))
    stem = PurePath(file).stem
    systems = []
    for system in records[number - 1].systems:
        source, target = system.source.tokens, system.target.tokens
        if system.rank == 1 and source and target:
            _check_size(source, target)
            name = ALIGNMENTS.name_and_run.format(name=stem, run=system.name) if system.name else stem
            systems.append(replace(system, name=name))
    return systems


def system_of(
    content: Content, file: str, number: int, source: Sequence[str] = (), target: Sequence[str] = ()
) -> System:
    """One sentence of a file without records. The system is named after the file.

    Args:
        number: number of the sentence, from 1.
        source, target: words for links without words. If empty, numbers from 1 stand for the words.

    Raises:
        InputError: the file has fewer sentences, the sentence lacks words or links, or the matrix is too large.
    """
    sentences = len(content.alignments) or len(content.links)
    if number > sentences:
        raise InputError(ALIGNMENTS.no_sentence.format(number=number, count=sentences))
    name = PurePath(file).stem
    for run in (content.run, part_title(content.part) if content.parts else ""):
        name = ALIGNMENTS.name_and_run.format(name=name, run=run) if run else name
    if content.links:
        if content.words:
            source, target = content.words[number - 1]
        alignment, kind = _of_links(content.links[number - 1], source, target), LINKS
    else:
        not_alpha = content.kind == LEAVE_ONE_OUT or content.run.endswith(NOT_ALPHA)
        alignment, kind = content.alignments[number - 1], LEAVE_ONE_OUT if not_alpha else "weights"
        if not alignment.weights.size:
            raise InputError(ALIGNMENTS.no_words.format(number=number))
        if alignment.weights.size > _MOST_CELLS:
            counts = {"weights": f"{alignment.weights.size:,}", "most": f"{_MOST_CELLS:,}"}
            raise InputError(ALIGNMENTS.too_many_weights.format(number=number, **counts))
    sides, maps = sides_of(alignment), map_of(kind, alignment, exact=True)
    text = " ".join(word for word in alignment.merged().target if word != END)
    return System(name=name, text=text, source=sides[0], target=sides[1], maps=maps)


def links_of_file(text: str, given: Given) -> Gold:
    """The links of the first sentence of a file. Raises InputError if there are none."""
    first = lines_of(text)[0]
    if not first.strip():
        raise InputError(LOOK.gold_no_links)
    if recognised(text) in ("pharaoh", ""):
        return Gold.of(parse_links(first, given.base))
    content = read(text, given=given)
    if not content.links:
        raise InputError(LOOK.gold_weights)
    return content.links[0]


def _check_size(source: Sequence[str], target: Sequence[str]) -> None:
    if len(source) * len(target) > _MOST_CELLS:
        raise InputError(ALIGNMENTS.too_large.format(rows=len(target), columns=len(source)))


def _of_links(links: Gold, source: Sequence[str], target: Sequence[str]) -> Alignment:
    """Links as weights: 1 for a sure link, 0.5 for a possible one."""
    if not links.possible:
        raise InputError(ALIGNMENTS.no_link)
    if not source:
        source = [str(k) for k in range(1, links.words[0] + 1)]
    if not target:
        target = [str(k) for k in range(1, links.words[1] + 1)]
    _check_size(source, target)
    links.check(len(source), len(target))
    weights = np.zeros((len(target), len(source)), dtype=np.float32)
    for i, j in links.possible:
        weights[j, i] = 1.0 if (i, j) in links.sure else 0.5
    return Alignment(source=tuple(source), target=tuple(target), weights=weights)
