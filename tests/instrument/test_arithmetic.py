"""What the instrument computes of a record is what Python computes of it, in 1,000 random records."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nmt.alignments.links import Extraction, heaviest
from nmt.alignments.measures import (
    coverage,
    difference_of_pairs,
    end_mask,
    entropy,
    marks,
    punctuation_mask,
)
from nmt.alignments.policy import restrict
from nmt.evaluation.alignment_error_rate import alignment_error_rate
from nmt.instrument import texts
from nmt.results import Alignment
from nmt.results.alignment import END
from nmt.results.links import Gold
from nmt.results.record import map_of
from tests.charts.node import evaluate
from tests.oracles.crossing import crossing

HERE = Path(__file__).parent
RECORDS = 1000
WORDS = (
    *("sleeps", "maison", "zone", "économique", "européenne", "signed", "agreement", "country", "where", "white"),
    *("the", "house", "Area", "European", "l'", "10", "naïve", "été", ",", ".", "«", "€", "🙂", "\u200d", "x"),
    *("▁Eco nomic", "▁sign ed", "▁ ,", "▁agree ments", "▁<0xC3> <0xA9>", "▁▁", "▁L' accord", "▁zone"),
)
"""Words as their tokens: whole, in two pieces, with a letter in bytes, and punctuation. Of more pieces a mean has other
last digits in each language, which decides between weights that are equal."""


@dataclass(frozen=True)
class Case:
    """A record with two systems, how it is shown, and what Python knows of the first two."""

    record: dict[str, Any]
    view: dict[str, Any]
    alignments: tuple[Alignment, Alignment]
    log_probability: tuple[float, ...]

    def units(self, k: int) -> Alignment:
        return self.alignments[k] if self.view["pieces"] else self.alignments[k].merged()


def case(seed: int) -> Case:
    random = np.random.default_rng(seed)
    words = [[str(word) for word in random.choice(WORDS, random.integers(1, 7))] for _ in "st"]
    first, second = (_alignment(random, *_edited(random, words, times)) for times in (0, int(random.integers(0, 4))))
    log_probability = tuple((-random.random(len(first.target))).round(4).tolist())
    systems = [
        {
            "name": f"system {k}",
            "source": {"tokens": alignment.source, "words": alignment.source_words},
            "target": {"tokens": alignment.target, "words": alignment.target_words},
            "token_log_probabilities": log_probability if k == 0 else [],
            "maps": [{"kind": "alpha", "weights": map_of("alpha", alignment)[0].weights}],
            "text": "x",
        }
        for k, alignment in enumerate((first, second))
    ]
    numbered = [_without_end(side) for side in (first.merged().source, first.merged().target)]
    links = [[int(random.integers(0, len(side))) for side in numbered] for _ in range(4) if all(numbered)]
    gold = {"source": numbered[0], "target": numbered[1], "sure": links[:2], "possible": links[2:]}
    if seed % 10 == 0:  # links of another translation
        gold["target"] = [*numbered[1], "more"]
    record = {"format": 1, "source": {"text": "x", "language": "en"}, "systems": systems, "gold": gold}
    view = {name: bool(random.random() < 0.5) for name in ("end", "punctuation", "pieces")}
    least = float(random.choice([0, 0.05, 0.1, 0.2, 0.3, 0.35, 0.5, 0.6, 0.95, 1]))
    return Case(
        record,
        view | {"by": str(random.choice(["threshold", "mass"])), "least": least},
        (first, second),
        log_probability,
    )


def _edited(random: np.random.Generator, words: list[list[str]], times: int) -> list[list[str]]:
    """Two sides with words of either deleted, added and replaced."""
    sides = [[*side] for side in words]
    for _ in range(times):
        side = sides[int(random.integers(0, 2))]
        k = int(random.integers(0, len(side)))
        side[k : k + int(random.integers(0, 2))] = [str(random.choice(WORDS))] * int(random.integers(0, 2)) or side[
            k : k + 1
        ]
    return sides


def _alignment(random: np.random.Generator, *sides: list[str]) -> Alignment:
    tokens, numbers = [], []
    for words in sides:
        pieces = [(piece, k) for k, word in enumerate(words) for piece in word.split(" ")]
        if random.random() < 0.8:
            pieces.append((END, len(words)))
        tokens.append(tuple(piece for piece, _ in pieces))
        numbers.append(tuple(k for _, k in pieces))
    columns, rows = (len(side) for side in tokens)
    if random.random() < 0.5:  # weights of two decimals, which are equal to each other and to what is asked for
        weights = random.multinomial(20, random.dirichlet(np.full(columns, 0.3)), rows) / 20
    else:
        weights = random.dirichlet(np.full(columns, 0.1), rows)
    weights[random.random(rows) < 0.05] = 0
    if rows > 3 and columns > 3 and random.random() < 0.6:  # the order of words turned round
        weights[:, :3] *= 0.2
        weights[:3] *= 0.2
        weights[[0, 1, 2], [2, 1, 0]] += 0.8
    weights = np.round(weights, 6)  # as a record has them
    return Alignment(
        source=tokens[0], target=tokens[1], weights=weights, source_words=numbers[0], target_words=numbers[1]
    )


def _without_end(words: tuple[str, ...]) -> list[str]:
    return [*words[: len(words) - (words[-1:] == (END,))]]


CASES = [case(seed) for seed in range(RECORDS)]


@pytest.fixture(scope="module")
def found() -> list[dict[str, Any]]:
    given = [{"record": each.record, "view": each.view} for each in CASES]
    answers: list[dict[str, Any]] = evaluate(
        HERE / "computed.js",
        "given.records.map((each) => m.computed(each, given.texts))",
        {"records": given, "texts": texts()},
    )
    return answers


@pytest.fixture(scope="module")
def restricted() -> list[Any]:
    return [
        [
            restrict(each.units(k), without_end=not each.view["end"], without_punctuation=not each.view["punctuation"])
            for k in range(2)
        ]
        for each in CASES
    ]


def close(found: Any, expected: Any, precision: float = 2e-6) -> bool:
    """Numbers of 32 bits are as near as that."""
    one, other = np.array(found, dtype=float), np.array(expected, dtype=float)
    return one.size == other.size and bool(np.allclose(one.reshape(other.shape), other, rtol=0, atol=precision))


def test_what_is_shown_is_what_the_policy_keeps(found: list[dict[str, Any]], restricted: list[Any]) -> None:
    for answer, (expected, _) in zip(found, restricted, strict=True):
        first = answer["first"]
        assert (first["source"], first["target"]) == (list(expected.alignment.source), list(expected.alignment.target))
        assert close(first["weights"], expected.alignment.weights)
        assert first["from"] == {"source": list(expected.source), "target": list(expected.target)}
        assert first["empty"] == len(expected.empty)
        assert answer["drawn"]["source"] == first["source"]
        assert answer["drawn"]["target"] == first["target"]
    assert sum(answer["first"]["empty"] > 0 for answer in found) > 50
    assert sum(not answer["first"]["source"] for answer in found) > 10


def test_links_are_those_of_the_same_rule(found: list[dict[str, Any]], restricted: list[Any]) -> None:
    for answer, each, (expected, _) in zip(found, CASES, restricted, strict=True):
        weights, least = expected.alignment.weights, each.view["least"]
        if each.view["by"] == "threshold":
            links = np.argwhere((weights >= np.float32(least)) & (weights > 0)).tolist()
        else:
            links = [[i, j] for i, row in enumerate(weights) for j in sorted(heaviest(row, least))]
        assert answer["links"] == links
        assert answer["drawn"]["links"] == links
    assert sum(len(answer["links"]) for answer in found) > 3 * RECORDS


def test_measures_and_marks(found: list[dict[str, Any]], restricted: list[Any]) -> None:
    number = 0
    for answer, (expected, _) in zip(found, restricted, strict=True):
        source, weights = expected.alignment.source, expected.alignment.weights.astype(float)
        elsewhere, marked = weights[:, end_mask(source) | punctuation_mask(source)], marks(expected.alignment)
        assert close(answer["measures"]["coverage"], coverage(expected.alignment), 1e-5)
        assert close(answer["measures"]["entropy"], entropy(weights), 2e-5)
        assert close(answer["measures"]["elsewhere"], np.minimum(elsewhere.sum(axis=1), 1), 1e-5)
        signs = {**dict.fromkeys(marked.dropped, "hardly"), **dict.fromkeys(marked.attended_often, "often")}
        assert answer["marks"]["source"] == [signs.get(j) for j in range(len(expected.alignment.source))]
        repeated = [i in marked.repeated for i in range(len(expected.alignment.target))]
        assert [mark == "repeated" for mark in answer["marks"]["target"]] == repeated
        number += len(signs) + sum(repeated)
    assert number > RECORDS


def test_crossings(found: list[dict[str, Any]]) -> None:
    number = 0
    for answer, each in zip(found, CASES, strict=True):
        where = crossing(each.alignments[0])
        expected = None if where is None else {"source": list(where.source), "target": list(where.target)}
        assert answer["crossing"] == expected
        assert answer["drawn"]["crossing"] == expected
        number += where is not None
    assert number > 10


def test_differences_are_over_the_words_that_difflib_matches(
    found: list[dict[str, Any]], restricted: list[Any]
) -> None:
    sides = {"both": (True, True), "first": (True, False), "second": (False, True)}
    others = 0
    for answer, (first, second) in zip(found, restricted, strict=True):
        expected, made = difference_of_pairs(first.alignment, second.alignment), answer["difference"]
        for side in ("source", "target"):
            assert [edit["word"] for edit in made[side]] == list(getattr(expected, side))
            known = [tuple(edit[name] is not None for name in ("before", "after")) for edit in made[side]]
            assert known == [sides[each] for each in getattr(expected, f"{side}_sides")]
            others += known.count((True, False)) + known.count((False, True))
        assert close(made["delta"], expected.delta)
        assert [bits is None for bits in made["divergence"]] == np.isnan(expected.divergence).tolist()
        bits = [0 if bits is None else bits for bits in made["divergence"]]
        assert close(bits, np.nan_to_num(expected.divergence), 2e-5)
    assert others > RECORDS


def test_gold_links_are_at_all_pieces_of_their_words(found: list[dict[str, Any]], restricted: list[Any]) -> None:
    number = 0
    for answer, each, (expected, _) in zip(found, CASES, restricted, strict=True):
        whole = each.alignments[0].merged()
        fits = each.record["gold"]["target"] == _without_end(whole.target)
        columns, rows = expected.alignment.source_words, expected.alignment.target_words
        for name in ("sure", "possible"):
            links = {(x, y) for x, y in each.record["gold"][name]} if fits else set()
            cells = {(i, j) for i, y in enumerate(rows) for j, x in enumerate(columns) if (x, y) in links}
            assert {(i, j) for i, j in answer["gold"][name]} == cells
            number += len(cells)
    assert number > RECORDS


def test_the_error_rates_of_links_are_those_of_python(found: list[dict[str, Any]]) -> None:
    """Against the links drawn and counted at each weight; none where gold links number other words."""
    number = 0
    for answer, each in zip(found, CASES, strict=True):
        whole, given = each.alignments[0].merged(), each.record["gold"]
        sure, possible = (frozenset((x, y) for x, y in given[name]) for name in ("sure", "possible"))
        if given["target"] != _without_end(whole.target) or not sure:
            assert answer["rates"] == []
            continue
        for rates in answer["rates"]:
            links = Extraction("threshold", rates["least"]).links(each.alignments[0])
            expected = alignment_error_rate([links], [Gold(sure, sure | possible)])
            assert rates["links"] == expected.links
            names = ("precision", "recall", "aer")
            assert [rates[name] for name in names] == pytest.approx([getattr(expected, name) for name in names])
            number += 1
    assert number > RECORDS


def test_log_p_of_a_word_is_the_sum_over_its_pieces(found: list[dict[str, Any]], restricted: list[Any]) -> None:
    for answer, each, (expected, _) in zip(found, CASES, restricted, strict=True):
        words = each.alignments[0].target_words
        sums = {word: sum(p for p, k in zip(each.log_probability, words, strict=True) if k == word) for word in words}
        logs = [
            each.log_probability[i] if each.view["pieces"] else sums[word]
            for i, word in zip(expected.target, expected.alignment.target_words, strict=True)
        ]
        assert close(answer["drawn"]["logP"], logs, 1e-9)
