"""A service of tiny random models: two RNNsearches, an RNNencdec and an aligner."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from nmt.aligners.aligner import Aligner, load_aligner
from nmt.inference.translator import Translator, load
from nmt.serve.app import Service
from nmt.serve.messages import Limits, description
from release.aligner import build_aligner, write_aligner

SOURCES = [
    "the girl reads .",
    "a cat sleeps on the mat",
    "she has never seen the sea ,",
    "",
    "she",
    "Zanzibar is a cat",
]
TARGETS = ["la fille lit .", "un chat dort", "elle est sur la mer ,", "elle dort", "", "la zone est économique"]
LIMITS = Limits(characters=60, sentences=16, body=4_000, widest_beam=6, waiting=16, together=8)


@pytest.fixture(scope="session")
def loaded(random_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Translator | Aligner]:
    runs = {name: load(random_runs / name) for name in ("search-words", "search-bpe", "encdec-words")}
    folder = tmp_path_factory.mktemp("aligners") / "en-fr"
    folder.mkdir()
    pairs = list(zip(SOURCES, TARGETS, strict=True))
    write_aligner(folder, build_aligner([runs["search-words"], runs["search-bpe"]], [], pairs))
    return {**runs, "en-fr": load_aligner(folder, random_runs)}


@pytest.fixture(scope="session")
def client(loaded: dict[str, Translator | Aligner]) -> Iterator[TestClient]:
    with TestClient(Service(list(loaded.values()), LIMITS)) as client:
        yield client


def check_described(answer: Any, name: str) -> None:
    """Check that JSON is what the service's description says of it, without other fields. ``name``: of its schema."""
    components = description()["components"]
    for schema in components["schemas"].values():
        schema["additionalProperties"] = False
    schema = {"$ref": f"#/components/schemas/{name}", "components": components}
    jsonschema.Draft202012Validator(schema).validate(answer)
