"""JSON: what the header says, the output of the commands, and what can be wrong with a file."""

import json
import sys
from typing import Any

import numpy as np
import pytest

from nmt.alignments.formats.json_format import read, write
from nmt.alignments.policy import Policy
from nmt.errors import InputError
from nmt.results import END, Alignment, ForcedScore, Hypothesis, Translation
from tests.alignments.examples import assert_same, random_alignment

ONE = {"source": ["a", END], "target": ["x"], "weights": [[0.25, 0.75]]}


def test_the_header_comes_back() -> None:
    policy = Policy(
        subwords="pieces",
        end_mark="removed",
        punctuation="removed",
        rule="mass",
        mass=0.6,
        base=1,
        direction="target-source",
    )
    content = read(write([random_alignment(0)], policy, "rnnsearch-50"))
    assert (content.run, content.policy) == ("rnnsearch-50", policy)
    assert content.links == ()


def test_the_object_by_hand() -> None:
    """The row of y has all its weight on the end mark; the comma is word 1 and stays, x and y are words 0 and 2 of a
    target whose word 1 has no token."""
    alignment = Alignment(
        source=("a", ",", END),
        target=("x", "y", END),
        weights=np.array([[0.75, 0.15, 0.1], [0, 0, 1], [0, 0, 1]]),
        source_words=(0, 1, 2),
        target_words=(0, 2, 3),
    )
    assert json.loads(write([alignment], Policy(end_mark="removed", base=1), "r")) == {
        "format": 1,
        "run": "r",
        "policy": {
            "subwords": "words",
            "end_mark": "removed",
            "punctuation": "kept",
            "rule": "argmax-null",
            "threshold": 0.3,
            "mass": 0.5,
            "base": 1,
            "direction": "source-target",
        },
        "sentences": [
            {
                "alignment": {
                    "source": ["a", ","],
                    "target": ["x", "y"],
                    "weights": [[0.833333, 0.166667], [0.0, 0.0]],
                    "source_words": [0, 1],
                    "target_words": [0, 2],
                },
                "links": [[1, 1]],
                "empty_rows": [1],
                "source_positions": [0, 1],
                "target_positions": [0, 1],
            }
        ],
    }


def test_what_the_commands_print() -> None:
    alignments = [random_alignment(seed, pieces=True) for seed in range(3)]
    translations = []
    for one in alignments:
        tokens = one.target
        hypothesis = Hypothesis(
            text="t",
            tokens=tokens,
            log_probability=-1.0,
            score=-1.0,
            token_log_probabilities=tuple([-0.5] * len(tokens)),
            alignment=one,
        )
        translations.append(Translation("s", (hypothesis,), ()).to_dict())
    scores = [
        ForcedScore(
            log_probability=-1.0,
            token_log_probabilities=tuple([-0.5] * len(one.target)),
            tokens=one.target,
            alignment=one,
        ).to_dict()
        for one in alignments
    ]
    links = [{"links": [[0, 0]], "rule": "argmax", "alignment": one.to_dict()} for one in alignments]
    for objects in (translations, scores, links, [one.to_dict() for one in alignments]):
        lines = [json.dumps({"format": 1, **one}) for one in objects]
        for text in ("\n".join(lines), f"[{','.join(lines)}]", "\ufeff" + "".join(lines)):
            found = read(text).alignments
            for alignment, expected in zip(found, alignments, strict=True):
                assert_same(alignment, expected, tolerance=6e-7, words=True)


def test_without_numbers_of_words_each_token_is_one() -> None:
    (found,) = read(json.dumps(ONE)).alignments
    assert (found.source_words, found.target_words) == ((0, 1), (0,))


def test_a_tab_may_stand_in_a_string_as_it_is() -> None:
    (found,) = read('{"source": ["a\tb"], "target": ["x"], "weights": [[1]]}').alignments
    assert found.source == ("a\tb",)


def changed(**values: Any) -> str:
    return json.dumps({**ONE, **values})


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{", "JSON"),
        ("[" * 100_000, "JSON"),
        ("1" * 5000, "JSON"),
        ("7", "sentence 1 .*alignment"),
        ("[]", "^the file .*alignment"),
        ('{"sentences": []}', "^the file .*alignment"),
        ('{"sentences": {}}', "sentences.* list"),
        ('{"sentences": [], "policy": 7}', "policy.* object"),
        (json.dumps({"sentences": [ONE], "policy": {"rule": "x"}}), "rule.*argmax.*'x'"),
        (json.dumps({"sentences": [ONE], "run": "\ud800"}), "run has a word with an incomplete character"),
        (json.dumps({"sentences": [ONE], "format": 2}), "format 2.*format 1"),
        (changed(format=2), "format 2.*format 1"),
        (json.dumps({"alignment": None}), "sentence 1 .*alignment"),
        (json.dumps([ONE, {"hypotheses": [{"alignment": None}]}]), "sentence 2 .*alignment"),
        (changed(source=["a"]), "sentence 1, row 1.* 2 weights.* 1 source"),
        (changed(source="a"), "sentence 1.*source.* strings"),
        (changed(target=[7]), "sentence 1.*target.* strings"),
        (changed(target=["x", "y"]), "sentence 1.* 1 rows.* 2 target"),
        (changed(target=["\ud800"]), "surrogate"),
        (changed(weights=None), "sentence 1: weights"),
        (changed(weights=[7]), "sentence 1, row 1.* numbers"),
        (changed(weights=[["1", 0]]), "sentence 1, row 1.* numbers"),
        (changed(weights=[[True, False]]), "sentence 1, row 1.* numbers"),
        (changed(weights=[[float("nan"), 0]]), "sentence 1, row 1.*nan"),
        (changed(weights=[[10**400, 0]]), "sentence 1, row 1.* large"),
        (changed(target=["x", "y"], weights=[[int(sys.float_info.max), 0], [-(10**400), 0]]), "row 2.* large"),
        (changed(weights=[[1.5, -0.5]]), r"sentence 1, row 1.*-0\.5"),
        (changed(weights=[[0.5, 0.25]]), r"sentence 1, row 1.* 0\.75\b.* 1$"),
        (changed(source_words=[0]), "sentence 1.* numbers"),
        (changed(source_words=[1, 0]), "sentence 1.* numbers.*decreasing"),
        (changed(source_words=[-1, 0]), "sentence 1.* numbers.* 0 "),
        (changed(target_words=[0.0]), "sentence 1.* numbers"),
        (changed(target_words="0"), "sentence 1.* numbers"),
    ],
)
def test_what_is_wrong_is_said(text: str, named: str) -> None:
    with pytest.raises(InputError, match=named):
        read(text)
