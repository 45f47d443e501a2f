"""Phrases, lists and rows of the experiment of Cho et al."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import sacrebleu

from experiments.phrase_based.system import FEATURES
from experiments.phrase_features.lists import between, phrases_of
from experiments.phrase_features.phrases import as_text, drawn, write
from experiments.phrase_features.rows import DEV, LANGUAGE_MODEL, compared, read_lists, rows_of, summed, table
from nmt.data.text import Tokenizer
from nmt.evaluation.concatenation import bleu_counts
from nmt.results import Alignment

RNG = np.random.default_rng(3)


@pytest.mark.parametrize(
    ("phrase", "language"),
    [("l' homme qu' il a vu", "fr"), ("aujourd' hui , c' est", "fr"), ("the cat 's bowl", "en"), ("I 'm here", "en")],
)
def test_a_phrase_as_text_has_its_words(phrase: str, language: str) -> None:
    assert " ".join(Tokenizer(language).tokenize(as_text(phrase, language))) == phrase


def test_every_pair_of_the_table_is_drawn_alike(tmp_path: Path) -> None:
    """Frequent ones no more often than rare ones, none twice, and none without a translation."""
    rows = [f"cible {k} ||| source {k} ||| {10**k}.0 1.0" for k in range(6)]
    rows.append("<UNUSED_WORD> ||| source 7 ||| 5.0 1.0")
    (tmp_path / "table").write_text("".join(f"{row}\n" for row in rows), "utf-8")
    counts = dict.fromkeys(range(6), 0)
    for seed in range(600):
        found = [int(source.split()[1]) for source, _ in drawn(tmp_path / "table", 3, seed)]
        assert len(set(found)) == len(found) <= 3
        for k in found:
            counts[k] += 1
    assert all(abs(count - 600 * 3 / 7) < 60 for count in counts.values())
    write(tmp_path / "table", tmp_path / "out", 4, dev=2)
    texts = {name: (tmp_path / "out" / name).read_text("utf-8").split("\n")[:-1] for name in ("dev.en", "train.en")}
    assert len(texts["dev.en"]) == 2
    assert not set(texts["dev.en"]) & set(texts["train.en"])


def test_phrases_are_read_from_a_segmentation() -> None:
    for _ in range(50):
        sources, targets = (np.cumsum(RNG.integers(1, 4, 5)).tolist() for _ in range(2))
        expected = [
            (*source, *target) for source, target in zip(pairwise([0, *sources]), pairwise([0, *targets]), strict=True)
        ]
        weights = np.zeros((targets[-1], sources[-1]), np.float32)
        for j, k, i, m in expected:
            weights[i:m, j:k] = 1 / (k - j)
        words = [tuple(map(str, range(size))) for size in weights.shape]
        segmentation = Alignment(
            source=words[1],
            target=words[0],
            weights=weights,
            source_words=tuple(range(sources[-1])),
            target_words=tuple(range(targets[-1])),
        )
        assert phrases_of(segmentation) == expected


def test_tuning_sentences_are_others_than_the_systems() -> None:
    chosen = between(100, 20, 30)
    assert len(set(chosen)) == 30
    assert not set(chosen) & set(np.linspace(0, 99, 20).astype(int).tolist())


def test_each_part_is_valued_once() -> None:
    asked: list[str] = []

    def value(parts: list[str]) -> list[float]:
        asked.extend(parts)
        return [float(len(part)) for part in parts]

    assert summed([["a", "bb"], ["bb", "bb", "ccc"], []], value).tolist() == [3, 7, 0]
    assert asked == ["a", "bb", "ccc"]


def test_rows_have_each_feature_alone_and_runs_with_the_language_model() -> None:
    assert list(rows_of(["one", "two", LANGUAGE_MODEL])) == [
        *("baseline", "+ one", "+ two", "+ language model"),
        *("+ one + language model", "+ two + language model"),
    ]


def test_scores_are_sacrebleus_and_differences_are_tested() -> None:
    words = [" ".join(RNG.choice(["one", "two", "three", "four", "five"], 9)) for _ in range(60)]
    worse = [f"{text[:-12]} six six" if k % 3 else text for k, text in enumerate(words)]
    base, best = bleu_counts(worse, words), bleu_counts(words, words)
    found = compared({"base": base, "same": base, "best": best}, "base")
    assert found["base"]["bleu"] == pytest.approx(sacrebleu.corpus_bleu(worse, [words]).score, abs=0.01)
    assert found["same"]["difference"] == 0
    assert found["same"]["p"] == 1
    low, high = found["best"]["interval"]
    assert 0 < low < found["best"]["difference"] < high
    assert found["best"]["p"] < 0.01


def sentence(number: int) -> dict[str, object]:
    """A sentence whose last candidate is its reference."""
    texts = [f"mot {number} ici le {k} soir et demain" for k in range(5)]
    candidates = [
        {
            "text": text,
            "words": text.split(),
            "features": [*RNG.normal(size=len(FEATURES))],
            "phrases": [[0, 1, 0, 3], [1, 2, 3, 8]],
        }
        for text in texts
    ]
    return {"source": ["word", str(number)], "reference": texts[-1], "candidates": candidates}


def test_a_feature_that_knows_the_reference_is_found(tmp_path: Path) -> None:
    for name in (DEV, "test"):
        lines = [json.dumps(sentence(number)) for number in range(30)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join([*lines, '{"source": ["cut']), "utf-8")
    lists = {name: read_lists(tmp_path / f"{name}.jsonl") for name in (DEV, "test")}
    assert lists["test"].phrases[0] == [(("word",), ("mot", "0", "ici")), (("0",), ("le", "0", "soir", "et", "demain"))]
    knows = {name: np.array([float(words[4]) for words in each.words]) for name, each in lists.items()}
    found = table(lists, {name: {"knows": each} for name, each in knows.items()}, seed=1)
    rows = found["test"]["rows"]
    assert found["tuned"]["+ knows"]["bleu"] == 100
    assert rows["+ knows"]["interval"][0] > 0
    first = [each["text"] for each in (json.loads(line)["candidates"][0] for line in _lines(tmp_path / "test.jsonl"))]
    assert rows["first of each list"]["bleu"] == pytest.approx(
        sacrebleu.corpus_bleu(first, [lists["test"].references]).score, abs=0.01
    )
    assert found["all"]["rows"] == rows


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]
