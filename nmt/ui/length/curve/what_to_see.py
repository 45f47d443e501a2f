"""Description of a curve in one line, from its numbers."""

from __future__ import annotations

from dataclasses import dataclass

from nmt.results import LengthCurve, LengthCurves, Span
from nmt.results.comparison import LOWER_IS_BETTER
from nmt.ui.formatting import escaped
from nmt.ui.length.curve import strings


@dataclass(frozen=True)
class _Change:
    """Change of the score of a system over the lengths."""

    system: str
    first: float
    last: float

    @property
    def share(self) -> str:
        return strings.SHARE.format(percent=100 * self.last / self.first)

    @property
    def numbers(self) -> str:
        return strings.FROM_TO.format(first=self.first, last=self.last)


def what_to_see(curves: LengthCurves) -> str:
    """Say in Markdown how the scores of the systems change from the shorter to the longer sentences: of the one that
    changes least and of the one that changes most. "" if no two ranges have enough sentences.

    The ranges are the first and the last with an interval, so with ten sentences or more, or without intervals with
    any sentence; the first one is not the shortest if there is one nearer to 15 words, as in 11-20.
    """
    known = [
        k
        for k, point in enumerate(curves.curves[0].points)
        if point.value is not None and (curves.resamples is None or point.interval is not None)
    ]
    if len(known) < 2:
        return ""
    lengths = [curves.curves[0].points[k].mean_length or 0.0 for k in known]
    start = known[0] if len(known) < 4 or curves.rolling else min(known[:2], key=lambda k: abs(lengths[k] - 15))
    end = known[-1]
    changes = [change for curve in curves.curves if (change := _change(curve, start, end)) is not None]
    if not changes:
        return ""
    lower = curves.metric in LOWER_IS_BETTER
    changes.sort(key=lambda change: change.last / change.first, reverse=not lower)
    best, worst = changes[0], changes[-1]
    keep = not lower and all(change.last <= change.first for change in (best, worst))
    if len(changes) > 1:
        template = strings.KEEP if keep else strings.CHANGE
    else:
        template = strings.KEEPS if keep else strings.CHANGES
    return template.format(
        first=_range_text(curves.spans[start]),
        last=_range_text(curves.spans[end]),
        metric=curves.metric,
        best=escaped(best.system),
        best_share=best.share,
        best_numbers=best.numbers,
        best_first=best.first,
        best_last=best.last,
        worst=escaped(worst.system),
        worst_share=worst.share,
        worst_numbers=worst.numbers,
        worst_first=worst.first,
        worst_last=worst.last,
    )


def _range_text(span: Span) -> str:
    """
    >>> _range_text(Span(11, 20)), _range_text(Span(61)), _range_text(Span(7, 7))
    ('11–20', '61 or more', '7')
    """
    return strings.OR_MORE.format(first=span.first) if span.last is None else span.name.replace("-", "–")


def _change(curve: LengthCurve, start: int, end: int) -> _Change | None:
    first, last = curve.points[start].value, curve.points[end].value
    return _Change(curve.system, first, last) if first and last is not None else None
