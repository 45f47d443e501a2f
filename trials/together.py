"""Whole test sets by released runs: sentences translated together, as the service does it, against each one alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from nmt.answers.searches import Translating
from nmt.answers.shared_queue import PriorityLock, SharedQueue
from nmt.inference.translator import load
from nmt.results import Translation
from trials.trial import Cases, Trial, must

ROOT = Path(__file__).parents[1]
BOUNDS = {"fp32": 1e-4, "int8": 0.01}
"""Largest difference of a log-probability by precision, in nats: what docs/service.md promises."""
_DIFFERENT = 0.02
"""Share of the sentences of which an RNNencdec may write another text in int8."""
_TOGETHER = 32
_SETS = (
    ("rnnsearch-en-fr", "jointly-300", "en"),
    ("rnnsearch-50", "jointly-300", "en"),
    ("rnnencdec-30", "jointly-300", "en"),
    ("rnnsearch-fr-en", "jointly-300", "fr"),
    ("rnnsearch-en-de", "jointly-100-de", "en"),
    ("rnnsearch-en-ja", "jointly-100-ja", "en"),
)
"""Run, test set and language of its sentences, a piece for each and for each precision."""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A sentence translated with others and alone.

    Attributes:
        difference: of the log-probabilities of the two best hypotheses.
        same: whether their texts are equal.
    """

    difference: float
    same: bool


def compared(run: Path, sentences: Sequence[str], precision: str) -> list[Compared]:
    """Translate all sentences at once through a queue of the service, and then each alone, with the run's settings."""
    model = load(run, precision=precision)
    queue = SharedQueue("together", _TOGETHER, PriorityLock())
    work = Translating(model, model.resolved(model.search_settings), alpha=False)
    futures = queue.submit(work, [model.read(sentence) for sentence in sentences])
    together = [future.result() for future in futures]
    queue.close()
    return [_compared(other, model.translate(sentence)) for other, sentence in zip(together, sentences, strict=True)]


def _compared(one: Translation, other: Translation) -> Compared:
    first, second = one.hypotheses[0], other.hypotheses[0]
    return Compared(difference=abs(first.log_probability - second.log_probability), same=first.text == second.text)


def in_words(name: str, precision: str, found: Sequence[Compared]) -> str:
    """Say in a few words how far apart the two ways are."""
    same = sorted(each.difference for each in found if each.same)
    return (
        f"{name} in {precision}: {len(same)} of {len(found)} texts equal; of these log-probabilities "
        f"{sum(each > BOUNDS['fp32'] for each in same)} further apart than {BOUNDS['fp32']:g}, the largest difference "
        f"{same[-1]:.2g}"
    )


def _run(random: Random, cases: Cases, folder: Path) -> None:
    del random, folder
    place, precision = cases.piece // len(BOUNDS), list(BOUNDS)[cases.piece % len(BOUNDS)]
    name, test_set, language = _SETS[place]
    lines = (ROOT / "testsets" / test_set / f"sentences.{language}").read_text(encoding="utf-8").splitlines()
    found = compared(ROOT / "checkpoints" / name, lines, precision)
    for line, each in zip(lines, found, strict=True):
        with cases.case(line):
            must(not each.same or each.difference <= BOUNDS[precision], f"{each.difference:g} nats apart")
    with cases.case("texts"):
        different = sum(not each.same for each in found)
        most = _DIFFERENT * len(found) if (precision, "encdec" in name) == ("int8", True) else 0
        must(different <= most, f"{different} of {len(found)} texts differ")
    cases.figures = in_words(f"{name} on {test_set}", precision, found)


TRIAL = Trial(
    name="together",
    tried="whole test sets by released runs in fp32 and int8: all sentences at once through a queue of the service, "
    "and each alone",
    holds=f"the same text, of an RNNencdec in int8 for {1 - _DIFFERENT:.0%} of the sentences; log-probabilities within "
    f"{BOUNDS['fp32']:g} in fp32 and {BOUNDS['int8']:g} in int8",
    run=_run,
    pieces=len(_SETS) * len(BOUNDS),
    ci=0,
    seconds=1800,
    case_seconds=1200,
)
