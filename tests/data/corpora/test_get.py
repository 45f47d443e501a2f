"""Known corpora that everybody may get, from a site on this machine."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.data.corpora import get as module
from nmt.data.corpora.get import get
from nmt.data.corpora.registry import CORPORA
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
    with pytest.raises(InputError, match=r"val .*3 .*1 "):
        make("multi30k")
    site.files["fra-eng-latest.zip"] = b"no zip file"
    with pytest.raises(InputError, match=r"fra-eng-latest\.zip"):
        make("tatoeba-latest")
    assert [path.name for path in tmp_path.iterdir()] == ["downloads"]
