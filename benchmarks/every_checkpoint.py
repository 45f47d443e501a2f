"""One server of the app that is asked for a translation by every released checkpoint in turn: its memory, and whether
the checkpoints used last still answer without being loaded.

    python -m benchmarks.every_checkpoint --beam 5

One JSON object on stdout. "first" has by checkpoint: "open", seconds until the place Look shows its first sentence with
it, loading included; "sentence", seconds from a new sentence to its translation; "megabytes", memory of the server
then. "again" has the same for the checkpoints used last.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.app_session import AppSession
from benchmarks.load import ROOT, Server, new_sentences, served
from release.trainings import RELEASED_RUNS, ReleasedRun

_SENTENCES = {"en": "benchmarks/sentences.txt", "fr": "testsets/jointly-300/sentences.fr"}
"""Files by source language."""


def measure(server: Server, runs: Sequence[ReleasedRun], *, beam: int, last: int) -> dict[str, Any]:
    """The object that is printed.

    Args:
        runs: in the order in which they are asked.
        last: how many of them are asked again, the last ones in the same order.
    """
    sentences = {
        language: new_sentences((ROOT / file).read_text("utf-8").splitlines()) for language, file in _SENTENCES.items()
    }

    def asked(run: ReleasedRun) -> dict[str, float]:
        began = time.monotonic()
        with AppSession(server.address, [run.name], beam) as session:
            opened = time.monotonic() - began
            sentence = session.translate(next(sentences[run.languages[0]])).seconds
        return {"open": round(opened, 3), "sentence": round(sentence, 3), "megabytes": round(server.megabytes(), 1)}

    before = round(server.megabytes(), 1)
    first = {run.name: asked(run) for run in runs}
    again = {run.name: asked(run) for run in runs[-last:]}
    most = max(one["megabytes"] for one in (*first.values(), *again.values()))
    return {"beam": beam, "megabytes_before": before, "first": first, "again": again, "most_megabytes": most}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.every_checkpoint", description=__doc__.splitlines()[0])
    parser.add_argument("--beam", type=int, default=5, metavar="K", help="beam (default 5)")
    parser.add_argument("--last", type=int, default=3, metavar="N", help="how many are asked again (default 3)")
    options = parser.parse_args(arguments)
    with served() as server:
        report = measure(server, RELEASED_RUNS, beam=options.beam, last=options.last)
    print(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
