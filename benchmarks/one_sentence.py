"""One sentence at a time in two ways, in turns: how many times faster the second is, on an idle machine or a busy one.

    python -m benchmarks.one_sentence checkpoints/rnnsearch-50 testsets/jointly-300/sentences.en --busy 2

Ways: ``threads`` is torch with as many threads as it has, ``torch`` torch with what the program takes, ``native`` the
native engine where it is used. Each sentence is translated both
ways, in an order drawn for each; one JSON object on stdout: for each group of sentences at once the median of the
ratios, the ratio of the sums, milliseconds a sentence of each way (medians), how many translations differ, and the same
for loading. ``--busy`` starts programs that only compute. Compare ratios only: others may use the machine.
"""

import argparse
import json
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import nmt
from nmt.data.corpus import read_lines
from nmt.model import kernels, native_steps
from nmt.search import topk

WAYS = ("threads", "torch", "native")


@contextmanager
def way_of(name: str) -> Iterator[None]:
    """Within it the program computes in this way."""
    before = kernels._LEAST_FOR_THREADS, native_steps.engine, topk._engine
    if name == "threads":
        kernels._LEAST_FOR_THREADS = 0
    if name != "native":
        native_steps.engine, topk._engine = lambda: None, lambda _: None  # type: ignore[assignment]
    try:
        yield
    finally:
        kernels._LEAST_FOR_THREADS, native_steps.engine, topk._engine = before


def _compute() -> None:
    while True:
        sum(range(10**6))


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Within it so many other processes compute without a pause."""
    others = [multiprocessing.get_context("spawn").Process(target=_compute, daemon=True) for _ in range(processes)]
    for other in others:
        other.start()
    try:
        yield
    finally:
        for other in others:
            other.kill()


def compare(ways: Sequence[str], work: Callable[[str, int], object], number: int, random: Random) -> dict[str, Any]:
    """Do ``number`` pieces of work in both ways, and compare the results and the seconds of the two."""
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    differing = []
    for piece in range(number):
        results = {}
        for way in random.sample(ways, 2):
            with way_of(way):
                began = time.perf_counter()
                results[way] = work(way, piece)
                seconds[way].append(time.perf_counter() - began)
        if results[ways[0]] != results[ways[1]]:
            differing.append(piece)
    first, second = (seconds[way] for way in ways)
    return {
        "faster_median": round(median(one / other for one, other in zip(first, second, strict=True)), 3),
        "faster_sums": round(sum(first) / sum(second), 3),
        "milliseconds": {way: round(1000 * median(seconds[way]), 1) for way in ways},
        "differing": differing,
        "of": number,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.one_sentence", description=__doc__.splitlines()[0])
    parser.add_argument("run")
    parser.add_argument("sentences", type=Path)
    parser.add_argument("--ways", nargs=2, choices=WAYS, default=["torch", "native"])
    parser.add_argument("--precision", default="int8")
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--most", type=int, default=300, metavar="N", help="use the first N sentences (default 300)")
    parser.add_argument("--at-once", type=int, nargs="+", default=[1])
    parser.add_argument("--loads", type=int, default=5)
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="programs that compute meanwhile (default 0)")
    options = parser.parse_args(arguments)
    random, texts = Random(1), [line.text or "" for line in read_lines(options.sentences)][: options.most]
    result: dict[str, Any] = {"run": options.run, "precision": options.precision, "beam": options.beam}
    models = {}
    for way in options.ways:
        with way_of(way):
            models[way] = nmt.load(options.run, precision=options.precision)
            models[way].translate(texts[0], beam=options.beam)
    settings = replace(models[options.ways[0]].search_settings, beam=options.beam)
    texts.sort(key=len)

    def load(way: str, _: int) -> None:
        nmt.load(options.run, precision=options.precision).translate([])

    with busy(options.busy):
        result["load"] = compare(options.ways, load, options.loads, random)
        for size in options.at_once:

            def translate(way: str, piece: int, size: int = size) -> list[Sequence[str]]:
                some = texts[piece * size : (piece + 1) * size]
                return [each.best.tokens for each in models[way].translate(some, settings)]

            found = compare(options.ways, translate, len(texts) // size, random)
            result[f"{size} at once"] = found
    print(json.dumps(result | {"busy": options.busy}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
