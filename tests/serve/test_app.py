"""What the service says about itself: description, metrics, health; waiting and stopping."""

import asyncio
import gc
import re
import threading
import time
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from nmt.aligners.aligner import Aligner
from nmt.aligners.pairs import MOST_COST
from nmt.answers.searches import SharedSearch
from nmt.cli import build_parser
from nmt.inference.translator import Translator
from nmt.serve.app import Service, read_body, results_of
from nmt.serve.messages import COST, WEIGHTS, Limits, Refusal, ScoreRequest
from nmt.serve.models import Metrics
from tests.serve.conftest import LIMITS, check_described

Loaded = dict[str, Translator | Aligner]


def test_its_description_has_every_endpoint_and_error(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    assert set(described["paths"]) == {"/translate", "/score", "/align", "/models", "/health"}
    translate = described["paths"]["/translate"]["post"]
    errors = {"400", "404", "408", "413", "415", "421", "422", "429", "500", "503"}
    assert errors | {"200"} == set(translate["responses"])
    body = translate["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    schema = described["components"]["schemas"][body.rsplit("/", 1)[1]]
    assert schema["required"] == ["sentences"]
    assert schema["properties"]["beam"]["anyOf"][0] == {"minimum": 1, "type": "integer"}
    answer = translate["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
    assert answer.rsplit("/", 1)[1] in described["components"]["schemas"]
    unresolved = set(re.findall(r'"\$ref": ?"#/([^"]+)"', client.get("/openapi.json").text))
    for path in unresolved:
        found: Any = described
        for step in path.split("/"):
            found = found[step]


def test_limits_are_those_that_serve_has_without_options() -> None:
    options, limits = build_parser().parse_args(["serve", "RUN"]), Limits()
    assert {name: getattr(options, name) for name in vars(limits)} == vars(limits)
    text = (Path(__file__).parents[2] / "docs" / "service.md").read_text("utf-8")
    for name, value in (
        ("sentences", limits.sentences),
        ("waiting", limits.waiting),
        ("widest-beam", limits.widest_beam),
    ):
        assert re.search(rf"\b{value}( sentences)?\s\(`--{name}`|\(`--{name}`, {value}\)", text), name
    assert f"{limits.characters:,} characters each (`--characters`)" in text
    assert "(`--body`, 1 MiB)" in text
    assert limits.body == 1024 * 1024
    assert f"and {WEIGHTS:,} alignment weights" in text
    assert f"A pair may cost {MOST_COST:,} " in text
    assert f"request {COST:,}." in text


def samples(text: str) -> Mapping[str, float]:
    """The values of Prometheus' text format."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_metrics_count_requests_and_sentences(loaded: Loaded) -> None:
    with TestClient(Service([loaded["search-words"]], LIMITS)) as client:
        assert client.post("/translate", json={"sentences": ["she", "a cat"]}).status_code == 200
        assert client.post("/translate", json={"sentences": []}).status_code == 422
        client.get("/somewhere/else")
        for _ in range(100):  # a sentence is counted just after its answer
            answer = client.get("/metrics")
            found = samples(answer.text)
            if found['jointly_sentences_total{model="search-words"}'] == 2:
                break
            time.sleep(0.05)
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert found['jointly_requests_total{endpoint="/translate",status="200"}'] == 1
    assert found['jointly_requests_total{endpoint="/translate",status="422"}'] == 1
    assert found['jointly_requests_total{endpoint="other",status="404"}'] == 1
    assert found['jointly_request_seconds_count{endpoint="/translate"}'] == 2
    assert 0 < found['jointly_request_seconds_sum{endpoint="/translate"}'] < 60
    assert found['jointly_sentences_total{model="search-words"}'] == 2
    assert found['jointly_waiting_sentences{model="search-words"}'] == 0


def test_buckets_are_cumulative_and_names_are_escaped() -> None:
    metrics = Metrics()
    for seconds in (0.01, 0.05, 0.3, 100.0):
        metrics.count_request("/score", 200, seconds)
    metrics.add_model('a"\\', lambda: 2)
    metrics.count_round('a"\\', 3, 0.5)
    found = samples(metrics.text().decode())
    assert found['jointly_waiting_sentences{model="a\\"\\\\"}'] == 2
    assert found['jointly_sentences_total{model="a\\"\\\\"}'] == 3
    buckets = [value for name, value in found.items() if "_bucket" in name]
    assert buckets == sorted(buckets)
    assert found['jointly_request_seconds_bucket{endpoint="/score",le="0.05"}'] == 2
    assert found['jointly_request_seconds_bucket{endpoint="/score",le="0.5"}'] == 3
    assert buckets[-1] == 4
    assert found['jointly_request_seconds_sum{endpoint="/score"}'] == pytest.approx(100.36)


def test_a_full_queue_asks_to_come_back(loaded: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one search runs, 16 sentences wait and the next are refused; all that was accepted is answered."""
    begun, go_on = threading.Event(), threading.Event()
    step = SharedSearch.step

    def slow(self: SharedSearch) -> Any:
        begun.set()
        assert go_on.wait(30)
        return step(self)

    monkeypatch.setattr(SharedSearch, "step", slow)
    with TestClient(Service([loaded["search-words"]], LIMITS)) as client:
        answers: list[int] = []

        def ask(number: int) -> None:
            answers.append(client.post("/translate", json={"sentences": ["she"] * number}).status_code)

        running = threading.Thread(target=ask, args=(1,))
        running.start()
        assert begun.wait(30)
        waiting = threading.Thread(target=ask, args=(16,))
        waiting.start()
        while samples(client.get("/metrics").text)['jointly_waiting_sentences{model="search-words"}'] < 16:
            pass
        refused = client.post("/translate", json={"sentences": ["she"]})
        go_on.set()
        running.join(30)
        waiting.join(30)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) >= 1
    assert answers == [200, 200]


def test_after_the_end_it_refuses(loaded: Loaded) -> None:
    with TestClient(Service([loaded["search-words"]], LIMITS)) as client:
        assert client.get("/health").json()["status"] == "ok"
    ended = TestClient(client.app)
    health = ended.get("/health")
    assert health.status_code == 503
    check_described(health.json(), "HealthAnswer")
    assert ended.post("/translate", json={"sentences": ["she"]}).status_code == 503


def test_a_fault_of_the_program_is_no_secret_but_its_cause_is(loaded: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("she said")

    monkeypatch.setattr(SharedSearch, "step", broken)
    with TestClient(Service([loaded["search-words"]], LIMITS)) as client:
        answer = client.post("/translate", json={"sentences": ["she"]})
        assert answer.status_code == 500
        assert "she said" not in answer.text
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert samples(client.get("/metrics").text)['jointly_requests_total{endpoint="/translate",status="500"}'] == 1


def in_a_loop_of_its_own(task: Coroutine[Any, Any, None]) -> None:
    with ThreadPoolExecutor(1) as pool:  # in this thread the tests of the browser may keep a loop running
        pool.submit(asyncio.run, task).result()


def test_a_client_that_leaves_before_its_request_is_complete_has_a_status_of_its_own() -> None:
    parts = iter([{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> dict[str, Any]:
        return next(parts)

    async def read() -> None:
        headers = [(b"content-type", b"application/json; charset=utf-8")]
        with pytest.raises(Refusal) as refused:
            await read_body(Request({"type": "http", "headers": headers}, receive), ScoreRequest, 99)
        assert refused.value.status == 499

    in_a_loop_of_its_own(read())


def test_the_sentences_of_a_client_that_leaves_are_dropped() -> None:
    """Those that have not begun; and nothing is left behind for the log."""
    futures: list[Future[int]] = [Future(), Future()]
    futures[0].set_running_or_notify_cancel()
    faults: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def wait() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
        with pytest.raises(Refusal) as refused:
            await results_of(Request({"type": "http", "headers": []}, receive), futures)
        assert refused.value.status == 499  # as docs/service.md says
        futures[0].set_exception(ValueError("too late"))
        await asyncio.sleep(0.01)
        gc.collect()

    in_a_loop_of_its_own(wait())
    gc.collect()
    assert [future.cancelled() for future in futures] == [False, True]
    assert not faults
