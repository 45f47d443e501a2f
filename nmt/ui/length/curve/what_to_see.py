"""One line on what a curve shows, from its numbers."""

from __future__ import annotations

from dataclasses import dataclass

from nmt.results import LengthCurve, LengthCurves, Span
from nmt.results.significance import LOWER_IS_BETTER
from nmt.ui.formatting import escaped


@dataclass(frozen=True)
class _Change:
    """How the score of a system changes over the lengths."""

    system: str
    first: float
    last: float

    @property
    def share(self) -> str:
        return f"{100 * self.last / self.first:.0f} %"

    @property
    def numbers(self) -> str:
        return f"{self.first:.1f} → {self.last:.1f}"


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
    found = [change for curve in curves.curves if (change := _change(curve, start, end)) is not None]
    if not found:
        return ""
    lower = curves.metric in LOWER_IS_BETTER
    found.sort(key=lambda change: change.last / change.first, reverse=not lower)
    best, worst = found[0], found[-1]
    begin = f"From {_said(curves.spans[start])} to {_said(curves.spans[end])} words"
    if not lower and all(change.last <= change.first for change in (best, worst)):
        said = f"**{escaped(best.system)}** keeps {best.share} of its {curves.metric} ({best.numbers})"
        other = f", **{escaped(worst.system)}** {worst.share} ({worst.numbers})"
    else:
        said = f"{curves.metric} of **{escaped(best.system)}** changes from {best.first:.1f} to {best.last:.1f}"
        other = f", that of **{escaped(worst.system)}** from {worst.first:.1f} to {worst.last:.1f}"
    return f"{begin}, {said}{other if len(found) > 1 else ''}."


def _said(span: Span) -> str:
    """
    >>> _said(Span(11, 20)), _said(Span(61)), _said(Span(7, 7))
    ('11–20', '61 or more', '7')
    """
    return f"{span.first} or more" if span.last is None else span.name.replace("-", "–")


def _change(curve: LengthCurve, start: int, end: int) -> _Change | None:
    first, last = curve.points[start].value, curve.points[end].value
    return _Change(curve.system, first, last) if first and last is not None else None
