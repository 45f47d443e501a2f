import pickle
import random
from collections import Counter
from pathlib import Path

import pytest

from nmt.data.subwords import LOWER_BLOCK_SUBSTITUTE, Pieces, load_vocabulary, seed_sampling, train_pieces
from nmt.data.vocabulary import END_ID, UNK_ID
from nmt.errors import InputError
from nmt.results.alignment import UNKNOWN, joined

LINE = (
    "the older boat crossed the wide river while the younger sailors watched the colder water from a boathouse "
    "and the oldest sailor sang of wider rivers , warmer waters and a house of boats ; l' été , c' est loin"
)
TEXT = LINE.split()
COUNTS = Counter(TEXT * 3)


@pytest.fixture(scope="module", params=["bpe", "unigram"])
def pieces(request: pytest.FixtureRequest) -> Pieces:
    return train_pieces(COUNTS, request.param, 60)


def test_special_ids(pieces: Pieces) -> None:
    assert pieces.tokens([END_ID, UNK_ID]) == ("</s>", "[UNK]")
    assert "▁" in pieces.tokens(range(len(pieces)))


def test_pieces_spell_the_words_exactly(pieces: Pieces) -> None:
    draw = random.Random(2)
    letters = sorted(set("".join(TEXT)))
    for _ in range(300):
        words = ["".join(draw.choices(letters, k=draw.randrange(1, 9))) for _ in range(draw.randrange(6))]
        encoded = pieces.encode(words)
        assert UNK_ID not in encoded.ids
        assert pieces.words(encoded.ids) == words
        assert pieces.ids(words) == list(encoded.ids)
        assert pieces.tokens(encoded.ids) == encoded.tokens
        assert encoded.words[-1] == len(words)
        for index, word in enumerate(words):
            mine = [token for token, owner in zip(encoded.tokens, encoded.words, strict=True) if owner == index]
            assert "".join(mine) == "▁" + word


def test_a_word_is_encoded_the_same_anywhere(pieces: Pieces) -> None:
    alone = pieces.ids(["boat"])[:-1]
    assert pieces.ids(["the", "boat", "boat"]) == pieces.ids(["the"])[:-1] + alone + alone + [END_ID]


def test_unknown_letters(pieces: Pieces) -> None:
    words = ["boat", "日本", "xx日y", "x日本x"]
    encoded = pieces.encode(words)
    assert len(encoded.ids) == len(encoded.tokens) == len(encoded.words)
    assert encoded.unknown == ("日本", "xx日y", "x日本x")
    assert "".join(encoded.tokens) == "▁boat▁日本▁xx日y▁x日本x</s>"
    assert pieces.words(encoded.ids)[:2] == ["boat", "[UNK]"]
    assert pieces.ids(words) == list(encoded.ids)


@pytest.mark.parametrize(
    "word", ["▁", "▁▁", "a▁b", "▁the", "the▁", "</s>", "<unk>", "[UNK]", "\u2585", "'", LOWER_BLOCK_SUBSTITUTE]
)
def test_symbols_of_sentencepiece_in_the_text(pieces: Pieces, word: str) -> None:
    words = ["the", word, "boat"]
    encoded = pieces.encode(words)
    assert "".join(encoded.tokens).replace(LOWER_BLOCK_SUBSTITUTE, "▁") == f"▁the▁{word}▁boat</s>".replace(
        LOWER_BLOCK_SUBSTITUTE, "▁"
    )
    assert END_ID not in encoded.ids[:-1]
    decoded = pieces.words(encoded.ids)
    assert len(decoded) == 3
    assert (decoded[0], decoded[2]) == ("the", "boat")


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_a_start_mark_in_the_text_can_be_learned(kind: str) -> None:
    vocabulary = train_pieces(Counter(["a▁b", "▁", "ab"] * 9), kind, 30)  # type: ignore[arg-type]
    words = ["a▁b", "▁", "▁", "ab"]
    assert vocabulary.encode(words).unknown == ()
    assert vocabulary.words(vocabulary.ids(words)) == words


def test_any_sequence_of_ids_can_be_read(pieces: Pieces) -> None:
    draw = random.Random(4)
    for _ in range(200):
        ids = draw.choices(range(len(pieces)), k=8)
        words = pieces.words(ids)
        assert all(words)
        surfaces = "".join(token for token in pieces.tokens(ids) if token != "</s>")
        assert "".join(words).replace(UNKNOWN, "") == surfaces.replace("▁", "").replace(UNKNOWN, "")


def test_an_unknown_word_is_one_word_however_it_is_spelled() -> None:
    vocabulary = train_pieces(COUNTS | Counter({"[": 9, "UNK": 9, "]": 9, "UNKS": 1}), "bpe", 70)
    mark = vocabulary.tokens(range(len(vocabulary))).index("▁")

    def read(words: list[str], marks: int = 0) -> list[str]:
        ids = [*[mark] * marks, *vocabulary.ids(words)]
        shown = joined(vocabulary.tokens(ids), vocabulary.word_indices(ids))
        assert list(shown) == [*vocabulary.words(ids), "</s>"]
        return vocabulary.words(ids)

    assert read(["[", "UNK", "]"]) == [UNKNOWN]
    assert read(["boat", "[", "UNK", "]", "[", "UNK", "]", "日", "river"]) == ["boat", *[UNKNOWN] * 3, "river"]
    assert read(["[", "UNK", "river", "]"]) == [UNKNOWN, "river", "]"]
    assert read(["[", "UNKS", "]"]) == ["[", "UNKS", "]"]
    assert read(["a[", "UNK", "]"]) == ["a[", "UNK", "]"]
    assert read(["[", "UNK", "]a"]) == [UNKNOWN, "]a"]
    assert read(["boat"], marks=3) == ["boat"]
    assert read([], marks=52) == [UNKNOWN]


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_training_is_deterministic_and_independent_of_order(kind: str) -> None:
    shuffled = list(COUNTS.items())
    random.Random(9).shuffle(shuffled)
    first = train_pieces(COUNTS, kind, 50)  # type: ignore[arg-type]
    assert train_pieces(dict(shuffled), kind, 50).model == first.model  # type: ignore[arg-type]


def test_the_size_is_met_where_the_text_yields_it() -> None:
    assert len(train_pieces(COUNTS, "bpe", 60)) == 60
    assert len(train_pieces(COUNTS, "bpe", 5000)) < 1000


def test_more_frequent_words_are_merged_first() -> None:
    rare = train_pieces({"zq": 1, "kw": 9}, "bpe", 8)
    assert len(rare.ids(["kw"])) < len(rare.ids(["zq"]))


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_too_few_pieces_for_the_letters(kind: str) -> None:
    with pytest.raises(InputError, match="8 subwords"):
        train_pieces(COUNTS, kind, 8)  # type: ignore[arg-type]


@pytest.mark.parametrize(("size", "known"), [(40, False), (41, True)])
def test_a_rare_letter_is_a_subword_where_letters_take_less_than_a_quarter(size: int, known: bool) -> None:
    """Of ten letters one has less than half a thousandth of all."""
    pieces = train_pieces({"abc": 10_000, "def": 10_000, "ghi": 10_000, "z": 1}, "bpe", size)
    assert (UNK_ID not in pieces.ids(["z"])) is known
    assert UNK_ID not in pieces.ids(["abc", "def", "ghi"])


def test_words_longer_than_sentencepiece_reads_are_left_out() -> None:
    assert UNK_ID not in train_pieces({"é" * 2000: 1}, "bpe", 20).ids(["é"])
    with pytest.raises(InputError, match="no words"):
        train_pieces({"é" * 2000 + "a": 1}, "bpe", 20)


def test_a_number_may_be_one_piece_and_scripts_are_cut_apart() -> None:
    pieces = train_pieces({"1914": 90, "abcж": 90}, "bpe", 40)
    assert pieces.tokens(pieces.ids(["1914"])) == ("▁1914", "</s>")
    assert pieces.tokens(pieces.ids(["abcж"])) == ("▁abc", "ж", "</s>")


def test_no_words() -> None:
    with pytest.raises(InputError, match=r"\bwords\b"):
        train_pieces({}, "bpe", 100)


def test_saved_and_loaded(pieces: Pieces, tmp_path: Path) -> None:
    pieces.save(tmp_path, "source")
    loaded = load_vocabulary(tmp_path, "source")
    assert loaded.kind == pieces.kind
    assert loaded.encode(TEXT) == pieces.encode(TEXT)


def test_pickled(pieces: Pieces) -> None:
    assert pickle.loads(pickle.dumps(pieces)).encode(TEXT) == pieces.encode(TEXT)


def test_a_broken_model_is_named(tmp_path: Path) -> None:
    path = tmp_path / "source.sentencepiece.model"
    path.write_bytes(b"not a model")
    with pytest.raises(InputError, match=r"source\.sentencepiece\.model"):
        Pieces.load(path, "bpe")
    path.write_bytes(b"")
    with pytest.raises(InputError, match=r"source\.sentencepiece\.model"):
        Pieces.load(path, "bpe")


def test_bpe_dropout_cuts_words_anew_and_spells_the_same() -> None:
    pieces = train_pieces(COUNTS, "bpe", 60)
    seed_sampling(3)
    sampled = [pieces.sampled_ids(TEXT, 0.3) for _ in range(20)]
    assert len({tuple(ids) for ids in sampled}) > 15
    for ids in sampled:
        assert ids[-1] == END_ID
        assert pieces.words(ids) == TEXT
    seed_sampling(3)
    assert [pieces.sampled_ids(TEXT, 0.3) for _ in range(20)] == sampled
    seed_sampling(4)
    assert [pieces.sampled_ids(TEXT, 0.3) for _ in range(20)] != sampled


def test_bpe_dropout_at_its_ends() -> None:
    """No merge left out: the pieces as ever; all left out: single letters."""
    pieces = train_pieces(COUNTS, "bpe", 60)
    words = [*TEXT, "日本", "a▁b"]
    assert pieces.sampled_ids(words, 0.0) == pieces.ids(words)
    assert pieces.tokens(pieces.sampled_ids(TEXT, 1.0))[:-1] == tuple("▁" + "▁".join(TEXT))


def test_bpe_dropout_leaves_out_merges_with_its_probability() -> None:
    """Words of two letters with one merge each: the share of words cut in two is the probability."""
    pieces = train_pieces(Counter({"▁": 1, "a": 9, "b": 8}), "bpe", 8)
    whole = pieces.ids(["a"])
    assert len(whole) == 2  # "▁a" is one piece
    seed_sampling(0)
    cut = sum(len(pieces.sampled_ids(["a"], 0.2)) == 3 for _ in range(5_000))
    assert cut / 5_000 == pytest.approx(0.2, abs=0.03)  # five standard deviations


KANA = Counter({"公園": 40, "木": 30, "は": 90, "食べ": 20, "ました": 60, "Tom": 20, "。": 90})


@pytest.fixture(scope="module", params=["bpe", "unigram"])
def with_bytes(request: pytest.FixtureRequest) -> Pieces:
    return train_pieces(KANA, request.param, 330, with_bytes=True)


@pytest.mark.parametrize(
    "word",
    [
        "鬱",
        "公鬱園",
        "😀",
        "👩\u200d👧",
        "ß",
        "<0xE9>",
        "▁",
        "a▁b",
        LOWER_BLOCK_SUBSTITUTE,
        "</s>",
        "\U00020089",
        "é\u0301",
    ],
)
def test_bytes_spell_what_was_never_seen(with_bytes: Pieces, word: str) -> None:
    words = ["公園", word, "ました"]
    encoded = with_bytes.encode(words)
    assert encoded.unknown == ()
    assert UNK_ID not in encoded.ids
    assert END_ID not in encoded.ids[:-1]
    assert with_bytes.ids(words) == list(encoded.ids)
    assert with_bytes.words(encoded.ids) == [one.replace(LOWER_BLOCK_SUBSTITUTE, "▁") for one in words]
    assert with_bytes.tokens(encoded.ids) == encoded.tokens
    assert with_bytes.word_indices(encoded.ids) == encoded.words
    shown = joined(encoded.tokens, encoded.words)
    assert (shown[0], shown[2]) == ("公園", "ました")
    assert len(shown) == 4
    if word not in ("▁", "a▁b", LOWER_BLOCK_SUBSTITUTE):
        assert shown[1] == word


def test_words_of_training_need_no_bytes(with_bytes: Pieces) -> None:
    assert not any("<0x" in token for token in with_bytes.encode([*KANA]).tokens)
    assert with_bytes.words(with_bytes.ids([*KANA])) == [*KANA]


def test_any_sequence_of_bytes_can_be_read(with_bytes: Pieces) -> None:
    draw = random.Random(7)
    for _ in range(300):
        ids = draw.choices(range(len(with_bytes)), k=draw.randrange(12))
        words = with_bytes.words(ids)
        assert all(words)
        assert " ".join(words).split() == words  # broken or not, a word has no white space in it
        shown = joined(with_bytes.tokens(ids), with_bytes.word_indices(ids))
        assert [word for word in shown if word != "</s>"] == words


def test_broken_bytes_are_replacement_characters(with_bytes: Pieces) -> None:
    def ids(*values: int) -> list[int]:
        return [2 + value for value in values]

    assert with_bytes.tokens(ids(0xE5, 0x20)) == ("<0xE5>", "<0x20>")
    assert with_bytes.words(ids(0xE5, 0xB3, 0xB6)) == ["島"]
    assert with_bytes.words(ids(0xE5, 0xB3)) == ["\ufffd"]
    assert with_bytes.words(ids(0x41, 0x20, 0x0A)) == ["A\ufffd\ufffd"]


def test_the_rarest_letters_are_spelled_in_bytes_in_training_so_that_bytes_are_learned() -> None:
    rare = train_pieces(Counter({"木": 5_000, "鬱": 1}), "bpe", 300, with_bytes=True)
    assert "<0xE9>" in rare.encode(["鬱"]).tokens


def test_without_bytes_nothing_is_decoded(pieces: Pieces) -> None:
    assert not pieces.has_bytes


def test_bpe_dropout_spells_in_bytes_too() -> None:
    vocabulary = train_pieces(KANA, "bpe", 330, with_bytes=True)
    seed_sampling(1)
    for _ in range(20):
        assert vocabulary.words(vocabulary.sampled_ids(["公鬱園", "ました"], 0.5)) == ["公鬱園", "ました"]


@pytest.mark.parametrize("with_bytes", [False, True])
@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_unk_in_a_word_is_the_unknown_subword(kind: str, with_bytes: bool) -> None:
    vocabulary = train_pieces(COUNTS, kind, 300 if with_bytes else 60, with_bytes)  # type: ignore[arg-type]
    for word in ("[UNK]", "boat[UNK]", "[UNK]boat", "the[UNK]r"):
        encoded = vocabulary.encode(["the", word, "boat"])
        assert encoded.ids.count(UNK_ID) == 1
        assert vocabulary.ids(["the", word, "boat"]) == list(encoded.ids)
        assert vocabulary.words(encoded.ids) == ["the", word, "boat"]
        assert encoded.tokens[encoded.ids.index(UNK_ID)] == "[UNK]"
        assert len(encoded.tokens) == len(encoded.words) == len(encoded.ids)
