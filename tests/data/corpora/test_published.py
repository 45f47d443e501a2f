import lzma
import zipfile
from pathlib import Path

import pytest

from nmt.data.corpora.get import DEV_SHARE, TEST_SHARE, build_tatoeba
from nmt.data.corpora.parallel import sentence_key
from nmt.errors import InputError


def archive(tmp_path: Path, text: str, member: str = "fra.txt") -> Path:
    path = tmp_path / "fra-eng.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("_about.txt", "whose sentences these are")
        file.writestr(member, text)
    return path


def read(folder: Path, name: str) -> list[tuple[str, str]]:
    sides = [lzma.decompress((folder / f"{name}.{side}.xz").read_bytes()).decode() for side in ("en", "fr")]
    return list(zip(*(side.splitlines() for side in sides), strict=True))


def test_what_is_held_out_is_nowhere_in_train(tmp_path: Path) -> None:
    """2,500 sentences with two translations each, and each once more in capitals and with other punctuation."""
    pairs = [(f"I see {n} ships.", f"Je vois {n} {what}.") for n in range(2500) for what in ("navires", "bateaux")]
    shouted = [(en.upper().rstrip(".") + " !", fr) for en, fr in pairs]
    text = "".join(f"{en}\t{fr}\tCC-BY 2.0\n" for en, fr in [*pairs, *shouted, *pairs])
    splits = build_tatoeba(archive(tmp_path, text), tmp_path)
    found = {split.name: read(tmp_path, split.name) for split in splits}
    keys = {name: [sentence_key(en) for en, _ in split] for name, split in found.items()}
    assert not set(keys["train"]) & {*keys["dev"], *keys["test"]}
    assert not set(keys["dev"]) & set(keys["test"])
    assert set().union(*keys.values()) == {sentence_key(en) for en, _ in pairs}
    for name, share in (("dev", DEV_SHARE), ("test", TEST_SHARE)):
        assert len(set(keys[name])) == len(keys[name])
        assert all(fr.endswith("navires.") for _, fr in found[name]), "the first translation is the reference"
        assert abs(len(keys[name]) - 2500 * share) < 4 * (2500 * share) ** 0.5
    assert len(found["train"]) == len(set(found["train"])) == 4 * len(set(keys["train"]))


def test_the_same_file_gives_the_same_bytes(tmp_path: Path) -> None:
    text = "".join(f"Go {n}!\tVa {n}\u202f!\n" for n in range(300))
    zipped = archive(tmp_path, text, member="fra-eng/fra.txt")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        build_tatoeba(zipped, tmp_path / name)
    assert read(tmp_path / "one", "train")[0] == ("Go 0!", "Va 0 !")
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


@pytest.mark.parametrize(
    ("text", "member", "message"),
    [
        ("Go.\tVa.\nGo\n", "fra.txt", r"fra\.txt .*line 2"),
        ("Go.\tVa.\n", "deu.txt", r"fra\.txt .*fra-eng\.zip"),
    ],
)
def test_what_is_not_the_file(tmp_path: Path, text: str, member: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build_tatoeba(archive(tmp_path, text, member), tmp_path)
