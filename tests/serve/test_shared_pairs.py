"""Work on pairs in a shared queue: which requests are computed together."""

from pathlib import Path

import nmt
from nmt.alignments.links import Extraction
from nmt.results.links import MapName
from nmt.serve.models import Aligning, Scoring, aligner_of_run


def test_requests_for_the_same_links_or_scores_are_equal_work(random_runs: Path) -> None:
    run = nmt.load(random_runs / "search-words")

    def work(map_name: MapName, rule: str, pretokenised: bool) -> Aligning:
        return Aligning(aligner_of_run(run, map_name), Extraction(rule), pretokenised)

    asked: list[tuple[MapName, str, bool]]
    asked = [("attention", "argmax", False), ("posterior", "argmax", False), ("attention", "columns", False)]
    asked.append(("attention", "argmax", True))
    assert {work(*each) for each in asked} == {work(*each) for each in asked}
    assert len({work(*each) for each in asked}) == 4
    assert Scoring(run, alpha=True) == Scoring(run, alpha=True) != Scoring(run, alpha=False)
