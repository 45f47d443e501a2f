"""Sentences that share a search against the same sentences alone: whether each has the translation that it has alone.

    python -m benchmarks.joined_sentences checkpoints/rnnsearch-50 testsets/jointly-300/sentences.en

Sentences join one search in random numbers at random words, at most ``--together`` of them under way, and one in twenty
leaves before its end. One JSON object on stdout: how many of those that ended are equal token by token, and of those
that are how far log p (nats) and alpha are from those of the sentence alone at most. Status 1 if fewer than 99.9 % are
equal, or log p is further off than 1e-4, the aims of the app and the service in fp32.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import nmt
from nmt.answers.shared_search import Translating
from nmt.data.corpus import read_lines
from nmt.inference.translator import Translator
from nmt.results import Translation

LEAST_EQUAL, MOST_OFF = 0.999, 1e-4
LEAVING = 1 / 20 / 12
"""Chance that a sentence leaves before a step: one in twenty, if a translation has a dozen words."""


def together(asked: Translating, texts: Sequence[str], most: int, random: Random) -> tuple[dict[int, Translation], int]:
    """The translations by number of the text, of those that did not leave; and how many left.

    Args:
        most: sentences under way at a time.
    """
    search, results = asked.begin(), dict[int, Translation]()
    waiting, under_way, left = list(enumerate(texts))[::-1], set[int](), 0
    while waiting or under_way:
        for _ in range(random.randint(0, most)):
            if not waiting or len(under_way) == most:
                break
            sentence = asked.run.read(waiting[-1][1])
            if not search.accepts(sentence):
                break
            number, _ = waiting.pop()
            search.join(number, sentence)
            under_way.add(number)
        if under_way and random.random() < len(under_way) * LEAVING:
            leaving = random.choice(sorted(under_way))
            search.leave([leaving])
            under_way.remove(leaving)
            left += 1
        for number, end in search.step().items():
            if isinstance(end, Exception):
                raise RuntimeError(f"sentence {number} has no translation") from end
            results[number] = end
            under_way.remove(number)
    return results, left


def compare(run: Translator, texts: Sequence[str], *, beam: int, most: int, seed: int) -> dict[str, Any]:
    """The object that is printed."""
    settings = replace(run.search_settings, beam=beam)
    found, left = together(Translating(run, settings), texts, most, Random(seed))
    equal, log_p, alpha, differing = 0, 0.0, 0.0, []
    for number, translation in sorted(found.items()):
        one, other = translation.best, run.translate(texts[number], settings).best
        if one.tokens != other.tokens:
            differing.append({"line": number + 1, "log_p": [one.log_probability, other.log_probability]})
            continue
        equal += 1
        log_p = max(log_p, abs(one.log_probability - other.log_probability))
        if one.alignment is not None and other.alignment is not None:
            alpha = max(alpha, float(np.abs(one.alignment.weights - other.alignment.weights).max(initial=0)))
    return {
        "run": run.name,
        "beam": beam,
        "together": most,
        "sentences": len(texts),
        "left": left,
        "ended": len(found),
        "equal": equal,
        "log_p_off": log_p,
        "alpha_off": alpha,
        "differing": differing,
    }


def passes(result: dict[str, Any]) -> bool:
    return bool(result["equal"] >= LEAST_EQUAL * result["ended"] and result["log_p_off"] <= MOST_OFF)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.joined_sentences", description=__doc__.splitlines()[0])
    parser.add_argument("run", help="a run folder")
    parser.add_argument("sentences", type=Path, help="a file with one sentence per line (plain, .gz or .xz)")
    parser.add_argument("--beam", type=int, default=5, metavar="K", help="beam (default 5)")
    parser.add_argument("--together", type=int, default=24, metavar="N", help="sentences under way (default 24)")
    parser.add_argument("--seed", type=int, default=1, help="of what joins and leaves when (default 1)")
    options = parser.parse_args(arguments)
    texts = [line.text or "" for line in read_lines(options.sentences)]
    model = nmt.load(options.run, precision="fp32")
    result = compare(model, texts, beam=options.beam, most=options.together, seed=options.seed)
    print(json.dumps(result))
    return 0 if passes(result) else 1


if __name__ == "__main__":
    raise SystemExit(main())
