"""A sentence of a file that is too large to be drawn."""

import numpy as np
import pytest

from nmt.alignments.formats.checks import Content
from nmt.alignments.formats.one_sentence import system_of
from nmt.errors import InputError
from nmt.results import Alignment
from nmt.results.links import Gold, parse_links
from nmt.results.record import System
from nmt.texts import ALIGNMENTS


def size_of(system: System) -> int:
    return system.alignment(system.main_map).weights.size


def test_a_file_has_at_most_a_quarter_of_a_million_cells() -> None:
    """Weights, and links between the words that were typed or their numbers."""
    words = [tuple(map(str, range(count))) for count in (500, 501)]
    square, larger = (
        Alignment(source=source, target=words[0], weights=np.zeros((500, len(source)), np.float32)) for source in words
    )
    assert size_of(system_of(Content(alignments=(square,)), "a.csv", 1)) == 250_000
    said = ALIGNMENTS.too_many_weights.format(number=1, weights="250,500", most="250,000")
    with pytest.raises(InputError, match=said):
        system_of(Content(alignments=(larger,)), "a.csv", 1)
    links = Content(links=(Gold.of(parse_links("499-499")),))
    assert size_of(system_of(links, "a.txt", 1)) == 250_000
    for source, target in ((["a"] * 501, []), ([], ["a"] * 501)):
        with pytest.raises(InputError, match="501"):
            system_of(links, "a.txt", 1, source, target)
