"""Answers of the service against those of the same model for each sentence alone."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import nmt
from nmt.aligners.aligner import Aligner
from nmt.alignments.links import Extraction
from nmt.inference.translator import Translator
from nmt.results.links import LinkSet, MapName
from nmt.serve.models import Aligning, Scoring, aligner_of_run
from tests.serve.conftest import SOURCES, TARGETS, check_described

Loaded = dict[str, Translator | Aligner]
RUNS = ("search-words", "search-bpe", "encdec-words")


def run_of(loaded: Loaded, name: str) -> Translator:
    found = loaded[name]
    assert isinstance(found, Translator)
    return found


def ask(client: TestClient, path: str, **body: Any) -> dict[str, Any]:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    check_described(found, f"{path[1:].capitalize()}Answer")
    assert found.pop("format") == 1
    return found


def near(found: Any, expected: Any) -> None:
    """Equal but for numbers, which may differ by 1e-4."""
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for key in expected:
            near(found[key], expected[key])
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            near(one, other)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, abs=1e-4)
    else:
        assert found == expected


@pytest.mark.parametrize("name", RUNS)
def test_each_translation_is_that_of_the_sentence_alone(client: TestClient, loaded: Loaded, name: str) -> None:
    run = run_of(loaded, name)
    found = ask(client, "/translate", model=name, sentences=SOURCES, beam=4, n_best=3, no_unk=True, alpha=True)
    assert found["search"]["beam"] == 4
    assert found["search"]["no_unk"]
    expected = [run.translate(text, beam=4, n_best=3, no_unk=True).to_dict() for text in SOURCES]
    near(found["translations"], expected)


def test_hard_attention_is_that_of_the_request(client: TestClient, loaded: Loaded) -> None:
    run = run_of(loaded, "search-words")
    for hard in (True, False, None):
        found = ask(client, "/translate", model="search-words", sentences=SOURCES, hard_attention=hard, alpha=True)
        assert found["search"]["hard_attention"] == bool(hard)
        near(found["translations"], [run.translate(text, hard_attention=bool(hard)).to_dict() for text in SOURCES])
    weights = [set(np.ravel(t["weights"])) for t in alphas(client, hard_attention=True)]
    assert all(each <= {0.0, 1.0} for each in weights)
    assert not all(set(np.ravel(t["weights"])) <= {0.0, 1.0} for t in alphas(client, hard_attention=False))


def test_auto_replaces_unknown_words_as_true_does(client: TestClient) -> None:
    asked = {"model": "search-words", "sentences": ["the zorp sleeps"]}
    auto, true = (ask(client, "/translate", **asked, replace_unk=value) for value in ("auto", True))
    assert auto == true
    assert auto["search"]["replace_unk"] is not None


def alphas(client: TestClient, **settings: bool) -> list[dict[str, Any]]:
    found = ask(client, "/translate", model="search-words", sentences=SOURCES[:1], alpha=True, **settings)
    return [one for each in found["translations"][0]["systems"] for one in each["maps"]]


def test_many_clients_at_once_get_their_own_answers(client: TestClient, loaded: Loaded) -> None:
    """Of several models and settings; the batches that they make are whatever the moment gives."""
    asked = [(name, text, beam) for beam in (1, 4) for name in RUNS for text in SOURCES if text]

    def answer(request: tuple[str, str, int]) -> dict[str, Any]:
        name, text, beam = request
        (found,) = ask(client, "/translate", model=name, sentences=[text], beam=beam)["translations"]
        assert isinstance(found, dict)
        return found

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(answer, asked))
    for (name, text, beam), found in zip(asked, answers, strict=True):
        near(found, run_of(loaded, name).translate(text, beam=beam, alpha=False).to_dict())


@pytest.mark.parametrize("alpha", [False, True])
@pytest.mark.parametrize("name", ["search-bpe", "encdec-words"])
def test_scores(client: TestClient, loaded: Loaded, name: str, alpha: bool) -> None:
    found = ask(client, "/score", model=name, sources=SOURCES, targets=TARGETS, alpha=alpha)
    expected = [run_of(loaded, name).score(*pair).to_dict() for pair in zip(SOURCES, TARGETS, strict=True)]
    if not alpha:
        for one in expected:
            one["systems"][0]["maps"] = []
    near(found["scores"], expected)


def test_alpha_is_in_an_answer_only_if_it_is_asked_for(client: TestClient) -> None:
    (score,) = ask(client, "/score", model="search-bpe", sources=SOURCES[:1], targets=TARGETS[:1])["scores"]
    assert score["systems"][0]["maps"] == []
    (found,) = ask(client, "/translate", model="search-bpe", sentences=SOURCES[:1])["translations"]
    assert [each["maps"] for each in found["systems"]] == [[]]


def _maps(record: dict[str, Any], pair: tuple[str, str]) -> list[dict[str, Any]]:
    """The maps of the record of a pair over words."""
    (system,) = record["systems"]
    assert [system[side]["tokens"][:-1] for side in ("source", "target")] == [text.split() for text in pair]
    maps: list[dict[str, Any]] = system["maps"]
    return maps


def _cells(links: LinkSet, like: dict[str, Any]) -> list[list[float]]:
    rows, columns = np.shape(like["weights"])
    return [[float((j, i) in links) for j in range(columns)] for i in range(rows)]


def test_links_of_a_run_are_those_of_its_alpha(client: TestClient, loaded: Loaded) -> None:
    found = ask(client, "/align", model="search-bpe", sources=SOURCES, targets=TARGETS)["pairs"]
    for pair, links in zip(zip(SOURCES, TARGETS, strict=True), found, strict=True):
        alignment = run_of(loaded, "search-bpe").align(*pair)
        alpha, linked = _maps(links, pair)
        assert linked["weights"] == _cells(Extraction("argmax").links(alignment), linked)
        near(alpha["weights"], alignment.merged().to_dict()["weights"])
        assert (alpha["kind"], linked["kind"], linked["rule"]) == ("alpha", "links", "argmax")


def test_links_from_the_posterior(client: TestClient, loaded: Loaded) -> None:
    asked = {"model": "search-words", "sources": SOURCES[:3], "targets": TARGETS[:3]}
    found = ask(client, "/align", **asked, map="posterior", rule="threshold", threshold=0.2)["pairs"]
    for pair, links in zip(zip(SOURCES, TARGETS, strict=True), found, strict=False):
        posterior, linked = _maps(links, pair)
        near(posterior["weights"], run_of(loaded, "search-words").posterior(*pair).merged().to_dict()["weights"])
        assert (posterior["kind"], linked["rule"]) == ("posterior", "posterior threshold 0.2")


def test_links_of_an_aligner(client: TestClient, loaded: Loaded) -> None:
    aligner = loaded["en-fr"]
    assert isinstance(aligner, Aligner)
    found = ask(client, "/align", model="en-fr", sources=SOURCES, targets=TARGETS)["pairs"]
    expected = [aligner.align(*pair).to_dict() for pair in zip(SOURCES, TARGETS, strict=True)]
    near(found, expected)


def test_the_threshold_of_an_aligners_links_is_the_one_asked_for(client: TestClient, loaded: Loaded) -> None:
    aligner, counts = loaded["en-fr"], []
    assert isinstance(aligner, Aligner)
    for threshold in (0.05, 0.2, 0.3):
        asked = {"model": "en-fr", "sources": SOURCES, "targets": TARGETS, "rule": "threshold", "threshold": threshold}
        found = ask(client, "/align", **asked)["pairs"]
        rule = Extraction("threshold", threshold)
        near(found, [each.to_dict() for each in aligner.stream(zip(SOURCES, TARGETS, strict=True), extraction=rule)])
        counts.append(sum(int(np.sum(each["systems"][0]["maps"][-1]["weights"])) for each in found))
    assert counts[0] > counts[1] > counts[2] > 0


def test_models(client: TestClient, loaded: Loaded) -> None:
    answer = client.get("/models").json()
    check_described(answer, "ModelsAnswer")
    found = {model["name"]: model for model in answer["models"]}
    assert list(found) == list(loaded)
    run = run_of(loaded, "search-bpe")
    assert run.fingerprint is not None
    assert found["search-bpe"]["weights"] == [{"run": "search-bpe", "sha256": run.fingerprint.weights}]
    assert found["search-bpe"]["search"]["beam"] == run.search_settings.beam
    assert (found["encdec-words"]["architecture"], found["encdec-words"]["source_language"]) == ("rnnencdec", "en")
    assert (found["en-fr"]["kind"], found["en-fr"]["search"]) == ("aligner", None)
    assert [run["run"] for run in found["en-fr"]["weights"]] == ["search-words", "search-bpe"]


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
