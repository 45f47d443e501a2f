"""Segmentation in JavaScript as SentencePiece does it."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from sentencepiece.sentencepiece_model_pb2 import ModelProto

from nmt.data.subwords import PieceKind, Pieces, train_pieces
from nmt.data.vocabulary import UNK_ID, Shortlist, Vocabulary
from nmt.page.payload import vocabulary_data
from tests.charts.node import evaluate
from tests.page.released import JS

LETTERS = "aaabcdeeeéè-'ô"
STRANGE = ["日本", "a日b本", "👩‍🚀", "▁x▁", "zzz", "\uf8f0", "aéa", "<0x41>", "e" * 40, "constructor", "__proto__"]


def _words(number: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return ["".join(chance.choices(LETTERS, k=chance.randint(1, 9))) for _ in range(number)]


def _same(vocabulary: Vocabulary) -> None:
    sentences = [_words(8, seed) for seed in range(40)] + [[word] for word in STRANGE] + [STRANGE, []]
    chance = random.Random(3)
    ids = [[*chance.choices(range(1, len(vocabulary)), k=12), 0] for _ in range(60)]
    given = {"vocabulary": vocabulary_data(vocabulary), "sentences": sentences, "ids": ids}
    expression = """(() => {
      const v = m.vocabularyOf(given.vocabulary);
      return [given.sentences.map((s) => v.encode(s)), given.ids.map((i) => ({ ...v.decode(i), text: v.words(i) }))];
    })()"""
    encoded, decoded = evaluate(JS / "vocabulary.js", expression, given)
    for sentence, found in zip(sentences, encoded, strict=True):
        expected = vocabulary.encode(sentence)
        assert {name: tuple(values) for name, values in found.items()} == vars(expected), sentence
    for each, found in zip(ids, decoded, strict=True):
        assert tuple(found["tokens"]) == vocabulary.tokens(each)
        assert tuple(found["words"]) == vocabulary.word_indices(each)
        assert found["text"] == vocabulary.words(each)


@pytest.mark.parametrize("with_bytes", [False, True], ids=["plain", "bytes"])
@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_subwords_are_those_of_sentencepiece(kind: PieceKind, with_bytes: bool) -> None:
    size = 60 + 256 * with_bytes
    _same(train_pieces(Counter(_words(400, 99)), kind, size, with_bytes))


def test_unknown_characters_cost_what_they_cost_sentencepiece() -> None:
    """Letters that stand in longer subwords alone: whether such a one is read depends on the price of its letters."""
    model = ModelProto.FromString(train_pieces(Counter(_words(400, 99)), "unigram", 60).model)
    kept = [piece for piece in model.pieces if piece.piece not in "bcde"]
    del model.pieces[:]
    model.pieces.extend(kept)
    chance = random.Random(5)
    for piece in model.pieces[2:]:
        piece.score = chance.uniform(-25, -1)
    vocabulary = Pieces(model.SerializeToString(), "unigram")
    assert sum(UNK_ID in vocabulary.encode([word]).ids for word in _words(100, 7)) > 30
    _same(vocabulary)


def test_words_of_a_shortlist_are_those_of_python() -> None:
    _same(Shortlist([*dict.fromkeys(_words(50, 1)), "constructor"]))
