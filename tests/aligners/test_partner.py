"""An aligner with a statistical partner: vote and mean by brute force, words of lines, sil-thot."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

import nmt
from nmt.aligners.aligner import Aligner
from nmt.aligners.partners import MOST_WORDS, SilThot, WordPair, training_words
from nmt.alignments.links import VOTE, BothDirections, Extraction, vote
from nmt.data.text import Tokenizer
from nmt.errors import InputError
from release.alignment.counting import count_links, write_counts
from tests.aligners.conftest import SOURCE, TARGET

PAIRS = list(zip(SOURCE, TARGET, strict=True))
BOTH = BothDirections(frozenset({(0, 0), (1, 1), (1, 2)}), frozenset({(0, 0), (2, 1), (0, 1)}))


class Fixed:
    """The same links for every pair but the last, which it cannot read."""

    name = "fixed"

    def __init__(self, both: BothDirections = BOTH) -> None:
        self.read: list[WordPair] = []
        self._both = both

    def links(self, pairs: Iterable[WordPair]) -> Iterator[BothDirections | None]:
        for pair in pairs:
            self.read.append(pair)
            yield self._both if len(self.read) < len(PAIRS) else None


@pytest.fixture
def aligner(place: Path) -> Aligner:
    return nmt.load_aligner(place / "aligners" / "both")


@pytest.mark.parametrize("seed", range(5))
def test_a_vote_keeps_what_two_of_three_have(seed: int) -> None:
    drawn = np.random.default_rng(seed).random((3, 4, 5)) < 0.5
    own, forward, backward = (frozenset(map(tuple, np.argwhere(one).tolist())) for one in drawn)
    expected = {(i, j) for i in range(4) for j in range(5) if drawn[:, i, j].sum() >= 2}
    assert vote(own, BothDirections(forward, backward)) == expected


def test_links_are_a_vote_and_the_map_a_mean(aligner: Aligner) -> None:
    partner = Fixed()
    found = list(aligner.with_partner(partner).stream(PAIRS, pretokenised=True))
    alone = list(aligner.stream(PAIRS, pretokenised=True))
    assert partner.read == [(source.split(), target.split()) for source, target in PAIRS]
    for one, own in zip(found[:-1], alone, strict=False):
        assert one.map == f"{aligner.settings.map}, with fixed"
        assert one.rule == VOTE
        ballots = [link for links in (own.links, BOTH.forward, BOTH.backward) for link in links]
        assert set(one.links) == {link for link in ballots if ballots.count(link) >= 2}
        expected = 2 / 3 * own.alignment.weights
        for i in range(len(one.target)):
            for j in range(len(one.source)):
                rows = sum(link[1] == i for link in BOTH.forward)
                columns = sum(link[0] == j for link in BOTH.backward)
                expected[i, j] += ((j, i) in BOTH.forward) / 6 / max(rows, 1)
                expected[i, j] += ((j, i) in BOTH.backward) / 6 / max(columns, 1)
        expected[-1, -1] += 1 / 3
        np.testing.assert_allclose(one.alignment.weights, expected, atol=1e-6)
    assert found[-1].links == alone[-1].links
    np.testing.assert_array_equal(found[-1].alignment.weights, alone[-1].alignment.weights)


def test_a_partner_decides_the_weights_too(aligner: Aligner) -> None:
    alone, both = aligner.identity, aligner.with_partner(Fixed()).identity
    assert (alone["partner"], both["partner"]) == (None, "fixed")
    assert {**both, "partner": None} == alone


def test_other_rules_read_the_mean(aligner: Aligner) -> None:
    rule = Extraction("columns")
    for one in aligner.with_partner(Fixed()).stream(PAIRS, pretokenised=True, extraction=rule):
        assert set(one.links) == rule.links(one.alignment)
    with pytest.raises(InputError, match="partner"):
        list(aligner.stream(PAIRS, extraction=Extraction(VOTE)))


def test_links_between_the_words_of_a_tokeniser_become_links_between_those_of_a_line(aligner: Aligner) -> None:
    partner = Fixed(BothDirections(frozenset({(2, 2), (3, 4)}), frozenset({(2, 2), (3, 4)})))
    (found,) = aligner.with_partner(partner).stream([("It's red.", "C'est rouge, non ?")])
    assert partner.read == [(["It", "'s", "red", "."], ["C'", "est", "rouge", ",", "non", "?"])]
    assert {(1, 1), (1, 2)} <= set(found.links)


def test_counts_beside_an_aligner_are_its_partner(place: Path, tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "aligner.json").write_bytes((place / "aligners" / "both" / "aligner.json").read_bytes())
    words = [(source.split(), target.split()) for source, target in PAIRS]
    counts = count_links(words, Fixed().links(words))
    write_counts(tmp_path / "toy", counts)
    aligner = nmt.load_aligner(tmp_path / "toy", runs=place / "checkpoints")
    assert aligner.partner == counts
    expected = nmt.load_aligner(place / "aligners" / "both").with_partner(counts)
    for pair in PAIRS:
        found, other = (one.align(*pair).to_dict() for one in (aligner, expected))
        assert [system.pop("name") for one in (found, other) for system in one["systems"]] == ["toy", "both"]
        assert found == other


TEXT = [("a b c d".split(), "A B C D".split()), ("b a d".split(), "B A D".split()), ("c".split(), "C".split())]


def test_sil_thot_finds_which_words_belong_together() -> None:
    pytest.importorskip("thot")
    read = [*TEXT, (["a"], []), (["a"] * (MOST_WORDS + 1), ["a"]), (["z"] * MOST_WORDS, ["z"])]
    found = list(SilThot(20 * [("c d".split(), "c d".split()), ("d a".split(), "d a".split())]).links(read))
    for (source, target), both in zip(TEXT, found, strict=False):
        assert both is not None
        for links in (both.forward, both.backward):
            assert links <= {(i, i) for i in range(len(source))}, (source, target)
    assert found[0] is not None
    assert found[0].forward == {(i, i) for i in range(4)}
    assert [both is None for both in found[3:]] == [True, True, False]


def test_training_text_is_pairs_of_sentences(tmp_path: Path) -> None:
    lines = ["It's red.", "a " * 51, "", "a " * 50]
    for name in ("source", "target"):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    tokenizers = Tokenizer("en"), Tokenizer("en")
    read = list(training_words(tmp_path / "source", tmp_path / "target", tokenizers))
    assert read == [(["It", "'s", "red", "."],) * 2, (["a"] * 50,) * 2]


def test_without_the_package_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nmt.aligners.partners.find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "thot", None)
    with pytest.raises(InputError, match=r"jointly\[smt\]"):
        SilThot()
