import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from nmt.cli import main
from nmt.data.corpora.get import MadeCorpus
from nmt.data.corpora.parallel import WrittenSplit
from nmt.data.corpora.registry import CORPORA
from tests.programs import Commands


def test_the_list_names_all_with_their_licences(cli: Commands) -> None:
    plain = cli.printed("corpus", "list")
    data = json.loads(cli.printed("corpus", "list", "--json"))
    assert data["format"] == 1
    assert [corpus["name"] for corpus in data["corpora"]] == list(CORPORA)
    for corpus in data["corpora"]:
        assert all(corpus[key] in plain for key in ("name", "title", "licence", "home"))
        assert all(source["url"] and source["checked"] for source in corpus["sources"])


@pytest.mark.parametrize(
    ("name", "named"), [("nothing", "'nothing'.*tatoeba"), ("news", "`python -m release corpus get news`")]
)
def test_what_the_user_can_put_right(name: str, named: str, tmp_path: Path, cli: Commands) -> None:
    assert re.search(f"jointly corpus: .*{named}", cli.refused("corpus", "get", name, "--out", str(tmp_path)))
    assert not list(tmp_path.iterdir())


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """``made(corpus)``: the next corpus that is got is this one, after a file of 9 TB and 1,234 documents."""

    def make(corpus: MadeCorpus) -> None:
        def get(name: str, out: Path, *, force: bool, on_progress: Callable[..., None]) -> MadeCorpus:
            assert (name, out, force) == (corpus.name, Path(corpus.folder).parent, False)
            on_progress("a.tar", 9 * 1024**4, None)
            on_progress("documents", 617, 1234)
            on_progress("documents", 1234, 1234)
            return corpus

        monkeypatch.setattr("nmt.data.corpora.get.get", get)

    return make


def test_what_was_made_is_told_with_every_number(made: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    splits = [
        WrittenSplit(name=name, pairs=pairs, words=words, sha256={"en": "ab", "fr": "cd"})
        for name, pairs, words in (("train", 1234567, 23456789), ("dev", 1000, 12345))
    ]
    dropped = {"too long": 1234, "no reason at all": 0, "copies": 1}
    corpus = MadeCorpus(
        name="mine",
        folder="data/mine",
        licence="CC0",
        citation="Somebody, 2020",
        splits=splits,
        sources=["https://example.org"],
        dropped=dropped,
        unreadable=["a.xml is empty"],
    )

    def told(corpus: MadeCorpus) -> list[str]:
        made(corpus)
        assert main(["corpus", "get", "mine", "--out", "data"]) == 0
        captured = capsys.readouterr()
        bars = [line for line in re.split(r"[\r\n]+", captured.err) if line]
        assert re.match(r"a\.tar: 9\.00TB ", bars[0])  # 1,024 bytes a kilobyte
        assert re.match(r"documents: 100%.* 1234/1234 ", bars[-1])
        return captured.out.splitlines()

    folder, *lines = told(corpus)
    assert folder == "data/mine"
    assert [re.sub(r" +", " ", line).strip() for line in lines] == [
        *(f"{split.name} {split.pairs:,} pairs {split.words:,} English words" for split in splits),
        *(f"{number:,} excluded: {reason}" for reason, number in dropped.items() if number),
        "excluded: a.xml is empty",
        "licence: CC0",
        "source: Somebody, 2020",
    ]
    first, second = lines[:2]
    assert [len(first), first.index(" pairs")] == [len(second), second.index(" pairs")]  # numbers under one another
    for identical, words in ((True, "identical to "), (False, "NOT ")):
        more = [line.strip() for line in told(replace(corpus, as_released=identical)) if line not in (folder, *lines)]
        assert len(more) == 1
        assert more[0].startswith(words)
        assert "released runs" in more[0]


def test_the_list_is_in_two_columns(cli: Commands) -> None:
    """Names, and beside them what is known of each, one line below the other."""
    lines = cli.printed("corpus", "list").splitlines()
    begin = max(map(len, CORPORA)) + 2
    assert [line[:begin].strip() for line in lines if line[:begin].strip()] == [*CORPORA]
    rest = iter(lines)
    for name, corpus in CORPORA.items():
        assert next(rest) == f"{name.ljust(begin)}{corpus.title}; about {corpus.pairs:,} pairs"
        for fact in filter(None, (corpus.home, corpus.licence, corpus.note)):
            assert next(rest) == " " * begin + fact
    assert not [*rest]
