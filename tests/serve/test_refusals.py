"""What the service refuses, and how it says so."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from nmt.aligners.aligner import Aligner
from nmt.errors import InputError
from nmt.inference.translator import Translator
from nmt.serve.app import LOOPBACK, Service
from nmt.serve.messages import check_weights
from tests.serve.conftest import LIMITS, check_described

JSON = {"Content-Type": "application/json"}
RUN = {"model": "search-words"}
PAIR = {"sources": ["she"], "targets": ["elle"]}
REBOUND = [
    (host, 421) for host in ("[::1].a.example", "127.0.0.1:a.example", "[::1", "localhost:1:2", "", "a@localhost")
] + [("localhost:65536", 421), ("localhost:99999999999999", 421), ("localhost:65535", 200), ("localhost:", 200)]


def error(answer: Any, status: int) -> str:
    assert answer.status_code == status, answer.text
    check_described(answer.json(), "ErrorAnswer")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    sentence = answer.json()["error"]
    assert isinstance(sentence, str)
    return sentence


@pytest.mark.parametrize(
    ("path", "body", "named"),
    [
        ("/translate", {**RUN}, "sentences"),
        ("/translate", {**RUN, "sentences": []}, "sentences"),
        ("/translate", {**RUN, "sentences": "she"}, "sentences"),
        ("/translate", {**RUN, "sentences": ["she", 3]}, "sentences[1]"),
        ("/translate", {**RUN, "sentences": ["she"] * 17}, "16"),
        ("/translate", {**RUN, "sentences": ["she", "a" * 61]}, "sentences[1]"),
        ("/translate", {**RUN, "sentences": ["0 ||| she ||| 1", "1 ||| a ||| 2"]}, "sentences is an n-best list"),
        ("/score", {**RUN, "sources": ["she"], "targets": ['{"fr": "elle"}']}, "targets is JSON"),
        ("/align", {**RUN, "sources": ["<s> she </s>"], "targets": ["elle"]}, "sources has marks such as <s>"),
        ("/translate", {**RUN, "sentences": ["she"], "beam": 0}, "beam"),
        ("/translate", {**RUN, "sentences": ["she"], "beam": 13}, "beam"),
        ("/translate", {**RUN, "sentences": ["she"], "beam": 2, "n_best": 3}, "n_best"),
        ("/translate", {**RUN, "sentences": ["she"], "bean": 2}, "beam"),
        ("/translate", {"sentences": ["she"]}, "model"),
        ("/translate", {"model": "en-fr", "sentences": ["she"]}, "aligner"),
        ("/translate", {"model": "encdec-words", "sentences": ["she"], "replace_unk": True}, "encdec-words"),
        ("/score", {**RUN, "sources": ["she", "a"], "targets": ["elle"]}, "2"),
        ("/score", {"model": "en-fr", **PAIR}, "aligner"),
        ("/align", {"model": "encdec-words", **PAIR}, "encdec-words"),
        ("/align", {**RUN, **PAIR, "map": "head"}, "attention"),
        ("/align", {**RUN, **PAIR, "rule": "best"}, "best"),
        ("/align", {**RUN, **PAIR, "rule": "threshold", "threshold": 1.01}, "threshold"),
        ("/align", {**RUN, **PAIR, "rule": "threshold", "threshold": 0}, "threshold"),
        ("/align", {**RUN, **PAIR, "threshold": 0.5}, "threshold"),
        ("/align", {"model": "en-fr", **PAIR, "map": "attention"}, "posterior"),
        ("/align", {"model": "en-fr", **PAIR, "map": "leave-one-out"}, "posterior"),
    ],
)
def test_faults_of_a_request_are_named(client: TestClient, path: str, body: dict[str, Any], named: str) -> None:
    assert named in error(client.post(path, json=body), 422)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b"\xff", b'{"sentences": ["\\ud800"]}', b"[" * 3000, b'{"beam": NaN}']
)
def test_what_is_not_a_json_object(client: TestClient, body: bytes) -> None:
    error(client.post("/translate", content=body, headers=JSON), 422)


AT_THE_BOUND: dict[str, tuple[str, Callable[[int], dict[str, Any]], int]] = {
    "characters of a sentence": ("/translate", lambda n: {"sentences": ["she".ljust(n, "e")]}, LIMITS.characters),
    "characters of a source": (
        "/score",
        lambda n: {"sources": ["she".ljust(n, "e")], "targets": ["elle"]},
        LIMITS.characters,
    ),
    "characters of a target": (
        "/align",
        lambda n: {"sources": ["she"], "targets": ["elle".ljust(n, "e")]},
        LIMITS.characters,
    ),
    "sentences": ("/translate", lambda n: {"sentences": ["she"] * n}, LIMITS.sentences),
    "pairs": ("/score", lambda n: {"sources": ["she"] * n, "targets": ["elle"] * n}, LIMITS.sentences),
    "beam": ("/translate", lambda n: {"sentences": ["she"], "beam": n}, 12),  # the run's own, wider than the limit
    "n_best": ("/translate", lambda n: {"sentences": ["she"], "beam": 3, "n_best": n}, 3),
    "length_penalty": ("/translate", lambda n: {"sentences": ["she"], "length_penalty": n}, 10),
    "threshold": ("/align", lambda n: {**PAIR, "rule": "threshold", "threshold": n}, 1),
}
"""A path, a request of a size, and the largest size that is answered."""


@pytest.mark.parametrize("name", AT_THE_BOUND)
def test_what_is_within_its_bound_is_answered_and_no_more(client: TestClient, name: str) -> None:
    path, body, most = AT_THE_BOUND[name]
    assert client.post(path, json=RUN | body(most)).status_code == 200
    assert client.post(path, json=RUN | body(1)).status_code == 200
    error(client.post(path, json=RUN | body(most + 1)), 422)


def test_what_is_named_is_named_as_it_was_sent(client: TestClient) -> None:
    answer = client.post("/translate", json=RUN | {"sentences": ["she"], "größe": 3})
    assert "größe" in error(answer, 422)
    assert "größe".encode() in answer.content


def test_a_body_may_have_as_many_bytes_as_the_limit_says(client: TestClient) -> None:
    body = b'{"model": "search-words", "sentences": ["she"]}'
    for content, status in ((body.ljust(LIMITS.body), 200), (body.ljust(LIMITS.body + 1), 413)):
        assert client.post("/translate", content=content, headers=JSON).status_code == status

        def parts(content: bytes = content) -> Iterator[bytes]:
            yield content[:7]
            yield content[7:]

        assert client.post("/translate", content=parts(), headers=JSON).status_code == status


def test_other_statuses(client: TestClient) -> None:
    assert "search-words" in error(client.post("/translate", json={"model": "x", "sentences": ["she"]}), 404)
    error(client.get("/docs"), 404)
    answer = client.get("/translate")
    error(answer, 405)
    assert answer.headers["Allow"] == "POST"
    error(client.post("/translate", content=b"{}", headers={"Content-Type": "text/plain"}), 415)
    error(client.post("/translate", content=b" " * 4_001, headers=JSON), 413)


@pytest.mark.parametrize(
    ("media_type", "taken"),
    [
        *(("application/json" + more, True) for more in ("", "; charset=UTF-8", ';charset="utf8"', "; a=b", ";")),
        *(("application/json" + more, True) for more in ("; a=b; charset=utf-8", "; charset = utf-8 ; a=b")),
        *(("application/json" + more, False) for more in ("; charset=utf-16", ";a=b;CHARSET=latin-1", ";charset=")),
        *(("application/json" + more, False) for more in ("x", "; charset=utf-8; charset=utf-16")),
        *((each, taken) for each, taken in (("", False), ("text/json", False), (" Application/JSON", True))),
    ],
)
def test_a_body_is_json_in_utf_8(media_type: str, taken: bool, client: TestClient) -> None:
    answer = client.post("/translate", content=b"{}", headers={"Content-Type": media_type})
    assert answer.status_code == (422 if taken else 415)
    assert "UTF-8" in answer.json()["error"] or taken


def test_no_path_leads_to_another(client: TestClient) -> None:
    error(client.post("/translate/", json={}, follow_redirects=False), 404)


def test_a_long_method_is_not_repeated(client: TestClient) -> None:
    told = error(client.request("A" * 5_000, "/translate"), 405)
    assert told == f"/translate does not take {'A' * 20}"


def test_pairs_that_would_take_too_long(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cost is quadratic for a posterior: three words on a side and the end mark are 4 x 4 pairs of tokens."""
    pair: dict[str, Any] = {"sources": ["she", "a cat sleeps"], "targets": ["elle", "un chat dort"]}
    monkeypatch.setattr("nmt.serve.app.MOST_COST", 4 * 10 + 15)
    posterior = {**pair, "model": "search-words", "map": "posterior"}
    assert "sources[1] and targets[1]" in error(client.post("/align", json=posterior), 422)
    assert client.post("/align", json={**pair, "model": "search-words"}).status_code == 200
    assert client.post("/score", json={**pair, "model": "search-words"}).status_code == 200
    monkeypatch.setattr("nmt.serve.app.MOST_COST", 4 * 10 + 16)
    assert client.post("/align", json=posterior).status_code == 200
    assert "56" in error(client.post("/align", json={**pair, "model": "en-fr"}), 422)  # two runs
    monkeypatch.setattr("nmt.serve.app.COST", 79)
    assert "80" in error(client.post("/align", json=posterior), 422)
    monkeypatch.setattr("nmt.serve.app.COST", 80)
    assert client.post("/align", json=posterior).status_code == 200


def test_a_body_of_unstated_length_is_limited(client: TestClient) -> None:
    def parts() -> Any:
        for _ in range(10):
            yield b" " * 1_000

    error(client.post("/translate", content=parts(), headers=JSON), 413)


def test_an_answer_of_too_many_weights(loaded: dict[str, Translator | Aligner]) -> None:
    roomy = replace(LIMITS, characters=10_000, body=100_000)
    with TestClient(Service([loaded["search-words"]], roomy)) as client:
        long = ["she " * 500]
        body: dict[str, Any] = {"sources": long, "targets": ["elle " * 1000], "alpha": True}
        weights = f"up to {5_001 * 2_001:,} alignment weights; the limit is 4,000,000: "
        assert weights in error(client.post("/score", json=body), 422)
        del body["alpha"]
        assert "cost" in error(client.post("/score", json=body), 422)  # no weights are asked for
        assert weights in error(client.post("/align", json=body), 422)
        assert client.post("/score", json={"sources": ["she"], "targets": ["elle"], "alpha": True}).status_code == 200
        body = {"sentences": ["a " * 800], "alpha": True, "beam": 4, "n_best": 4}
        assert f"{4 * (2 * 801 + 9) * 801:,}" in error(client.post("/translate", json=body), 422)
        assert client.post("/translate", json={**body, "sentences": ["a" * 800]}).status_code == 200


def test_an_answer_may_hold_four_million_weights() -> None:
    check_weights([(1999, 2000), (1, 2000)])
    with pytest.raises(InputError, match=r" 4,000,001 .* 4,000,000:"):
        check_weights([(2000, 2000), (1, 1)])


def test_no_page_of_another_origin_is_answered(loaded: dict[str, Translator | Aligner]) -> None:
    with TestClient(Service([loaded["search-words"]], LIMITS, LOOPBACK)) as client:
        for host, status in (
            ("127.0.0.1:8502", 200),
            ("[::1]:8502", 200),
            ("LOCALHOST", 200),
            ("a.example", 421),
            *REBOUND,
        ):
            assert client.get("/health", headers={"Host": host}).status_code == status
        asked = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST", "Host": "localhost"}
        answer = client.options("/translate", headers=asked)
        assert answer.status_code == 405
        assert not any(name.startswith("access-control") for name in answer.headers)


def test_two_models_of_one_name(loaded: dict[str, Translator | Aligner]) -> None:
    with pytest.raises(InputError, match="search-words"):
        Service([loaded["search-words"], loaded["search-words"]], LIMITS)
