"""What the pages show, element by element, over runs and answers that are the same everywhere.

What a page computes is tested beside the part that computes it; here every element, its arrangement, its choices and
which text stands in it are compared with the page that is kept (tests/kept.py, docs/decisions/0017-kept-drawings.md).
"""

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from nmt.evaluation.evaluation_files import write_system
from nmt.jobs.job import Job, Process, write_job
from nmt.results import StopEvent, event_to_dict
from nmt.runs.folder import read_settings, write_settings
from nmt.texts import TRAIN
from nmt.ui.train import plan, watch
from tests.charts.examples import events
from tests.evaluation.evaluations import evaluated
from tests.evaluation.texts import texts
from tests.kept import compare_with_kept
from tests.ui.opened import opened
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
        runs: architectures and target languages of the checkpoints, by name; without any those that are released.
        opened: what the reader has opened or done before, by its key in the session's state.
        unmeasured: runs that were measured on no test set.
    """

    place: str
    address: dict[str, str | list[str]] = field(default_factory=dict)
    runs: dict[str, tuple[str, str]] = field(
        default_factory=lambda: {"search": ("rnnsearch", "fr"), "encdec": ("rnnencdec", "fr")}
    )
    opened: dict[str, object] = field(default_factory=dict)
    unmeasured: tuple[str, ...] = ()


BOTH = {"s": SENTENCE, "models": ["search", "encdec"]}
OTHERS = {"search": ("rnnsearch", "fr"), "modern": ("rnnsearch", "fr"), "german": ("rnnsearch", "de")}
MEASURED = {"sets": "toy", "systems": ["search", "encdec", "moses"]}

RELEASED = dict.fromkeys(("rnnsearch-en-fr", "rnnencdec-en-fr"), ("", ""))
"""Runs that come with their answers to some sentences."""
_KINDS = "rnnsearch-en-fr rnnsearch-forward-50 rnnsearch-gaussian-50 rnnsearch-50-guided scrubber-128"
OF_EACH_KIND = dict.fromkeys(_KINDS.split(), ("", ""))
NEW = {"search": ("rnnsearch", "fr"), "encdec": ("rnnencdec", "fr"), "new": ("rnnsearch", "fr")}
LACKING = {"sets": ["toy", "more", "jointly-300"], "systems": ["search", "new", "moses"]}

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
            "punctuation": "false",
        },
    ),
    "look-matrices": Seen(
        place="look",
        address={
            "s": SENTENCE,
            "models": ["search", "modern", "german"],
            "bars": "true",
            "end": "false",
            "punctuation": "false",
            "pieces": "true",
            "transposed": "true",
            "scale": "log",
            "do": "export",
        },
        runs=OTHERS,
    ),
    "look-export": Seen(
        place="look", address={"s": SENTENCE, "models": "search", "do": "export", "punctuation": "false"}
    ),
    "look-list": Seen(place="look", address={**BOTH, "of": "list", "rank": "2", "beam": "3", "do": "gold"}),
    "look-pinned": Seen(place="look", address={"s": SENTENCE, "models": "search", "pin": "search.1.2", "do": "gold"}),
    "look-together": Seen(
        place="look",
        address={"s": "the cat sleeps .", "own": ["a girl reads .", "she is on a mat ."], "k": "2", "beam": "1"},
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
    "look-outside": Seen(
        place="look",
        address={
            "s": "the cat",
            "show": "links",
            "beam": "21",
            "least": "1.5",
        },
        runs={"search": ("rnnsearch", "fr")},
    ),
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
    "length-all-sets": Seen(
        place="length",
        address={"sets": ["toy", "more"], "by-length": "equal", "parts": "4", "bucket": "all", "sentence": "43"},
    ),
    "length-ter": Seen(place="length", address={**MEASURED, "by-length": "width", "metric": "ter", "one": "encdec"}),
    "length-tables": Seen(place="length", address={**MEASURED, "then": "tables", "curve": ""}),
    "length-export": Seen(place="length", address={**MEASURED, "by-length": "width"}, opened={"export": True}),
    "length-one": Seen(place="length", address={"sets": "more", "systems": "search"}),
    "length-lacking": Seen(place="length", address=LACKING, runs=NEW, unmeasured=("new",)),
    "length-lacking-known": Seen(place="length", address={**LACKING, "unkcol": "known"}, runs=NEW, unmeasured=("new",)),
    "length-nowhere": Seen(place="length", address={"sets": ["toy", "<nowhere>"]}),
    "length-no-ranges": Seen(place="length", address={**MEASURED, "by-length": "custom", "firsts": "5 x"}),
    "length-no-set": Seen(place="length", address={"sets": ""}),
    "length-no-system": Seen(place="length", address={"sets": "toy", "systems": ""}, runs=OTHERS),
    "length-sentence": Seen(
        place="length",
        address={"sets": "jointly-300", "by-length": "width", "bucket": "11-20", "sentence": "5", "order": "smallest"},
        runs=RELEASED,
    ),
    "length-long-sentences": Seen(
        place="length",
        address={
            "sets": "jointly-300",
            "systems": "rnnsearch-forward-50",
            "by-length": "custom",
            "firsts": "1 20",
            "bucket": "20+",
            "unkcol": "known",
            "sort": "entropy",
        },
        runs=OF_EACH_KIND,
    ),
    "length-all-lengths": Seen(
        place="length", address={**MEASURED, "bucket": "all", "metric": "ter", "sentence": "40"}
    ),
    "length-no-range": Seen(
        place="length", address={"sets": "more", "systems": ["search", "<gone>"], "bucket": f"<{'9' * 70}>"}
    ),
    "length-many": Seen(place="length", address={"sets": "jointly-300"}, runs=OF_EACH_KIND | RELEASED),
    "length-together": Seen(place="length", address={"view": "together"}, runs=RELEASED),
    "length-together-offer": Seen(
        place="length",
        address={"view": "together", "models": ["rnnsearch-en-fr", "scrubber-128"], "measure": "kept"},
        runs=RELEASED | OF_EACH_KIND,
    ),
    "length-together-other": Seen(
        place="length", address={"view": "together", "models": ["search", "german"], "words": "12"}, runs=OTHERS
    ),
    "length-together-nowhere": Seen(place="length", address={"view": "together"}, runs={"search": ("rnnsearch", "cs")}),
    "models-use": Seen(place="models"),
    "models-scores": Seen(place="models", address={"show": "scores"}),
    "models-trainings": Seen(place="models", address={"show": "trainings"}, runs=OTHERS),
    "models-cards": Seen(place="models", address={"show": "cards", "runs": ["search", "encdec"]}),
    "models-cards-of-each-kind": Seen(
        place="models",
        address={"show": "cards", "runs": [*OF_EACH_KIND], "all": "true"},
        runs=OF_EACH_KIND,
    ),
    "models-card": Seen(place="models", address={"show": "cards", "runs": "search"}),
    "models-card-new": Seen(place="models", address={"show": "cards", "runs": "new"}, runs=NEW, unmeasured=("new",)),
    "models-cards-none": Seen(place="models", address={"show": "cards", "runs": ""}),
    "models-scores-known": Seen(place="models", address={"show": "scores", "column": "known", "score": "ter"}),
    "models-scores-released": Seen(place="models", address={"show": "scores", "score": "chrf"}, runs=RELEASED),
    "models-trainings-released": Seen(place="models", address={"show": "trainings"}, runs=OF_EACH_KIND),
    "models-use-released": Seen(place="models", runs=OF_EACH_KIND | RELEASED | {"rnnencdec-50": ("", "")}),
    "models-none": Seen(place="models", address={"show": "cards"}, runs={}),
    "models-upload": Seen(place="models", address={"show": "upload"}),
    "train-example": Seen(place="models", address={"show": "train"}),
    "train-upload": Seen(place="models", address={"show": "train", "texts": "upload"}),
    "train-corpus": Seen(place="models", address={"show": "train", "texts": "corpus", "corpus": "tatoeba"}),
    "train-path": Seen(place="models", address={"show": "train", "texts": "path"}),
    "train-paths": Seen(
        place="models",
        address={"show": "train", "texts": "path", "vocabulary": "bpe", "begin-own": "rnnsearch_50"},
        opened={title: f"data/{number}.txt" for number, title in enumerate(TRAIN.forms.paths)},
    ),
    "train-adapt": Seen(
        place="models",
        address={"show": "train", "texts": "corpus", "corpus": "multi30k", "begin-multi30k": "run:search"},
    ),
    "train-watch-more": Seen(place="models", address={"show": "train", "jobs": ["runs", "stops", "done", "lost"]}),
    "train-watch": Seen(place="models", address={"show": "train", "jobs": ["stopped", "failed", "waits"]}),
    "learn-how": Seen(place="learn", runs=RELEASED),
    "learn-draw": Seen(place="learn", address={"view": "draw"}, runs=RELEASED),
    "learn-draw-links": Seen(
        place="learn", address={"view": "draw", "exercise": "3", "mine": "0-0 1-2 2-1"}, runs=RELEASED
    ),
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
        if run in seen.unmeasured:
            continue
        kept = {"rnnsearch": 0.9, "rnnencdec": 0.6}[architecture]
        write_evaluation(
            info.path, evaluated(run, "toy", texts(LENGTHS, seed=4, kept=kept), [0, 1] * (len(LENGTHS) // 2))
        )
        write_evaluation(info.path, evaluated(run, "more", texts(range(3, 9), 7, kept), [0] * 6))
    alive = Process(os.getpid(), psutil.Process().create_time())
    for run, process, error, reason in (
        ("runs", alive, "", ""),
        ("stops", alive, "", ""),
        ("done", DEAD, "", "finished"),
        ("lost", DEAD, "", ""),
        ("stopped", DEAD, "", "interrupted by SIGTERM"),
        ("failed", DEAD, "the loss is not a number", "interrupted by SIGTERM"),
        ("waits", None, "", ""),
    ):
        if run in seen.address.get("jobs", ()):
            if run == "runs":  # it has saved its settings, and weights
                config = write_run(runs / run).config.override(["training.max_updates=20000"])
                write_settings(runs / run, replace(read_settings(runs / run), config=config))
            (runs / run).mkdir(exist_ok=True)
            command = ("train", "debug", "--data", "data/mine", "--run", run, "--set", "training.max_updates=20000")
            write_job(
                runs / run,
                Job(
                    command=command,
                    by="someone",
                    queued=1.7e9,
                    process=process,
                    error=error,
                    asked="stop" if run == "stops" else "run",
                ),
            )
            stop = StopEvent(update=12000, reason=reason, seconds=120)
            given = [*(events() if process else []), *([stop] if reason else [])]
            (runs / run / "training.jsonl").write_text("".join(json.dumps(event_to_dict(e)) + "\n" for e in given))
    write_system(systems / "moses", "moses", "phrases")
    write_evaluation(systems / "moses", evaluated("moses", "toy", texts(LENGTHS, seed=4, kept=0.75)))
    at = opened(seen.place, seen.opened, **seen.address)
    ours = rf"/[\w/.-]*/caches/\w+/|{re.escape(str(runs.parent))}/|(?<=/mock/media/)\w+"  # folders, names of downloads
    compare_with_kept(KEPT / f"{name}.txt", re.sub(ours, "", written(at)), request)
