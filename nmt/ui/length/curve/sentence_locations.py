"""Sentences that are shown, and where each is from."""

from __future__ import annotations

from dataclasses import dataclass

from nmt.ui.length.curve.selection import Selection


@dataclass(frozen=True, eq=False, kw_only=True)
class SentenceLocation:
    """A sentence of what is shown.

    Attributes:
        index: in the statistics.
        number: in the test sets as one, from 1.
        test_set, row: where it is from.
        source, reference: None if the sentences are not available.
    """

    index: int
    number: int
    test_set: str
    row: int
    source: str | None
    reference: str | None


def sentence_locations(selection: Selection) -> list[SentenceLocation]:
    """List all sentences that are shown."""
    before, offsets = 0, {}
    first = next(iter(selection.systems.values()))
    for name in selection.view.sets:
        offsets[name] = before
        before += first.evaluated.evaluations[name].sentences_given
    tests = {name: selection.sentences_of(name) for name in selection.view.sets}
    locations = []
    for index, origin in enumerate(selection.origins()):
        test = tests[origin.test_set]
        source, reference = (None, None) if test is None else (test.sources[origin.row], test.references[origin.row])
        number = offsets[origin.test_set] + origin.row + 1
        locations.append(
            SentenceLocation(
                index=index,
                number=number,
                test_set=origin.test_set,
                row=origin.row,
                source=source,
                reference=reference,
            )
        )
    return locations
