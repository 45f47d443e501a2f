"""Random requests to the HTTP service."""

import json
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies
from starlette.testclient import TestClient

from nmt.inference.translator import load
from nmt.serve.app import Service
from nmt.serve.messages import Limits
from tests.oracles.random_run import random_run
from trials.generated import each_drawn
from trials.texts import JSON, random_text
from trials.trial import Cases, Trial, drawn_bytes, must

_GENERATED, _DRAWN = 400, 300
_LIMITS = Limits(characters=80, sentences=8, body=4_000, widest_beam=6, waiting=16, together=8)
_ANSWERS = {200, 404, 405, 413, 415, 422, 429}
_PATHS = ("/translate", "/score", "/align", "/models", "/health", "/metrics", "/openapi.json", "/", "/../etc/passwd")
_RESULTS = {
    "/translate": ("sentences", "translations"),
    "/score": ("sources", "scores"),
    "/align": ("sources", "pairs"),
}
_TYPES = ("application/json", "application/json; charset=utf-8", "text/plain", "application/x-www-form-urlencoded", "")

_MODELS = strategies.sampled_from(("words", "encdec", "absent", "")) | JSON
_TEXTS = strategies.lists(strategies.text(max_size=90), max_size=10)
_FIELDS = {
    "model": _MODELS,
    "sentences": _TEXTS | JSON,
    "sources": _TEXTS | JSON,
    "targets": _TEXTS | JSON,
    "beam": strategies.integers(-1, 8) | JSON,
    "n_best": strategies.integers(-1, 8) | JSON,
    "length_penalty": strategies.floats(allow_subnormal=False) | JSON,
    "no_unk": strategies.booleans() | JSON,
    "replace_unk": JSON,
    "alpha": strategies.booleans() | JSON,
    "map": strategies.sampled_from(("attention", "posterior", "leave-one-out")) | JSON,
    "rule": strategies.sampled_from(("argmax", "threshold")) | JSON,
}
_BODIES = strategies.tuples(strategies.sampled_from(_PATHS[:3]), strategies.fixed_dictionaries({}, optional=_FIELDS))


def _run(random: Random, cases: Cases, folder: Path) -> None:
    loaded = [load(random_run(folder / "words")), load(random_run(folder / "encdec", "rnnencdec"))]
    with TestClient(Service(loaded, _LIMITS), raise_server_exceptions=False) as client:

        def use(asked: tuple[str, dict[str, Any]]) -> None:
            path, body = asked
            with cases.case(f"POST {path} {body!a}"):
                try:
                    data = json.dumps(body).encode()
                except ValueError:
                    return
                _check(client, "POST", path, data, "application/json")

        each_drawn(random, _GENERATED, _BODIES, use)
        for _ in range(_DRAWN):
            _drawn(random, cases, client)


def _drawn(random: Random, cases: Cases, client: TestClient) -> None:
    """Send a request that would be answered, as it is or damaged."""
    texts = [random_text(random, 4)[:70] for _ in range(random.randint(0, 4))]
    path = random.choice(_PATHS)
    body: dict[str, Any] = {"model": random.choice(("words", "words", "encdec"))}
    body |= {"sentences": texts} if path == "/translate" else {"sources": texts, "targets": texts[::-1]}
    data = json.dumps(body).encode()
    done, method, media = "whole", "POST", "application/json"
    if random.random() < 0.6:
        done, data = drawn_bytes(random, data)
        method, media = (
            random.choice(("POST", "POST", "GET", "PUT", "DELETE", "OPTIONS", "HEAD")),
            random.choice(_TYPES),
        )
    with cases.case(f"{method} {path} {media} {body!a}, {done}"):
        _check(client, method, path, data, media)


def _check(client: TestClient, method: str, path: str, data: bytes, media: str) -> None:
    """Send a request and check its answer: one of the documented states, JSON, a result for each text."""
    headers = {"Content-Type": media} if media else {}
    answer = client.request(method, path, content=data, headers=headers)
    must(answer.status_code in _ANSWERS, f"status {answer.status_code}: {answer.text[:500]}")
    must(answer.headers["X-Content-Type-Options"] == "nosniff", "an answer without nosniff")
    if method == "HEAD" or path == "/metrics":
        return
    told = answer.json()
    if answer.status_code != 200:
        must(isinstance(told["error"], str) and "\n" not in told["error"], f"{told}")
    elif path in _RESULTS:
        asked, given = _RESULTS[path]
        must(len(told[given]) == len(json.loads(data)[asked]), "not as many results as texts")


TRIAL = Trial(
    name="service",
    tried="random bodies, paths, methods and media types sent to the HTTP service",
    holds="a result for each text, or one of the documented refusals with its sentence; never status 500",
    run=_run,
    pieces=30,
    ci=1,
    seconds=600,
    case_seconds=30,
)
