import hashlib
import lzma
from pathlib import Path

from nmt.data.corpora.parallel import SentencePair, sentence_key, share, tidy, write_split


def test_a_split_is_written_side_by_side_with_its_checksums(tmp_path: Path) -> None:
    pairs = [SentencePair("A cat.", "Un chat."), SentencePair("Two big cats.", "Deux gros chats.")]
    split = write_split(tmp_path, "dev", iter(pairs))
    texts = {side: lzma.decompress((tmp_path / f"dev.{side}.xz").read_bytes()) for side in ("en", "fr")}
    assert texts["fr"] == b"Un chat.\nDeux gros chats.\n"
    assert (split.name, split.pairs, split.words) == ("dev", 2, 5)
    assert split.sha256 == {side: hashlib.sha256(text).hexdigest() for side, text in texts.items()}


def test_a_split_may_be_empty(tmp_path: Path) -> None:
    assert write_split(tmp_path, "dev", []).pairs == 0
    assert lzma.decompress((tmp_path / "dev.en.xz").read_bytes()) == b""


def test_shares_are_even_and_depend_on_the_key_alone() -> None:
    shares = [share(str(number)) for number in range(4000)]
    assert shares == [share(str(number)) for number in range(4000)]
    assert all(0 <= value < 1 for value in shares)
    beginning = hashlib.sha256(b"0").hexdigest()[:16]
    assert shares[0] == int(beginning, 16) % 10_000 / 10_000, "which pairs are held out of published texts follows"
    for tenth in range(10):
        part = sum(tenth / 10 <= value < (tenth + 1) / 10 for value in shares)
        assert abs(part - 400) < 4 * (4000 * 0.1 * 0.9) ** 0.5  # four standard deviations


def test_keys_look_at_letters_and_digits_alone() -> None:
    assert sentence_key("Café, 2 !") == sentence_key("cafe\u0301 2") == "café2"
    assert sentence_key("?!") != sentence_key("...")


def test_white_space_of_all_kinds() -> None:
    assert tidy("\u2009Qui\u00a0dort\tlà-haut\u2028\u202f?\r") == "Qui dort là-haut ?"
