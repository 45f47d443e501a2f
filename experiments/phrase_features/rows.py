"""Rows of Cho et al. (2014): the system's own features, with RNNencdec's scores of phrases, with the language model,
with both.

    python -m experiments phrase-features rows LISTS --run rnnencdec=checkpoints/rnnencdec-50 --language-model MODEL

LISTS comes from ``lists``; its dev.jsonl is what the weights are tuned on (minimum error rate training, as `jointly
rescore`), each other file a test set. The toolkit's decoder takes no further feature, so all rows re-rank its lists.
Each row is compared with that of the system's own features by paired bootstrap. Features are kept beside the lists.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import nmt
from experiments.phrase_based.system import FEATURES
from experiments.phrase_features.language_model import Ngrams, load, log_probabilities
from experiments.phrase_features.lists import Sentence
from nmt.cli.options import MOST_SEED, Commands, add_number, whole
from nmt.data.subwords import load_vocabulary
from nmt.evaluation.bootstrap import Resamples, interval
from nmt.evaluation.concatenation import bleu_counts
from nmt.evaluation.metrics import bleu_metric, bleu_of_each
from nmt.evaluation.rescoring import Candidates, candidate_counts, tune
from nmt.evaluation.significance import bootstrap_p
from nmt.results.statistics import Counts, Floats

DEV, TOKENISER = "dev", "13a"
LANGUAGE_MODEL = "language model"

PhrasePair = tuple[tuple[str, ...], tuple[str, ...]]
Words = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Lists:
    """The lists of a set of sentences.

    Attributes:
        candidates: with the features of the system.
        references: of each sentence.
        phrases: of each candidate, source and target.
        words: of each candidate.
    """

    candidates: Candidates
    references: list[str]
    phrases: list[list[PhrasePair]]
    words: list[Words]


def read_lists(path: Path) -> Lists:
    """Read what ``lists`` wrote; a last line that is cut off is left out."""
    lines = path.read_text("utf-8").split("\n")[:-1]
    sentences: list[Sentence] = [json.loads(line) for line in lines]
    numbers, texts, features, phrases, words = [], [], [], [], []
    for number, sentence in enumerate(sentences):
        source = sentence["source"]
        for each in sentence["candidates"]:
            target = each["words"]
            numbers.append(number)
            texts.append(each["text"])
            features.append(each["features"])
            words.append(tuple(target))
            phrases.append([(tuple(source[j:k]), tuple(target[i:m])) for j, k, i, m in each["phrases"]])
    candidates = Candidates(
        sentences=np.array(numbers), texts=tuple(texts), names=FEATURES, features=np.array(features)
    ).without("jumps")  # there are none
    return Lists(candidates, [sentence["reference"] for sentence in sentences], phrases, words)


def summed(parts: Sequence[Sequence[Any]], value: Callable[[list[Any]], Sequence[float]]) -> Floats:
    """Sum a value of the parts of each candidate; ``value`` gets every different part once."""
    different = list(dict.fromkeys(part for each in parts for part in each))
    values = dict(zip(different, value(different), strict=True))
    return np.array([sum(values[part] for part in each) for each in parts])


def phrase_scores(run: Path, phrases: Sequence[Sequence[PhrasePair]]) -> Floats:
    """Sum log p(target phrase | source phrase) by a run, in nats, over the phrases of each candidate (Cho et
    al. 2014, 3.1)."""
    model = nmt.load(run)

    def value(pairs: list[PhrasePair]) -> list[float]:
        encoded = ((model.source.vocabulary.encode(a), model.target.vocabulary.encode(b)) for a, b in pairs)
        return [score.log_probability for score in model.score_stream(encoded, alpha=False)]

    return summed(phrases, value)


def language_model_scores(path: Path, vocabulary: Path, words: Sequence[Words]) -> Floats:
    """Log p of each candidate's words by the feed-forward language model, in nats, end of the sentence included."""
    model, ids = load(path), load_vocabulary(vocabulary, "target").ids

    def value(candidates: list[Words]) -> list[float]:
        sentences = [ids(candidate) for candidate in candidates]
        log_p = log_probabilities(model, Ngrams.of(sentences, model.sizes))
        ends = np.cumsum([len(sentence) for sentence in sentences])
        return [float(part.sum()) for part in np.split(log_p, ends[:-1])]

    return summed([[each] for each in words], value)


def kept(path: Path, make: Callable[[], Floats]) -> Floats:
    """Read a feature, or compute and keep it."""
    if not path.exists():
        print(path.name, file=sys.stderr, flush=True)
        np.save(path, make())
    found: Floats = np.load(path)
    return found


def compared(counts: Mapping[str, Counts], baseline: str) -> dict[str, dict[str, Any]]:
    """BLEU of each row, and its difference from the baseline's with interval and p (paired bootstrap). Counts are
    BLEU's of each sentence, [N, 10]."""
    times = Resamples.draw(len(counts[baseline])).times.astype(float)
    scores = {name: float(bleu_of_each(each.sum(axis=0).astype(float))) for name, each in counts.items()}
    samples = {name: bleu_of_each(each.T.astype(float) @ times) for name, each in counts.items()}
    found: dict[str, dict[str, Any]] = {}
    for name, score in scores.items():
        found[name] = {"bleu": round(score, 2)}
        if name != baseline:
            difference, differences = score - scores[baseline], samples[name] - samples[baseline]
            middle = interval(differences)
            assert middle is not None
            found[name] |= {
                "difference": round(difference, 2),
                "interval": [round(middle.low, 2), round(middle.high, 2)],
                "p": round(bootstrap_p(difference, differences), 3),
            }
    return found


def rows_of(extra: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Name the rows and the features that each has beside the system's own: none, each alone, a run with the language
    model, and all."""
    rows: dict[str, tuple[str, ...]] = {"baseline": ()}
    rows |= {f"+ {name}": (name,) for name in extra}
    pairs = [each for each in combinations(extra, 2) if LANGUAGE_MODEL in each]
    rows |= {f"+ {' + '.join(each)}": each for each in pairs}
    return rows


def table(lists: Mapping[str, Lists], more: Mapping[str, Mapping[str, Floats]], seed: int) -> dict[str, Any]:
    """Tune every row on the development set and score it on each test set, and on all of them together."""
    tests = [name for name in lists if name != DEV]
    candidates = {name: each.candidates.with_features(more[name]) for name, each in lists.items()}
    dev_counts = candidate_counts(candidates[DEV], [lists[DEV].references], TOKENISER)
    chosen: dict[str, dict[str, Counts]] = {name: {} for name in tests}
    found: dict[str, Any] = {"signature": str(bleu_metric(TOKENISER).get_signature()), "tuned": {}}
    for name in tests:  # of equals the first is the best
        first = candidates[name].best(np.zeros(len(candidates[name].names)))
        chosen[name]["first of each list"] = _counts(lists[name], candidates[name], first)
    for row, extra in rows_of([*more[DEV]]).items():
        unused = [name for name in more[DEV] if name not in extra]
        tuned = tune(_without(candidates[DEV], unused), dev_counts, seed)
        named = dict(zip(_without(candidates[DEV], unused).names, tuned.weights.tolist(), strict=True))
        found["tuned"][row] = {"bleu": round(tuned.bleu, 2), "weights": {k: round(v, 4) for k, v in named.items()}}
        print(row, found["tuned"][row], file=sys.stderr, flush=True)
        for name in tests:
            best = _without(candidates[name], unused).best(tuned.weights)
            chosen[name][row] = _counts(lists[name], candidates[name], best)
    for name in tests:
        found[name] = {"sentences": len(lists[name].references), "rows": compared(chosen[name], "baseline")}
    together = {row: np.concatenate([chosen[name][row] for name in tests]) for row in chosen[tests[0]]}
    found["all"] = {"sentences": len(together["baseline"]), "rows": compared(together, "baseline")}
    return found


def _without(candidates: Candidates, names: Sequence[str]) -> Candidates:
    for name in names:
        candidates = candidates.without(name)
    return candidates


def _counts(lists: Lists, candidates: Candidates, best: Counts) -> Counts:
    """BLEU's counts of the chosen candidates; a sentence without any has an empty translation."""
    texts = dict(zip(candidates.sentences[best].tolist(), (candidates.texts[k] for k in best.tolist()), strict=True))
    return bleu_counts([texts.get(k, "") for k in range(len(lists.references))], lists.references, TOKENISER)


def register(actions: Commands) -> None:
    parser = actions.add_parser(
        "rows",
        help="re-rank the lists with more features, and compare",
        description="Tune the weights of the features on dev.jsonl, and score each other list with and without them.",
    )
    parser.add_argument("lists", type=Path, metavar="LISTS", help="the folder that `lists` wrote")
    parser.add_argument(
        "--run", action="append", default=[], dest="runs", metavar="NAME=RUN", help="a run that scores phrases"
    )
    parser.add_argument("--language-model", type=Path, metavar="MODEL", help="a language model that scores sentences")
    parser.add_argument(
        "--vocabulary", type=Path, default=Path("checkpoints/rnnencdec-50"), metavar="RUN", help="that of MODEL"
    )
    add_number(parser, "--seed", whole(0, MOST_SEED), "seed of the weights from which tuning begins", default=1)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    lists = {path.stem: read_lists(path) for path in sorted(options.lists.glob("*.jsonl"))}
    more: dict[str, dict[str, Floats]] = {}
    for name, each in lists.items():
        more[name] = {}
        for scorer, folder in (named.split("=", 1) for named in options.runs):
            file = options.lists / f"{name}.{scorer}.npy"
            more[name][scorer] = kept(file, lambda f=folder, e=each: phrase_scores(Path(f), e.phrases))  # type: ignore[misc]
        if options.language_model is not None:
            file, path = options.lists / f"{name}.language-model.npy", options.language_model
            more[name][LANGUAGE_MODEL] = kept(
                file,
                lambda e=each, p=path: language_model_scores(p, options.vocabulary, e.words),  # type: ignore[misc]
            )
    print(json.dumps(table(lists, more, options.seed), indent=2))
