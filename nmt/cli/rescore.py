"""``rescore``: re-rank an n-best list by features of runs, with weights tuned for BLEU."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from nmt.cli.lines import beside_output, progress, read_file, read_raw, read_references, say_remarks
from nmt.cli.options import DEVICE, JSON, Commands, add_references, print_json, print_result
from nmt.data.line_words import not_by_words
from nmt.errors import InputError
from nmt.evaluation.metrics import bleu_tokeniser
from nmt.evaluation.rescoring import Candidates, bleu_of, candidate_counts, read_n_best, tune
from nmt.files import read_record, replacing, write_json
from nmt.results.links import numbered_words
from nmt.results.statistics import Floats


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "rescore",
        description="Re-rank an n-best list of any system (Moses' format, also what `translate --n-best` prints) by "
        "the weighted sum of its own features and log-probabilities by runs. With --reference the weights are tuned "
        "for BLEU, each feature's gain is printed, and --weights is written; without, --weights is read, and the "
        "best translations are printed, one per line.",
        parents=[DEVICE, JSON],
    )
    parser.add_argument("n_best", metavar="N-BEST", help="the list: `number ||| candidate ||| features ||| …`")
    parser.add_argument("--source", required=True, metavar="FILE", help="the source sentences, one per line")
    parser.add_argument(
        "--forward", nargs="+", default=[], metavar="RUN", help="runs whose log p(candidate | source) are features"
    )
    parser.add_argument(
        "--backward",
        nargs="+",
        default=[],
        metavar="RUN",
        help="runs of the other direction whose log p(source | candidate) are features",
    )
    parser.add_argument("--length", action="store_true", help="the number of words is a feature")
    add_references(parser, "tune the weights on these reference translations")
    parser.add_argument("--weights", required=True, metavar="FILE", help="the weights, JSON")
    parser.add_argument("--out", metavar="FILE", help="also write the list re-ranked, with all features")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    sources = read_file(options.source)
    n_best = read_n_best(read_raw(options.n_best), options.n_best)
    if n_best.sentences[-1] >= len(sources):
        raise InputError(
            f"{options.n_best} has candidates of sentence {n_best.sentences[-1]}, counted from 0, but {options.source} "
            f"has {len(sources)} lines"
        )
    candidates, language = _with_features(n_best, sources, options)
    if options.reference is None:
        weights = _read_weights(options.weights, candidates)
        _print_best(candidates, weights, len(sources), options.json)
    else:
        references = read_references(options.reference, language)
        if len(references[0]) != len(sources):
            raise InputError(
                f"{options.reference[0]} has {len(references[0])} lines, but {options.source} has {len(sources)}"
            )
        if not language and (unspaced := next(filter(None, map(not_by_words, references[0])), "")):
            raise InputError(f"{options.reference[0]} contains {unspaced}: give a run, which tells how BLEU counts it")
        weights = _tuned(candidates, references, language, options)
    if options.out is not None:
        with replacing(Path(options.out)) as path:
            path.write_text("".join(f"{line}\n" for line in candidates.lines(weights)), "utf-8")


def _with_features(given: Candidates, sources: list[str], options: argparse.Namespace) -> tuple[Candidates, str]:
    """Return the candidates with the features that the options add, and the target language, "" without runs."""
    from nmt.inference.translator import load

    more: dict[str, Floats] = {}
    language = ""
    pairs = [(sources[k], text) for k, text in zip(given.sentences.tolist(), given.texts, strict=True)]
    runs = [(run, False) for run in options.forward] + [(run, True) for run in options.backward]
    for folder, backward in runs:
        model = load(folder, device=options.device)
        name = f"{'backward' if backward else 'forward'}:{model.name}"
        before, language = language, model.source_language if backward else model.target_language
        if before not in ("", language):
            raise InputError(f"{name} is not of the direction of the runs before it")
        if name in more:
            raise InputError(f"two runs are called {model.name}; rename the folder of one")
        with progress(name, len(pairs), beside_output()) as show:
            turned = [(target, source) for source, target in pairs] if backward else pairs
            scores = model.score_stream(turned, alpha=False, on_progress=show)
            more[name] = np.array([score.log_probability for score in scores])
    if options.length:
        more["length"] = np.array([float(len(numbered_words(text))) for text in given.texts])
    return given.with_features(more), language


@dataclass(frozen=True)
class _Weights:
    weights: dict[str, Annotated[float, Field(allow_inf_nan=False)]]


def _read_weights(path: str, candidates: Candidates) -> Floats:
    named = read_record(_Weights, Path(path)).weights
    if set(named) != set(candidates.names):
        raise InputError(f"{path} has other weights than those of {', '.join(candidates.names)}")
    return np.array([named[name] for name in candidates.names])


def _print_best(candidates: Candidates, weights: Floats, sentences: int, as_json: bool) -> None:
    """Print the best translation of every sentence. A sentence without candidates gets a blank line."""
    best = {int(candidates.sentences[k]): candidates.texts[k] for k in candidates.best(weights).tolist()}
    for number in range(sentences):
        text = best.get(number, "")
        print_result(as_json, {"sentence": number, "target": text}, text)


def _tuned(
    given: Candidates, references: Sequence[Sequence[str]], language: str, options: argparse.Namespace
) -> Floats:
    """Tune, write and return the weights. Print each feature's gain: BLEU with all, minus BLEU without it."""
    candidates = given.completed(len(references[0]))
    if blank := len(candidates.texts) - len(given.texts):
        print(
            f"Note: sentences without candidates, counted as blank translations: {blank} of {len(references[0])}.",
            file=sys.stderr,
        )
    say_remarks(given.texts, references, options.n_best, options.reference[0])
    counts = candidate_counts(candidates, references, bleu_tokeniser(language))
    tuned, rows = tune(candidates, counts), []
    for k, name in enumerate(candidates.names):
        others = candidates.without(name)
        without = tune(others, counts).bleu if others.names else None
        alone = bleu_of(candidates, counts, np.eye(len(candidates.names))[k])
        gain = None if without is None else tuned.bleu - without
        rows.append({"feature": name, "weight": float(tuned.weights[k]), "alone": alone, "gain": gain})
    before = bleu_of(candidates, counts, np.zeros(len(candidates.names)))  # among equal scores the first wins
    weights = {row["feature"]: row["weight"] for row in rows}
    write_json(Path(options.weights), {"weights": weights})
    if options.json:
        print_json({"first_of_list": before, "bleu": tuned.bleu, "features": rows})
    else:
        print(f"BLEU {before:.2f} of the first of each list, {tuned.bleu:.2f} re-ranked")
        for row in rows:
            worth = "" if row["gain"] is None else f", gain {row['gain']:+.2f}"
            print(f"  {row['feature']}: weight {row['weight']:.4g}, alone {row['alone']:.2f}{worth}")
    return tuned.weights
