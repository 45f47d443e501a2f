"""The feed-forward language model against its equations in NumPy, and its sampled softmax against the whole one."""

from pathlib import Path

import numpy as np
import pytest
import torch

from experiments.phrase_features.language_model import (
    FeedForward,
    Ngrams,
    Sizes,
    kneser_ney,
    kneser_ney_log_p,
    load,
    log_probabilities,
    perplexity,
    save,
    train,
)
from nmt.data.vocabulary import END_ID

SIZES = Sizes(words=9, order=4, projection=3, hidden=5)


def model(seed: int = 1) -> FeedForward:
    torch.manual_seed(seed)
    made = FeedForward(SIZES)
    for weights in made.parameters():
        torch.nn.init.normal_(weights)
    return made


def sentences(count: int, seed: int = 2) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [[*rng.integers(1, SIZES.words, rng.integers(1, 7)).tolist(), END_ID] for _ in range(count)]


def by_hand(made: FeedForward, sentence: list[int]) -> list[float]:
    """Log p of each word, one after the other."""
    weights = {name: value.detach().double().numpy() for name, value in made.named_parameters()}
    found = []
    for i, word in enumerate(sentence):
        history = [sentence[k] if k >= 0 else SIZES.words for k in range(i - SIZES.order + 1, i)]
        joined = np.concatenate([weights["projection.weight"][each] for each in history])
        hidden = np.tanh(weights["hidden.weight"] @ joined + weights["hidden.bias"])
        scores = weights["output.weight"] @ hidden + weights["output.bias"]
        found.append(scores[word] - np.log(np.exp(scores).sum()))
    return found


def test_it_computes_its_equations() -> None:
    made, text = model(), sentences(30)
    expected = [value for sentence in text for value in by_hand(made, sentence)]
    assert log_probabilities(made, Ngrams.of(text, SIZES)) == pytest.approx(expected, abs=1e-5)


def test_a_sample_of_all_words_is_the_whole_softmax() -> None:
    made, text = model(), Ngrams.of(sentences(30), SIZES)
    histories, words = text.histories(text.places, SIZES.order), text.tokens[text.places]
    loss = made.sampled_loss(histories, words, torch.arange(SIZES.words), torch.zeros(SIZES.words))
    assert loss.item() == pytest.approx(-log_probabilities(made, text).mean(), abs=1e-5)


@pytest.mark.slow
def test_training_on_samples_finds_the_probabilities(tmp_path: Path) -> None:
    """Words follow a chain that is known; the perplexity comes near that of the chain itself, not to that of the
    samples. What is saved is the same model."""
    rng = np.random.default_rng(5)
    chain = rng.dirichlet(np.full(SIZES.words, 0.5), SIZES.words + 1)
    chain[:, END_ID] = 0.1
    chain /= chain.sum(1, keepdims=True)

    def written() -> list[int]:
        words = [SIZES.words]
        while words[-1] != END_ID:
            words.append(int(rng.choice(SIZES.words, p=chain[words[-1]])))
        return words[1:]

    text, held_out = [written() for _ in range(2000)], [written() for _ in range(300)]
    torch.manual_seed(1)
    made = FeedForward(Sizes(words=SIZES.words, order=2, projection=6, hidden=16))
    dev = Ngrams.of(held_out, made.sizes)
    before = perplexity(log_probabilities(made, dev))
    train(made, Ngrams.of(text, made.sizes), dev, 300_000, batch=200, others=4)
    log_p = [np.log(chain[a, b]) for ids in held_out for a, b in zip([SIZES.words, *ids], ids, strict=False)]
    ideal, found = float(np.exp(-np.mean(log_p))), perplexity(log_probabilities(made, dev))
    assert ideal < found < 1.08 * ideal < before / 1.3
    save(made, tmp_path / "model")
    assert log_probabilities(load(tmp_path / "model"), dev) == pytest.approx(log_probabilities(made, dev))


def test_kneser_ney_has_the_same_words_and_tokens() -> None:
    """Its probabilities of all words after a history sum to 1, and it predicts what the other model predicts."""
    text, held_out = sentences(200), sentences(20, seed=7)
    other = kneser_ney(text, SIZES)
    assert len(kneser_ney_log_p(*other, held_out)) == len(Ngrams.of(held_out, SIZES).places)
    after = [[2, 3, word, END_ID] for word in range(1, SIZES.words)]
    log_p = kneser_ney_log_p(*other, after).reshape(-1, 4)[:, 2]
    ended = kneser_ney_log_p(*other, [[2, 3, END_ID]])[2]
    assert np.exp(log_p).sum() + np.exp(ended) == pytest.approx(1)
