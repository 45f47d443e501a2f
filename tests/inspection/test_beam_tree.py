"""The tree of a search in words: its best hypothesis is the translation, also after given tokens."""

from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.config import SearchSettings
from nmt.errors import InputError
from nmt.inference.translator import Translator
from nmt.inspection.what_if import beam_tree, what_if
from nmt.results import END, Intervention

TEXT = "The girl has never seen the sea."


@pytest.fixture(scope="module", params=["search-words", "search-bpe", "encdec-words"])
def model(request: pytest.FixtureRequest, random_runs: Path) -> Translator:
    return nmt.load(random_runs / request.param)


@pytest.mark.parametrize("beam", [1, 4])
def test_the_best_hypothesis_is_the_translation(model: Translator, beam: int) -> None:
    best = model.translate(TEXT, beam=beam).best
    tree = beam_tree(model, TEXT, SearchSettings(beam=beam))
    assert tree.tokens(tree.best) == best.tokens
    node = tree.nodes[tree.best]
    assert (node.text, node.fate) == (best.text, "finished")
    assert node.log_probability == pytest.approx(best.log_probability, rel=1e-6)
    steps = [tree.nodes[k].token_log_probability for k in tree.path(tree.best)]
    np.testing.assert_allclose(steps, best.token_log_probabilities, rtol=1e-5)
    found = tree.alignment(tree.best)
    if best.alignment is None:
        assert found is None
    else:
        assert found is not None
        np.testing.assert_allclose(found.weights, best.alignment.weights, atol=1e-6)
        assert (found.source, found.target) == (best.alignment.source, best.alignment.target)


def test_it_goes_on_from_a_hypothesis(model: Translator) -> None:
    settings = SearchSettings(beam=3)
    tree = beam_tree(model, TEXT, settings)
    other = next(k for k, node in enumerate(tree.nodes) if node.fate == "pruned" and node.token != END)
    begin = tree.tokens(other)
    after = beam_tree(model, TEXT, settings, begin=begin)
    assert len(tree.nodes[0].following) == 5
    assert [token.token for token in after.nodes[0].following] == [begin[0]]  # all others are impossible
    assert after.tokens(after.best)[: len(begin)] == begin
    expected = what_if(model, TEXT, Intervention(prefix=begin), settings).best
    assert after.tokens(after.best) == expected.tokens
    assert after.nodes[after.best].log_probability == pytest.approx(expected.log_probability, rel=1e-5)


def test_what_cannot_be_searched_is_named(model: Translator) -> None:
    for text, begin, fault in ((" ", (), "no sentence"), (TEXT, ("xyz",), "xyz"), (TEXT, (END,), "end-of-sentence")):
        with pytest.raises(InputError, match=fault):
            beam_tree(model, text, SearchSettings(beam=2), begin=begin)
