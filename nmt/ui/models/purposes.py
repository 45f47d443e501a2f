"""What each checkpoint is best used for, from its scores alone: nothing here knows a released run by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from nmt.results import ALL_SETS

LEARN = "watch a model learn"


@dataclass(frozen=True, kw_only=True)
class Measured:
    """What is known of a checkpoint.

    Attributes:
        name: as pages call it.
        attends: whether it has attention.
        bleu: BLEU over all sentences, by test set, that of all test sets among them.
        error_rate: the lowest alignment error rate by set of gold links, a share from 0 to 1.
        together: BLEU of the most sentences put together; None if that was not measured.
        most_together: how many these are.
        steps: updates whose weights were kept.
    """

    name: str
    attends: bool
    bleu: Mapping[str, float] = field(default_factory=dict)
    error_rate: Mapping[str, float] = field(default_factory=dict)
    together: float | None = None
    most_together: int = 0
    steps: int = 0


@dataclass(frozen=True)
class Purpose:
    """What a checkpoint is to be used for.

    Attributes:
        use: completes "Use this to".
        name: the checkpoint.
        evidence: the numbers that say so, in a sentence of plain text.
    """

    use: str
    name: str
    evidence: str


def purposes(known: Sequence[Measured]) -> list[Purpose]:
    """Choose the best checkpoint for each purpose, as far as scores tell; each checkpoint of one pair of languages."""
    attending, others = [one for one in known if one.attends], [one for one in known if not one.attends]
    best = _most(attending, lambda one: one.bleu.get(ALL_SETS))
    found = []
    if best is not None:
        rivals = sum(ALL_SETS in one.bleu for one in known)
        found.append(
            Purpose("translate", best.name, f"BLEU {best.bleu[ALL_SETS]:.1f} over all test sets, the best of {rivals}.")
        )
    found += [purpose for purpose in (_specialist(known, best), _aligner(known), _longest(known)) if purpose]
    baseline = _most(others, lambda one: one.bleu.get(ALL_SETS))
    if baseline is not None and best is not None:
        less = best.bleu[ALL_SETS] - baseline.bleu[ALL_SETS]
        evidence = f"No attention, one vector for the whole sentence: {less:.1f} BLEU less over all test sets."
        found.append(Purpose("see what attention is for", baseline.name, evidence))
    learner = _most(attending, lambda one: one.steps if one.steps > 1 else None)
    if learner is not None:
        found.append(Purpose(LEARN, learner.name, f"Its weights after {learner.steps} updates were kept."))
    return found


def _specialist(known: Sequence[Measured], best: Measured | None) -> Purpose | None:
    """The checkpoint, other than the best of all, that is the best one on most test sets."""
    leads: dict[str, dict[str, float]] = {}
    for test_set in dict.fromkeys(name for one in known for name in one.bleu if name != ALL_SETS):
        ranked = sorted((one for one in known if test_set in one.bleu), key=lambda one: -one.bleu[test_set])
        if len(ranked) > 1 and (best is None or ranked[0].name != best.name):
            lead = ranked[0].bleu[test_set] - ranked[1].bleu[test_set]
            leads.setdefault(ranked[0].name, {})[test_set] = lead
    if not leads:
        return None
    name = max(leads, key=lambda name: len(leads[name]))
    (winner,) = [one for one in known if one.name == name]
    test_set = max(leads[name], key=leads[name].__getitem__)
    evidence = f"BLEU {winner.bleu[test_set]:.1f} on it, {leads[name][test_set]:.1f} more than any other"
    others = len(leads[name]) - 1
    more = f"; the best on {others} more test set{'' if others == 1 else 's'}, too" if others else ""
    return Purpose(f"translate texts like {test_set}", name, f"{evidence}{more}.")


def _aligner(known: Sequence[Measured]) -> Purpose | None:
    sets = dict.fromkeys(gold for one in known for gold in one.error_rate)
    for gold in sets:
        rivals = [one for one in known if gold in one.error_rate]
        if len(rivals) > 1:
            first = min(rivals, key=lambda one: one.error_rate[gold])
            rate = 100 * first.error_rate[gold]
            evidence = f"Alignment error rate {rate:.1f} % on {gold}, the lowest of {len(rivals)}."
            return Purpose("align words", first.name, evidence)
    return None


def _longest(known: Sequence[Measured]) -> Purpose | None:
    most = max((one.most_together for one in known), default=0)
    rivals = [one for one in known if one.together is not None and one.most_together == most]
    first = _most(rivals, lambda one: one.together)
    if first is None or len(rivals) < 2:
        return None
    evidence = f"BLEU {first.together:.1f} with {most} sentences put together, the best of {len(rivals)}."
    return Purpose("translate long sentences", first.name, evidence)


def _most(known: Sequence[Measured], value: Callable[[Measured], float | None]) -> Measured | None:
    """The first with the highest value; None if none has any."""
    valued = [(found, one) for one in known if (found := value(one)) is not None]
    return max(valued, key=lambda pair: pair[0])[1] if valued else None
