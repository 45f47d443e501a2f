"""The aligner of this repository: its runs are the released ones, and README has the error rate that it keeps."""

from pathlib import Path

import pytest

from nmt.aligners.settings import find_run, read_aligner
from nmt.evaluation.measurement_files import read_error_rates

ALIGNER = Path("aligners/en-fr")


def test_its_runs_are_the_released_ones() -> None:
    settings = read_aligner(ALIGNER)
    assert settings.runs
    for run in settings.runs:
        info = find_run(ALIGNER, run)
        languages = (settings.source_language, settings.target_language)
        forward = run.direction == "forward"
        assert (info.source_language, info.target_language) == (languages if forward else languages[::-1])


@pytest.mark.parametrize("gold", ["hansards", "jointly-150", "alibi"])
def test_readme_has_its_error_rates(gold: str) -> None:
    settings = read_aligner(ALIGNER)
    kept = read_error_rates(ALIGNER)[gold]
    (error,) = [found for found in kept if (found.map, found.rule) == (settings.map, settings.rule)]
    assert error.interval is not None
    low, high = error.interval.low, error.interval.high
    readme = Path("aligners/README.md").read_text(encoding="utf-8")
    assert f"{100 * error.aer:.1f} [{100 * low:.1f}, {100 * high:.1f}]" in readme
