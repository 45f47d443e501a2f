"""What a user waits for: preparing a corpus, the first sentence of a fresh process, the first screen of the app."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from trials.trial import NotRun

ROOT = Path(__file__).resolve().parents[1]
RUN = "checkpoints/rnnsearch-50"
PAIRS = 100_000
FRESH = """
import time
began = time.perf_counter()
import torch
after_torch = time.perf_counter()
import nmt
model = nmt.load({run!r})
loaded = time.perf_counter()
assert model.translate("The old man is reading a newspaper in the garden.").text
done = time.perf_counter()
import json
print(json.dumps(dict(torch=after_torch - began, load=loaded - after_torch, first=done - loaded)))
"""


class NotMeasured(RuntimeError):  # noqa: N818 - it is what happened
    """Something is missing or failed; the message is one line."""


def prepare_corpus(folder: Path, pairs: int = PAIRS) -> dict[str, float]:
    """Pairs a second of the whole command, over a made-up corpus, with a vocabulary of words."""
    for number, language in enumerate(("en", "fr")):
        (folder / f"corpus.{language}").write_text("\n".join(_lines(number, pairs)) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "nmt", "prepare", "--corpus", str(folder / "corpus.en")]
    command += [str(folder / "corpus.fr"), "--source-lang", "en", "--target-lang", "fr"]
    began = time.perf_counter()
    _run([*command, "--out", str(folder / "prepared"), "--force", "--json"])
    seconds = time.perf_counter() - began
    return {"pairs": pairs, "seconds": seconds, "pairs per second": pairs / seconds}


def _lines(seed: int, number: int) -> list[str]:
    """Sentences of made-up words; frequent words are short, as in a language."""
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(list("aeioulmnrst"), 1 + min(8, i // 40))) for i in range(20_000)]
    ranks = (len(words) ** rng.random((number, 30))).astype(int) - 1
    lengths = rng.integers(5, 30, number)
    return [" ".join(words[r] for r in row[:n]).capitalize() + "." for row, n in zip(ranks, lengths, strict=True)]


def load_and_translate(times: int = 5) -> dict[str, list[float]]:
    """Seconds in fresh processes: importing torch, loading a released checkpoint after that, the first sentence."""
    samples = [json.loads(_run([sys.executable, "-c", FRESH.format(run=RUN)])) for _ in range(times)]
    return {
        "import torch": [s["torch"] for s in samples],
        "load": [s["load"] for s in samples],
        "first sentence": [s["first"] for s in samples],
        "load and first sentence": [s["load"] + s["first"] for s in samples],
    }


def app_start(times: int = 3) -> dict[str, list[float]]:
    """Seconds from the start of the server's process: until it answers, until Chromium paints something, until the
    first page is complete. Raises NotMeasured if there is no Chromium."""
    try:
        from trials.app import chromium_page

        with chromium_page() as page:
            starts = [_one_start(page.context.browser) for _ in range(times)]
    except (ImportError, NotRun, RuntimeError) as error:
        raise NotMeasured(str(error)) from None
    return {key: [start[key] for start in starts] for key in starts[0]}


COMPLETE = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  return app && app.dataset.testScriptState === "notRunning" && !document.querySelector("[data-testid=stSkeleton]");
}"""
PAINT = "() => (performance.getEntriesByName('first-contentful-paint')[0] || {}).startTime"


def _one_start(browser: Any) -> dict[str, float]:
    from trials.app import served  # which needs Playwright

    began = time.perf_counter()
    with served() as server:
        answered = time.perf_counter() - began
        page = browser.new_page()
        navigated = time.perf_counter() - began
        page.goto(server.address)
        page.wait_for_function(COMPLETE, timeout=60_000)
        complete = time.perf_counter() - began
        paint = page.evaluate(PAINT)
        page.close()
    return {"server answers": answered, "first paint": navigated + paint / 1000, "page complete": complete}


def _run(command: list[str]) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise NotMeasured(lines[-1])
    return done.stdout
