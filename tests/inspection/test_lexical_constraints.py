"""Rules over whole words: all outputs that obey, enumerated, for words and for pieces of two letters."""

import itertools
from collections import Counter
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from nmt.data.subwords import train_pieces
from nmt.data.vocabulary import Shortlist, Vocabulary
from nmt.errors import InputError
from nmt.inspection.what_if import TargetWords
from nmt.results import END
from nmt.search.beam import BeamSettings, beam_search
from nmt.search.constrained import Constrained, OutputConstraints, OutputRule
from tests.oracles.toys import random_sources, random_toy

LONGEST = 4


@pytest.fixture(scope="module", params=["words", "bpe"])
def target(request: pytest.FixtureRequest) -> TargetWords:
    vocabulary: Vocabulary = Shortlist(["a", "b", "ab", "ba"])
    if request.param == "bpe":
        vocabulary = train_pieces(Counter({"ab": 9, "ba": 2, "a": 2, "b": 1}), "bpe", 8)
    side = SimpleNamespace(vocabulary=vocabulary, tokenizer=SimpleNamespace(tokenize=str.split))
    model: Any = SimpleNamespace(name="toy", target=side)
    return TargetWords(model)


def split(vocabulary: Vocabulary, ids: Sequence[int]) -> list[tuple[str, ...]]:
    """Words as tuples of their tokens, the end mark left out, told by the surfaces alone."""
    words: list[tuple[str, ...]] = []
    for token in vocabulary.tokens(ids):
        if token == END:
            continue
        if words and vocabulary.kind != "words" and not token.startswith("▁"):
            words[-1] = (*words[-1], token)
        else:
            words.append((token,))
    return words


def spelled(word: tuple[str, ...]) -> str:
    return "".join(word).removeprefix("▁")


def check(target: TargetWords, rules: tuple[OutputRule, ...], obeying: Sequence[tuple[int, ...]]) -> None:
    """That a wide beam finds exactly these, and that they are neither none nor all."""
    size = len(target.vocabulary)
    found = set(search(target, rules))
    assert found == set(obeying)
    assert 0 < len(found) < sum((size - 1) ** length for length in range(LONGEST + 1))


def search(target: TargetWords, rules: tuple[OutputRule, ...]) -> list[tuple[int, ...]]:
    model, source = random_toy(3, size=len(target.vocabulary)), random_sources(3, count=1)
    settings = BeamSettings(beam=6000, n_best=6000, max_length=LONGEST)
    steered = Constrained(model, [OutputConstraints(rules)])
    return [c.ids for c in beam_search(steered, source.ids, source.mask, settings)[0]]


@pytest.fixture(scope="module")
def every(target: TargetWords) -> list[tuple[int, ...]]:
    """Every output there can be: a toy gives none of them the probability 0."""
    ids = range(1, len(target.vocabulary))
    return [(*output, 0) for length in range(LONGEST + 1) for output in itertools.product(ids, repeat=length)]


def test_without_rules_a_wide_beam_finds_every_output(target: TargetWords, every: list[tuple[int, ...]]) -> None:
    assert set(search(target, ())) == set(every)
    ways = [o for o in every if [spelled(word) for word in split(target.vocabulary, o)] == ["ab"]]
    assert len(ways) == (4 if target.in_pieces else 1)  # ▁ab, ▁a b, ▁ a b, and a b, as no ▁ is needed to begin


@pytest.mark.parametrize("words", [["ab"], ["b", "ab"], ["a"], ["ab", "ba"]])
@pytest.mark.parametrize("step", [0, 1])
def test_whole_words_stand_where_they_should(
    target: TargetWords, every: list[tuple[int, ...]], words: list[str], step: int
) -> None:
    ids = tuple(id for word in words for id in target.ids(word))
    behind = step + len(ids)

    def obeys(output: tuple[int, ...]) -> bool:
        (following,) = target.vocabulary.tokens(output[behind : behind + 1]) or ("",)
        closed = not target.in_pieces or following == END or following.startswith("▁")
        return output[step:behind] == ids and closed

    check(target, target.whole(step, " ".join(words)).rules, [output for output in every if obeys(output)])


@pytest.mark.parametrize("words", [("ab",), ("a", "ba"), ("b",)])
def test_a_forbidden_word_occurs_in_no_spelling(
    target: TargetWords, every: list[tuple[int, ...]], words: tuple[str, ...]
) -> None:
    obeying = [o for o in every if not {spelled(word) for word in split(target.vocabulary, o)} & set(words)]
    check(target, target.forbidden(words), obeying)


def test_nothing_asked_is_no_rule(target: TargetWords) -> None:
    assert target.beginning("").rules == ()
    assert target.forbidden(()) == ()


def test_unknown_words_have_no_ids(target: TargetWords) -> None:
    with pytest.raises(InputError, match="xylophone"):
        target.ids("xylophone")
