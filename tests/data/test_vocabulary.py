import json
import random
from collections import Counter
from pathlib import Path

import pytest

from nmt.data.subwords import load_vocabulary
from nmt.data.vocabulary import END_ID, UNK_ID, Shortlist, unknown_share
from nmt.errors import InputError

WORDS = ["the", "cat", "saw", "the", "dog", "and", "the", "dog", "saw", "the", "cat", "run"]


def test_shortlist_is_the_most_frequent_words() -> None:
    draw = random.Random(1)
    counts = Counter(draw.choices("abcdefghijklmnop", k=60))
    ranked = sorted(sorted(counts), key=counts.__getitem__, reverse=True)
    for size in (3, 7, 12):
        vocabulary = Shortlist.from_counts(counts, size)
        assert len(vocabulary) == size
        assert vocabulary.shortlist == tuple(ranked[: size - 2])


def test_shortlist_does_not_depend_on_the_order_of_counting() -> None:
    words = list("zyxwvu")
    assert (
        Shortlist.from_counts(Counter(words), 5).shortlist
        == Shortlist.from_counts(Counter(reversed(words)), 5).shortlist
        == ("u", "v", "w")
    )


def test_a_small_text_gives_a_small_shortlist() -> None:
    assert len(Shortlist.from_counts(Counter(WORDS), 30_000)) == len(set(WORDS)) + 2


def test_shortlist_encodes_words() -> None:
    vocabulary = Shortlist(["the", "cat"])
    encoded = vocabulary.encode(["the", "zebra", "cat", "zebra"])
    assert encoded.ids == (2, UNK_ID, 3, UNK_ID, END_ID)
    assert encoded.tokens == ("the", "zebra", "cat", "zebra", "</s>")
    assert encoded.words == (0, 1, 2, 3, 4)
    assert encoded.unknown == ("zebra", "zebra")
    assert vocabulary.ids(["the", "zebra", "cat", "zebra"]) == list(encoded.ids)
    assert vocabulary.tokens(encoded.ids) == ("the", "[UNK]", "cat", "[UNK]", "</s>")
    assert vocabulary.words(encoded.ids) == ["the", "[UNK]", "cat", "[UNK]"]
    assert vocabulary.encode([]).ids == (END_ID,)


def test_the_special_surfaces_are_not_words() -> None:
    assert Shortlist(["a"]).ids(["</s>", "[UNK]"]) == [UNK_ID, UNK_ID, END_ID]


def test_unknown_share() -> None:
    assert unknown_share(Shortlist(["a", "b"]), Counter("aabc")) == 0.25
    assert unknown_share(Shortlist(["a"]), Counter()) == 0


def test_saved_and_loaded(tmp_path: Path) -> None:
    words = ["the", 'q"uote', "été", "字", "\\", "▁"]
    Shortlist(words).save(tmp_path, "target")
    loaded = load_vocabulary(tmp_path, "target")
    assert loaded.kind == "words"
    assert loaded.tokens(range(len(loaded))) == ("</s>", "[UNK]", *words)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        '{"format": 99, "kind": "words", "words": []}',
        '{"format": 1, "kind": "runes"}',
        '{"format": 1, "kind": "words"}',
        '{"format": 1, "kind": "words", "words": [1]}',
        '{"format": 1, "kind": "words", "words": ["a", "a"]}',
        '{"format": 1, "kind": "bpe"}',
    ],
)
def test_a_broken_file_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "source.vocabulary.json").write_text(content)
    with pytest.raises(InputError, match=r"source\.(vocabulary\.json|sentencepiece\.model)"):
        load_vocabulary(tmp_path, "source")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"target\.vocabulary\.json"):
        load_vocabulary(tmp_path, "target")


def test_the_file_says_its_format(tmp_path: Path) -> None:
    Shortlist(["a"]).save(tmp_path, "source")
    data = json.loads((tmp_path / "source.vocabulary.json").read_text())
    assert data == {"format": 1, "kind": "words", "words": ["a"]}
    Shortlist(["é"]).save(tmp_path, "source")
    text = (tmp_path / "source.vocabulary.json").read_text(encoding="utf-8")
    assert text == '{\n"format": 1,\n"kind": "words",\n"words": [\n"é"\n]\n}\n'
