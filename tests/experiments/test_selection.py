"""The language model against the formulas over dictionaries (tests/oracles/ngrams.py), and against the laws of
probability; the selected pairs against a brute-force ranking, and against what must come out of a toy.
"""

import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from experiments import selection
from experiments.selection import END, UNKNOWN, LanguageModel, Selected, WordIds, select
from nmt.data.prepared import open_prepared
from nmt.data.text import Tokenizer
from nmt.data.tokenised import PairTokenizer, inspect
from nmt.errors import InputError
from tests.data.corpus_files import corpus
from tests.oracles.ngrams import SlowModel
from tests.programs import Commands, main

TOKENIZER = PairTokenizer(Tokenizer("en"), Tokenizer("fr"), None)
SEA = "ship sail wind wave harbour captain rope storm".split()
LAND = "tree field farm road horse barn fence hill".split()

Pair = tuple[str, str]
WriteCorpus = Callable[..., tuple[Path, Path]]


def sentences(random: np.random.Generator, words: list[str], number: int) -> list[Pair]:
    """The French word of a word is the word backwards."""
    found = []
    for _ in range(number):
        chosen = random.choice(words, size=random.integers(3, 9)).tolist()
        found.append((" ".join(chosen), " ".join(word[::-1] for word in chosen)))
    return found


def run(corpora: list[tuple[Path, Path]], domain: tuple[Path, Path], words: int) -> Selected:
    return select([inspect(corpus(files)) for files in corpora], inspect(corpus(domain)), words, TOKENIZER, None)


def masks(found: Selected) -> list[list[bool]]:
    return [mask.tolist() for mask in found.masks]


def test_pairs_of_the_domain_win(write_corpus: WriteCorpus) -> None:
    """Among 600 pairs of both kinds, and 100 that are right on one side alone, of which a few may slip in: the second
    model knows the pairs that were drawn for it, which counts against them."""
    random = np.random.default_rng(0)
    sea, land = sentences(random, SEA, 300), sentences(random, LAND, 300)
    half = [(en, fr) for (en, _), (_, fr) in zip(sea[:50], land[:50], strict=True)]
    half += [(en, fr) for (_, fr), (en, _) in zip(sea[50:100], land[50:100], strict=True)]
    pairs = [*sea, *land, *half]
    order = random.permutation(len(pairs)).tolist()
    mixed = write_corpus("mixed", [pairs[k] for k in order], ".xz")
    domain = write_corpus("domain", sentences(random, SEA, 150))
    words = sum(len(en.split()) for en, _ in sea)
    found = run([mixed], domain, words)
    (mask,) = masks(found)
    chosen = {k for k, kept in zip(order, mask, strict=True) if kept}
    assert len(chosen & set(range(300))) > 290
    assert not chosen & set(range(300, 600))
    assert found.pairs == len(chosen)
    assert words - 8 <= found.words <= words
    assert found.words == sum(len(pairs[k][0].split()) for k in chosen)
    assert found.threshold is not None
    everything = run([mixed], domain, 10**9)
    assert (everything.pairs, everything.threshold) == (len(pairs), None)


def entropy(model: SlowModel, text: str) -> float:
    p = model.sentence(text.split())
    return -math.fsum(map(math.log, p)) / len(p)


@pytest.mark.parametrize("budget", [9, 40, 130, 400])
def test_the_ranking_is_that_of_brute_force(
    write_corpus: WriteCorpus, budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two corpora, together no larger than the domain, so that all their pairs are drawn for the second model."""
    monkeypatch.setattr(selection, "CHUNK", 7)
    random = np.random.default_rng(1)
    mixed = sentences(random, SEA + LAND, 60)
    inside = sentences(random, SEA + LAND[:4], 80)
    found = run(
        [write_corpus("one", mixed[:25]), write_corpus("two", mixed[25:])], write_corpus("domain", inside), budget
    )
    scores = np.zeros(len(mixed))
    for side in (0, 1):
        words = [text.split() for text in (pair[side] for pair in inside)]
        known = sorted({w for s in words for w in s if sum(t.count(w) for t in words) >= selection.LEAST})
        models = [SlowModel([pair[side].split() for pair in text], known, selection.ORDER) for text in (inside, mixed)]
        scores += [entropy(models[0], pair[side]) - entropy(models[1], pair[side]) for pair in mixed]
    ranked = np.argsort(scores, kind="stable").tolist()
    total = np.cumsum([len(mixed[k][0].split()) for k in ranked])
    best = {k for k, words_so_far in zip(ranked, total, strict=True) if words_so_far <= budget}
    one, two = masks(found)
    assert {k for k, chosen in enumerate(one + two) if chosen} == best
    assert found.pairs == len(best)
    assert np.concatenate(found.differences) == pytest.approx(scores, rel=1e-5, abs=1e-6)
    if len(best) < len(mixed):
        assert found.threshold == pytest.approx(max(scores[k] for k in best), rel=1e-5)
    else:
        assert found.threshold is None


def test_the_same_pairs_every_time_and_whatever_the_chunks(
    write_corpus: WriteCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(2)
    mixed = write_corpus("mixed", sentences(random, SEA + LAND, 120))
    domain = write_corpus("domain", sentences(random, SEA, 30))
    first = run([mixed], domain, 200)
    monkeypatch.setattr(selection, "CHUNK", 11)
    assert masks(run([mixed], domain, 200)) == masks(first)


def test_as_many_pairs_are_drawn_as_the_domain_has() -> None:
    one, two = selection._drawn([50, 70], 30)
    assert (len(one), len(two), one.sum() + two.sum()) == (50, 70, 30)
    assert 0 < one.sum() < 30
    assert all(mask.all() for mask in selection._drawn([2, 3], 6))


def test_what_is_no_sentence_is_never_selected(write_corpus: WriteCorpus) -> None:
    pairs = [
        ("ship", "pihs"),
        ("", "lias"),
        ("wind", " "),
        ("\u200b", "evaw"),
        ("sail " * 3000, "lias"),
        ("wave", "evaw"),
    ]
    found = run([write_corpus("mixed", pairs)], write_corpus("domain", [("ship sail", "pihs lias")] * 3), 10**6)
    assert masks(found) == [[True, False, False, False, False, True]]


def test_a_domain_without_sentences(write_corpus: WriteCorpus) -> None:
    mixed, blank = write_corpus("mixed", [("ship", "pihs")]), write_corpus("domain", [(" ", "pihs")])
    with pytest.raises(InputError, match=r"domain\.en .*domain\.fr"):
        run([mixed], blank, 10)
    with pytest.raises(InputError, match="corpora"):
        run([blank], mixed, 10)


def test_a_pair_that_is_too_long_for_the_budget_is_said(write_corpus: WriteCorpus) -> None:
    mixed = write_corpus("mixed", [("ship sail", "pihs lias")] * 2)
    with pytest.raises(InputError, match=r"has 2 words, and 1 were asked for"):
        run([mixed], mixed, 1)


def test_what_is_written_is_a_corpus_for_every_command(
    write_corpus: WriteCorpus, tmp_path: Path, cli: Commands
) -> None:
    random = np.random.default_rng(3)
    sea, land = sentences(random, SEA, 20), sentences(random, LAND, 20)
    mixed = [pair for two in zip(land, sea, strict=True) for pair in two]
    one, two = write_corpus("one", mixed[:11], ".gz"), write_corpus("two", mixed[11:])
    domain = write_corpus("domain", sentences(random, SEA, 100))
    words = sum(len(en.split()) for en, _ in sea)
    languages = ["--source-lang", "en", "--target-lang", "fr"]
    files = ["--corpus", *map(str, one), "--corpus", *map(str, two), "--domain", *map(str, domain)]
    command = ["experiments", "select", *files, "--words", str(words), *languages, "--out", str(tmp_path / "out")]
    told = json.loads(cli.printed(*command, "--json"))
    assert (told["pairs"], told["words"]) == (20, words)
    texts = [(tmp_path / "out" / f"selected.{code}").read_text("utf-8").splitlines() for code in ("en", "fr")]
    assert list(zip(*texts, strict=True)) == sea
    head, *rows = [line.split("\t") for line in (tmp_path / "out" / "selected.tsv").read_text("utf-8").splitlines()]
    assert head == ["corpus", "line", "difference"]
    places = [int(line) + 11 * (int(number) - 1) for number, line, _ in rows]
    assert [mixed[place - 1] for place in places] == sea
    assert max(float(difference) for *_, difference in rows) == pytest.approx(told["threshold"], rel=1e-5)
    assert "already holds a selection; --force replaces it" in cli.refused(*command)
    selected = [str(tmp_path / "out" / f"selected.{code}") for code in ("en", "fr")]
    prepared = ["--corpus", *selected, "--dev", *map(str, domain), "--out", str(tmp_path / "data")]
    assert main(["prepare", *prepared, *languages]) == 0
    data = open_prepared(tmp_path / "data")
    found = [" ".join(data.source_vocabulary.words(data.train.source[i].tolist()[:-1])) for i in range(len(data.train))]
    assert found == texts[0]


VOCABULARY = "a b c d e f".split()


def random_text(seed: int, sentences: int, letters: str = "abcdefxy") -> list[list[str]]:
    """Frequent letters come first; x and y are in no vocabulary."""
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, len(letters) + 1)
    return [
        random.choice(list(letters), size=random.integers(1, 9), p=weights / weights.sum()).tolist()
        for _ in range(sentences)
    ]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize("sentences", [1, 12, 300])
def test_probabilities_are_those_of_the_formulas(order: int, sentences: int) -> None:
    words = WordIds(VOCABULARY)
    text = random_text(0, sentences)
    model = LanguageModel(words.encode(text), words, order)
    slow = SlowModel(text, VOCABULARY, order)
    new = random_text(1, 40)
    encoded = words.encode(new)
    p = model.probabilities(encoded)
    assert (p[encoded.starts] == 1).all()
    expected = [value for sentence in new for value in (1.0, *slow.sentence(sentence))]
    np.testing.assert_allclose(p, expected, rtol=1e-12)
    entropies = [-math.fsum(map(math.log, slow.sentence(s))) / (len(s) + 1) for s in new]
    np.testing.assert_allclose(model.cross_entropies(encoded), entropies, rtol=1e-12)


def test_discounts_are_estimated_where_the_text_is_large_enough() -> None:
    """Else the comparison above would see the usual ones alone."""
    slow = SlowModel(random_text(0, 300), VOCABULARY, 4)
    assert slow.discounts[3] != [0, 0.5, 1, 1.5]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_probabilities_of_all_words_sum_to_one(order: int) -> None:
    """After every context of up to three words, seen or not, at the beginning of a sentence or in it."""
    words = WordIds(VOCABULARY)
    model = LanguageModel(words.encode(random_text(2, 60)), words, order)
    contexts = [c for n in range(4) for c in itertools.product("abx", repeat=n)]
    continued = [[*context, word] for context in contexts for word in [*VOCABULARY, "unknown"]]
    encoded = words.encode(continued)
    ends = np.append(encoded.starts[1:], len(encoded.tokens))
    p = model.probabilities(encoded)[ends - 2].reshape(len(contexts), -1)
    stopped = words.encode(contexts)
    stop = model.probabilities(stopped)[np.append(stopped.starts[1:], len(stopped.tokens)) - 1]
    np.testing.assert_allclose(p.sum(axis=1) + stop, 1, rtol=1e-12)


def test_sentences_do_not_know_of_each_other() -> None:
    words = WordIds(VOCABULARY)
    model = LanguageModel(words.encode(random_text(3, 50)), words, 4)
    text = random_text(4, 20)
    alone = [model.cross_entropies(words.encode([sentence]))[0] for sentence in text]
    np.testing.assert_allclose(model.cross_entropies(words.encode(text)), alone, rtol=1e-12)


@pytest.mark.parametrize("text", [[[]], [["a"]], [["a"], []]])
def test_sentences_that_are_shorter_than_the_order(text: list[list[str]]) -> None:
    words = WordIds(VOCABULARY)
    model, slow = LanguageModel(words.encode(text), words, 4), SlowModel(text, VOCABULARY, 4)
    for new in ([], ["a", "b", "a", "b"]):
        found = model.probabilities(words.encode([new]))[1:]
        np.testing.assert_allclose(found, slow.sentence(new), rtol=1e-12)


def test_ids() -> None:
    words = WordIds("ab")
    encoded = words.encode([["b", "c", "a"], []])
    assert words.predicted == 4
    assert encoded.tokens.tolist() == [words.start, 3, UNKNOWN, 2, END, words.start, END]
    assert encoded.starts.tolist() == [0, 5]


def test_text_like_the_training_text_is_less_surprising() -> None:
    words = WordIds(VOCABULARY)
    model = LanguageModel(words.encode(random_text(5, 200, "abc")), words, 3)
    like, unlike = random_text(6, 50, "abc"), random_text(6, 50, "def")
    assert model.cross_entropies(words.encode(like)).max() < model.cross_entropies(words.encode(unlike)).min()
