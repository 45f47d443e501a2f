"""What the pages show, element by element, over runs and answers that are the same everywhere.

What a page computes is tested beside the part that computes it; here every element, its arrangement, its choices and
which text stands in it are compared with the page that is kept (tests/kept.py, docs/decisions/0017-kept-drawings.md).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from nmt.evaluation.evaluation_files import write_system
from nmt.jobs.job import Job, Process, write_job
from nmt.results import StopEvent, event_to_dict
from nmt.ui.train import plan, watch
from tests.charts.examples import events
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.kept import compare_with_kept
from tests.ui.written_page import written

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).parent / "kept"
SENTENCE = "the girl has never seen the zorp ."
DEAD = Process(2**22 + 1, 1.0)
"""A process that there cannot be any more."""
LENGTHS = [*range(3, 15), *range(21, 26), *range(31, 34)] * 2


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A page that a reader sees.

    Attributes:
        place: name of its file in ``pages``.
        address: what the address says.
        runs: architectures and target languages of the checkpoints, by name.
    """

    place: str
    address: dict[str, str | list[str]] = field(default_factory=dict)
    runs: dict[str, tuple[str, str]] = field(
        default_factory=lambda: {"search": ("rnnsearch", "fr"), "encdec": ("rnnencdec", "fr")}
    )


BOTH = {"s": SENTENCE, "models": ["search", "encdec"]}
OTHERS = {"search": ("rnnsearch", "fr"), "modern": ("rnnsearch", "fr"), "german": ("rnnsearch", "de")}
MEASURED = {"sets": "toy", "systems": ["search", "encdec", "moses"]}

RELEASED = dict.fromkeys(("rnnsearch-en-fr", "rnnencdec-en-fr"), ("", ""))
"""Runs that come with their answers to some sentences."""

SEEN = {
    "look-at-first": Seen(place="look"),
    "look-two": Seen(place="look", address=BOTH),
    "look-links": Seen(
        place="look",
        address={
            **BOTH,
            "show": "both",
            "by": "mass",
            "least": "0.5",
            "layout": "vertical",
            "with": "end",
        },
    ),
    "look-matrices": Seen(
        place="look",
        address={
            "s": SENTENCE,
            "models": ["search", "modern", "german"],
            "with": ["bars", "pieces", "transposed"],
            "scale": "log",
            "do": "export",
        },
        runs=OTHERS,
    ),
    "look-export": Seen(place="look", address={"s": SENTENCE, "models": "search", "do": "export", "with": "end"}),
    "look-list": Seen(place="look", address={**BOTH, "of": "list", "rank": "2", "beam": "3", "do": "gold"}),
    "look-pinned": Seen(
        place="look", address={"s": SENTENCE, "models": "search", "pin": "search.1.2", "do": "what-if"}
    ),
    "look-together": Seen(
        place="look", address={"s": "the cat sleeps .", "own": ["a girl reads .", "she is on a mat ."], "k": "2"}
    ),
    "look-none": Seen(place="look", runs={}),
    "look-known": Seen(place="look", address={**BOTH, "s": "the girl has never seen the sea"}),
    "look-empty": Seen(place="look", address={"s": " ", "models": "search"}),
    "look-too-long": Seen(place="look", address={**BOTH, "s": "cat " * 201}),
    "look-several": Seen(place="look", address={"s": "She reads. The cat sleeps.", "models": "search"}),
    "look-list-alone": Seen(place="look", address={"s": SENTENCE, "models": "search", "of": "list", "beam": "2"}),
    "look-list-of-one": Seen(place="look", address={**BOTH, "of": "list", "beam": "1", "unk": "replace"}),
    "look-languages": Seen(
        place="look",
        address={"s": SENTENCE, "pair": "en-fr+de+es"},
        runs={"french": ("rnnsearch", "fr"), "german": ("rnnsearch", "de"), "spanish": ("rnnencdec", "es")},
    ),
    "look-released": Seen(place="look", runs=RELEASED),
    "look-text": Seen(place="look", address={"mode": "text", "models": ["search", "encdec"]}),
    "length-at-first": Seen(place="length"),
    "length-three": Seen(place="length", address={**MEASURED, "by-length": "width", "width": "10", "bucket": "11-20"}),
    "length-words": Seen(
        place="length",
        address={
            **MEASURED,
            "metric": "chrf",
            "side": "reference",
            "unkcol": "known",
            "by-length": "custom",
            "firsts": "1 6 11",
            "curve": ["counts", "to-60"],
            "test": "randomisation",
        },
    ),
    "length-windows": Seen(
        place="length", address={**MEASURED, "by-length": "rolling", "window": "5", "metric": "ter"}
    ),
    "length-all-sets": Seen(place="length", address={"sets": ["toy", "more"], "by-length": "equal", "parts": "4"}),
    "length-together": Seen(place="length", address={"view": "together"}, runs=RELEASED),
    "models-use": Seen(place="models"),
    "models-scores": Seen(place="models", address={"show": "scores"}),
    "models-trainings": Seen(place="models", address={"show": "trainings"}, runs=OTHERS),
    "models-cards": Seen(place="models", address={"show": "cards", "runs": ["search", "encdec"]}),
    "models-upload": Seen(place="models", address={"show": "upload"}),
    "train-example": Seen(place="models", address={"show": "train"}),
    "train-upload": Seen(place="models", address={"show": "train", "texts": "upload"}),
    "train-watch": Seen(place="models", address={"show": "train", "jobs": ["stopped", "failed", "waits"]}),
    "learn-how": Seen(place="learn", runs=RELEASED),
    "learn-draw": Seen(place="learn", address={"view": "draw"}, runs=RELEASED),
    "present-first": Seen(place="present", runs=RELEASED),
    "present-together": Seen(place="present", address={"scene": "together", "step": "2"}, runs=RELEASED),
    "present-figure": Seen(place="present", address={"scene": "figure-2"}, runs=RELEASED),
    "present-end": Seen(place="present", address={"scene": "end"}, runs=RELEASED),
}


@pytest.fixture
def systems(tmp_path: Path, runs: Path, translators: object, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No process is started, no test set of the repository is known, and all runs were uploaded."""
    monkeypatch.setattr("nmt.ui.models.page.uploads_folder", lambda: runs)
    monkeypatch.setenv("JOINTLY_SYSTEMS", str(tmp_path / "systems"))
    monkeypatch.setenv("JOINTLY_RUNS", str(runs))
    monkeypatch.setattr("nmt.config.multiplies_integers", lambda: True)  # else pages name another precision
    monkeypatch.setattr(plan, "ensure_runner", lambda _: None)
    monkeypatch.setattr(watch, "ensure_runner", lambda _: None)
    return tmp_path / "systems"


@pytest.mark.parametrize("name", SEEN)
def test_a_page_has_what_is_kept(
    name: str, runs: Path, systems: Path, write_run: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    seen = SEEN[name]
    from nmt.evaluation.evaluation_files import write_evaluation

    for run, (architecture, language) in seen.runs.items():
        if not architecture:
            (runs / run).symlink_to(ROOT / "checkpoints" / run)
            continue
        info = write_run(runs / run, architecture, target=language)
        (info.path / "training.jsonl").write_text("".join(json.dumps(event_to_dict(each)) + "\n" for each in events()))
        kept = {"rnnsearch": 0.9, "rnnencdec": 0.6}[architecture]
        write_evaluation(
            info.path, evaluated(run, "toy", texts(LENGTHS, seed=4, kept=kept), [0, 1] * (len(LENGTHS) // 2))
        )
        write_evaluation(info.path, evaluated(run, "more", texts(range(3, 9), 7, kept), [0] * 6))
    for run, process, error in (
        ("stopped", DEAD, ""),
        ("failed", DEAD, "the loss is not a number"),
        ("waits", None, ""),
    ):
        if run in seen.address.get("jobs", ()):
            (runs / run).mkdir()
            command = ("train", "debug", "--data", "data/mine", "--run", run, "--set", "training.max_updates=20000")
            write_job(runs / run, Job(command=command, by="someone", queued=1.7e9, process=process, error=error))
            stop = StopEvent(update=12000, reason="interrupted by SIGTERM", seconds=120)
            given = [*events(), stop] if process else []
            (runs / run / "training.jsonl").write_text("".join(json.dumps(event_to_dict(e)) + "\n" for e in given))
    write_system(systems / "moses", "moses", "phrases")
    write_evaluation(systems / "moses", evaluated("moses", "toy", texts(LENGTHS, seed=4, kept=0.75)))
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if seen.place != "look":
        at.switch_page(f"pages/{seen.place}.py")
    at.query_params.update(seen.address)
    at.run()
    assert not at.exception, at.exception
    ours = rf"/[\w/.-]*/caches/\w+/|{re.escape(str(runs.parent))}/|(?<=/mock/media/)\w+"  # folders, names of downloads
    compare_with_kept(KEPT / f"{name}.txt", re.sub(ours, "", written(at)), request)
