"""SIGKILL at random moments of jobs that share shards; then the work is done again, and damaged parts are refused."""

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from nmt.errors import InputError
from trials import workshop
from trials.children import completed
from trials.trial import Cases, Trial, must

ROOT = Path(__file__).resolve().parents[1]
_ROUNDS = 5
_DAMAGES = 12


def _run(random: Random, cases: Cases, folder: Path) -> None:
    corpus, log = workshop.write_corpus(folder / "corpus"), folder / "log"
    workshop.make(log, workshop.prepare(corpus, folder / "data"))
    workshop.make(log, workshop.train(folder / "data", folder / "run"))
    workshop.make(log, workshop.release(folder / "run", folder / "released"))
    shards, merged = folder / "shards", folder / "merged"
    workshop.make(log, ["shard", str(corpus / "train.en"), "--lines", "4", "--out", str(shards)])
    command = ["translate", str(folder / "released"), "--beam", "2", "--shards", str(shards)]
    workshop.make(log, command)
    workshop.make(log, ["shard", str(shards), "--out", str(merged)])
    expected = merged.read_bytes()
    must(expected.count(b"\n") == 120, "not a line for each sentence")
    for _ in range(_ROUNDS):
        _remove_parts(shards)
        _disturb(random, cases, command, log)
        with cases.case("what is left is done, and merged"):
            workshop.make(log, command)
            workshop.make(log, ["shard", str(shards), "--out", str(merged)])
            must(merged.read_bytes() == expected, "other bytes")
            left = [path.name for path in shards.glob("*/.*")]
            must(not left, f"left over: {left}")
    (work,) = [path.parent for path in shards.glob("*/work.json")]
    for _ in range(_DAMAGES):
        _damage(random, cases, work, ["shard", str(shards), "--out", str(merged)], log)


def _remove_parts(shards: Path) -> None:
    for work in shards.glob("*/work.json"):
        shutil.rmtree(work.parent)


def _disturb(random: Random, cases: Cases, command: list[str], log: Path) -> None:
    """Let two jobs work for a while, and kill the first of them."""
    moment = round(random.uniform(0, 3), 2)
    with cases.case(f"a job killed after {moment} s"):
        with log.open("wb") as file:
            jobs = [
                subprocess.Popen(
                    [sys.executable, "-m", "nmt", *command, "--part", part], cwd=ROOT, stdout=file, stderr=file
                )
                for part in ("1/2", "2/2")
            ]
        time.sleep(moment)
        jobs[0].send_signal(signal.SIGKILL)
        statuses = [job.wait(timeout=240) for job in jobs]
        must({*statuses} <= {0, -signal.SIGKILL}, f"statuses {statuses}: {log.read_text(encoding='utf-8')[-1500:]}")


def _damage(random: Random, cases: Cases, work: Path, merge: list[str], log: Path) -> None:
    """Cut, change, exchange or remove a file of the parts, or add one: merging refuses it with a sentence."""
    files = sorted(path for path in work.iterdir() if path.name != "work.json")
    path, other = random.sample(files, 2)
    what = random.choice(("cut", "changed", "exchanged", "removed", "added"))
    with cases.case(f"{path.name} {what}"):
        kept = {one: one.read_bytes() for one in (path, other)}
        strange = work / f"{random.randint(1000, 9999):07d}.part"
        if what == "cut":
            path.write_bytes(kept[path][: random.randrange(len(kept[path]))])
        elif what == "changed":
            place = random.randrange(len(kept[path]))
            path.write_bytes(kept[path][:place] + bytes([kept[path][place] ^ 1]) + kept[path][place + 1 :])
        elif what == "exchanged":
            path.write_bytes(kept[other])
        elif what == "removed":
            path.unlink()
        else:
            strange.write_bytes(b"")
        status, _ = completed(log, merge)
        said = log.read_text(encoding="utf-8")
        must(status == 2 or kept[path] == kept[other], f"status {status}: {said}")
        must("Traceback" not in said and len(said.splitlines()) == 1, said[-1500:])
        strange.unlink(missing_ok=True)
        for one, content in kept.items():
            one.write_bytes(content)
        if status == 2:
            raise InputError(said.strip())


TRIAL = Trial(
    name="shards",
    tried="kill -9 at random moments of jobs that share shards, which are then done again; parts that are cut, "
    "changed, exchanged, removed or added",
    holds="the same bytes as by one process, nothing left over; merging refuses what is damaged with a sentence",
    run=_run,
    pieces=12,
    ci=1,
    seconds=1800,
    case_seconds=300,
)
