"""A feed-forward n-gram language model (Schwenk 2007), and its perplexity beside Kneser-Ney's.

    python -m experiments phrase-features language-model train SYSTEM MODEL --vocabulary checkpoints/rnnencdec-50
    python -m experiments phrase-features language-model perplexity SYSTEM MODEL --text test.fr.xz …

    p(w_i | w_{i-6} … w_{i-1}) = softmax(V tanh(U [C w_{i-6}; …; C w_{i-1}] + b) + c)

C projects words to vectors, shared by the six places. The words are those of a run's shortlist, with [UNK] for all
others and the end-of-sentence token; before a sentence stand six start tokens. To save time the softmax of training is
over the word and a thousand others, which are drawn anew for each minibatch, more often the more frequent they are; log
of how often is taken off (Jean et al. 2015). All that is reported has the whole softmax.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from experiments.phrase_based.system import read_pairs
from experiments.selection import LanguageModel, WordIds, WordIdSentences
from nmt.cli.options import Commands, add_number, whole
from nmt.data.corpus import read_lines
from nmt.data.subwords import load_vocabulary
from nmt.data.text import Tokenizer
from nmt.data.vocabulary import UNK_ID
from nmt.files import read_record, write_json

Ids = NDArray[np.int64]

_BEFORE_VALIDATION = 1_000_000
"""Training examples between two looks at the development set."""
_AT_ONCE = 2048


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Settings of a model.

    Attributes:
        words: number of ids of the vocabulary, [UNK] and end-of-sentence token included; the start token follows.
        order: n.
        projection, hidden: numbers of units.
    """

    words: int
    order: int = 7
    projection: int = 160
    hidden: int = 384


class FeedForward(nn.Module):
    """The model, over ids of a vocabulary."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.projection = nn.Embedding(sizes.words + 1, sizes.projection)
        self.hidden = nn.Linear((sizes.order - 1) * sizes.projection, sizes.hidden)
        self.output = nn.Linear(sizes.hidden, sizes.words)
        nn.init.normal_(self.projection.weight, std=0.1)
        nn.init.zeros_(self.output.bias)

    def read(self, histories: Tensor) -> Tensor:
        """Hidden layer of histories. [N, n - 1] -> [N, hidden]"""
        return torch.tanh(self.hidden(self.projection(histories).flatten(1)))

    def forward(self, histories: Tensor) -> Tensor:
        """Log-probabilities of every next word. [N, n - 1] -> [N, words]"""
        return functional.log_softmax(self.output(self.read(histories)), dim=1)

    def sampled_loss(self, histories: Tensor, words: Tensor, others: Tensor, log_frequency: Tensor) -> Tensor:
        """Mean cross-entropy of the softmax over each word and ``others``, [K], in nats. ``log_frequency`` is the log
        of how often each word is expected among them, [words]."""
        read = self.read(histories)
        own = (read * self.output.weight[words]).sum(1) + self.output.bias[words] - log_frequency[words]
        rest = functional.linear(read, self.output.weight[others], self.output.bias[others]) - log_frequency[others]
        rest = rest.masked_fill(words[:, None] == others, -torch.inf)
        return (torch.logsumexp(torch.cat([own[:, None], rest], 1), 1) - own).mean()


@dataclass(frozen=True, eq=False)
class Ngrams:
    """Sentences as one row of ids, with n - 1 start tokens before each.

    Attributes:
        tokens: [N].
        places: of what is predicted, [P].
    """

    tokens: Tensor
    places: Tensor

    @classmethod
    def of(cls, sentences: Iterable[Sequence[int]], sizes: Sizes) -> Ngrams:
        """Join sentences, which end in their end-of-sentence token."""
        before = [sizes.words] * (sizes.order - 1)
        tokens: list[int] = []
        for ids in sentences:
            tokens += before
            tokens += ids
        row = torch.tensor(tokens)
        return cls(row, (row != sizes.words).nonzero()[:, 0])

    def histories(self, places: Tensor, order: int) -> Tensor:
        """[B] -> [B, n - 1]"""
        return self.tokens[places[:, None] + torch.arange(1 - order, 0)]


@torch.inference_mode()
def log_probabilities(model: FeedForward, ngrams: Ngrams) -> NDArray[np.float64]:
    """log p of every predicted token, [P], in nats. A history that occurs again is computed once."""
    order = model.sizes.order
    histories, which = torch.unique(ngrams.histories(ngrams.places, order), dim=0, return_inverse=True)
    words = ngrams.tokens[ngrams.places]
    by_history = torch.argsort(which, stable=True)
    ends = torch.searchsorted(which[by_history], torch.arange(len(histories)), right=True).tolist()
    found = torch.empty(len(words), dtype=torch.float64)
    for first in range(0, len(histories), _AT_ONCE):
        last = min(first + _AT_ONCE, len(histories))
        rows = by_history[ends[first - 1] if first else 0 : ends[last - 1]]
        found[rows] = model(histories[first:last])[which[rows] - first, words[rows]].double()
    return found.numpy()


def train(
    model: FeedForward, text: Ngrams, dev: Ngrams, examples: int, *, batch: int, others: int, seed: int = 1
) -> None:
    """Train by Adam on random n-grams of the text, the step falling to zero."""
    torch.manual_seed(seed)
    words = text.tokens[text.places]
    frequency = torch.bincount(words, minlength=model.sizes.words).double() ** 0.75 + 1e-9
    share = frequency / frequency.sum()
    log_frequency = torch.log(-torch.expm1(others * torch.log1p(-share))).float()  # of being drawn at least once
    optimizer = torch.optim.Adam(model.parameters(), lr=0.002, betas=(0.9, 0.99))
    steps, began, done = examples // batch, time.monotonic(), 0
    drawing = torch.distributions.Categorical(probs=share)
    order = torch.empty(0, dtype=torch.long)
    for step in range(steps):
        if len(order) < batch:
            order = torch.cat([order, text.places[torch.randperm(len(text.places))]])
        places, order = order[:batch], order[batch:]
        for group in optimizer.param_groups:
            group["lr"] = 0.002 * min(1.0, (step + 1) / 100, 1.5 * (1 - step / steps))
        negative = torch.unique(drawing.sample((others,)))  # type: ignore[no-untyped-call]
        loss = model.sampled_loss(
            text.histories(places, model.sizes.order), text.tokens[places], negative, log_frequency
        )
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        done += batch
        if done // _BEFORE_VALIDATION > (done - batch) // _BEFORE_VALIDATION or step == steps - 1:
            found = perplexity(log_probabilities(model, dev))
            seconds = time.monotonic() - began
            print(f"{done} examples, {seconds:.0f} s: dev perplexity {found:.1f}", file=sys.stderr, flush=True)


def perplexity(log_p: NDArray[np.float64]) -> float:
    """exp of the mean of -log p."""
    return float(np.exp(-log_p.mean()))


def save(model: FeedForward, path: Path) -> None:
    """Write PATH.safetensors and PATH.json."""
    save_file(model.state_dict(), f"{path}.safetensors")
    write_json(Path(f"{path}.json"), asdict(model.sizes))


def load(path: Path) -> FeedForward:
    """Read what ``save`` wrote."""
    model = FeedForward(read_record(Sizes, Path(f"{path}.json")))
    model.load_state_dict(load_file(f"{path}.safetensors"))
    return model.eval()


def kneser_ney(sentences: Iterable[Sequence[int]], sizes: Sizes) -> tuple[LanguageModel, WordIds]:
    """Estimate interpolated modified Kneser-Ney of the same order over the same ids."""
    words = WordIds(map(str, range(len(("[UNK]", "</s>")), sizes.words)))
    return LanguageModel(_as_text(sentences, words), words, sizes.order), words


def kneser_ney_log_p(model: LanguageModel, words: WordIds, sentences: Iterable[Sequence[int]]) -> NDArray[np.float64]:
    """log p of every predicted token, in nats, in order."""
    text = _as_text(sentences, words)
    predicted = np.ones(len(text.tokens), bool)
    predicted[text.starts] = False
    return np.log(model.probabilities(text)[predicted])


def _as_text(sentences: Iterable[Sequence[int]], words: WordIds) -> WordIdSentences:
    return words.encode([*map(str, ids[:-1])] for ids in sentences)


def _sentences(system: Path, vocabulary: Path) -> list[list[int]]:
    """Ids of the target side of the training pairs, each as often as it counts."""
    ids = load_vocabulary(vocabulary, "target").ids
    return [found for repeat, _, target in read_pairs(system / "pairs") for found in [ids(target)] * repeat]


def text_ids(lines: Iterable[str], language: str, vocabulary: Path) -> list[list[int]]:
    """Tokenise and encode sentences; blank ones are left out."""
    tokenizer, ids = Tokenizer(language), load_vocabulary(vocabulary, "target").ids
    return [ids(tokens) for line in lines if (tokens := tokenizer.tokenize(line))]


def measured(
    model: FeedForward, other: tuple[LanguageModel, WordIds], dev: list[list[int]], texts: dict[str, list[list[int]]]
) -> list[dict[str, object]]:
    """Perplexities on the same tokens of each text: of both models, of their mixture with the share that is best on the
    development set, and of both where [UNK] is not what is predicted."""

    def both(sentences: list[list[int]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return log_probabilities(model, Ngrams.of(sentences, model.sizes)), kneser_ney_log_p(*other, sentences)

    ours, theirs = both(dev)
    shares = np.linspace(0.05, 0.95, 19)
    share = float(min(shares, key=lambda each: perplexity(np.logaddexp(ours + np.log(each), theirs + np.log1p(-each)))))
    rows = []
    for name, sentences in {"dev": dev, **texts}.items():
        ours, theirs = both(sentences)
        tokens = np.concatenate([np.array(ids) for ids in sentences])
        known = tokens != UNK_ID
        rows.append({
            "text": name,
            "tokens": len(tokens),
            "unknown": int((~known).sum()),
            "feed-forward": round(perplexity(ours), 1),
            "Kneser-Ney": round(perplexity(theirs), 1),
            "both": round(perplexity(np.logaddexp(ours + np.log(share), theirs + np.log1p(-share))), 1),
            "share": round(share, 2),
            "feed-forward, known": round(perplexity(ours[known]), 1),
            "Kneser-Ney, known": round(perplexity(theirs[known]), 1),
        })  # fmt: skip
    return rows


def register(actions: Commands) -> None:
    parser = actions.add_parser(
        "language-model",
        help="train and measure a feed-forward language model",
        description="Train a feed-forward language model on the target side of a system's training pairs, or measure "
        "its perplexity beside Kneser-Ney's.",
    )
    parser.add_argument("step", choices=("train", "perplexity"), help="what to do")
    parser.add_argument("system", type=Path, metavar="SYSTEM", help="a phrase-based system")
    parser.add_argument("model", type=Path, metavar="MODEL", help="written as MODEL.safetensors and MODEL.json")
    parser.add_argument(
        "--vocabulary", type=Path, required=True, metavar="RUN", help="a run, whose target words are used"
    )
    add_number(parser, "--examples", whole(1, 10_000_000_000), "number of training examples", default=8_000_000)
    add_number(parser, "--batch", whole(1, 1_000_000), "examples of a minibatch", default=1024)
    add_number(parser, "--others", whole(1, 1_000_000), "words drawn for the softmax of training", default=1000)
    parser.add_argument("--text", nargs="*", default=[], type=Path, metavar="FILE", help="texts to measure")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    sizes = Sizes(words=len(load_vocabulary(options.vocabulary, "target")))
    sentences = _sentences(options.system, options.vocabulary)
    lines = (options.system / "dev.target.txt").read_text("utf-8").split("\n")
    dev = text_ids(lines, "fr", options.vocabulary)
    if options.step == "train":
        torch.manual_seed(1)
        model = FeedForward(sizes)
        text, held_out = Ngrams.of(sentences, sizes), Ngrams.of(dev, sizes)
        train(model, text, held_out, options.examples, batch=options.batch, others=options.others)
        save(model, options.model)
    else:
        texts = {}
        for path in options.text:
            found = [line.text or "" for line in read_lines(path)]
            texts["/".join(path.parts[-2:])] = text_ids(found, "fr", options.vocabulary)
        for row in measured(load(options.model), kneser_ney(sentences, sizes), dev, texts):
            print(json.dumps(row))
