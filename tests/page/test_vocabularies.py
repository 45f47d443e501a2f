"""Segmentation in JavaScript as SentencePiece does it."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from sentencepiece.sentencepiece_model_pb2 import ModelProto

from nmt.data.subwords import PieceKind, Pieces, train_pieces
from nmt.data.vocabulary import UNK_ID, Shortlist, Vocabulary
from nmt.errors import InputError
from nmt.page.payload import vocabulary_data
from nmt.results.alignment import END, joined
from tests.charts.node import evaluate
from tests.page.released import JS

LETTERS = "aaabcdeeeéè-'ô"
STRANGE = ["日本", "a日b本", "👩‍🚀", "▁x▁", "zzz", "\uf8f0", "aéa", "<0x41>", "e" * 40, "constructor", "__proto__"]


def _words(number: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return ["".join(chance.choices(LETTERS, k=chance.randint(1, 9))) for _ in range(number)]


def _same(vocabulary: Vocabulary, others: Sequence[list[str]] = ()) -> None:
    sentences = [*(_words(8, seed) for seed in range(40)), *([word] for word in STRANGE), STRANGE, [], *others]
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


@pytest.mark.parametrize("with_bytes", [False, True], ids=["plain", "bytes"])
def test_words_of_1000_records_are_those_of_python(with_bytes: bool) -> None:
    """Marks alone, and [UNK] spelled in any pieces: their numbers, the text, and what the instrument shows."""
    counts = Counter(_words(400, 99)) + Counter({"[": 50, "UNK": 50, "]": 50, "x[": 1, "]x": 1})
    vocabulary = train_pieces(counts, "bpe", 80 + 256 * with_bytes, with_bytes)
    surfaces = vocabulary.tokens(range(len(vocabulary)))
    odd = [id for id, surface in enumerate(surfaces) if not set(surface) - set("▁[]UNK")]
    chance = random.Random(5)
    parts = [vocabulary.ids(["[", "UNK", "]"])[:-1], vocabulary.ids(["[", "UNK"])[:-1], *([id] for id in odd)]
    drawn = [[*parts, *([chance.randrange(len(vocabulary))] for _ in parts)] for _ in range(1_000)]
    records = [[id for part in chance.choices(each, k=8) for id in part] for each in drawn]
    given = {"vocabulary": vocabulary_data(vocabulary), "ids": records}
    expression = """(() => {
      const v = m.vocabularyOf(given.vocabulary);
      return given.ids.map((ids) => ({ ...v.decode(ids), text: v.words(ids) }));
    })()"""
    decoded = evaluate(JS / "vocabulary.js", expression, given)
    sides = [{"tokens": vocabulary.tokens(ids), "words": vocabulary.word_indices(ids)} for ids in records]
    shown = evaluate(JS.parents[1] / "instrument" / "js" / "tokens.js", "given.map((side) => m.joined(side))", sides)
    for ids, side, found, words in zip(records, sides, decoded, shown, strict=True):
        assert (tuple(found["tokens"]), tuple(found["words"])) == (side["tokens"], side["words"])
        assert found["text"] == vocabulary.words(ids) == [word for word in words if word != END]
        assert tuple(words) == joined(side["tokens"], side["words"])


def test_an_unknown_character_costs_what_it_costs_sentencepiece() -> None:
    """A letter without a subword of its own, and a cheap rest, against two subwords that together cost a little less
    or a little more: 10 below the least score, plus or minus 2."""
    letters = [chr(ord("α") + k) for k in range(41)]
    pieces = {"▁": -1.0, "x": -15.0, "yx": -0.05, "z": -20.0}
    pieces |= {f"{letter}y": -17.0 + k / 10 for k, letter in enumerate(letters)}
    model = ModelProto.FromString(train_pieces(Counter(_words(40, 1)), "unigram", 30).model)
    del model.pieces[2:]
    for piece, score in pieces.items():
        model.pieces.add(piece=piece, score=score)
    vocabulary = Pieces(model.SerializeToString(), "unigram")
    words = [f"{letter}yx" for letter in letters]
    assert 10 < sum(UNK_ID in vocabulary.encode([word]).ids for word in words) < 30
    _same(vocabulary, [[word] for word in words])


@pytest.mark.parametrize("kind", [ModelProto.SentencePiece.CONTROL, ModelProto.SentencePiece.UNUSED])
def test_subwords_that_are_never_read_have_no_page(kind: int) -> None:
    model = ModelProto.FromString(train_pieces(Counter(_words(40, 1)), "bpe", 30).model)
    model.pieces[2].type = kind
    with pytest.raises(InputError, match="not in use"):
        vocabulary_data(Pieces(model.SerializeToString(), "bpe"))


def test_bytes_that_are_not_one_after_the_other_have_no_page() -> None:
    """A page finds the piece of a byte by the number of the first."""
    model = ModelProto.FromString(train_pieces(Counter(_words(400, 99)), "bpe", 60 + 256, True).model)
    first = next(k for k, piece in enumerate(model.pieces) if piece.type == ModelProto.SentencePiece.BYTE)
    assert vocabulary_data(Pieces(model.SerializeToString(), "bpe"))["firstByte"] == first
    other = model.pieces[first + 256].piece
    model.pieces[first + 256].CopyFrom(model.pieces[first + 255])
    model.pieces[first + 255].piece, model.pieces[first + 255].type = other, ModelProto.SentencePiece.NORMAL
    with pytest.raises(InputError, match="bytes"):
        vocabulary_data(Pieces(model.SerializeToString(), "bpe"))
    assert vocabulary_data(train_pieces(Counter(_words(40, 1)), "bpe", 30))["firstByte"] == -1


def test_words_of_a_shortlist_are_those_of_python() -> None:
    _same(Shortlist([*dict.fromkeys(_words(50, 1)), "constructor"]))
