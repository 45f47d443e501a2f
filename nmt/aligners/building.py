"""Construction of an aligner: checksums of the runs, and counts of the jumps of their posteriors in given text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from nmt.aligners.aligner import averaged_posteriors, check_runs
from nmt.aligners.averaging import FLOOR, WordWeights
from nmt.aligners.settings import RULE, AlignerRun, AlignerSettings, Direction
from nmt.aligners.smoothing import LONGEST, MU, JumpModel, count_jumps
from nmt.errors import InputError
from nmt.inference.translator import Translator

Pair = tuple[str, str]


def build_aligner(
    forward: Sequence[Translator],
    reverse: Sequence[Translator],
    pairs: Iterable[Pair],
    *,
    floor: float = FLOOR,
    mu: float = MU,
    rule: str = RULE,
    on_progress: Callable[[int], None] | None = None,
) -> AlignerSettings:
    """Compute the settings of an aligner of these runs.

    Args:
        forward: at least one run, with alpha; the first determines the languages and the tokenisation.
        reverse: runs of the other direction, or none.
        pairs: untokenised text; jumps are counted over its Moses words, and no word of it is stored.
        floor, mu, rule: as in ``AlignerSettings``.
        on_progress: called with the number of pairs done.

    Raises:
        InputError: a run has other languages or no alpha, a number is out of range, or there is no text.
    """
    first = forward[0]
    check_runs(forward, first.source_language, first.target_language)
    check_runs(reverse, first.target_language, first.source_language)
    uncounted = JumpModel((0,) * (2 * LONGEST + 1), mu)
    settings = AlignerSettings(
        source_language=first.source_language,
        target_language=first.target_language,
        runs=(*(_named(run, "forward") for run in forward), *(_named(run, "reverse") for run in reverse)),
        jumps=uncounted,
        reverse_jumps=uncounted if reverse else None,
        jump_pairs=0,
        floor=floor,
        rule=rule,
    )
    tokenised = [
        (" ".join(first.source.tokenizer.tokenize(source)), " ".join(first.target.tokenizer.tokenize(target)))
        for source, target in pairs
    ]
    if not tokenised:
        raise InputError("there is no sentence pair to count jumps on")
    jumps = JumpModel(count_jumps(_averages(forward, tokenised, floor, on_progress)), mu)
    reverse_jumps = None
    if reverse:
        turned = [(target, source) for source, target in tokenised]
        reverse_jumps = JumpModel(count_jumps(_averages(reverse, turned, floor, None)), mu)
    return replace(settings, jumps=jumps, reverse_jumps=reverse_jumps, jump_pairs=len(tokenised))


def _averages(
    runs: Sequence[Translator], pairs: Sequence[Pair], floor: float, on_progress: Callable[[int], None] | None
) -> Iterator[WordWeights]:
    for done, average in enumerate(averaged_posteriors(runs, pairs, pretokenised=True, floor=floor), start=1):
        yield average
        if on_progress is not None:
            on_progress(done)


def _named(run: Translator, direction: Direction) -> AlignerRun:
    assert run.fingerprint is not None, "the run must be loaded from a folder"
    return AlignerRun(run.name, run.fingerprint.weights, direction)
