"""``aer``: compare word links with gold links."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nmt.alignments.formats.checks import Given
from nmt.alignments.links import RULES, SYMMETRISATIONS, VOTE, Extraction
from nmt.cli.align import add_maps, aligner_of, rule_of, with_partner
from nmt.cli.lines import Pairs, progress, read_pairs
from nmt.cli.options import (
    DEVICE,
    JSON,
    LANGUAGES,
    RUNS,
    Commands,
    add_base,
    add_into_run,
    add_texts,
    check_name,
    name_base,
    opened,
    print_json,
    say_where,
)
from nmt.errors import InputError
from nmt.evaluation.alignment_error_rate import Lengths, alignment_error_rate, read_gold, read_maps
from nmt.evaluation.measurement_files import MeasuredErrorRate, write_error_rates
from nmt.files import write_json
from nmt.results.links import Gold, LinkSet, has_zero, numbered_words
from nmt.runs.folder import find_run

if TYPE_CHECKING:
    from nmt.aligners.pairs import PairAligner
    from nmt.evaluation.alignment_error_rate import HeadRate
    from nmt.inference.hugging_face import HuggingFace

ALL, HEADS = "all", "heads"
DEFAULT_RULE = "grow-diag"
"""Default rule. It is the best rule for alpha and for leave-one-out attribution (docs/log.md)."""


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "aer",
        description="Precision, recall and alignment error rate of a run, an aligner or a file of links, against gold.",
        parents=[DEVICE, RUNS, LANGUAGES, JSON],
    )
    parser.add_argument(
        "run_folder",
        metavar="RUN",
        nargs="?",
        help="a run folder, such as checkpoints/rnnsearch-50, or the folder of an aligner, such as aligners/en-fr; or "
        "use --links",
    )
    parser.add_argument(
        "heads_to",
        metavar="OUT",
        nargs="?",
        help="with --map heads: OUT.json gets the heads, best first, as NoLanguageLeftWaiting has them; a folder OUT "
        "gets a copy of the model in which the heads of one layer that align best come first (docs/door.md)",
    )
    parser.add_argument(
        "--links",
        metavar="FILE",
        help="links or weights of another program, such as i-j, one sentence pair per line (docs/alignment-files.md)",
    )
    add_base(parser)
    parser.add_argument(
        "--part",
        default="",
        metavar="NAME",
        help="which map of --links: 3.5 is head 5 of layer 3, from 0, and 3 the mean of a layer; or a method, such as "
        "itermax (default: the mean of all heads)",
    )
    add_texts(parser, note=", words separated by spaces or tabs; --source alone: lines source ||| target")
    parser.add_argument(
        "--gold",
        required=True,
        metavar="FILE",
        help="gold links, one sentence pair per line: i-j is sure, ipj and i?j possible; or lines of sentence, source, "
        "target and S or P, from 1",
    )
    add_base(parser, "--gold-base", "--gold")
    parser.add_argument(
        "--target-first",
        action="store_true",
        help="the gold links count the target word first: for a run that translates the other way",
    )
    parser.add_argument(
        "--name", metavar="NAME", help="name of the gold set; the result is also saved, as alignment/NAME.json"
    )
    add_into_run(parser)
    add_maps(parser, DEFAULT_RULE, (ALL,), (HEADS,))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    if (options.run_folder is None) == (options.links is None):
        raise InputError("give either a run folder or --links")
    if options.source is None and options.target is not None:
        raise InputError("--target needs --source")
    if options.name is not None:
        check_name(options.name)
    if options.links is not None:
        return _measure_file(options)
    if options.base or options.part:
        raise InputError("--base and --part are for --links: the links of a run count from 0")
    if options.source is None:
        raise InputError("with a run, give the sentences of the gold links with --source and --target")
    if options.map == HEADS:
        return _measure_heads(options)
    if options.heads_to:
        raise InputError(f"OUT is for --map {HEADS}")
    _measure_run(options)


def _measure_heads(options: argparse.Namespace) -> None:
    """Print the error rate of each head and of the mean over each layer's heads of a Transformer, best first. Then
    print the error rate of a small set of heads."""
    from nmt.evaluation.alignment_error_rate import every_head, head_maps, small_set
    from nmt.inference.hugging_face import HuggingFace

    if options.rule or options.reverse or options.name:
        raise InputError(f"--map {HEADS} draws links by argmax and saves nothing: give no --rule, --reverse or --name")
    system = opened(options.run_folder, options)
    if not isinstance(system, HuggingFace):
        raise InputError(f"{system.name} has no heads: --map {HEADS} is for a folder of Hugging Face")
    pairs = read_pairs(options.source, options.target, system.languages)
    gold, maps = _gold(options, _lengths(pairs)), []
    if len(gold) < 2:
        raise InputError("a small set of heads is chosen on one half of the pairs and measured on the other: give two")
    with progress(HEADS, len(gold)) as show:
        for done, pair in enumerate(system.encode_pairs(pairs, pretokenised=True), start=1):
            maps.append(head_maps(system.every_head(*pair), *pair))
            show(done)
    ranked = sorted(every_head(maps, gold), key=lambda one: one.rate.aer)
    for rated in (*ranked, few := small_set(maps, gold)):
        named = "+".join(f"{layer}.{head}" for layer, head in rated.heads)
        about = f"heads {named} {rated.row}" + ", chosen on the other half" * (rated is few)
        rates = vars(rated.rate)
        _print(MeasuredErrorRate(**rates, run=system.name, update=None, map=about, rule="argmax"), options.json)
    if not options.json:
        shifted = "  (alpha has the row before, and this set the row after)" * (few.row == "after")
        print(f'"alignment_heads": {json.dumps(few.heads)}{shifted}')
    if options.heads_to:
        _write_heads(options, system, ranked, small_set(maps, gold, one_layer=True))


def _write_heads(options: argparse.Namespace, system: HuggingFace, ranked: Sequence[HeadRate], few: HeadRate) -> None:
    """Write the heads to --heads-to for other programs: a list in JSON, or a model folder with the chosen heads first.
    These programs align a word by the row of the step that predicts it."""
    out, layer = Path(options.heads_to), few.heads[0][0]
    if out.suffix != ".json":
        chosen = [head for _, head in few.heads]
        system.save_heads_first(Path(find_run(options.run_folder)), out, layer, chosen)
        shown = f"AER {100 * few.rate.aer:.1f} % on the other half"
        print(f"{out}: heads {chosen} of layer {layer} come first, {shown}", file=sys.stderr)
        return
    heads = [
        {"layer": rated.heads[0][0], "head": rated.heads[0][1], "ts": round(1 - rated.rate.aer, 6)}
        for rated in ranked
        if len(rated.heads) == 1 and rated.row == "before"
    ]
    content = {
        "model": system.name,
        "direction": f"{system.source_language}-{system.target_language}",
        "num_layers": 1 + max(head["layer"] for head in heads),
        "num_heads": 1 + max(head["head"] for head in heads),
        "used_pairs": ranked[0].rate.sentences,
        "score_name": "1 - alignment error rate against gold links",
        "token_alignment_heads": heads,
    }
    write_json(out, content)


def _measure_file(options: argparse.Namespace) -> None:
    if options.map or options.reverse or options.name or options.rule in (ALL, VOTE):
        raise InputError(f"--map, --reverse, --name and the rules {ALL} and {VOTE} are for a run, not for --links")
    pairs = None if options.source is None else read_pairs(options.source, options.target)
    lengths = None if pairs is None else _lengths(pairs)
    context = Given(base=options.base, part=options.part)
    if pairs is not None:
        context = replace(context, source=pairs.source, target=pairs.target)
    rule = Extraction.asked(options.rule or DEFAULT_RULE, options.threshold)
    content = read_maps(options.links, lengths, context)
    if options.rule and content.links:
        raise InputError(f"--rule draws links from weights, but {options.links} has links")
    links = [rule.links(alignment) for alignment in content.alignments] or [gold.possible for gold in content.links]
    gold = _gold(options, lengths)
    if len(links) != len(gold):
        raise InputError(f"{options.links} has {len(links)} lines, but {options.gold} has {len(gold)}")
    _compare_bases(options, links, gold, options.links)
    measured = alignment_error_rate(links, gold)
    name = rule.name if content.alignments else "given"
    _print(MeasuredErrorRate(**vars(measured), run=None, update=None, map=None, rule=name), options.json)


def _compare_bases(options: argparse.Namespace, links: Sequence[LinkSet], gold: Sequence[Gold], file: str = "") -> None:
    """Say on stderr if the links have the word number 0 but the gold links lack it, or vice versa. ``file``: the file
    of the links, "" for the links of a run, which count from 0."""
    has, gold_has = has_zero(links), has_zero(pair.possible for pair in gold)
    if has and gold_has is False:
        name_base(options.gold, "--gold-base")
    if file and gold_has and has is False:
        name_base(file, "--base")


def _measure_run(options: argparse.Namespace) -> None:
    aligner = aligner_of(options, stand_in=True)
    pairs = read_pairs(options.source, options.target, aligner.languages)
    gold = _gold(options, _lengths(pairs))
    folder = Path(options.run_folder)
    aligner = with_partner(aligner, options, len(gold))
    predictions: dict[Extraction, list[LinkSet]] = {rule: [] for rule in _rules(options, aligner)}
    with progress("aer", len(gold)) as show:
        for maps in aligner.pair_maps(pairs, pretokenised=True, on_progress=show):
            for rule, links in predictions.items():
                links.append(maps.links(rule))
    _compare_bases(options, next(iter(predictions.values())), gold)
    measured = [
        MeasuredErrorRate(
            **vars(alignment_error_rate(links, gold)),
            run=folder.resolve().name,
            update=aligner.update,
            map=aligner.map,
            rule=aligner.rule_name(rule),
        )
        for rule, links in predictions.items()
    ]
    for measurement in measured:
        _print(measurement, options.json)
    if options.name is not None:
        say_where(folder, write_error_rates(folder, options.name, measured, into_run=options.into_run))


def _rules(options: argparse.Namespace, aligner: PairAligner) -> list[Extraction]:
    if options.rule != ALL:
        return [rule_of(options, aligner)]
    default = aligner.extraction.rule
    names = tuple(SYMMETRISATIONS) if options.reverse is not None else dict.fromkeys((*RULES, default))
    return [Extraction.asked(name, options.threshold if name == "threshold" else None) for name in names]


def _gold(options: argparse.Namespace, lengths: list[Lengths] | None) -> list[Gold]:
    """Read the gold links, and put the source word first. ``lengths``: lengths of the pairs. None if unknown."""
    if not options.target_first:
        return read_gold(options.gold, lengths, options.gold_base)
    swapped = None if lengths is None else [(target, source) for source, target in lengths]
    return [gold.transposed() for gold in read_gold(options.gold, swapped, options.gold_base)]


def _lengths(pairs: Pairs) -> list[Lengths]:
    return [(len(numbered_words(s)), len(numbered_words(t))) for s, t in pairs]


def _print(measured: MeasuredErrorRate, as_json: bool) -> None:
    if as_json:
        print_json(measured.to_dict())
        return
    update = "" if measured.update is None else f"update:{measured.update}|"
    name = "links" if measured.run is None else f"run:{measured.run}|{update}map:{measured.map}"
    interval = measured.interval
    within = "" if interval is None else f" [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"
    print(
        f"AER {100 * measured.aer:5.1f} %{within}  precision {100 * measured.precision:5.1f} %  "
        f"recall {100 * measured.recall:5.1f} %  {name}|rule:{measured.rule}|n:{measured.sentences}"
    )
