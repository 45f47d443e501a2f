"""``evaluate``: translate a test set and score it."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING, Any

from nmt.cli.lines import read_pairs
from nmt.cli.options import add_decoding, add_json, add_run, decoding, print_json
from nmt.cli.progress import progress
from nmt.config import FORMAT_VERSION
from nmt.errors import InputError
from nmt.results import Scores
from nmt.run_folder import EVALUATION

if TYPE_CHECKING:
    from nmt.processes import Processes


def register(commands: argparse._SubParsersAction[Any]) -> None:
    parser = commands.add_parser("evaluate", help="BLEU, chrF and TER of a run on a test set, with signatures")
    add_run(parser)
    parser.add_argument("--source", required=True, metavar="FILE", help="source sentences, one a line")
    parser.add_argument("--reference", required=True, metavar="FILE", help="reference translations, one a line")
    add_decoding(parser)
    parser.add_argument("--by-length", action="store_true", help="BLEU by source length in whitespace words (Figure 2)")
    parser.add_argument(
        "--name", metavar="NAME", help="name of the test set; the scores are also kept in RUN/evaluation/NAME.json"
    )
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from nmt.processes import ProcessLost, joined

    try:
        with joined(options.device) as processes:
            return _evaluate(options, processes)
    except ProcessLost as error:
        print(f"nmt evaluate: {error}", file=sys.stderr)
        return 1


def _evaluate(options: argparse.Namespace, processes: Processes) -> int:
    from nmt.evaluation.bleu import score_texts
    from nmt.evaluation.by_length import bleu_by_length
    from nmt.evaluation.unknown_words import without_unknown
    from nmt.files import write_json
    from nmt.run_folder import read_run
    from nmt.translator import load

    if options.name is not None and not re.fullmatch(r"[A-Za-z0-9][\w.-]*", options.name):
        raise InputError(f"{options.name!r} cannot be a file name: use letters, digits, '.', '_' and '-'")
    chosen = decoding(options)
    pairs = read_pairs(options.source, options.reference)
    info = read_run(options.run_folder)
    model = load(options.run_folder, device=processes.device, precision=chosen.precision)
    sources, references = pairs.source, pairs.target
    if chosen.no_unk:  # Table 1's column: no [UNK] written, and only sentences without an unknown word on either side
        kept = without_unknown(model.count_unknown("source", sources), model.count_unknown("target", references))
        if not kept:
            raise InputError("every sentence has an unknown word in source or reference, so there is nothing to score")
        sources, references = [sources[i] for i in kept], [references[i] for i in kept]
    kept_in = info.path / EVALUATION
    if options.name and processes.first:
        kept_in.mkdir(exist_ok=True)  # a folder that cannot be written is said before the work

    def translated(texts: list[str]) -> list[str]:
        with progress("evaluate", len(texts), shown=processes.first) as show:
            translations = model.translate_all(
                texts,
                beam=chosen.beam,
                no_unk=chosen.no_unk,
                length_penalty=chosen.length_penalty,
                alpha=False,
                on_progress=show,
            )
        return [translation.text for translation in translations]

    hypotheses = processes.spread(sources, len, translated)
    if not processes.first:
        return 0
    extras = {
        "run": info.name,
        "update": str(info.weights.update),
        "beam": str(chosen.beam),
        "lp": f"{chosen.length_penalty:g}",
        "unk": "no" if chosen.no_unk else "yes",
        "n": str(len(hypotheses)),
    }
    if chosen.precision != "fp32":
        extras["precision"] = chosen.precision
    if options.name:
        extras["test"] = options.name
    scores = score_texts(hypotheses, references, signature_extras=extras)
    if options.by_length:
        scores = scores.with_lengths(bleu_by_length(sources, hypotheses, references))
    result = _result(info.name, options.name, scores, len(pairs.source))
    _print(result, scores, chosen.no_unk, options.json)
    if options.name:
        write_json(kept_in / f"{options.name}.json", {"format": FORMAT_VERSION} | result)
    return 0


def _print(result: dict[str, Any], scores: Scores, no_unk: bool, as_json: bool) -> None:
    if as_json:
        print_json(result)
        return
    for score in (scores.bleu, scores.chrf, scores.ter):
        print(f"{score.metric:<5}{score.value:7.2f}  {score.signature}")
    if no_unk:
        print(
            f"{scores.sentences} of {result['sentences_given']} sentences have no unknown word in source and reference"
        )
    for bucket in scores.by_length:
        span = f"{bucket.first}+" if bucket.last is None else f"{bucket.first}-{bucket.last}"
        value = "      -" if bucket.bleu is None else f"{bucket.bleu:7.2f}"
        print(f"{span:>7} words {value} BLEU  {bucket.sentences:>6} sentences")


def _result(run: str, test_set: str | None, scores: Scores, given: int) -> dict[str, Any]:
    return {
        "run": run,
        "test_set": test_set,
        "bleu": scores.bleu.value,
        "signature": scores.bleu.signature,
        "chrf": scores.chrf.value,
        "chrf_signature": scores.chrf.signature,
        "ter": scores.ter.value,
        "ter_signature": scores.ter.signature,
        "sentences": scores.sentences,
        "sentences_given": given,
        "by_length": [bucket.to_dict() for bucket in scores.by_length],
    }
