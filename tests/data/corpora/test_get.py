"""All known corpora from a site on this machine."""

import gzip
import hashlib
import json
import lzma
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.data.corpora import get as module
from nmt.data.corpora.get import MadeCorpus, build_laws, get
from nmt.data.corpora.registry import CORPORA, KnownCorpus
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import read_gold
from nmt.records import to_data
from tests.oracles.corpus_archives import gold_archives, laws_zip, multi30k_files, tatoeba_zip, wmt14_archives, zip_of
from tests.oracles.site import Site

Make = Callable[..., MadeCorpus]


def silent(what: str, done: int, total: int | None) -> None:
    pass


@pytest.fixture
def make(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Get a corpus from the site, which has all of them; its checksums are those of the files there."""
    site.files |= {"fra-eng.zip": tatoeba_zip(), "fra-eng-latest.zip": tatoeba_zip(), **multi30k_files()}
    site.files |= {"deu-eng.zip": tatoeba_zip("de"), "jpn-eng.zip": tatoeba_zip("ja"), **gold_archives()}
    site.files |= {"kor-eng.zip": tatoeba_zip("ko")}
    site.files |= {CORPORA["canada-laws"].sources[0].file: laws_zip(), **wmt14_archives()}

    def here(name: str) -> KnownCorpus:
        corpus = CORPORA[name]
        sources = (
            replace(
                source,
                url=site.url(source.file),
                checksum=source.checksum and "sha256:" + hashlib.sha256(site.files[source.file]).hexdigest(),
            )
            for source in corpus.sources
        )
        return replace(corpus, sources=tuple(sources))

    monkeypatch.setattr(module, "known", here)

    def make(name: str, *, force: bool = False) -> MadeCorpus:
        return get(name, tmp_path, force=force, on_progress=silent)

    return make


def lines(path: Path) -> list[str]:
    unpack = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(path.suffix, bytes)
    return unpack(path.read_bytes()).decode().split("\n")[:-1]


MADE = [name for name, corpus in CORPORA.items() if corpus.builder is not None]


@pytest.mark.parametrize("name", [name for name in CORPORA if name not in MADE])
def test_a_corpus_that_no_command_makes_is_refused_with_the_place_that_says_how(make: Make, name: str) -> None:
    with pytest.raises(InputError, match=rf"{name}: docs/corpora\.md .*{CORPORA[name].home}"):
        make(name)


@pytest.mark.parametrize("name", MADE)
def test_every_corpus_is_made_and_says_what_it_is(make: Make, tmp_path: Path, name: str) -> None:
    made = make(name)
    folder = Path(made.folder)
    assert folder == tmp_path / CORPORA[name].folder
    record = json.loads((folder / "corpus.json").read_text())
    assert record == {"format": 1} | to_data(made)
    for split in made.splits:
        for language in CORPORA[name].languages:
            (path,) = folder.glob(f"{split.name}.{language}*")
            text = lines(path)
            assert len(text) == split.pairs
            assert hashlib.sha256("".join(line + "\n" for line in text).encode()).hexdigest() == split.sha256[language]
    names = {split.name for split in made.splits}
    assert {"train", "dev", "test"} <= names or names == {"tokens"} or name.startswith(("multi30k", "wmt14", "news"))
    downloads = {"downloads"} if CORPORA[name].sources else set()
    assert {path.name for path in tmp_path.iterdir()} == downloads | {folder.relative_to(tmp_path).parts[0]}
    assert make(name, force=True) == made


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


def test_wmt14_has_the_papers_sets(make: Make, tmp_path: Path) -> None:
    make("wmt14")
    folder = tmp_path / "wmt14"
    news = [f"news & en {year}, {n}" for year in range(2008, 2012) for n in range(2)]
    commentary = [f"news-commentary en, {n}" for n in range(3)]
    assert lines(folder / "in-domain.en.xz") == news + commentary
    assert lines(folder / "dev.fr.xz") == [f"news & fr {year}, {n}" for year in (2012, 2013) for n in range(2)]
    assert lines(folder / "test.fr.xz") == [f"news & fr 2014, {n}" for n in range(2)]
    assert lines(folder / "un.en.gz") == [*(f"un en, {n}" for n in range(3)), "un \ufffd"]
    assert lines(folder / "giga-fren.fr.gz") == [f"giga-fren fr, {n}" for n in range(3)]


@pytest.mark.parametrize("name", [name for name in CORPORA if name.startswith("gold-")])
def test_gold_links_are_of_one_form(make: Make, name: str) -> None:
    """The same links in each set's own form; only two sets know possible ones."""
    made = make(name)
    possible = name in ("gold-hansards", "gold-alibi")
    assert lines(Path(made.folder) / "gold") == ["0-1 1p0" if possible else "0-1 1-0"] * 2
    assert lines(Path(made.folder) / "tokens.en") == ["kites fly ."] * 2
    gold = read_gold(Path(made.folder) / "gold", [(3, 3)] * 2)
    assert all(len(one.sure) == 2 - possible and len(one.possible) == 2 for one in gold)


@pytest.mark.parametrize(
    ("file", "members", "message"),
    [
        (
            "German-English_WordAlignment.zip",
            {"test.de": "a\n", "test.en": "a\n", "de-en.wa": "9-1\n"},
            "pair 1 .*europarl-de",
        ),
        ("German-English_WordAlignment.zip", {"test.de": "a\n", "test.en": "a\nb\n", "de-en.wa": "1-1\n"}, "2 English"),
        ("German-English_WordAlignment.zip", {"test.de": "a\n", "test.en": "a\n"}, r"de-en\.wa"),
        ("German-English_WordAlignment.zip", {"test.de": "a\n", "test.en": "a\n", "de-en.wa": "\n"}, None),
    ],
)
def test_gold_files_that_are_not_as_expected(
    make: Make, site: Site, file: str, members: dict[str, str], message: str | None
) -> None:
    site.files[file] = zip_of(members)
    if message is None:
        assert lines(Path(make("gold-europarl-de").folder) / "gold") == [""]
        return
    with pytest.raises(InputError, match=message):
        make("gold-europarl-de")


@pytest.mark.parametrize("links", ["0-1 0p0 0-0 1p1", "1-2 1p1 1-1 2p2"])
def test_words_of_europarl_are_counted_from_0_if_a_link_says_so(make: Make, site: Site, links: str) -> None:
    """German first; a link that is listed twice is sure if either listing is; the second sentence has none."""
    members = {"test.de": "a b\ne\n", "test.en": "c d\nf\n", "de-en.wa": f"{links}\n\n"}
    site.files["German-English_WordAlignment.zip"] = zip_of(members)
    folder = Path(make("gold-europarl-de").folder)
    assert lines(folder / "gold") == ["0-0 1-0 1p1", ""]
    assert lines(folder / "tokens.en") == ["c d", "f"]


@pytest.mark.parametrize("links", ["0-0 1-0 2-0", "0-0 0-2", "1-1 3-1", "1-3"])
def test_a_link_one_beyond_the_words_is_refused(make: Make, site: Site, links: str) -> None:
    members = {"test.de": "a b\n", "test.en": "c d\n", "de-en.wa": f"{links}\n"}
    site.files["German-English_WordAlignment.zip"] = zip_of(members)
    with pytest.raises(InputError, match="pair 1 of europarl-de links a word that does not exist"):
        make("gold-europarl-de")


def test_other_languages_have_the_same_english_sentences_held_out(make: Make, tmp_path: Path) -> None:
    for name in ("tatoeba", "tatoeba-de", "tatoeba-ja"):
        make(name)
    for split in ("train", "dev", "test"):
        english = lines(tmp_path / f"tatoeba/{split}.en.xz")
        assert english == lines(tmp_path / f"tatoeba-de/{split}.en.xz") == lines(tmp_path / f"tatoeba-ja/{split}.en.xz")
    assert lines(tmp_path / "tatoeba-ja/test.ja.xz")[0].startswith("凧を")
    assert not (tmp_path / "tatoeba-ja/test.fr.xz").exists()


def test_news_is_the_news_tests_alone(make: Make, tmp_path: Path) -> None:
    made = make("news")
    assert {split.name: split.pairs for split in made.splits} == {"train": 8, "dev": 4, "newstest2014": 2}
    make("wmt14")
    assert lines(tmp_path / "news/newstest2014.fr.xz") == lines(tmp_path / "wmt14/test.fr.xz")


def test_what_fails_leaves_no_corpus_behind(make: Make, site: Site, tmp_path: Path) -> None:
    site.files["val.fr.gz"] = gzip.compress(b"one line\n")
    with pytest.raises(InputError, match=r"val .*3 .*1 "):
        make("multi30k")
    site.files["fra-eng-latest.zip"] = b"no zip file"
    with pytest.raises(InputError, match=r"fra-eng-latest\.zip"):
        make("tatoeba-latest")
    assert [path.name for path in tmp_path.iterdir()] == ["downloads"]


def test_laws_from_a_folder_and_from_the_site_are_the_same(make: Make, tmp_path: Path) -> None:
    made = make("canada-laws")
    with zipfile.ZipFile(tmp_path / "downloads/canada-laws" / CORPORA["canada-laws"].sources[0].file) as archive:
        archive.extractall(tmp_path / "xml")
    other = build_laws(tmp_path / "xml/laws-lois-xml-0597", tmp_path / "other", on_progress=silent)
    assert other.splits == made.splits
    assert {split.name: split.pairs for split in made.splits}["pairs"] == 40
