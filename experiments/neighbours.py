"""How well an annotation h_j tells the words around word j: what the backward half of the encoder is for
(docs/paper.md, 3.2).

    python -m experiments neighbours --data DATA checkpoints/rnnsearch-50 checkpoints/rnnsearch-forward-50

A probe (Alain and Bengio 2016) for each distance d: a linear softmax that is given h_j and names word j + d, if it is
one of the 500 most frequent words of the training texts. It learns from every second sentence of the test sets, which
no run was trained on, and is measured on the others. Beside it stands a guess that knows word j alone: the word most
often seen at that distance from it. One JSON object on stdout: shares of the words that were named, with half the width
of their 95 % interval (normal approximation).
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from nmt.cli.options import Commands
from nmt.data.corpus import read_lines
from nmt.data.vocabulary import SPECIAL
from nmt.inference.translator import Translator, load
from nmt.model.reference import encoder_states

STEMS = ("tatoeba/test", "multi30k/test2016", "multi30k/test2017", "multi30k/test2017-mscoco", "canada-laws/test")
DISTANCES = (-3, -2, -1, 0, 1, 2, 3)
_CLASSES, _PASSES, _BATCH, _RATE = 500, 8, 256, 0.003


def pairs_at(sentences: Sequence[Sequence[int]], distance: int, classes: int) -> list[tuple[int, int, int]]:
    """List (sentence, j, word j + distance) wherever that word exists and is one of the first ``classes`` numbers.

    >>> pairs_at([[7, 1, 2], [0, 9]], 1, 5)
    [(0, 0, 1), (0, 1, 2)]
    """
    return [
        (number, j, words[j + distance])
        for number, words in enumerate(sentences)
        for j in range(max(0, -distance), len(words) - max(0, distance))
        if words[j + distance] < classes
    ]


def by_word_alone(learnt: Sequence[tuple[int, int]], asked: Sequence[tuple[int, int]]) -> float:
    """Share of the asked pairs (word j, word j + d) whose second word was most often seen with the first.

    >>> by_word_alone([(1, 5), (1, 5), (1, 6), (2, 7)], [(1, 5), (1, 6), (2, 7), (3, 5)])
    0.75
    """
    seen: dict[int, Counter[int]] = defaultdict(Counter)
    for word, other in learnt:
        seen[word][other] += 1
    usual = Counter(other for _, other in learnt).most_common(1)[0][0]  # for a word that was never seen
    guesses = {word: counts.most_common(1)[0][0] for word, counts in seen.items()}
    return sum(guesses.get(word, usual) == other for word, other in asked) / len(asked)


def probe(x: torch.Tensor, y: torch.Tensor, classes: int, seed: int = 1) -> torch.nn.Linear:
    """Train a linear softmax, x [N, n] -> y [N], on standardised x."""
    torch.manual_seed(seed)
    layer = torch.nn.Linear(x.shape[1], classes)
    optimizer = torch.optim.Adam(layer.parameters(), _RATE, weight_decay=1e-5)
    for _ in range(_PASSES):
        for rows in torch.split(torch.randperm(len(x)), _BATCH):
            optimizer.zero_grad()
            cross_entropy(layer(x[rows]), y[rows]).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    return layer


def _sentences(data: Path) -> list[str]:
    lines = [line.text or "" for stem in STEMS for line in read_lines(data / f"{stem}.en.xz")]
    return [line for line in lines if line.strip()]


def measured(model: Translator, lines: Sequence[str]) -> dict[str, Any]:
    """Accuracy at each distance for one run."""
    encoded = [model.source.encode(line) for line in lines]
    with torch.inference_mode():
        states = [encoder_states(model.model, torch.tensor(each.ids)) for each in encoded]
    words = [[word - len(SPECIAL) if word >= len(SPECIAL) else _CLASSES for word in each.ids[:-1]] for each in encoded]
    halves = [range(first, len(words), 2) for first in (0, 1)]
    every = torch.cat(states)
    mean, deviation = every.mean(0), every.std(0) + 1e-6
    found: dict[str, Any] = {"run": model.name, "units": every.shape[1]}
    for distance in DISTANCES:
        learnt, asked = (pairs_at([words[k] for k in half], distance, _CLASSES) for half in halves)
        xs, ys = [], []
        for half, pairs in zip(halves, (learnt, asked), strict=True):
            chosen = torch.stack([states[half[number]][j] for number, j, _ in pairs])
            xs.append((chosen - mean) / deviation)
            ys.append(torch.tensor([word for *_, word in pairs]))
        layer = probe(xs[0], ys[0], _CLASSES)
        with torch.inference_mode():
            share = float((layer(xs[1]).argmax(1) == ys[1]).double().mean())
        alone = [
            [(words[half[number]][j], word) for number, j, word in pairs]
            for half, pairs in zip(halves, (learnt, asked), strict=True)
        ]
        found[f"{distance:+d}"] = {
            "probe": round(share, 4),
            "interval": round(1.96 * float(np.sqrt(share * (1 - share) / len(asked))), 4),
            "by word j alone": round(by_word_alone(*alone), 4),
            "words": len(asked),
        }
    return found


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "neighbours",
        description="Measure how well annotations tell the words around them, by linear probes.",
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run folders")
    parser.add_argument("--data", required=True, type=Path, help="the corpora, as for `python -m release reproduce`")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    lines = _sentences(options.data)
    print(json.dumps([measured(load(run, precision="fp32"), lines) for run in options.runs], indent=2))
