"""What a packed system keeps: pairs that cannot be made of smaller ones, n-grams that back-off does not give."""

import io
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sacrebleu import corpus_bleu

from experiments.phrase_based import pack
from experiments.phrase_based.extract import count, read_linked
from experiments.phrase_based.pack import (
    FEATURES,
    PAIR_FEATURES,
    Table,
    lexicon_of,
    losses,
    pair_features,
    pruned,
    read_table,
    tuned,
)
from experiments.phrase_based.system import giza_lines
from nmt.inference.phrase_based import load_phrase_based
from tests.experiments.phrase_based.test_system import PHRASE_BASED, consistent_phrases, drawn_pairs, folders, sentences
from tests.oracles.phrases import made
from tests.programs import Commands, main

__all__ = ["folders"]


def table(**joint: float) -> Table:
    """Pairs by name, ``red_cat__chat_rouge=3``."""
    pairs = [[side.replace("_", " ") for side in name.split("__")] for name in joint]
    counts = np.array([*joint.values()])
    by_source, by_target = Counter[str](), Counter[str]()
    for (source, target), number in zip(pairs, counts, strict=True):
        by_source[source] += number
        by_target[target] += number
    return Table(
        sources=[source for source, _ in pairs],
        targets=[target for _, target in pairs],
        joint=counts,
        of_source=np.array([by_source[source] for source, _ in pairs]),
        of_target=np.array([by_target[target] for _, target in pairs]),
    )


def test_a_pair_that_two_smaller_ones_make_as_well_loses_nothing() -> None:
    found = table(a__un=8, cat__chat=8, a_cat__un_chat=8, red_cat__chat_rouge=8)
    loss = losses(found)
    p = math.log(7.5 / 8)
    assert loss == pytest.approx([8 * (p + 8), 8 * (p + 8), 8 * (p - 2 * p), 8 * (p + 8)])
    assert pruned(found, 3).targets == ["un", "chat", "chat rouge"]


def test_a_part_counts_as_made_of_its_own_parts() -> None:
    """The best way of all ways to cut, also where a part is itself best made of two."""
    found = table(a__un=9, b__deux=9, c__trois=9, a_b__un_deux=1, a_b__x=99, a_b_c__un_deux_trois=9)
    p = math.log(8.5 / 9)
    assert losses(found)[-1] == pytest.approx(9 * (p - 3 * p))


def test_each_single_word_keeps_its_most_frequent_translation() -> None:
    found = table(a__un=900, a__une=800, rare__rare=1, rare__x=2, big_cat__gros_chat=500)
    assert pruned(found, 2).targets == ["un", "x"]
    assert pruned(found, 4).targets == ["un", "une", "x", "gros chat"]


def test_a_phrase_keeps_its_ten_most_frequent_translations() -> None:
    found = table(**{f"a__w{k}": 100 - k for k in range(12)}, b__x=1)
    assert pruned(found, 100).targets == [*(f"w{k}" for k in range(10)), "x"]


def test_features_are_those_of_the_counts(tmp_path: Path) -> None:
    links = [("a cat", "un chat", [(0, 0), (1, 1)]), ("a dog", "chien", [(1, 0)]), ("a", "un petit", [(0, 0)])]
    text = "".join(giza_lines(k + 1, s.split(), t.split(), own) for k, (s, t, own) in enumerate(links))
    (tmp_path / "links").write_text(text, "utf-8")
    (tmp_path / "pairs").write_text("".join(f"{k + 1}\t{s}\t{t}\n" for k, (s, t, _) in enumerate(links)), "utf-8")
    lexicon = lexicon_of(read_linked(tmp_path / "pairs", tmp_path / "links"))
    assert dict(lexicon.pairs) == {
        ("a", "un"): 4, ("cat", "chat"): 1, ("dog", "chien"): 2, ("a", ""): 2, ("", "petit"): 3
    }  # fmt: skip
    (row,) = pair_features(table(a_cat__un_chat=5), lexicon)
    of_target = math.log((4 / 6) / 3) + math.log((1 / 1) / 3)
    of_source = math.log((4 / 4 + 2 / 2) / 3) + math.log((1 / 1) / 3)  # "a" is the one word that was linked with none
    once = math.log(4.5 / 5)
    assert dict(zip(PAIR_FEATURES, row, strict=True)) == pytest.approx(
        {
            "direct": once,
            "inverse": once,
            "direct-words": of_target,
            "inverse-words": of_source,
            "phrases": 1,
            "words": 2,
        }
    )


@pytest.mark.parametrize(("seed", "most"), [(0, 7), (1, 7), (2, 3), (3, 1), (4, 5)])
def test_phrases_are_all_that_are_consistent_with_the_links(tmp_path: Path, seed: int, most: int) -> None:
    """Every cut of every pair is tried."""
    pairs = drawn_pairs(seed)
    (tmp_path / "links").write_text("".join(giza_lines(*pair) for pair in pairs), "utf-8")
    (tmp_path / "pairs").write_text("".join(f"{n}\t{' '.join(s)}\t{' '.join(t)}\n" for n, s, t, _ in pairs), "utf-8")
    corpus = read_linked(tmp_path / "pairs", tmp_path / "links")
    wanted = consistent_phrases(pairs, tight=False)
    wanted = Counter({(s, t): n for (s, t), n in wanted.items() if max(s.count(" "), t.count(" ")) < most})
    found = read_table(corpus, most, least=1)
    read = dict(zip(zip(found.sources, found.targets, strict=True), found.joint.tolist(), strict=True))
    assert read == dict(wanted)
    for k, (source, target) in enumerate(read):
        assert found.of_source[k] == sum(n for (s, _), n in wanted.items() if s == source)
        assert found.of_target[k] == sum(n for (_, t), n in wanted.items() if t == target)
    rare = read_table(corpus, most, least=2)
    kept = {pair for pair, n in wanted.items() if n > 1 or " " not in pair[0]}
    assert {*zip(rare.sources, rare.targets, strict=True)} == kept
    assert len(count(corpus, most).joint) == len(wanted)


def test_the_score_is_the_weighted_sum_of_the_features() -> None:
    draft = made()
    flat = draft.weighted((0.0,) * len(FEATURES))
    assert not flat.scores.any()
    for k, name in enumerate(FEATURES):
        weights = [0.0] * len(FEATURES)
        weights[k] = 2.0
        system = draft.weighted(weights)
        if k < len(PAIR_FEATURES):
            assert system.scores == pytest.approx(2 * draft.features[:, k])
        assert system.about.copied == (2.0 if name in ("phrases", "words", "copied") else 0.0)


def test_tuning_only_gains_and_takes_the_weights_of_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack, "_STEPS", (10.0,) * len(FEATURES))
    gains: list[float] = []
    source, reference = "a red cat sees a cat .", "un chat roux voit un chat ."
    system, weights = tuned(made(), [source, " "], [reference, ""], gains.append)
    assert gains[0] < gains[-1]
    assert gains == sorted(gains)
    best = system.search(source.split(), 8)[0]
    again = made().weighted(weights).search(source.split(), 8)[0]
    assert [phrase.words for phrase in again.phrases()] == [phrase.words for phrase in best.phrases()]
    text = " ".join(word for phrase in best.phrases() for word in phrase.words)
    assert corpus_bleu([text, ""], [[reference, ""]]).score == pytest.approx(gains[-1], abs=1e-6)


def test_a_system_is_packed_and_translates(
    folders: Path, tmp_path: Path, cli: Commands, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "more.fr").write_text("Le roi noir entend le chat.\n\n", "utf-8")
    packing = [*PHRASE_BASED, "pack", str(folders / "system"), str(tmp_path / "out"), "--sentences", "20"]
    few = ["--pairs", "150", "--bigrams", "60", "--trigrams", "60", "--more", str(tmp_path / "more.fr")]
    told = json.loads(cli.printed(*packing, *few, "--json"))
    assert told["pairs"] == len(load_phrase_based(tmp_path / "out").scores) <= 150
    assert told["bytes"] == (tmp_path / "out" / "phrases.safetensors").stat().st_size
    assert set(told["weights"]) == set(FEATURES)
    test = sentences()[340:360]

    def translated(*options: str) -> int:
        lines = "".join(f"{source}\n" for source, _ in test)
        monkeypatch.setattr("sys.stdin", type("Input", (), {"buffer": io.BytesIO(lines.encode())})())
        return main([*PHRASE_BASED, "translate", str(tmp_path / "out"), *options])

    assert translated() == 0
    assert capsys.readouterr().out.splitlines() == [target for _, target in test]
    assert translated("--n-best", "2") == 2
    assert "leave out --n-best" in capsys.readouterr().err
