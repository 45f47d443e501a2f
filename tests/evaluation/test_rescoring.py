"""Re-ranking of n-best lists: the format, the exact line search, and tuning, against brute force."""

import numpy as np
import pytest

from nmt.errors import InputError
from nmt.evaluation.metrics import bleu_metric
from nmt.evaluation.rescoring import Candidates, bleu_of, candidate_counts, line_search, read_n_best, tune

WORDS = "the old man reads a book in garden by sea".split()


def drawn(seed: int, sentences: int = 12, most: int = 7, features: int = 3) -> tuple[Candidates, list[str]]:
    """Random candidates of which some resemble their reference; some features tie, and one says a little."""
    random = np.random.default_rng(seed)
    references = [" ".join(random.choice(WORDS, 9)) for _ in range(sentences)]
    numbers, texts, rows = [], [], []
    for sentence, reference in enumerate(references):
        for _ in range(random.integers(1, most)):
            words = np.array(reference.split())
            changed = random.random(9) < random.random()
            words[changed] = random.choice(WORDS, 9)[changed]
            numbers.append(sentence)
            texts.append(" ".join(words))
            rows.append([*random.integers(-3, 3, features - 1), -changed.sum() + 3 * random.normal()])
    names = tuple("abcdef"[:features])
    made = Candidates(sentences=np.array(numbers), texts=tuple(texts), names=names, features=np.array(rows, float))
    return made, references


def corpus_bleu(candidates: Candidates, references: list[str], weights: np.ndarray) -> float:
    """BLEU by sacreBLEU of each sentence's largest sum, the earlier of equals."""
    sums, best = candidates.features @ weights, dict[int, int]()
    for k, sentence in enumerate(candidates.sentences.tolist()):
        if sentence not in best or sums[k] > sums[best[sentence]]:
            best[sentence] = k
    texts = [candidates.texts[best[sentence]] for sentence in range(len(references))]
    return float(bleu_metric("13a").corpus_score(texts, [references]).score)


@pytest.mark.parametrize("seed", range(8))
def test_no_weight_of_a_fine_grid_is_better_than_that_of_the_line_search(seed: int) -> None:
    candidates, references = drawn(seed)
    counts = candidate_counts(candidates, [references], "13a")
    random = np.random.default_rng(seed)
    weights, direction = random.normal(size=3), random.normal(size=3)
    x = line_search(candidates, counts, weights, direction)
    found = corpus_bleu(candidates, references, weights + x * direction)
    assert found == pytest.approx(bleu_of(candidates, counts, weights + x * direction))
    grid = [corpus_bleu(candidates, references, weights + y * direction) for y in np.linspace(-20, 20, 801)]
    assert found >= max(grid) - 1e-9
    assert len({*grid}) > 3


@pytest.mark.parametrize(("reference", "found"), [("the red lamp is old", 2), ("a blue desk was new", 4), ("?", 2)])
def test_beyond_the_last_corner_the_middle_is_one_further(reference: str, found: float) -> None:
    """In both sentences the second candidate is the best from 3 on: no weight lies between these two corners, also if
    all others are as bad."""
    texts = ("the red lamp is old", "a blue desk was new") * 2
    features = np.array([[0.0, 0], [-3, 1]] * 2)
    candidates = Candidates(sentences=np.array([0, 0, 1, 1]), texts=texts, names=("a", "b"), features=features)
    counts = candidate_counts(candidates, [[reference] * 2], "13a")
    assert line_search(candidates, counts, np.array([1.0, 0]), np.array([0.0, 1])) == found


def test_a_line_along_which_nothing_changes_is_left_where_it_is() -> None:
    candidates, references = drawn(1)
    counts = candidate_counts(candidates, [references], "13a")
    assert line_search(candidates, counts, np.ones(3), np.zeros(3)) == 0


@pytest.mark.parametrize("seed", range(3))
def test_tuning_beats_every_feature_alone_and_random_weights(seed: int) -> None:
    candidates, references = drawn(seed)
    counts = candidate_counts(candidates, [references], "13a")
    found = tune(candidates, counts)
    assert found.bleu == pytest.approx(corpus_bleu(candidates, references, found.weights))
    others = [*np.eye(3), *np.random.default_rng(9).uniform(-1, 1, (100, 3))]
    assert found.bleu >= max(corpus_bleu(candidates, references, other) for other in others) - 0.5
    assert found.bleu >= max(corpus_bleu(candidates, references, other) for other in np.eye(3))
    assert tune(candidates, counts).weights.tolist() == found.weights.tolist()
    assert candidates.without("b").names == ("a", "c")
    assert (candidates.without("b").features == candidates.features[:, [0, 2]]).all()


def test_a_list_comes_back_as_it_was_written_best_first() -> None:
    lines = [
        "0 ||| un chat ||| LM= -3.5 TM= -1 -2 ||| -4.1",
        "0 ||| le chat ||| LM= -2 TM= -1 -3 ||| -5",
        "2 ||| ||| LM= 0 TM= 1 2",
    ]
    read = read_n_best(lines, "list")
    assert read.names == ("LM", "TM", "TM_2")
    assert read.texts == ("un chat", "le chat", "")
    assert read.sentences.tolist() == [0, 0, 2]
    assert read.features.tolist() == [[-3.5, -1, -2], [-2, -1, -3], [0, 1, 2]]
    weights = np.array([1.0, 1, 0])
    written = [*read.lines(weights)]
    assert [line.split(" ||| ")[1] for line in written] == ["le chat", "un chat", ""]
    assert [float(line.split(" ||| ")[3]) for line in written] == [-3, -4.5, 1]
    again = read_n_best(written, "list")
    assert again.names == read.names
    assert sorted(again.texts) == sorted(read.texts)
    more = read.with_features({"length": np.array([2.0, 2, 0])})
    assert more.features[:, 3].tolist() == [2, 2, 0]
    with pytest.raises(InputError, match="LM already"):
        read.with_features({"LM": np.zeros(3)})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["x ||| a ||| 1"], "line 1 is not"),
        (["0 ||| a"], "line 1 is not"),
        (["0 ||| a ||| A= nan"], "line 1 is not"),
        (["0 ||| a ||| A= 1 B= 2 A= 3"], "line 1 is not"),
        (["0 ||| a ||| A= 1 A_2= 2 A= 3 4"], "line 1 is not"),
        (["0 ||| a ||| A= 1", "0 ||| b ||| B= 1"], "line 2 has other features"),
        (["0 ||| a ||| lm= 1 tm= 2", "0 ||| b ||| tm= 2 lm= 1"], "line 2 has other features"),
        (["0 ||| a ||| "], "line 1 is not"),
        (["1 ||| a ||| 1", "0 ||| b ||| 1"], "line 2: sentences"),
        (["-1 ||| a ||| 1"], "line 1: sentences"),
        ([], "no candidates"),
    ],
)
def test_what_is_no_list_is_refused(lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_n_best(lines, "list")
