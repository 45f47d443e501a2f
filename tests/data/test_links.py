"""Word links: read, checked, brought from words to tokens, prepared and put into minibatches."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from nmt.data.batching import make_batch
from nmt.data.concatenation import Examples
from nmt.data.links import over_tokens, read_links
from nmt.data.prepare import PrepareSettings, VocabularySettings, prepare
from nmt.data.prepared import Prepared, open_prepared
from nmt.data.text import Tokenizer
from nmt.data.tokenised import Corpus
from nmt.errors import InputError
from tests.data.corpus_files import corpus

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
    settings = PrepareSettings(
        source_language="en",
        target_language="fr",
        max_length=5,
        source_vocabulary=vocabulary,
        target_vocabulary=vocabulary,
    )
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
    settings = PrepareSettings(
        source_language="en",
        target_language="fr",
        max_length=None,
        source_vocabulary=KINDS[0],
        target_vocabulary=KINDS[0],
    )
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
        PrepareSettings(
            source_language="en",
            target_language="fr",
            max_length=None,
            source_vocabulary=KINDS[0],
            target_vocabulary=KINDS[0],
        ),
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
        (["0-0", "", ""], r"train\.en .*4 lines.*train\.links .*3"),
    ],
)
def test_wrong_links_are_named(write_corpus: WriteCorpus, tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        prepared(write_corpus, tmp_path, KINDS[0], lines)
    assert not (tmp_path / "out").exists()


def test_lines_are_read_with_their_numbers(tmp_path: Path) -> None:
    lines = list(read_links(write_links(tmp_path, ["3-4 0-0", "", "1-2"])))
    assert [(line.number, line.links) for line in lines] == [(1, [(3, 4), (0, 0)]), (2, []), (3, [(1, 2)])]


def test_a_word_without_tokens_has_no_links() -> None:
    """Such as a lone control character, of which no piece is made."""
    assert over_tokens([(0, 0), (1, 1)], [0, 2], [0, 1, 2]) == [0, 0, 1, 2]
