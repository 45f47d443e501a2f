"""The best translations of sentences by a phrase-based system, with the phrases that each is made of.

    python -m experiments phrase-features lists SYSTEM LISTS --dev 400 --test test2016 test2016.en.xz test2016.fr.xz

LISTS gets dev.jsonl and test2016.jsonl. A line is a sentence: its words, its reference, and its candidates. Tuning
sentences are spread evenly over the development set, between those that the system's own weights were tuned on. All
sets share one decoder, which takes most of a minute to load.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypedDict

import numpy as np

from experiments.phrase_based.system import PhraseTranslation, decoder, read_system
from nmt.cli.options import Commands, add_number, whole
from nmt.data.corpus import read_lines
from nmt.results import Alignment


@dataclass(frozen=True)
class Texts:
    """Sentences and their references."""

    name: str
    sources: list[str]
    references: list[str]


class Candidate(TypedDict):
    """A translation: its text, its words, the system's features, and its phrases, each by its first source word, the
    one after its last, its first target word and the one after its last."""

    text: str
    words: list[str]
    features: list[float]
    phrases: list[tuple[int, int, int, int]]


class Sentence(TypedDict):
    """A sentence and its candidates, best first."""

    source: list[str]
    reference: str
    candidates: list[Candidate]


def phrases_of(segmentation: Alignment) -> list[tuple[int, int, int, int]]:
    """Read the phrases from a segmentation, whose target words of one phrase have the same source words."""
    found: list[tuple[int, int, int, int]] = []
    for i, row in enumerate(segmentation.weights):
        places = row.nonzero()[0]
        first, end = int(places[0]), int(places[-1]) + 1
        if found and found[-1][:2] == (first, end):
            found[-1] = (first, end, found[-1][2], i + 1)
        else:
            found.append((first, end, i, i + 1))
    return found


def between(rows: int, tuned: int, number: int) -> list[int]:
    """Choose sentences, evenly spaced, among those that the system was not tuned on."""
    taken = set(np.linspace(0, rows - 1, min(tuned, rows)).astype(int).tolist())
    left = [row for row in range(rows) if row not in taken]
    return [left[k] for k in np.linspace(0, len(left) - 1, min(number, len(left))).astype(int)]


def best(system: Path, texts: Sequence[Texts], n: int, derivations: int) -> Iterator[Sentence]:
    """Search for up to ``n`` different translations of each sentence among its best ``derivations``; of those that only
    differ by their phrases the best one is kept."""
    weights = read_system(system).weights
    sources = [source for part in texts for source in part.sources]
    references = [reference for part in texts for reference in part.references]
    with decoder(system, sources) as search:
        for number, reference in enumerate(references):
            different: dict[str, PhraseTranslation] = {}
            for each in search(weights, number, derivations):
                different.setdefault(each.text, each)
            found = list(different.values())[:n]
            candidates: list[Candidate] = [
                {
                    "text": each.text,
                    "words": list(each.segmentation.target),
                    "features": list(each.features),
                    "phrases": phrases_of(each.segmentation),
                }
                for each in found
            ]
            source = list(found[0].segmentation.source) if found else []
            yield {"source": source, "reference": reference, "candidates": candidates}


def development(system: Path, number: int) -> Texts:
    """Choose sentences of the development set."""
    paths = (system / f"dev.{side}.txt" for side in ("source", "target"))
    sources, references = (path.read_text("utf-8").split("\n")[:-1] for path in paths)
    rows = between(len(sources), read_system(system).dev_sentences, number)
    return Texts("dev", [sources[row] for row in rows], [references[row] for row in rows])


def register(actions: Commands) -> None:
    parser = actions.add_parser(
        "lists",
        help="write the best translations of each sentence",
        description="Write the best translations of each sentence by a phrase-based system, with their phrases.",
    )
    parser.add_argument("system", type=Path, metavar="SYSTEM", help="a tuned phrase-based system")
    parser.add_argument("out", type=Path, metavar="LISTS", help="the folder of the lists, NAME.jsonl")
    add_number(parser, "--dev", whole(1, 1_000_000), "sentences of the development set", default=400)
    parser.add_argument(
        "--test", nargs=3, action="append", default=[], metavar=("NAME", "SOURCE", "REFERENCE"), help="repeatable"
    )
    add_number(parser, "--n-best", whole(1, 100_000), "different translations of a sentence", default=100)
    add_number(parser, "--derivations", whole(1, 100_000), "derivations among which these are", default=500)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    texts = [development(options.system, options.dev)]
    for name, *paths in options.test:
        texts.append(Texts(name, *([line.text or "" for line in read_lines(Path(path))] for path in paths)))
    options.out.mkdir(parents=True, exist_ok=True)
    found = best(options.system, texts, options.n_best, options.derivations)
    for part in texts:
        with (options.out / f"{part.name}.jsonl").open("w", encoding="utf-8") as file:
            for number, sentence in enumerate(islice(found, len(part.sources)), start=1):
                file.write(json.dumps(sentence, ensure_ascii=False) + "\n")
                file.flush()
                if number % 100 == 0:
                    print(f"{part.name}: {number} of {len(part.sources)}", file=sys.stderr, flush=True)
