"""All known corpora from a site on this machine."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from nmt.data.corpora.registry import CORPORA
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import read_gold
from nmt.records import to_data
from release.corpora.builders import build_laws
from tests.data.corpora.making import Make, lines, silent
from tests.oracles.corpus_archives import zip_of
from tests.oracles.site import Site

MADE = [name for name, corpus in CORPORA.items() if corpus.builder is not None]


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


def test_news_is_the_news_tests_alone(make: Make, tmp_path: Path) -> None:
    made = make("news")
    assert {split.name: split.pairs for split in made.splits} == {"train": 8, "dev": 4, "newstest2014": 2}
    make("wmt14")
    assert lines(tmp_path / "news/newstest2014.fr.xz") == lines(tmp_path / "wmt14/test.fr.xz")


def test_laws_from_a_folder_and_from_the_site_are_the_same(make: Make, tmp_path: Path) -> None:
    made = make("canada-laws")
    with zipfile.ZipFile(tmp_path / "downloads/canada-laws" / CORPORA["canada-laws"].sources[0].file) as archive:
        archive.extractall(tmp_path / "xml")
    other = build_laws(tmp_path / "xml/laws-lois-xml-0597", tmp_path / "other", on_progress=silent)
    assert other.splits == made.splits
    assert {split.name: split.pairs for split in made.splits}["pairs"] == 40
