"""Trees of a search, and subwords as readers see them."""

import math

import numpy as np
import pytest

from nmt.results import BeamNode, BeamTree, Encoded
from nmt.results.inspection import NextToken, readable_alignment, writer


def node(parent: int | None, token: str, alpha: list[float] | None) -> BeamNode:
    return BeamNode(
        parent=parent,
        length=0,
        token=token,
        text="",
        token_log_probability=0.0,
        log_probability=0.0,
        fate="continued",
        following=(),
        alpha=None if alpha is None else np.array(alpha, np.float32),
    )


def tree(attends: bool) -> BeamTree:
    """The empty hypothesis, two words after it, and one after the second of them."""
    rows = [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]] if attends else [None] * 3
    nodes = node(None, "", None), node(0, "▁la", rows[0]), node(0, "▁le", rows[1]), node(2, "▁chat", rows[2])
    source = Encoded(ids=(2, 0), tokens=("▁cat", "</s>"), words=(0, 1), unknown=())
    return BeamTree(source=source, nodes=nodes, best=3, given=(), beam=2)


def test_a_hypothesis_is_the_path_to_it() -> None:
    found = tree(attends=True)
    assert [found.path(number) for number in range(4)] == [(), (1,), (2,), (2, 3)]
    assert found.tokens(3) == ("▁le", "▁chat")
    alignment = found.alignment(3)
    assert alignment is not None
    assert (alignment.source, alignment.target) == (("▁cat", "</s>"), ("▁le", "▁chat"))
    np.testing.assert_array_equal(alignment.weights, np.array([[0.2, 0.8], [0.5, 0.5]], np.float32))
    assert found.alignment(0) is None
    assert tree(attends=False).alignment(3) is None
    readable = readable_alignment(alignment)
    assert (readable.source, readable.target) == (("cat", "</s>"), ("le", "chat"))


@pytest.mark.parametrize(
    ("tokens", "written"),
    [
        (("▁Econ", "omic", "▁", "", "</s>"), ["Econ", "·omic", "▁", "", "</s>"]),
        (("Econ", "omic", "</s>"), ["Econ", "omic", "</s>"]),
    ],
)
def test_pieces_are_written_for_readers_and_words_as_they_are(tokens: tuple[str, ...], written: list[str]) -> None:
    assert list(map(writer(tokens), tokens)) == written


def test_probabilities_of_a_candidate() -> None:
    assert NextToken("a", math.log(0.5), None).probability == pytest.approx(0.5)
    assert NextToken("a", 0.0, None).probability_without is None
    assert NextToken("a", 0.0, math.log(0.25)).probability_without == pytest.approx(0.25)
    assert NextToken("a", -1.0, 0.0).probability_without == 1
