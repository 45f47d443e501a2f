"""Where does alpha go at target words that translate no word? (docs/paper.md, 5.2.1: no NULL is needed)

    python -m experiments unlinked-words checkpoints/rnnsearch-50 testsets/jointly-150/tokens.en \
        testsets/jointly-150/tokens.fr testsets/jointly-150/gold

A word-based aligner gives such words to an empty source word. Here they are those without a sure link by hand, mostly
articles and prepositions. Each figure has the middle 95 % of 1,000 resamples of the pairs. One JSON object on stdout.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import nmt
from nmt.cli.options import Commands
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import read_gold
from nmt.evaluation.bootstrap import Resamples, interval
from nmt.results.statistics import Floats

FIGURES = ("bits", "on </s>", "argmax on </s>", "argmax on a possible word", "log p")
"""Of each target word: entropy of its row of alpha, alpha of the end-of-sentence token, the share of words whose
largest alpha is there, or at a source word with a possible link to it, and log p(y_i) in nats."""


def figures(alpha: Floats, log_p: Sequence[float], possible: Sequence[set[int]]) -> Floats:
    """``FIGURES`` of each target word. [T_y, T_x] and [T_y], the end-of-sentence token last -> [T_y - 1, 5]"""
    rows = alpha[:-1]
    bits = -(rows * np.log2(np.maximum(rows, 1e-300))).sum(axis=1)
    best = rows.argmax(axis=1)
    on_possible = [int(j) in some for j, some in zip(best, possible, strict=True)]
    return np.stack([bits, rows[:, -1], best == rows.shape[1] - 1, on_possible, np.array(log_p[:-1])], axis=1)


def measured(run: Path, source: Path, target: Path, gold: Path) -> dict[str, object]:
    """Figures of the target words with a sure link and of those without one."""
    sources, targets = (path.read_text("utf-8").split("\n")[:-1] for path in (source, target))
    model, links = nmt.load(run), read_gold(gold)
    scores = model.score_stream(model.encode_pairs(zip(sources, targets, strict=True), pretokenised=True))
    sums = {True: np.zeros((len(sources), len(FIGURES) + 1)), False: np.zeros((len(sources), len(FIGURES) + 1))}
    linked = 0
    for pair, (line, scored) in enumerate(zip(links, scores, strict=True)):
        assert scored.alignment is not None, "a run with attention"
        if len(scored.tokens) != len(targets[pair].split()) + 1:
            raise InputError(f"{run.name} divides words, which links by hand do not")
        sure = {i for _, i in line.sure}
        possible = [{j for j, i in line.possible if i == word} for word in range(len(scored.tokens) - 1)]
        linked += sum(bool(each) for each in possible)
        found = figures(scored.alignment.weights.astype(np.float64), scored.token_log_probabilities, possible)
        for i, each in enumerate(found):
            sums[i in sure][pair] += [1, *each]
    times = Resamples.draw(len(sources)).times.T.astype(float)
    words = int(sums[True][:, 0].sum() + sums[False][:, 0].sum())
    result: dict[str, object] = {"run": run.name, "words": words, "without any link": words - linked}
    for name, kind in (("with a sure link", True), ("without one", False)):
        total, drawn = sums[kind].sum(axis=0), times @ sums[kind]
        row: dict[str, object] = {"words": int(total[0])}
        for k, figure in enumerate(FIGURES, start=1):
            middle = interval(drawn[:, k] / drawn[:, 0])
            assert middle is not None
            row[figure] = [round(float(value), 3) for value in (total[k] / total[0], middle.low, middle.high)]
        result[name] = row
    return result


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "unlinked-words",
    )
    parser.add_argument("run_folder", metavar="RUN", type=Path, help="a run folder with attention over words")
    for name, what in (("source", "source sentences"), ("target", "target sentences"), ("gold", "links by hand")):
        parser.add_argument(name, metavar=name.upper(), type=Path, help=f"file of {what} in words, one per line")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    print(json.dumps(measured(options.run_folder, options.source, options.target, options.gold), indent=2))
