"""The aligners of this repository: their runs are the released ones, and README has the error rates that they keep."""

from pathlib import Path

import pytest

from nmt.aligners.combination import find_run, read_aligner
from nmt.aligners.partners import read_counts
from nmt.alignments.links import VOTE
from nmt.evaluation.measurement_files import read_error_rates


@pytest.mark.parametrize("folder", sorted(path.parent for path in Path("aligners").glob("*/aligner.json")), ids=str)
def test_its_runs_are_the_released_ones(folder: Path) -> None:
    settings = read_aligner(folder)
    assert settings.runs
    for run in settings.runs:
        info = find_run(folder, run)
        languages = (settings.source_language, settings.target_language)
        forward = run.direction == "forward"
        assert (info.source_language, info.target_language) == (languages if forward else languages[::-1])


@pytest.mark.parametrize(
    ("name", "gold"),
    [
        ("en-fr", "hansards"),
        ("en-fr", "jointly-150"),
        ("en-fr", "alibi"),
        ("en-de", "europarl-de"),
        ("en-de", "jointly-100-de"),
        ("en-ja", "kftt"),
        ("en-ja", "jointly-100-ja"),
    ],
)
def test_readme_has_its_error_rates(name: str, gold: str) -> None:
    folder = Path("aligners") / name
    settings, counts = read_aligner(folder), read_counts(folder)
    assert counts is not None
    kept = read_error_rates(folder)[gold]
    readme = Path("aligners/README.md").read_text(encoding="utf-8")
    for measured in ((settings.map, settings.rule), (f"{settings.map}, with {counts.name}", VOTE)):
        (error,) = [found for found in kept if (found.map, found.rule) == measured]
        assert error.interval is not None
        low, high = error.interval.low, error.interval.high
        assert f"{100 * error.aer:.1f} [{100 * low:.1f}, {100 * high:.1f}]" in readme


def test_its_counts_know_everyday_words() -> None:
    counts = read_counts(Path("aligners/en-fr"))
    assert counts is not None
    source, target = "He is reading a book in the garden .".split(), "Il lit un livre dans le jardin .".split()
    (both,) = counts.links([(source, target)])
    assert both is not None
    by_hand = {(0, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 6), (8, 7)}
    assert by_hand <= both.forward | {(1, 1)}
    assert both.forward & both.backward <= by_hand | {(1, 1)}
