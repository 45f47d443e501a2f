"""Word links: read, checked, brought from words to tokens, prepared and put into minibatches; and the dictionary
learned from them, counted by hand, written and read again.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nmt.data.batching import Examples, make_batch
from nmt.data.links import over_tokens, read_dictionary, read_links
from nmt.data.prepare import VocabularySettings, prepare
from nmt.data.prepared import Prepared, open_prepared
from nmt.data.text import Tokenizer
from nmt.data.tokenised import Corpus
from nmt.errors import InputError
from release.dictionary import DictionaryEntry, LinkCounts, LinkedWords, linked_words
from release.dictionary import write_dictionary as write
from tests.data.corpus_files import corpus
from tests.data.corpus_files import settings as settings_of

WriteCorpus = Callable[..., tuple[Path, Path]]

PAIRS = [
    ("The black cat sleeps.", "Le chat noir dort."),
    ("It's late.", "Il est tard."),
    ("One two three four five six seven.", "Un deux trois quatre cinq six sept."),
    ("Where is the boat?", "Où est le bateau ?"),
]
LINKS = ["0-0 1-2 2-1 3-3 4-4", "", "0-0", "0-0 1-1 2-2 3-3 2-3 4-4"]
KINDS = [VocabularySettings("words", 100), VocabularySettings("bpe", 60)]


def write_links(folder: Path, lines: list[str]) -> Path:
    path = folder / "train.links"
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def prepared(
    write_corpus: WriteCorpus, folder: Path, vocabulary: VocabularySettings, lines: list[str] = LINKS
) -> Prepared:
    source, target = write_corpus("train", PAIRS)
    settings = settings_of(vocabulary, max_length=5)
    prepare(
        [Corpus(source=source, target=target, repeat=1, links=write_links(folder, lines))], [], settings, folder / "out"
    )
    return open_prepared(folder / "out")


def links_of(line: str) -> set[tuple[int, int]]:
    return {(int(i), int(j)) for i, j in (link.split("-") for link in line.split())}


@pytest.mark.parametrize("vocabulary", KINDS)
def test_prepared_links_are_those_of_the_words(
    write_corpus: WriteCorpus, tmp_path: Path, vocabulary: VocabularySettings
) -> None:
    """Token x of the source and y of the target are linked just if their words are; the end marks always are. The
    pair with more than five words is gone, with its links."""
    data = prepared(write_corpus, tmp_path, vocabulary)
    assert data.train.has_links
    assert len(data.train) == 3
    for pair, kept in enumerate((0, 1, 3)):
        source = data.source_vocabulary.encode(Tokenizer("en").tokenize(PAIRS[kept][0]))
        target = data.target_vocabulary.encode(Tokenizer("fr").tokenize(PAIRS[kept][1]))
        end = (len(source.ids) - 1, len(target.ids) - 1)
        expected = {
            (x, y)
            for x, i in enumerate(source.words[:-1])
            for y, j in enumerate(target.words[:-1])
            if (i, j) in links_of(LINKS[kept])
        }
        found = [tuple(link) for link in data.train.links(pair).tolist()]
        assert len(found) == len(set(found))
        assert set(found) == (expected | {end} if LINKS[kept] else set())


@pytest.mark.parametrize("vocabulary", KINDS)
def test_a_minibatch_spreads_each_target_token_evenly(
    write_corpus: WriteCorpus, tmp_path: Path, vocabulary: VocabularySettings
) -> None:
    split = prepared(write_corpus, tmp_path, vocabulary).train
    pairs = np.array([2, 1, 0, 2])
    batch = make_batch(split, Examples.single(pairs))
    assert batch.links is not None
    goal = np.zeros((len(pairs), batch.target.shape[1], batch.source.shape[1]))
    np.add.at(goal, (batch.links.pair, batch.links.target, batch.links.source), batch.links.weight)
    for row, pair in enumerate(pairs.tolist()):
        expected = np.zeros_like(goal[row])
        for x, y in split.links(pair).tolist():
            expected[y, x] = 1
        sums = expected.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(goal[row], expected / np.maximum(sums, 1), rtol=1e-6)


def test_without_links_there_are_none(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    settings = settings_of(KINDS[0], max_length=None)
    manifest = prepare([corpus(write_corpus("train", PAIRS))], [], settings, tmp_path / "out")
    split = open_prepared(tmp_path / "out").train
    assert not split.has_links
    assert make_batch(split, Examples.single(np.arange(2))).links is None
    assert manifest.train.corpora[0].links is None


def test_a_corpus_without_links_beside_one_with(write_corpus: WriteCorpus, tmp_path: Path) -> None:
    one, other = corpus(write_corpus("one", PAIRS[:1])), write_corpus("two", PAIRS[1:2])
    corpora = [one, corpus(other, 1, write_links(tmp_path, ["0-0"]))]
    manifest = prepare(
        corpora,
        [],
        settings_of(KINDS[0], max_length=None),
        tmp_path / "out",
    )
    split = open_prepared(tmp_path / "out").train
    assert split.links(0).tolist() == []
    assert split.links(1).tolist()[0] == [0, 0]
    batch = make_batch(split, Examples.single(np.array([0])))
    assert batch.links is not None
    assert len(batch.links.weight) == 0
    assert [corpus.links is None for corpus in manifest.train.corpora] == [True, False]
    assert type(manifest).load(tmp_path / "out") == manifest


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["0-0", "0-0", "1 - 2", ""], r"train\.links, line 3: '1'"),
        (["0-0", "", "", "0-70000"], r"train\.links, line 4: .*0-70000"),
        (["0-0", "0-4", "", ""], r"train\.links, line 2: .*0-4 "),
        (["0-0", "4-0", "", ""], r"train\.links, line 2: .*4-0 "),
        (["0-0", "1p2", "", ""], r"train\.links, line 2: '1p2' is not a link such as 3-4"),
        (["0-0", "", ""], r"train\.en .*4 lines.*train\.links .*3"),
    ],
)
def test_wrong_links_are_named(write_corpus: WriteCorpus, tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        prepared(write_corpus, tmp_path, KINDS[0], lines)
    assert not (tmp_path / "out").exists()


def test_lines_are_read_with_their_numbers(tmp_path: Path) -> None:
    lines = list(read_links(write_links(tmp_path, ["3-4 0-0", "", "1-2"])))
    assert [(line.number, line.words) for line in lines] == [(1, [(3, 4), (0, 0)]), (2, []), (3, [(1, 2)])]


def test_positions_have_two_bytes(tmp_path: Path) -> None:
    assert len(list(read_links(write_links(tmp_path, ["65535-0 0-65535"])))) == 1
    for link in ("65536-0", "0-65536"):
        with pytest.raises(InputError, match=f"line 1: the link {link} has too large a number"):
            list(read_links(write_links(tmp_path, [link])))


def test_a_word_without_tokens_has_no_links() -> None:
    """Such as a lone control character, of which no piece is made."""
    assert over_tokens([(0, 0), (1, 1)], [0, 2], [0, 1, 2]) == [0, 0, 1, 2]


def counted(*known: str) -> LinkCounts:
    counts = LinkCounts(known.__contains__)
    for source, target, links in [
        ("the sea", "la mer", [(0, 0), (1, 1)]),
        ("the sea", "le large", [(0, 0), (1, 1)]),
        ("sea", "mer", [(0, 0)]),
        ("the Sea", "la Mer", [(0, 0), (1, 1), (1, 0)]),
        ("oaks", "des chênes", [(0, 0), (0, 1)]),
        ("unlinked", "non lié", []),
    ]:
        counts.add(LinkedWords(source.split(), target.split(), links))
    return counts


def test_an_entry_is_the_most_frequent_linked_word() -> None:
    assert counted().entries() == [
        DictionaryEntry(
            source="Sea", target="Mer", count=1, share=1 / 2
        ),  # before "la": capitals come first in the order of code points
        DictionaryEntry(source="oaks", target="chênes", count=1, share=1 / 2),
        DictionaryEntry(source="sea", target="mer", count=2, share=2 / 3),
        DictionaryEntry(source="the", target="la", count=2, share=2 / 3),
    ]


def test_words_that_a_model_can_write_are_not_counted() -> None:
    found = counted("la", "le", "mer", "des", "Mer").entries()
    assert found == [
        DictionaryEntry(source="oaks", target="chênes", count=1, share=1),
        DictionaryEntry(source="sea", target="large", count=1, share=1),
    ]


def test_a_file_comes_back(tmp_path: Path) -> None:
    entries = counted().entries()
    write(tmp_path / "d.tsv", entries)
    assert read_dictionary(tmp_path / "d.tsv") == {entry.source: entry.target for entry in entries}
    assert [path.name for path in tmp_path.iterdir()] == ["d.tsv"]
    rows = [line.split("\t") for line in (tmp_path / "d.tsv").read_text("utf-8").splitlines()]
    assert [(row[0], row[1], int(row[2])) for row in rows] == [(e.source, e.target, e.count) for e in entries]
    assert [float(row[3]) for row in rows] == pytest.approx([e.share for e in entries], abs=1e-3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sea\tmer\nsky\n", r"d\.tsv, line 2"),
        ("\tmer\n", r"d\.tsv, line 1"),
        ("sea\tmer\t3\nsky\tciel\nsea\tlarge\n", r"d\.tsv, line 3: 'sea'"),
        ("", r"d\.tsv .*empty"),
    ],
)
def test_a_broken_file_names_the_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "d.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_dictionary(tmp_path / "d.tsv")


def written_corpus(folder: Path, links: str) -> list[LinkedWords]:
    for name, text in (("s", "It's late.\nThe sea\n\n"), ("t", "Il est tard.\nLa mer\n\n"), ("l", links)):
        (folder / name).write_text(text, encoding="utf-8")
    return list(linked_words(folder / "s", folder / "t", folder / "l", Tokenizer("en"), Tokenizer("fr")))


def test_links_are_over_moses_words(tmp_path: Path) -> None:
    (only,) = written_corpus(tmp_path, "0-0 1-1 3-3\n\n\n")
    assert [(only.source[i], only.target[j]) for i, j in only.links] == [("It", "Il"), ("'s", "est"), (".", ".")]


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ("0-0\n0-2\n\n", "/l, line 2: .*0-2 "),
        ("0-0\n", "/l .*line 2.*/s "),
        ("0-0\n\n\n\n", "/s .*line 4.*/l "),
        ("0:0\n\n\n", "/l, line 1: '0:0'"),
    ],
)
def test_links_that_do_not_fit_are_named(links: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        written_corpus(tmp_path, links)
