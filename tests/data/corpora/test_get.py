"""Known corpora that everybody may get, from a site on this machine."""

import gzip
import lzma
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from nmt.data.corpora import get as module
from nmt.data.corpora.get import DEV_SHARE, MULTI30K_SPLITS, TEST_SHARE, build_tatoeba, get
from nmt.data.corpora.parallel import sentence_key
from nmt.data.corpora.registry import CORPORA, known
from nmt.errors import InputError
from tests.data.corpora.making import Make, lines, silent
from tests.oracles.site import Site


@pytest.mark.parametrize("name", [name for name, corpus in CORPORA.items() if corpus.builder is None])
def test_a_corpus_that_no_command_makes_is_refused_with_the_place_that_says_how(make: Make, name: str) -> None:
    with pytest.raises(InputError, match=rf"{name}: docs/corpora\.md .*{CORPORA[name].home}"):
        make(name)


@pytest.mark.parametrize("name", ["wmt14", "gold-kftt", "canada-laws"])
def test_a_corpus_of_maintainers_is_refused_with_their_command(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"^`python -m release corpus get {name}` makes {name}, in a checkout"):
        get(name, tmp_path, on_progress=silent)
    assert not list(tmp_path.iterdir())


def test_nothing_is_fetched_or_replaced_twice(make: Make, site: Site, tmp_path: Path) -> None:
    first = make("tatoeba")
    with pytest.raises(InputError, match=r"tatoeba .*--force"):
        make("tatoeba")
    assert make("tatoeba", force=True) == first
    assert len(site.requests) == 1
    (tmp_path / "tatoeba" / "mine.txt").write_text("notes")
    with pytest.raises(InputError, match=r"mine\.txt"):
        make("tatoeba", force=True)
    (tmp_path / "multi30k").mkdir()
    (tmp_path / "multi30k" / "mine.txt").write_text("notes")
    with pytest.raises(InputError, match="multi30k "):
        make("multi30k", force=True)


def test_multi30k_keeps_its_splits(make: Make, tmp_path: Path) -> None:
    made = make("multi30k")
    assert [split.name for split in made.splits] == ["train", "dev", "test2016", "test2017", "test2017-mscoco"]
    assert lines(tmp_path / "multi30k/dev.en.xz") == [f"A kite over the val, {n}." for n in range(3)]
    assert lines(tmp_path / "multi30k/dev.fr.xz") == [f"Un cerf-volant sur val, {n}." for n in range(3)]
    assert made.as_released is False


def test_texts_of_the_released_runs_are_recognised(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made = make("multi30k")
    texts = {f"{split.name}.{language}": value for split in made.splits for language, value in split.sha256.items()}
    known = module.known
    monkeypatch.setattr(module, "known", lambda name: replace(known(name), texts=texts))
    assert make("multi30k", force=True).as_released is True


def test_other_languages_have_the_same_english_sentences_held_out(make: Make, tmp_path: Path) -> None:
    for name in ("tatoeba", "tatoeba-de", "tatoeba-ja"):
        make(name)
    for split in ("train", "dev", "test"):
        english = lines(tmp_path / f"tatoeba/{split}.en.xz")
        assert english == lines(tmp_path / f"tatoeba-de/{split}.en.xz") == lines(tmp_path / f"tatoeba-ja/{split}.en.xz")
    assert lines(tmp_path / "tatoeba-ja/test.ja.xz")[0].startswith("凧を")
    assert not (tmp_path / "tatoeba-ja/test.fr.xz").exists()


def test_what_fails_leaves_no_corpus_behind(make: Make, site: Site, tmp_path: Path) -> None:
    site.files["val.fr.gz"] = gzip.compress(b"one line\n")
    with pytest.raises(InputError, match=r"val\.fr\.gz .*line 2"):
        make("multi30k")
    site.files["fra-eng-latest.zip"] = b"no zip file"
    with pytest.raises(InputError, match=r"fra-eng-latest\.zip"):
        make("tatoeba-latest")
    assert [path.name for path in tmp_path.iterdir()] == ["downloads"]


LENGTHS = {"md5": 32, "sha1": 40, "sha256": 64}


@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA.keys())
def test_every_corpus_is_fully_described(corpus: object) -> None:
    found = known(corpus.name)  # type: ignore[attr-defined]
    assert all((found.title, found.home, found.licence, found.citation, found.pairs, found.folder))
    assert len({source.file for source in found.sources}) == len(found.sources)
    for source in found.sources:
        assert urlsplit(source.url).scheme == "https"
        assert source.checked
        if source.checksum is not None:
            algorithm, _, digest = source.checksum.partition(":")
            assert re.fullmatch(r"[0-9a-f]+", digest)
            assert len(digest) == LENGTHS[algorithm]


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"'wmt15'.* tatoeba, .*wmt14"):
        known("wmt15")


def test_every_file_that_a_builder_reads_is_downloaded() -> None:
    expected = {f"{stem}.{language}.gz" for stem in MULTI30K_SPLITS.values() for language in ("en", "fr")}
    assert {source.file for source in known("multi30k").sources} == expected


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
