"""The aligner of this repository: its runs are the released ones, and README has the error rate that it keeps."""

from pathlib import Path

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


def test_readme_has_its_error_rate() -> None:
    settings = read_aligner(ALIGNER)
    kept = read_error_rates(ALIGNER)["hansards"]
    (error,) = [found for found in kept if (found.map, found.rule) == (settings.map, settings.rule)]
    readme = " ".join(Path("README.md").read_text(encoding="utf-8").split())
    assert f"`aligners/en-fr` has {100 * error.aer:.1f} % on the Hansards" in readme
