"""A policy applied step by step, its links in the words' own numbers, and its way through JSON."""

import json
from dataclasses import asdict
from itertools import product
from typing import Any

import numpy as np
import pytest

from nmt.alignments.links import argmax_links, mass_links, threshold_links
from nmt.alignments.policy import Policy, restrict
from nmt.errors import InputError
from nmt.records import as_record
from nmt.results import END, Alignment
from tests.alignments.examples import CHOICES, assert_same, random_alignment


def test_the_weights_are_merged_first_and_then_restricted() -> None:
    for seed in range(10):
        alignment = random_alignment(seed, pieces=True)
        for subwords, end_mark in product(CHOICES["subwords"], CHOICES["end_mark"]):
            found = Policy(subwords=subwords, end_mark=end_mark).applied(alignment).alignment  # type: ignore[arg-type]
            expected = alignment.merged() if subwords == "words" else alignment
            assert_same(found, restrict(expected, without_end=end_mark == "removed").alignment, words=True)


def test_links_keep_the_numbers_of_words_or_of_pieces() -> None:
    """Source: a comma of its own, words 2 to 4 without a token, word 5 in two pieces. Target x y. The weight of x is on
    the second piece; with the comma out, its column is another, its number is not."""
    alignment = Alignment(
        source=("a", ",", "c1", "c2", END),
        target=("x", "y", END),
        weights=np.array([[0, 0, 0, 1.0, 0], [0, 0.6, 0.1, 0.3, 0], [0, 0, 0, 0, 1]]),
        source_words=(0, 1, 5, 5, 6),
        target_words=(0, 2, 3),
    )
    assert Policy().links(alignment) == {(5, 0), (1, 2)}
    assert Policy(punctuation="removed").links(alignment) == {(5, 0), (5, 2)}
    assert Policy(subwords="pieces").links(alignment) == {(3, 0), (1, 1)}
    assert Policy(subwords="pieces", punctuation="removed").links(alignment) == {(3, 0), (3, 1)}
    assert Policy(rule="threshold", threshold=0.35).links(alignment) == {(5, 0), (1, 2), (5, 2)}
    assert Policy(rule="mass", mass=0.95).links(alignment) == {(5, 0), (1, 2), (5, 2)}


@pytest.mark.parametrize("seed", range(10))
def test_each_rule_is_the_one_of_its_name(seed: int) -> None:
    alignment = random_alignment(seed)
    assert Policy(rule="argmax-null").links(alignment) == argmax_links(alignment)
    assert Policy(rule="threshold", threshold=0.2).links(alignment) == threshold_links(alignment, 0.2)
    assert Policy(rule="mass", mass=0.8).links(alignment) == mass_links(alignment, 0.8)


def test_base_and_direction_number_the_links() -> None:
    links = frozenset({(2, 0), (0, 1)})
    assert Policy().numbered(links) == [(0, 1), (2, 0)]
    assert Policy(base=1).numbered(links) == [(1, 2), (3, 1)]
    assert Policy(direction="target-source").numbered(links) == [(0, 2), (1, 0)]
    assert Policy(base=1, direction="target-source").numbered(links) == [(1, 3), (2, 1)]


def test_every_choice_survives_json_and_has_a_description_of_its_own() -> None:
    policies = [
        Policy(**dict(zip(CHOICES, values, strict=True)))  # type: ignore[arg-type]
        for values in product(*CHOICES.values())
    ]
    for policy in policies:
        assert as_record(Policy, json.loads(json.dumps(asdict(policy))), "policy") == policy
    assert len({policy.of_links for policy in policies}) == len(policies)
    assert Policy(rule="mass", mass=0.25).rule_name == "mass 0.25"


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"rule": "guess"}, r"\brule .*argmax-null, threshold, mass.*'guess'"),
        ({"base": 2}, r"\bbase .*0.*1.*2"),
        ({"base": True}, r"\bbase .*0.*1.*True"),
        ({"base": 0.0}, r"\bbase .*0.*1.*0\.0"),
        ({"direction": ["source-target"]}, r"\bdirection .*source-target, target-source"),
        ({"threshold": 0}, r"\bthreshold .*0.*1"),
        ({"mass": 1.5}, r"\bmass .*0.*1"),
        ({"mass": "half"}, r"\bmass .*0.*1"),
        ({"mass": float("nan")}, r"\bmass .*0.*1"),
        ({"colour": "red"}, r"\bcolour\b"),
    ],
)
def test_a_policy_that_cannot_be(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError, match=named):
        as_record(Policy, wrong, "policy")
