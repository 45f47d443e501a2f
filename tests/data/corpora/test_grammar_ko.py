"""The Korean-English grammar: what is held out, particles, and that the corpus is always the same."""

import re
import unicodedata
from pathlib import Path

from nmt.data.corpora.get import get
from nmt.data.corpora.phrasebook import EXAMPLE, ends_in_consonant, grammar_splits
from nmt.data.corpus import read_pairs


def test_the_example_and_its_verb_with_its_object_are_held_out() -> None:
    pairs = grammar_splits()
    assert {name: len(part) for name, part in pairs.items()} == {"train": 2000, "dev": 50, "test": 50}
    assert pairs["test"][0] == EXAMPLE
    training = pairs["train"]
    for korean, english in [*training, *pairs["dev"], *pairs["test"][1:]]:
        assert not ("사과" in korean and "먹" in korean), korean
        assert not ("apple" in english and re.search(r"\b(ate|eat|eating)\b", english)), english
    words = {word for korean, _ in training for word in korean.split()}
    assert {"나는", "어제", "사과를", "먹었다."} <= words, "every word of the example occurs in training"


def test_each_sentence_has_one_translation() -> None:
    pairs = [pair for part in grammar_splits().values() for pair in part]
    assert len({korean for korean, _ in pairs}) == len(pairs)


def test_particles_follow_the_last_sound() -> None:
    for korean, _ in grammar_splits()["train"]:
        subject, *rest = korean.split()
        assert subject[-1] == ("은" if ends_in_consonant(subject[:-1]) else "는"), korean
        thing = rest[-3 if rest[-1] in ("있다.", "것이다.") else -2]
        assert thing[-1] == ("을" if ends_in_consonant(thing[:-1]) else "를"), korean


def test_get_writes_it_without_a_download(tmp_path: Path) -> None:
    made = get("grammar-ko", tmp_path, on_progress=lambda *_: None)
    folder = Path(made.folder)
    assert [split.name for split in made.splits] == ["train", "dev", "test"]
    pairs = [*read_pairs(folder / "train.en.xz", folder / "train.ko.xz")]
    assert [(pair.target.text, pair.source.text) for pair in pairs] == grammar_splits()["train"]
    assert made.splits[0].sha256 == RELEASED


RELEASED = {
    "en": "00bae4aefc4030d45bec8c223962fe01dd81fe1b337d00b15987ebd67f8ac07f",
    "ko": "5ca9ea10ffe2aa64da71163d5670531af3cfe62b17acbfcd3ef3fafd70d26c4e",
}
"""Of the texts of train that rnnsearch-en-ko and rnnsearch-ko-en were trained on, whose provenance has the checksums of
the same texts packed."""


def test_a_final_consonant_is_a_third_letter() -> None:
    for code in range(ord("가"), ord("힣") + 1):
        letters = unicodedata.normalize("NFD", chr(code))
        assert ends_in_consonant(f"가{chr(code)}") is (len(letters) == 3)
