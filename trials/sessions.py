"""Sessions that upload, read, evaluate and delete each other's runs at one time."""

import io
import shutil
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from nmt.errors import InputError
from nmt.evaluation.measurement_files import check_run_evaluations
from nmt.inference.checkpoint import check_run_weights
from nmt.inference.translator import load
from nmt.runs.archive import remove_run, unpack_run
from nmt.runs.folder import read_run
from trials import workshop
from trials.archives import contents_of
from trials.children import start_command, wait
from trials.trial import Cases, Trial, must
from trials.whole_run import whole_run

_STEPS, _SESSIONS, _EVALUATIONS = 60, 4, 6
_CHECKS = (check_run_weights, check_run_evaluations)
_NAMES = ("one", "two")


def _session(seed: str, archives: dict[str, list[bytes]], uploads: Path) -> list[str]:
    """Do something random to runs of the same few names, again and again; returns what went wrong."""
    random, faults = Random(seed), list[str]()
    for _ in range(_STEPS):
        name, what = random.choice(_NAMES), random.choice(("upload", "upload", "remove", "read", "load", "again"))
        try:
            if what in ("upload", "again"):
                if what == "again":  # what a rename is: deleted, and uploaded under another name
                    remove_run(name, uploads)
                    name = next(other for other in _NAMES if other != name)
                unpack_run(io.BytesIO(random.choice(archives[name])), f"{name}.zip", uploads, _CHECKS)
            elif what == "remove":
                remove_run(name, uploads)
            elif what == "read":
                read_run(uploads / name)
            else:
                load(uploads / name).translate("the cat reads .", beam=1)
        except InputError as error:
            if "\n" in str(error) or not str(error):
                faults.append(f"{what} {name}: {error!r}")
        except Exception as error:
            faults.append(f"{what} {name}: {type(error).__name__}: {error}")
    return faults


def _packed(run: Path) -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        for name, data in contents_of(run).items():
            archive.writestr(name, data)
    return found.getvalue()


def _run(random: Random, cases: Cases, folder: Path) -> None:
    uploads = folder / "uploads"
    uploads.mkdir()
    kinds = ("words", "bpe")
    archives = {
        name: [_packed(whole_run(folder / f"given-{kind}" / name, kind)) for kind in kinds]  # type: ignore[arg-type]
        for name in _NAMES
    }
    for number in range(3):
        seeds = [f"{random.random()} {session}" for session in range(_SESSIONS)]
        with cases.case(f"{_SESSIONS} sessions, {number}"):
            with ThreadPoolExecutor(_SESSIONS) as threads:
                faults = [
                    fault for each in threads.map(lambda s: _session(s, archives, uploads), seeds) for fault in each
                ]
            must(not faults, f"{len(faults)}: {faults[:3]}")
            left = sorted(path.name for path in uploads.rglob(".*") if path.name != ".partial" and path.is_dir())
            must(not left, f"left over: {left}")
            for run in uploads.glob("[!.]*"):
                for check in _CHECKS:
                    check(read_run(run))
                load(run).translate("the cat reads .", beam=1)
    corpus, log = workshop.write_corpus(folder / "corpus"), folder / "log"
    alone, both = whole_run(folder / "alone" / "run"), folder / "both" / "run"
    shutil.copytree(alone, both)
    workshop.make(log, workshop.evaluate(corpus, alone))
    expected = workshop.content(alone)
    for number in range(_EVALUATIONS):
        with cases.case(f"two evaluations into one run, {number}"):
            shutil.rmtree(folder / "cache", ignore_errors=True)
            logs = [folder / f"log-{which}" for which in range(2)]
            children = [start_command(each, workshop.evaluate(corpus, both)) for each in logs]
            statuses = [wait(child) for child in children]
            must(statuses == [0, 0], f"{statuses}: {[each.read_text('utf-8')[-500:] for each in logs]}")
            workshop.same(workshop.content(both), expected)


TRIAL = Trial(
    name="sessions",
    tried=f"{_SESSIONS} sessions that upload, delete, rename, read and load runs of the same names at one time, and "
    "two `evaluate` into one run",
    holds="what is asked for, or a sentence; every run that is there is whole; nothing left over; one's evaluation",
    run=_run,
    pieces=4,
    ci=1,
    seconds=900,
    case_seconds=120,
)
